"""The paytable for the price: every paytable that fits what is wished, or the proof that none does."""
