"""The blackjack solver: composition-dependent best play, calling the rule book's predicates."""

MAIN, INSURANCE = "main", "insurance"  # the wagers that are not side bets
