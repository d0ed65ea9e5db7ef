"""What a backup says of itself: which books, how far they had come, and the hash of its file."""

import hashlib
import os
from pathlib import Path

import msgspec

from pairhouse.core.errors import Refused

MANIFEST = "manifest.json"
FORMAT = 1
FILES = {"sqlite": "books.db", "postgresql": "books.pgdump"}
_CHUNK = 1 << 20


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A backup of the books. `chains` has the last event of each chain: its number and its seal."""

    format: int
    books: str
    epoch: int
    made_at: str
    version: str
    schema: str
    database: str
    file: str
    bytes: int
    sha256: str
    events: int
    chains: dict[str, tuple[int, str]]

    @property
    def words(self) -> str:
        """Which backup it is, for a sentence."""
        return f"the backup of {self.made_at} (books {self.books}, epoch {self.epoch}, {self.events} events)"


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, read piece by piece."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def sync(path: Path) -> None:
    """Force a file or a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    path = folder / MANIFEST
    path.write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    sync(path)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a backup whose file is as it was made; refused otherwise."""
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError):
        sentence = f"{folder} is no backup: it has no {MANIFEST} that can be read"
        raise Refused("bad-backup", f"{sentence}; give a folder that `pairhouse backup` has made") from None
    if manifest.format != FORMAT or FILES.get(manifest.database) != manifest.file:
        raise Refused("bad-backup", f"{folder} was made by another version ({manifest.version}); restore it with that")
    path = folder / manifest.file
    try:
        size = path.stat().st_size
        if size != manifest.bytes:
            raise Refused("bad-backup", f"{path} has {size} bytes; its manifest says {manifest.bytes}")
        if sha256_of(path) != manifest.sha256:
            raise Refused("bad-backup", f"{path} is not what was written: its SHA-256 is not that of its manifest")
    except OSError as error:
        raise Refused("bad-backup", f"{path} cannot be read: {error.strerror}") from None
    return manifest
