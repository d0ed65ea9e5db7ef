"""Rows that bets insert have the columns of their tables, in their order; SQLite takes them as they are."""

from typing import Any

import pytest
from sqlalchemy import Table

from pairhouse.house.audit.round_rows import _ROUNDS, JoinedRound
from pairhouse.house.dealer import SHOE_COLUMNS, STREAM_COLUMNS, ShoeRow, StreamRow
from pairhouse.house.recall import ROUND_COLUMNS, StoredRound
from pairhouse.house.store import schema
from pairhouse.house.store.rows import ActRow, EventRow, RoundRow, SeatedRow, TransferRow

INSERTED: list[tuple[Any, Table]] = [
    (RoundRow, schema.rounds),
    (SeatedRow, schema.seated),
    (ActRow, schema.acts),
    (TransferRow, schema.transfers),
    (EventRow, schema.events),
]
READ: list[tuple[Any, Any]] = [(StreamRow, STREAM_COLUMNS), (ShoeRow, SHOE_COLUMNS), (StoredRound, ROUND_COLUMNS)]


@pytest.mark.parametrize(("row", "table"), INSERTED, ids=lambda value: getattr(value, "__name__", str(value)))
def test_an_inserted_row_has_every_column_in_order(row: Any, table: Table) -> None:
    assert list(row.__struct_fields__) == [column.name for column in table.columns]


@pytest.mark.parametrize(("row", "columns"), READ, ids=lambda value: getattr(value, "__name__", ""))
def test_a_row_that_is_read_is_named_after_its_columns(row: Any, columns: Any) -> None:
    fields = row._fields if hasattr(row, "_fields") else row.__struct_fields__
    assert list(fields) == [column.name for column in columns]


def test_a_row_joined_from_several_tables_has_a_name_for_each_column() -> None:
    assert len(JoinedRound._fields) == len(_ROUNDS.selected_columns)
