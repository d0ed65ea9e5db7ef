"""Session tokens and API keys: random secrets of which only the hash is stored."""

import hashlib
import secrets


def new_token() -> str:
    """A new secret: 256 bits from the operating system's randomness."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """The hash that is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
