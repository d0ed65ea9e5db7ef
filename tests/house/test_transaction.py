"""Queued changes: written together, dropped with a refused command, and kept apart from what was written at once."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import bindparam, delete, insert, select, update

from direct_house import new_books
from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.store.schema import meters
from pairhouse.house.store.transaction import CannotUndo, WriteTx
from pairhouse.house.store.writer import Batched

INSERT = insert(meters)
UPDATE = update(meters).where(meters.c.table_id == bindparam("table")).values(amount=bindparam("new_amount"))
DELETE = delete(meters).where(meters.c.table_id == bindparam("table"))
ALL = select(meters.c.table_id, meters.c.amount).order_by(meters.c.table_id)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = House(new_books("sqlite", tmp_path))
    yield opened
    opened.close()


def test_queued_changes_are_written_before_the_next_query(house: House) -> None:
    """Inserts first, then updates, then deletes, in whatever order they were queued."""

    def command(tx: WriteTx) -> list[Any]:
        tx.queue(DELETE, {"table": "b"})
        tx.queue(UPDATE, {"table": "a", "new_amount": 7})
        tx.queue_row(INSERT, ("a", 1, 0))
        tx.queue_row(INSERT, ("b", 1, 0))
        return tx.all(ALL, {})

    assert house.do(command) == [("a", 7)]


def test_what_a_command_queued_can_be_dropped_until_it_is_written(house: House) -> None:
    def command(tx: WriteTx) -> list[Any]:
        tx.begin_group()
        tx.queue_row(INSERT, ("a", 1, 0))
        mark = tx.mark
        tx.queue_row(INSERT, ("b", 1, 0))
        tx.back_to(mark)
        assert tx.all(ALL, {}) == [("a", 1)]
        with pytest.raises(CannotUndo):
            tx.back_to(msgspec.structs.replace(mark, queued=0))
        mark = tx.mark
        tx.run(UPDATE, {"table": "a", "new_amount": 2})
        with pytest.raises(CannotUndo):
            tx.back_to(mark)
        tx.end_group()
        return tx.all(ALL, {})

    assert house.do(command) == [("a", 2)]


def test_a_group_is_rolled_back_to_where_it_began(house: House) -> None:
    def command(tx: WriteTx) -> list[Any]:
        tx.queue_row(INSERT, ("a", 1, 0))
        before = tx.chain.mark
        tx.begin_group()
        tx.seal("test", {})
        tx.run(UPDATE, {"table": "a", "new_amount": 2})
        tx.undo_group()
        tx.end_group()
        assert tx.chain.mark == before
        return tx.all(ALL, {})

    assert house.do(command) == [("a", 1)]


def refuse_each(tx: WriteTx, asked: Sequence[bool]) -> list[Any]:
    """Change and seal something for each, written at once where that is asked, and refuse it after all."""
    for is_written in asked:
        mark = tx.mark
        tx.queue_row(INSERT, ("a", 1, 0))
        tx.seal("test", {})
        if is_written:
            tx.flush()
        tx.back_to(mark)
    return [Refused("no", "it is refused after all") for _ in asked]


@pytest.mark.parametrize("is_written", [False, True])
def test_a_batched_command_that_is_alone_leaves_nothing_when_it_is_refused(house: House, is_written: bool) -> None:
    before = house.do(lambda tx: tx.chain.mark)
    with pytest.raises(Refused, match="after all"):
        house.do(Batched(refuse_each, is_written))
    assert house.do(lambda tx: (tx.chain.mark, tx.all(ALL, {}))) == (before, [])
