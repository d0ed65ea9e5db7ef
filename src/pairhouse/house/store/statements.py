"""SQL statements, written once in SQLAlchemy Core and turned into text once for each kind of database."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Insert, LargeBinary, Select, Table, Update, literal_column, select, text
from sqlalchemy.dialects import postgresql, sqlite

Params = Mapping[str, Any]

DIALECTS = {"sqlite": sqlite.dialect(paramstyle="qmark"), "postgresql": postgresql.dialect(paramstyle="pyformat")}  # type: ignore[no-untyped-call]


class Statement(Protocol):
    """Anything that can be turned into SQL text."""

    def compile(self, *, dialect: Any) -> Any: ...
    def __hash__(self) -> int: ...


class InsertNew:
    """An insert that does nothing when a row with the same key exists; the row count then is 0."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def compile(self, *, dialect: Any) -> Any:
        insert = sqlite.insert if dialect.name == "sqlite" else postgresql.insert
        return insert(self.table).on_conflict_do_nothing().compile(dialect=dialect)


class ForEach:
    """A query for many items at once, answered by one statement.

    `build` receives a table of the items: a row each, with its number in the list (`place`) and the columns named
    here. The statement is run with the parameter `items`, a JSON list of lists.
    """

    def __init__(self, columns: Sequence[str], build: Callable[[Any], Select[Any]]) -> None:
        self.columns = columns
        self.build = build

    def compile(self, *, dialect: Any) -> Any:
        if dialect.name == "sqlite":
            rows, place, value = "json_each(:items) AS each", "each.key", "json_extract(each.value, '$[{}]')"
        else:
            rows = "jsonb_array_elements(CAST(:items AS jsonb)) WITH ORDINALITY AS each(value, key)"
            place, value = "each.key - 1", "each.value ->> {}"
        columns: list[Any] = [
            literal_column(value.format(number)).label(name) for number, name in enumerate(self.columns)
        ]
        items = select(literal_column(place).label("place"), *columns).select_from(text(rows)).subquery("items")
        return self.build(items).compile(dialect=dialect)


def slices_of(*groups: Sequence[Any]) -> list[slice]:
    """Where each group of columns lies in the rows of a `ForEach` that selects `place` and then these groups."""
    slices, start = [], 1
    for group in groups:
        slices.append(slice(start, start + len(group)))
        start += len(group)
    return slices


class Compiled(NamedTuple):
    """The text of a statement, the parameters fixed in it, and how to hand its driver the others."""

    text: str
    fixed: dict[str, Any]
    arrange: Callable[[Params], Any]


@lru_cache(maxsize=1024)
def compiled(statement: Statement, kind: str) -> Compiled:
    """A statement for one kind of database.

    SQLite's driver takes parameters by position: by name it would build each name again for every row.
    """
    built = statement.compile(dialect=DIALECTS[kind])
    fixed = {name: value for name, value in built.params.items() if value is not None}
    names = built.positiontup
    if names is None:
        return Compiled(str(built), fixed, _unchanged)
    arrange = itemgetter(*names) if len(names) > 1 else lambda params: tuple(params[name] for name in names)
    return Compiled(str(built), fixed, arrange)


def _unchanged(params: Params) -> Params:
    return params


@lru_cache(maxsize=256)
def insert_from_json(statement: Statement) -> str | None:
    """For PostgreSQL: an insert of many rows as one statement that takes them as JSON; None where that cannot be."""
    if not isinstance(statement, Insert):
        return None
    table = statement.table
    if any(isinstance(column.type, LargeBinary) for column in table.columns):
        return None
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    rows = f"json_populate_recordset(NULL::{table.name}, %(rows)s)"
    return f"INSERT INTO {table.name} ({columns}) SELECT {columns} FROM {rows}"


_PARAMETER = re.compile(r"%\((\w+)\)s::(BIGINT|INTEGER|VARCHAR)")
_EQUALS = re.compile(r"\w+\.\w+ = " + _PARAMETER.pattern)


class UpdateMany(NamedTuple):
    """An update of many rows as one statement that takes them as JSON, and the parameters that say which row it is."""

    text: str
    keys: tuple[str, ...]

    def fits(self, params: Sequence[Params]) -> bool:
        """Whether no row is changed twice: one statement would do only one of the changes."""
        return len({tuple(one[key] for key in self.keys) for one in params}) == len(params)


@lru_cache(maxsize=256)
def update_from_json(statement: Statement) -> UpdateMany | None:
    """For PostgreSQL: the same for an update whose rows are found by equal columns; None where that cannot be."""
    if not isinstance(statement, Update):
        return None
    built = compiled(statement, "postgresql")
    changes, _, found_by = built.text.partition(" WHERE ")
    known = dict(_PARAMETER.findall(built.text))
    conditions = found_by.split(" AND ")
    is_plain = built.text.count("%(") == len(_PARAMETER.findall(built.text)) and not built.fixed
    if not is_plain or not all(_EQUALS.fullmatch(each) for each in conditions):
        return None
    columns = ", ".join(f'"{name}" {kind}' for name, kind in known.items())
    rows = f"json_to_recordset(%(rows)s::json) AS given({columns})"
    text_of = _PARAMETER.sub(r'given."\1"', f"{changes} FROM _ROWS_ WHERE {found_by}")
    keys = tuple(name for name, _ in _PARAMETER.findall(found_by))
    return UpdateMany(text_of.replace("_ROWS_", rows), keys)
