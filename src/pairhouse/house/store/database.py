"""Connections to the database, SQLite or PostgreSQL, and transactions that run our statements on them.

Statements run on the driver itself, which costs a tenth of running them through an engine (docs/decisions/0008).
"""

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import msgspec
from sqlalchemy import Insert, create_engine
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from pairhouse.core.errors import Refused, shown
from pairhouse.house.store import postgresql
from pairhouse.house.store.statements import DIALECTS, Params, Statement, compiled, insert_from_json, update_from_json

Row = tuple[Any, ...]

BUSY_TIMEOUT_S = 5.0
PRIVATE = 0o600
SQLITE_SETTINGS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "cache_size=-65536",
    "wal_autocheckpoint=8000",
    "temp_store=MEMORY",
)


class StoreFailed(Exception):
    """The database could not do it, and nothing was changed. Errors of the drivers reach callers as this."""


class OutcomeUnknown(StoreFailed):
    """The database went away during a commit: whether anything was changed is not known."""


class Cursor(Protocol):
    """What the cursors of both drivers can do."""

    rowcount: int

    def execute(self, text: Any, params: Any = ...) -> Any: ...
    def executemany(self, text: Any, params: Any) -> Any: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> Any: ...


class Tx:
    """Runs statements on one connection, usually inside a transaction."""

    def __init__(self, cursor: Cursor, kind: str) -> None:
        self.kind = kind
        self._cursor = cursor

    def one(self, statement: Statement, params: Params) -> Row | None:
        """The first row, or None."""
        self._execute(statement, params)
        row: Row | None = self._cursor.fetchone()
        if row is not None and self.kind == "sqlite":
            self._cursor.fetchall()  # reads the statement to its end, so that it holds no lock
        return row

    def value(self, statement: Statement, params: Params) -> Any:
        """The first column of the first row, or None."""
        row = self.one(statement, params)
        return row[0] if row is not None else None

    def all(self, statement: Statement, params: Params) -> list[Row]:
        """Every row."""
        self._execute(statement, params)
        rows: list[Row] = self._cursor.fetchall()
        return rows

    def run(self, statement: Statement, params: Params) -> int:
        """Change something; the number of rows affected."""
        self._execute(statement, params)
        return self._cursor.rowcount

    def insert_many(self, statement: Insert, rows: Sequence[Row]) -> None:
        """Insert these rows, each with its values in the order of the table's columns."""
        if self.kind == "sqlite":
            self._cursor.executemany(compiled(statement, self.kind).text, rows)
        else:
            names = [column.name for column in statement.table.columns]
            self.run_many(statement, [dict(zip(names, row, strict=True)) for row in rows])

    def run_many(self, statement: Statement, params: Sequence[Params]) -> None:
        """Run the same statement with each of these parameters."""
        if self.kind == "postgresql" and len(params) > 1:
            together = insert_from_json(statement)
            update = update_from_json(statement)
            if update is not None and update.fits(params):
                together = update.text
            if together is not None:
                self._cursor.execute(together, {"rows": msgspec.json.encode(params).decode()})
                return
        text, fixed, arrange = compiled(statement, self.kind)
        self._cursor.executemany(text, [arrange({**fixed, **one} if fixed else one) for one in params])

    def _execute(self, statement: Statement, params: Params) -> None:
        text, fixed, arrange = compiled(statement, self.kind)
        self._cursor.execute(text, arrange({**fixed, **params} if fixed else params))

    def raw(self, text: str) -> None:
        """Run SQL text without parameters, such as BEGIN."""
        self._cursor.execute(text)


class Database:
    """The database of a house: an SQLite file, or a PostgreSQL database.

    `errors` are the exceptions of its driver. psycopg is needed only for a postgresql:// address.
    """

    def __init__(self, url: str) -> None:
        try:
            self.url = make_url(url)
        except ArgumentError:
            raise _bad_url(url) from None
        self.kind = self.url.get_backend_name()
        if self.kind not in DIALECTS or (self.kind == "sqlite" and not self.url.database):
            raise _bad_url(url)
        self.errors: tuple[type[Exception], ...] = (sqlite3.Error,) if self.is_sqlite else (postgresql.driver().Error,)
        self._readers = threading.local()
        self._reader_connections: list[Any] = []  # of all threads, to be closed in the end

    @property
    def is_sqlite(self) -> bool:
        return self.kind == "sqlite"

    def connect(self, *, reading: bool = False, wait_s: float = BUSY_TIMEOUT_S) -> Any:
        """A connection of the driver, outside any transaction."""
        failures: tuple[type[Exception], ...] = (*self.errors, OSError)
        try:
            if self.is_sqlite:
                return self._connect_sqlite(reading, wait_s)
            return postgresql.connect(self.url, reading=reading)
        except failures as error:
            where = self.url.render_as_string(hide_password=True)
            raise StoreFailed(f"the database {where} cannot be opened: {str(error).strip()}") from error

    def _connect_sqlite(self, reading: bool, wait_s: float) -> sqlite3.Connection:
        path = Path(str(self.url.database))
        path.parent.mkdir(parents=True, exist_ok=True)
        _make_private(path)
        connection = sqlite3.connect(path, timeout=wait_s, isolation_level=None, check_same_thread=False)
        for setting in SQLITE_SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        if reading:
            connection.execute("PRAGMA query_only=ON")
        return connection

    def cursor(self, connection: Any) -> Cursor:
        """A cursor that gives rows as tuples."""
        cursor: Cursor = connection.cursor()
        return cursor

    @contextmanager
    def reading(self) -> Iterator[Tx]:
        """A transaction that sees one state of the database and changes nothing, on this thread's own connection."""
        connection = getattr(self._readers, "connection", None)
        if connection is None or (not self.is_sqlite and connection.closed):
            connection = self._readers.connection = self.connect(reading=True)
            self._reader_connections.append(connection)
        tx = Tx(self.cursor(connection), self.kind)
        try:
            tx.raw("BEGIN" if self.is_sqlite else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield tx
        except self.errors as error:
            reason = str(error).strip().partition("\n")[0]
            raise StoreFailed(f"the books could not be read: {reason}; try again") from error
        finally:
            self._end_reading(connection, tx)

    def _end_reading(self, connection: Any, tx: Tx) -> None:
        """End the transaction; a connection that fails at that is closed, and the next reader opens a new one."""
        try:
            tx.raw("ROLLBACK")
        except self.errors:
            self._readers.connection = None
            self._reader_connections.remove(connection)
            connection.close()

    def close(self) -> None:
        """Close every reader's connection; a later reader opens a new one."""
        self._readers = threading.local()
        while self._reader_connections:
            self._reader_connections.pop().close()

    @contextmanager
    def engine_connection(self) -> Iterator[Connection]:
        """A connection through SQLAlchemy's engine, for migrations."""
        driver = "sqlite+pysqlite" if self.is_sqlite else "postgresql+psycopg"
        engine = create_engine(self.url.set(drivername=driver), poolclass=NullPool)
        with engine.begin() as connection:
            yield connection
        engine.dispose()


def _make_private(path: Path) -> None:
    """Let nobody but its owner read a database file, new or old. What SQLite writes beside it is as private.

    A file that exists is never opened here: closing it would drop the locks that SQLite holds on it in this process.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(OSError):  # it is not there, or not ours to change
            if file.stat().st_mode & 0o077:
                file.chmod(PRIVATE)


def _bad_url(url: str) -> Refused:
    accepted = "sqlite:////path/to/house.db or postgresql://user:password@host/database"
    return Refused("bad-database", f"{shown(url)} is no database we can use; give {accepted}")
