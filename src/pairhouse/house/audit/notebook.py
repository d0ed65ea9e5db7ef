"""What the events say, and running sums: noted in a temporary database, so that an audit needs little memory."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import msgspec

from pairhouse.core.errors import shown

_TABLES = """
CREATE TABLE notes (subject TEXT, id TEXT, says TEXT, PRIMARY KEY (subject, id)) WITHOUT ROWID;
CREATE TABLE sums (name TEXT PRIMARY KEY, total INTEGER) WITHOUT ROWID;
"""
_ADD = "INSERT INTO sums VALUES (?, ?) ON CONFLICT DO UPDATE SET total = total + excluded.total"
encoder = msgspec.json.Encoder(order="deterministic")


class Differs(Exception):
    """The books contradict themselves; the sentence says where."""


class AuditFailed(Exception):
    """The audit itself has failed: the program is at fault, and nothing is known of the books."""

    @classmethod
    def at(cls, where: str, error: Exception) -> "AuditFailed":
        """A failure at this place, for people."""
        return cls(f"the audit itself failed at {where} ({error!r}), so nothing is known of the books")


def check_equal(where: str, what: str, found: Any, expected: Any) -> None:
    """Two values that must be equal; `Differs` says both if they are not."""
    if found != expected:
        raise Differs(f"{where}: {what} is {brief(found)}; it should be {brief(expected)}")


def brief(value: Any) -> str:
    """A value, short enough for a sentence."""
    return shown(value) if value is None or isinstance(value, str | int) else shown(text(value))


def text(value: Any) -> str:
    """A value as JSON with sorted keys, so that equal values give equal texts."""
    return encoder.encode(value).decode()


class Notebook:
    """A temporary database: in a file of its own that another process can read, or gone when the audit ends."""

    def __init__(self, file: str = "") -> None:
        self._db = sqlite3.connect(file, isolation_level=None)
        self._db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-32768;" + _TABLES)
        self._db.execute("BEGIN")

    def close(self) -> None:
        self._db.execute("COMMIT")
        self._db.close()

    def add_sums_of(self, file: str) -> None:
        """Add the sums in the notebook of another process."""
        with closing(sqlite3.connect(file)) as other:
            self._db.executemany(_ADD, other.execute("SELECT name, total FROM sums"))

    def note(self, subject: str, name: str, says: str) -> None:
        """Note what an event says about something that only one event may speak of."""
        try:
            self._db.execute("INSERT INTO notes VALUES (?, ?, ?)", (subject, name, says))
        except sqlite3.IntegrityError:
            raise Differs(f"{subject} {name} is told by two events; it should be told by one") from None

    def note_same(self, subject: str, name: str, says: str) -> None:
        """Note what several events may say, as long as they say the same."""
        earlier = self.noted(subject, name)
        if earlier is None:
            self.note(subject, name, says)
        elif earlier != says:
            raise Differs(f"{subject} {name} is told in two ways by two events")

    def note_largest(self, subject: str, name: str, says: str) -> None:
        """Note what several events may say about something; the largest text stays."""
        self._db.execute(
            "INSERT INTO notes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET says = max(says, excluded.says)",
            (subject, name, says),
        )

    def noted(self, subject: str, name: str) -> str | None:
        """What was noted about something, or None."""
        row = self._db.execute("SELECT says FROM notes WHERE subject = ? AND id = ?", (subject, name)).fetchone()
        return row[0] if row else None

    def count(self, subject: str) -> int:
        """How many notes there are on a subject."""
        count: int = self._db.execute("SELECT count(*) FROM notes WHERE subject = ?", (subject,)).fetchone()[0]
        return count

    def all(self, subject: str) -> Iterator[tuple[str, str]]:
        """Every note on a subject (name and text), ordered by name."""
        return iter(self._db.execute("SELECT id, says FROM notes WHERE subject = ? ORDER BY id", (subject,)))

    def add(self, name: str, amount: int) -> None:
        """Add to a sum."""
        self._db.execute(_ADD, (name, amount))

    def total(self, name: str) -> int:
        """A sum; zero if nothing was ever added to it."""
        row = self._db.execute("SELECT total FROM sums WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

    def sums(self, prefix: str) -> Iterator[tuple[str, int]]:
        """The sums whose names begin with a prefix, named without it. Add nothing while reading them."""
        found = self._db.execute("SELECT name, total FROM sums WHERE name >= ? AND name < ?", (prefix, prefix + "~"))
        return ((name[len(prefix) :], total) for name, total in found)
