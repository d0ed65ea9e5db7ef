"""Tokens and keys: who holds one is known by its hash, which is all that is ever kept."""

import hashlib
import secrets


def new_token() -> str:
    """A secret nobody guesses: 256 bits from the randomness of the operating system."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
