"""The blackjack solver: composition-dependent best play, calling the rule book's predicates."""
