"""Tallies and solved play on disk: what was counted once is read back, as long as no source of ours changes.

A file is named after the rules it was counted under and the cards it was counted on, and lies in a folder named after
the hash of all our source. It starts with a digest of what follows, so a damaged one is counted anew. Reading is for
those who ask for it: a certificate, a test or a benchmark counts.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar

import msgspec

from pairhouse.core.places import cache_root
from pairhouse.machines.cache import in_use, source_hash

Ways = dict[int, int]
Found = TypeVar("Found")

FOLDERS_KEPT = 3
FILES_KEPT = 512
_reading: ContextVar[bool] = ContextVar("reading", default=False)


@contextmanager
def stored_tallies() -> Iterator[None]:
    """Within this block tallies are read from disk, and stored there when they had to be counted."""
    before = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(before)


def stored(key: str, work: Callable[[], Ways]) -> Ways:
    """The tally of this name from disk; counted and stored where it is missing or damaged."""
    return stored_as(Ways, key, work)


def stored_as(kind: type[Found], key: str, work: Callable[[], Found]) -> Found:
    """The same for a value of any kind that MessagePack can hold."""
    if not _reading.get():
        return work()
    found = look_up(kind, key)
    if found is None:
        found = work()
        keep(key, found)
    return found


def look_up(kind: type[Found], key: str) -> Found | None:
    """What is on disk under this name; None where it is missing or damaged."""
    return _read(_file(key), kind)


def keep(key: str, found: Any) -> None:
    """Store something on disk under this name."""
    file = _file(key)
    if in_use(file.parent, "tallies-*", FOLDERS_KEPT):
        _write(file, found)


def _file(key: str) -> Path:
    return cache_root() / f"tallies-{source_hash()[:24]}" / f"{hashlib.sha256(key.encode()).hexdigest()}.tally"


def _read(file: Path, kind: type[Found]) -> Found | None:
    try:
        digest, _, body = file.read_bytes().partition(b"\n")
        if digest.decode("ascii") != hashlib.sha256(body).hexdigest():
            return None
        return msgspec.msgpack.decode(body, type=kind)
    except (OSError, UnicodeDecodeError, msgspec.DecodeError):
        return None


def _write(file: Path, found: Any) -> None:
    """Write a file in one step: another process sees the old file or the new one."""
    body = msgspec.msgpack.encode(found)
    try:
        with NamedTemporaryFile(dir=file.parent, prefix="writing-", delete=False) as new:
            new.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        os.replace(new.name, file)
        others = sorted(file.parent.glob("*.tally"), key=lambda other: other.stat().st_mtime)
        for old in others[:-FILES_KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return
