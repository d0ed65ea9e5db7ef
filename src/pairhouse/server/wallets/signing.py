"""How calls to an operator's wallet and its answers are signed: with a secret both sides know, or with two key pairs.

With key pairs (Ed25519) neither side can sign in the other's name, so either can prove to a third party who said what.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pairhouse.core.errors import Refused

SECRET_VARIABLE = "PAIRHOUSE_WALLET_SECRET_"
KEY_VARIABLE, THEIR_KEY_VARIABLE = "PAIRHOUSE_WALLET_KEY_", "PAIRHOUSE_WALLET_THEIR_KEY_"
SECRET_MIN = 32
KEY_DIGITS = 64
PREFIX = "ed25519:"


class Signing(Protocol):
    """Signs what we send, and checks what comes back."""

    def sign(self, *parts: str | bytes) -> str: ...
    def fits(self, signature: str, *parts: str | bytes) -> bool: ...


class SharedSecret:
    """HMAC-SHA256 with a secret, as hex digits."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def sign(self, *parts: str | bytes) -> str:
        return hmac.new(self._secret, joined(*parts), hashlib.sha256).hexdigest()

    def fits(self, signature: str, *parts: str | bytes) -> bool:
        return hmac.compare_digest(signature.encode(), self.sign(*parts).encode())


class KeyPairs:
    """Ed25519: our private key signs, the operator's public key checks. A signature is `ed25519:` and hex digits."""

    def __init__(self, ours: bytes, theirs: bytes) -> None:
        self._ours = Ed25519PrivateKey.from_private_bytes(ours)
        self._theirs = Ed25519PublicKey.from_public_bytes(theirs)

    def sign(self, *parts: str | bytes) -> str:
        return PREFIX + self._ours.sign(joined(*parts)).hex()

    def fits(self, signature: str, *parts: str | bytes) -> bool:
        try:
            self._theirs.verify(bytes.fromhex(signature.removeprefix(PREFIX)), joined(*parts))
        except (InvalidSignature, ValueError):
            return False
        return signature.startswith(PREFIX)


def joined(*parts: str | bytes) -> bytes:
    """The parts that are signed, a line feed between each two."""
    return b"\n".join(part if isinstance(part, bytes) else part.encode() for part in parts)


def new_key_pair() -> tuple[str, str]:
    """A private key and its public key, as hex digits."""
    private = secrets.token_bytes(KEY_DIGITS // 2)
    public = Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
    return private.hex(), public.hex()


def read_signing(name: str, environment: Mapping[str, str]) -> Signing:
    """How calls to a wallet are signed, from the environment: a secret, or our private and their public key."""
    suffix = name.upper().replace("-", "_")
    secret = environment.get(SECRET_VARIABLE + suffix, "")
    ours, theirs = (environment.get(variable + suffix, "") for variable in (KEY_VARIABLE, THEIR_KEY_VARIABLE))
    if secret and (ours or theirs):
        raise Refused("bad-wallet", f"wallet {name} has a secret and a key; set the one or the other")
    if ours or theirs:
        both = ((KEY_VARIABLE, ours), (THEIR_KEY_VARIABLE, theirs))
        return KeyPairs(*(_key(name, variable + suffix, text) for variable, text in both))
    if len(secret) < SECRET_MIN:
        has = f"has {len(secret)} letters" if secret else "is not set"
        needed = f"wallet {name} needs a secret of at least {SECRET_MIN} letters in {SECRET_VARIABLE}{suffix}"
        pair = f"or a key pair in {KEY_VARIABLE}{suffix} and {THEIR_KEY_VARIABLE}{suffix}"
        raise Refused("bad-wallet", f"{needed}, {pair}; it {has}")
    return SharedSecret(secret.encode())


def _key(name: str, variable: str, text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_DIGITS // 2:
        has = "is not set" if not text else "is something else"
        raise Refused("bad-wallet", f"wallet {name} needs {KEY_DIGITS} hex digits in {variable}; it {has}")
    return key
