"""Whose fault it is that something could not be checked: that of the books, or that of the audit.

Damaged books can make any step of the audit fail. So when one fails, the values it worked with are looked at: if one is
not of the kind of its column, is not as it was sealed, or is no JSON where JSON is stored, the books are at fault.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy import Column, Float, Integer, LargeBinary, Table, func, select

from pairhouse.house.audit.notebook import Differs
from pairhouse.house.audit.round_money_checks import check_events
from pairhouse.house.audit.round_rows import AuditedRound, transfer_prefix
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import metadata

FAILURES = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, AssertionError)
_KINDS = {Integer: "integer", LargeBinary: "blob", Float: "real"}
_NEVER_NEGATIVE = ("nonce", "first_card", "table_version", "staked")


def check_readable(where: str, audited: AuditedRound) -> None:
    """Say what is wrong with a round that could not be checked; nothing, if it is as it was sealed."""
    row = audited.row
    for name, kind in type(row).__annotations__.items():
        value = getattr(row, name)
        if not isinstance(value, kind):
            raise Differs(f"{where} cannot be read: its {name} is {value!r}")
        if name in _NEVER_NEGATIVE and value < 0:
            raise Differs(f"{where} cannot be read: its {name} is {value}")
    try:
        msgspec.json.decode(row.seats, type=list[dict[str, int]])
        msgspec.json.decode(row.client_seeds, type=list[str])
        msgspec.json.decode(row.options, type=dict[str, object])
        msgspec.json.decode(row.result or "[]", type=list[dict[str, dict[str, object]]])
    except msgspec.MsgspecError as error:
        raise Differs(f"{where} cannot be read: {error!r}") from error
    moves = []
    for act in audited.acts:
        prefix = f"{transfer_prefix(act)}:"
        moves.append([move for key, (move, _) in sorted(audited.moves.items()) if key.startswith(prefix)])
    check_events(where, audited, moves)


def check_kinds(tx: Tx) -> None:
    """Say which value is not of the kind of its column. SQLite stores what it is given; PostgreSQL does not."""
    if tx.kind != "sqlite":
        return
    for table in metadata.sorted_tables:
        for column in table.columns:
            for found in _other_kinds(tx, table, column):
                raise Differs(f"the books cannot be read: a value of {table.name}.{column.name} is of kind {found}")


def _other_kinds(tx: Tx, table: Table, column: Column[Any]) -> Iterator[str]:
    kind = next((kind for types, kind in _KINDS.items() if isinstance(column.type, types)), "text")
    stored = func.typeof(column)
    other = (stored != kind) & (stored != "null") if column.nullable else stored != kind
    for (found,) in tx.all(select(stored).where(other).limit(1), {}):
        yield found
