"""Rounds as logs, betting slips, shuffles and proofs of fairness: everything about a round that needs no database."""
