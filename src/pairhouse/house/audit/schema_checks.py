"""Checks of the database itself: the file is sound, and it has our tables, indexes and constraints and no others.

A trigger could change what the house writes, and a missing index could let a key be used twice.
"""

import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import CheckConstraint, Index, Table, text
from sqlalchemy.dialects import postgresql

from pairhouse.house.audit.notebook import Differs, check_equal
from pairhouse.house.audit.privilege_checks import check_privileges
from pairhouse.house.store.database import Database, Tx
from pairhouse.house.store.migrate import migrate, newest_version
from pairhouse.house.store.schema import metadata

_MASTER = text(  # but for the tables in which ANALYZE counts rows: a trigger can be given such a name
    "SELECT type, name, tbl_name, sql FROM sqlite_master"
    " WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))"
)
_VERSION = text("SELECT version_num FROM alembic_version")
_NUMBERS = {"user_version": 0, "application_id": 0, "encoding": "UTF-8", "auto_vacuum": 0}
VERSIONS_TABLE = "alembic_version"


def check_schema(tx: Tx) -> None:
    """The database has the schema of this version, unaltered."""
    if tx.kind == "sqlite":
        _check_file(tx)
        _compare("the file", _sqlite_schema(tx), _expected_sqlite())
    else:
        _compare("the database", _postgresql_schema(tx), _expected_postgresql())
        check_privileges(tx)
    check_equal("the database", "its version", [row[0] for row in tx.all(_VERSION, {})], [newest_version()])


def _compare(where: str, found: dict[str, str], expected: dict[str, str]) -> None:
    for name in sorted(found.keys() | expected.keys()):
        if name not in expected:
            raise Differs(f"{where} has {name}, which is none of ours: {found[name][:120]}")
        if name not in found:
            raise Differs(f"{where} has no {name}; it should be: {expected[name][:120]}")
        check_equal(where, name, found[name], expected[name])


# SQLite.


def _check_file(tx: Tx) -> None:
    problems = [row[0] for row in tx.all(text("PRAGMA integrity_check(3)"), {})]
    if problems != ["ok"]:
        raise Differs(f"the file is damaged: {str(problems[0]).splitlines()[-1]}")
    for name, expected in _NUMBERS.items():
        check_equal("the file", f"its {name}", tx.value(text(f"PRAGMA {name}"), {}), expected)


def _sqlite_schema(tx: Tx) -> dict[str, str]:
    rows = tx.all(_MASTER, {})
    return {f"{kind} {name}": f"on {table}: {' '.join(str(sql).split())}" for kind, name, table, sql in rows}


@lru_cache(maxsize=1)
def _expected_sqlite() -> dict[str, str]:
    """The schema of a new database."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'new.db'}")
        migrate(database)
        with database.reading() as tx:
            found = _sqlite_schema(tx)
        database.close()
    return found


# PostgreSQL.

_COLUMNS = text(
    "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)"
    " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid"
    " LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum"
    " WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped"
)
_INDEXES = text(
    "SELECT c.relname, i.relname, x.indisunique AND x.indimmediate,"
    " x.indisvalid AND x.indisready, pg_get_expr(x.indpred, x.indrelid),"
    " array_to_string(ARRAY("
    "SELECT pg_get_indexdef(x.indexrelid, k, true) FROM generate_series(1, x.indnkeyatts) k), ',')"
    " FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid"
    " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema()"
)
_CHECKS = text(
    "SELECT c.relname, o.conname, pg_get_constraintdef(o.oid) FROM pg_constraint o"
    " JOIN pg_class c ON c.oid = o.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = current_schema() AND o.contype NOT IN ('p', 'u', 'n')"
)
_FOREIGN = {
    "trigger": "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
    " WHERE NOT t.tgisinternal",
    "event trigger": "SELECT evtname, evtevent FROM pg_event_trigger",
    "rule": "SELECT rulename, tablename FROM pg_rules WHERE schemaname = current_schema()",
    "policy": "SELECT polname, polrelid::regclass::text FROM pg_policy",
    "view": "SELECT c.relname, c.relkind::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = current_schema() AND c.relkind IN ('v', 'm', 'f', 'S')",
    "function": "SELECT p.proname, p.prosrc FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
    " WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'",
}


def _plain(expression: Any) -> str:
    """An expression without what PostgreSQL adds to it."""
    words = "" if expression is None else str(expression)
    for added in ("::text", "::bigint", "CHECK"):
        words = words.replace(added, "")
    return " ".join(words.replace("(", " ").replace(")", " ").split())


def _default(expression: Any) -> str:
    """A default value without the quotes that a text may have."""
    return _plain(expression).strip("'")


def _postgresql_schema(tx: Tx) -> dict[str, str]:
    found = {
        f"column {t}.{c}": f"{kind} {fixed} {_default(default)}" for t, c, kind, fixed, default in tx.all(_COLUMNS, {})
    }
    for table, name, unique, valid, where, columns in tx.all(_INDEXES, {}):
        found[f"index {name}"] = _index_text(table, columns.split(","), unique, _plain(where), valid)
    found |= {f"constraint {name}": f"{t}: {_plain(says)}" for t, name, says in tx.all(_CHECKS, {})}
    for kind, statement in _FOREIGN.items():
        found |= {f"{kind} {name}": str(what) for name, what in tx.all(text(statement), {})}
    return found


def _index_text(table: str, columns: Iterable[str], unique: bool, where: str, valid: bool = True) -> str:
    return f"{'unique ' if unique else ''}on {table} ({', '.join(columns)}) where {where or 'all'}, valid {valid}"


@lru_cache(maxsize=1)
def _expected_postgresql() -> dict[str, str]:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    expected = {f"column {VERSIONS_TABLE}.version_num": "character varying(32) True "}
    expected["index alembic_version_pkc"] = _index_text(VERSIONS_TABLE, ["version_num"], True, "")
    for table in metadata.sorted_tables:
        for column in table.columns:
            kind = {"float": "double precision"}.get(name := column.type.compile(dialect=dialect).lower(), name)
            default = getattr(column.server_default, "arg", None)
            if column is table.autoincrement_column:  # PostgreSQL counts these with a sequence
                default = f"nextval('{table.name}_{column.name}_seq'::regclass)"
                expected[f"view {table.name}_{column.name}_seq"] = "S"
            expected[f"column {table.name}.{column.name}"] = f"{kind} {not column.nullable} {_default(default)}"
        expected |= _expected_indexes(table)
        for rule in table.constraints:
            if isinstance(rule, CheckConstraint):
                expected[f"constraint {rule.name}"] = f"{table.name}: {_plain(rule.sqltext)}"
    return expected


def _expected_indexes(table: Table) -> dict[str, str]:
    keys = [column.name for column in table.primary_key.columns]
    expected = {f"index {table.name}_pkey": _index_text(table.name, keys, True, "")}
    for column in table.columns:
        if column.unique:
            expected[f"index {table.name}_{column.name}_key"] = _index_text(table.name, [column.name], True, "")
    for index in table.indexes:
        expected[f"index {index.name}"] = _index_text(table.name, _names(index), bool(index.unique), _where(index))
    return expected


def _names(index: Index) -> list[str]:
    return [column.name for column in index.columns]


def _where(index: Index) -> str:
    return _plain(index.dialect_options["postgresql"]["where"])
