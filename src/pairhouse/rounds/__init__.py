"""Rounds as logs, betting slips, shuffles and proofs of fairness: all that needs no database."""
