"""Reads that change nothing, and players and tables as the API shows them."""
