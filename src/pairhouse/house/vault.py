"""Encryption of stored secrets: server seeds and operators' tokens, with a key that is not in the database."""

import os
import secrets
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


def find_vault(key_file: Path | None) -> Vault:
    """The vault of a house: its key comes from the environment, or from a key file that is made on first use."""
    given = os.environ.get(KEY_VARIABLE)
    if given:
        try:
            return Vault(bytes.fromhex(given))
        except ValueError as error:
            if isinstance(error, Refused):
                raise
            raise Refused("bad-seed-key", f"{KEY_VARIABLE} is not hex; give {2 * _KEY_BYTES} hex digits") from None
    if key_file is None:
        made = "make one with `python -c 'import secrets; print(secrets.token_hex(32))'` and keep it safe"
        raise Refused("bad-seed-key", f"this database needs a key for its seeds in {KEY_VARIABLE}; {made}")
    return Vault(_read_or_make(key_file))


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
