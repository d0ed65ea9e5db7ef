"""Published prices, advice and hold, from the mathematics of the games."""
