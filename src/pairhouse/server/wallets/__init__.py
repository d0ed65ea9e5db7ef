"""Operators' wallets: the cashier who asks them, the client that calls them, the outbox that retries."""
