"""Session tokens and API keys: random secrets of which only the hash is stored."""

import hashlib
import secrets


def new_token() -> str:
    """A new secret: 256 bits from the operating system's randomness."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """The hash that is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def digest_of(*values: object) -> str:
    """What an event says of something that must not be read from it: a hash that tells whether it was changed."""
    text = "\n".join(map(str, ("pairhouse/sealed/v1", *values)))
    return hashlib.sha256(text.encode()).hexdigest()
