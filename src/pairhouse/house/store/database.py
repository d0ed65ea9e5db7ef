"""The way to the database: one kind of statement for SQLite and PostgreSQL, and connections that are told apart.

Statements are written in SQLAlchemy Core and turned into text once for each database; they then run on the driver
itself, which costs a tenth of running them through an engine (docs/decisions/0008).
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol

import msgspec
import psycopg
from sqlalchemy import Insert, LargeBinary, Select, Table, create_engine, literal_column, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from pairhouse.core.errors import Refused, shown

Row = tuple[Any, ...]
Params = Mapping[str, Any]
Values = tuple[Any, ...]  # a row to be added: a value for each column of its table, in their order

BUSY_TIMEOUT_S = 5.0
_DIALECTS = {"sqlite": sqlite.dialect(paramstyle="qmark"), "postgresql": postgresql.dialect(paramstyle="pyformat")}  # type: ignore[no-untyped-call]
RETRYABLE = {"40001", "40P01"}  # serialization failure, deadlock


class StoreFailed(Exception):
    """The database could not do it, and nothing was changed."""


class OutcomeUnknown(StoreFailed):
    """The database went away during a commit: whether anything was changed is not known."""


class Statement(Protocol):
    """Anything that can be written out for a database."""

    def compile(self, *, dialect: Any) -> Any: ...
    def __hash__(self) -> int: ...


class InsertNew:
    """An insert that leaves a row with the same key as it is; zero rows touched tells so."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def compile(self, *, dialect: Any) -> Any:
        insert = sqlite.insert if dialect.name == "sqlite" else postgresql.insert
        return insert(self.table).on_conflict_do_nothing().compile(dialect=dialect)


class ForEach:
    """A question asked for many at once, whose answers come in one reading.

    `build` is given the table of what is asked: a row each, with the number of its place and the columns named here.
    It is run with `asked`, a JSON list of lists.
    """

    def __init__(self, columns: Sequence[str], build: Callable[[Any], Select[Any]]) -> None:
        self.columns = columns
        self.build = build

    def compile(self, *, dialect: Any) -> Any:
        if dialect.name == "sqlite":
            rows, place, value = "json_each(:asked) AS each", "each.key", "json_extract(each.value, '$[{}]')"
        else:
            rows = "jsonb_array_elements(CAST(:asked AS jsonb)) WITH ORDINALITY AS each(value, key)"
            place, value = "each.key - 1", "each.value ->> {}"
        given: list[Any] = [
            literal_column(value.format(number)).label(name) for number, name in enumerate(self.columns)
        ]
        asked = select(literal_column(place).label("place"), *given).select_from(text(rows)).subquery("asked")
        return self.build(asked).compile(dialect=dialect)


@cache
def _compiled(statement: Statement, kind: str) -> tuple[str, dict[str, Any], Callable[[Params], Any]]:
    """The text of a statement, the values that are part of it, and how its driver takes the others.

    SQLite's takes them by place: by name it would make each name anew for each row.
    """
    compiled = statement.compile(dialect=_DIALECTS[kind])
    fixed = {name: value for name, value in compiled.params.items() if value is not None}
    names = compiled.positiontup
    if names is None:
        return str(compiled), fixed, _as_given
    return (
        str(compiled),
        fixed,
        itemgetter(*names) if len(names) > 1 else lambda row: tuple(row[name] for name in names),
    )


def _as_given(row: Params) -> Params:
    return row


@cache
def _of_records(statement: Statement) -> str | None:
    """For PostgreSQL: an insert of many rows as one statement that takes them as JSON; None where it cannot be one."""
    if not isinstance(statement, Insert):
        return None
    table = statement.table
    if any(isinstance(column.type, LargeBinary) for column in table.columns):
        return None
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    rows = f"json_populate_recordset(NULL::{table.name}, %(rows)s)"
    return f"INSERT INTO {table.name} ({columns}) SELECT {columns} FROM {rows}"


class Cursor(Protocol):
    """What both drivers' cursors do."""

    rowcount: int

    def execute(self, text: Any, params: Any = ...) -> Any: ...
    def executemany(self, text: Any, params: Any) -> Any: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> Any: ...


class Tx:
    """Statements on one connection, inside a transaction or beside one (reading)."""

    def __init__(self, cursor: Cursor, kind: str) -> None:
        self.kind = kind
        self._cursor = cursor

    def one(self, statement: Statement, params: Params) -> Row | None:
        """The first row, or None."""
        self._execute(statement, params)
        row: Row | None = self._cursor.fetchone()
        if row is not None and self.kind == "sqlite":
            self._cursor.fetchall()  # a statement read to its end holds nothing open
        return row

    def all(self, statement: Statement, params: Params) -> list[Row]:
        """Every row."""
        self._execute(statement, params)
        rows: list[Row] = self._cursor.fetchall()
        return rows

    def run(self, statement: Statement, params: Params) -> int:
        """Change something; how many rows were touched."""
        self._execute(statement, params)
        return self._cursor.rowcount

    def add_many(self, statement: Insert, rows: Sequence[Values]) -> None:
        """Add these rows. SQLite takes them as they are."""
        if self.kind == "sqlite":
            self._cursor.executemany(_compiled(statement, self.kind)[0], rows)
        else:
            names = [column.name for column in statement.table.columns]
            self.many(statement, [dict(zip(names, row, strict=True)) for row in rows])

    def many(self, statement: Statement, params: Sequence[Params]) -> None:
        """The same change for each of these."""
        if self.kind == "postgresql" and len(params) > 1:
            insert = _of_records(statement)
            if insert is not None:
                self._cursor.execute(insert, {"rows": msgspec.json.encode(params).decode()})
                return
        text, fixed, taken = _compiled(statement, self.kind)
        self._cursor.executemany(text, [taken({**fixed, **row} if fixed else row) for row in params])

    def _execute(self, statement: Statement, params: Params) -> None:
        text, fixed, taken = _compiled(statement, self.kind)
        self._cursor.execute(text, taken({**fixed, **params} if fixed else params))

    def raw(self, text: str) -> None:
        """A word of the database itself, such as BEGIN."""
        self._cursor.execute(text)


class Database:
    """Where the house keeps its records: an SQLite file or a PostgreSQL database."""

    def __init__(self, url: str) -> None:
        try:
            self.url = make_url(url)
        except ArgumentError:
            raise _bad_url(url) from None
        self.kind = self.url.get_backend_name()
        if self.kind not in _DIALECTS or (self.kind == "sqlite" and not self.url.database):
            raise _bad_url(url)
        self._readers = threading.local()
        self._reading: list[Any] = []  # every reader's connection, to be closed in the end

    @property
    def is_sqlite(self) -> bool:
        return self.kind == "sqlite"

    def connect(self, *, reading: bool = False, wait_s: float = BUSY_TIMEOUT_S) -> Any:
        """A connection of the driver, outside any transaction."""
        try:
            return self._connect_sqlite(reading, wait_s) if self.is_sqlite else self._connect_postgres(reading)
        except (sqlite3.Error, psycopg.Error, OSError) as error:
            where = self.url.render_as_string(hide_password=True)
            raise StoreFailed(f"the database {where} cannot be opened: {str(error).strip()}") from error

    def _connect_sqlite(self, reading: bool, wait_s: float) -> sqlite3.Connection:
        path = Path(str(self.url.database))
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=wait_s, isolation_level=None, check_same_thread=False)
        for word in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "cache_size=-65536",
            "wal_autocheckpoint=8000",
            "temp_store=MEMORY",
        ):
            connection.execute(f"PRAGMA {word}")
        if reading:
            connection.execute("PRAGMA query_only=ON")
        return connection

    def _connect_postgres(self, reading: bool) -> Any:
        text = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
        connection = psycopg.connect(text, autocommit=True, prepare_threshold=2)
        if reading:
            connection.execute("SET default_transaction_read_only = on")
        else:  # a scan of a whole table would stand in the way of every other writer of it
            for plan in ("seqscan", "hashjoin", "mergejoin"):
                connection.execute(f"SET enable_{plan} = off")
        return connection

    def cursor(self, connection: Any) -> Cursor:
        """A cursor that gives rows as tuples."""
        cursor: Cursor = connection.cursor()
        return cursor

    @contextmanager
    def reading(self) -> Iterator[Tx]:
        """Read a single state of the books, on a connection of this thread."""
        connection = getattr(self._readers, "connection", None)
        if connection is None or (not self.is_sqlite and connection.closed):
            connection = self._readers.connection = self.connect(reading=True)
            self._reading.append(connection)
        tx = Tx(self.cursor(connection), self.kind)
        try:
            tx.raw("BEGIN" if self.is_sqlite else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield tx
        except (sqlite3.Error, psycopg.Error) as error:
            reason = str(error).strip().partition("\n")[0]
            raise StoreFailed(f"the books could not be read: {reason}; try again") from error
        finally:
            self._end_reading(connection, tx)

    def _end_reading(self, connection: Any, tx: Tx) -> None:
        """Leave the transaction; a connection that cannot even do that is given up, and the next reader opens one."""
        try:
            tx.raw("ROLLBACK")
        except (sqlite3.Error, psycopg.Error):
            self._readers.connection = None
            self._reading.remove(connection)
            connection.close()

    def close(self) -> None:
        """Close what readers have left open; whoever reads again opens anew."""
        self._readers = threading.local()
        while self._reading:
            self._reading.pop().close()

    @contextmanager
    def engine_connection(self) -> Iterator[Connection]:
        """A connection of SQLAlchemy's, for migrations."""
        driver = "sqlite+pysqlite" if self.is_sqlite else "postgresql+psycopg"
        engine = create_engine(self.url.set(drivername=driver), poolclass=NullPool)
        with engine.begin() as connection:
            yield connection
        engine.dispose()


def _bad_url(url: str) -> Refused:
    accepted = "sqlite:////path/to/house.db or postgresql://user:password@host/database"
    return Refused("bad-database", f"{shown(url)} is no database we can use; give {accepted}")


def is_retryable(error: BaseException) -> bool:
    """Whether the same transaction, tried again, may succeed: another one was in its way."""
    if isinstance(error, psycopg.Error):
        return error.sqlstate in RETRYABLE or isinstance(error, psycopg.errors.UniqueViolation)
    return False
