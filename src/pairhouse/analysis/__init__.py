"""The mathematics of exactly the games that are dealt."""
