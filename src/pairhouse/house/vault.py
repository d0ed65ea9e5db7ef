"""Encryption of stored secrets: server seeds and operators' tokens, with a key that is not in the database."""

import os
import secrets
from datetime import UTC, datetime
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pairhouse.core.errors import Refused

KEY_VARIABLE = "PAIRHOUSE_SEED_KEY"
_KEY_BYTES, _NONCE_BYTES = 32, 12


class Vault:
    """Encrypts and decrypts secrets with one key. Its repr never shows the key."""

    def __init__(self, key: bytes) -> None:
        if len(key) != _KEY_BYTES:
            accepted = f"{KEY_VARIABLE} must be {_KEY_BYTES} bytes written as {2 * _KEY_BYTES} hex digits"
            raise Refused("bad-seed-key", f"the key given has {len(key)} bytes; {accepted}")
        self._cipher = AESGCM(key)

    def seal(self, secret: bytes, name: str) -> bytes:
        """The secret, encrypted for one name only: moved to a row of another name, it does not open."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, secret, name.encode())

    def open(self, sealed: bytes, name: str) -> bytes:
        """The secret, decrypted; refused if it was altered, or sealed with another key or name."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], name.encode())
        except InvalidTag:
            sentence = f"the sealed seed {name} does not open: it was sealed with another key, or altered"
            raise Refused("bad-seed-key", sentence) from None


def vault_from(variable: str) -> Vault | None:
    """The vault whose key is in an environment variable; None if that is not set."""
    given = os.environ.get(variable)
    if not given:
        return None
    try:
        return Vault(bytes.fromhex(given))
    except ValueError as error:
        if isinstance(error, Refused):
            raise
        raise Refused("bad-seed-key", f"{variable} is not hex; give {2 * _KEY_BYTES} hex digits") from None


def find_vault(key_file: Path | None) -> Vault:
    """The vault of a house: its key comes from the environment, or from a key file that is made on first use."""
    given = vault_from(KEY_VARIABLE)
    if given is not None:
        return given
    if key_file is None:
        made = "make one with `python -c 'import secrets; print(secrets.token_hex(32))'` and keep it safe"
        raise Refused("bad-seed-key", f"this database needs a key for its seeds in {KEY_VARIABLE}; {made}")
    return Vault(_read_or_make(key_file))


class KeyFile:
    """A file with a key that only its owner may read, and the way to the next key."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._next = path.with_name(path.name + ".next")

    def make_next(self) -> Vault:
        """A new key, on disk beside the one in use; the same again if there is one that was not taken yet."""
        return Vault(_read_or_make(self._next))

    def take_next(self) -> Path:
        """Use the next key from now on; where the old one is kept."""
        old = self.path.with_name(f"{self.path.name}.until-{datetime.now(UTC):%Y%m%dT%H%M%S}")
        self.path.rename(old)
        self._next.rename(self.path)
        return old


def _read_or_make(path: Path) -> bytes:
    """The key in a file that only its owner may read; a new one if there is no such file."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        try:
            return bytes.fromhex(path.read_text().strip())
        except ValueError:
            raise Refused("bad-seed-key", f"{path} holds no key; it should be 64 hex digits") from None
    key = secrets.token_bytes(_KEY_BYTES)
    with os.fdopen(handle, "w") as file:
        file.write(key.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    return key
