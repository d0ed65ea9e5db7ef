"""What the events tell, noted down on disk while the books are gone through, so that memory stays flat."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec

from pairhouse.core.errors import shown

_TABLES = """
CREATE TABLE told (subject TEXT, id TEXT, says TEXT, PRIMARY KEY (subject, id)) WITHOUT ROWID;
CREATE TABLE sums (name TEXT PRIMARY KEY, total INTEGER) WITHOUT ROWID;
"""
_ADD = "INSERT INTO sums VALUES (?, ?) ON CONFLICT DO UPDATE SET total = total + excluded.total"
encoder = msgspec.json.Encoder(order="deterministic")


class Differs(Exception):
    """The books do not agree with themselves; the sentence says where."""


def same(where: str, what: str, found: Any, expected: Any) -> None:
    """Two things that must be equal, or the difference."""
    if found != expected:
        raise Differs(f"{where}: {what} is {brief(found)}; it should be {brief(expected)}")


def brief(value: Any) -> str:
    """A value for a sentence."""
    return shown(value) if value is None or isinstance(value, str | int) else shown(text(value))


def text(value: Any) -> str:
    """A value as JSON, always written the same way."""
    return encoder.encode(value).decode()


class Notebook:
    """A private database file that the system throws away."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-32768;" + _TABLES)
        self._db.execute("BEGIN")

    def close(self) -> None:
        self._db.close()

    def note(self, subject: str, name: str, says: str) -> None:
        """What an event tells of something; it can be told once."""
        try:
            self._db.execute("INSERT INTO told VALUES (?, ?, ?)", (subject, name, says))
        except sqlite3.IntegrityError:
            raise Differs(f"{subject} {name} is told by two events; it should be told by one") from None

    def note_again(self, subject: str, name: str, says: str) -> None:
        """What may be told several times: the largest stays."""
        self._db.execute(
            "INSERT INTO told VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET says = max(says, excluded.says)",
            (subject, name, says),
        )

    def said(self, subject: str, name: str) -> str | None:
        """What was told of something."""
        row = self._db.execute("SELECT says FROM told WHERE subject = ? AND id = ?", (subject, name)).fetchone()
        return row[0] if row else None

    def count(self, subject: str) -> int:
        """Of how many it was told."""
        count: int = self._db.execute("SELECT count(*) FROM told WHERE subject = ?", (subject,)).fetchone()[0]
        return count

    def all(self, subject: str) -> Iterator[tuple[str, str]]:
        """Everything told of a kind, in order."""
        return iter(self._db.execute("SELECT id, says FROM told WHERE subject = ? ORDER BY id", (subject,)))

    def add(self, name: str, amount: int) -> None:
        """Add to a sum."""
        self._db.execute(_ADD, (name, amount))

    def total(self, name: str) -> int:
        """A sum; zero if nothing was added to it."""
        row = self._db.execute("SELECT total FROM sums WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

    def sums(self, prefix: str) -> Iterator[tuple[str, int]]:
        """The sums whose names begin like this, without that beginning; nobody writes while they are read."""
        found = self._db.execute("SELECT name, total FROM sums WHERE name >= ? AND name < ?", (prefix, prefix + "~"))
        return ((name[len(prefix) :], total) for name, total in found)
