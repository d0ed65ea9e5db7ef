"""Chains are checkpointed however often a house is opened: checkpoints stay short, and no event can be cut off."""

import json
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from direct_house import DATABASES, Guest, audited, before_live_tables, new_database, older_books
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.house.audit import audit
from pairhouse.house.floor import change_table
from pairhouse.house.house import House
from pairhouse.house.store.database import Tx
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.writer import Writers
from pairhouse.server.bookkeeping.jobs import checkpoint

RESTARTS = 200


def nothing(_: WriteTx) -> None:
    """A command that only opens the chain."""


def restarted(house: House, times: int, command: Callable[[WriteTx], Any] = nothing) -> None:
    """Writers that open, do one thing and go, as one server after another does."""
    for _ in range(times):
        writers = Writers(house.database, house.log.certifier, house.clock)
        writers.do(command)
        writers.close()


def rows_of(house: House, statement: str) -> list[Any]:
    with closing(house.database.connect(reading=True)) as connection:
        return list(connection.execute(statement).fetchall())


def checkpoints(house: House) -> list[list[Any]]:
    """What each checkpoint names, oldest first."""
    bodies = rows_of(house, "SELECT body FROM events WHERE kind = 'checkpoint' ORDER BY at, number")
    return [json.loads(body)["heads"] for (body,) in bodies]


@pytest.mark.parametrize("kind", DATABASES)
def test_checkpoints_do_not_grow_and_nothing_can_be_cut(kind: str, tmp_path: Path) -> None:
    house = House(new_database(kind, tmp_path))
    guest = Guest(house, Random(3))
    guest.sit("la-paire")
    for _ in range(RESTARTS // 20):
        guest.bet("la-paire", [{"card-2": 200}])
        restarted(house, 20)
    assert max(len(heads) for heads in checkpoints(house)) <= 2  # the one before, and the one that plays
    found = audited(house)
    assert (found.difference, len(found.chains)) == (None, RESTARTS + 1)
    connection = house.database.connect()
    connection.execute("BEGIN")
    chains = sorted(found.chains) if kind == "sqlite" else sorted(found.chains)[::10]
    for chain in chains:
        connection.execute("SAVEPOINT cut")
        last = found.chains[chain][0]
        connection.execute(f"DELETE FROM events WHERE chain = '{chain}' AND number = {last}")
        cut = audit(Tx(house.database.cursor(connection), kind), house.vault)
        assert not cut.clean, f"event {last} of chain {chain} can be cut off"
        connection.execute("ROLLBACK TO SAVEPOINT cut")
    connection.execute("ROLLBACK")
    connection.close()
    assert audited(house).clean
    house.close()


@pytest.mark.parametrize("kind", DATABASES)
def test_chains_that_go_on_are_named_again_and_those_at_rest_are_not(kind: str, tmp_path: Path) -> None:
    house = House(new_database(kind, tmp_path))
    restarted(house, 5)
    other = Writers(house.database, house.log.certifier, house.clock)
    other.do(nothing)
    guest = Guest(house, Random(4))
    before = len(checkpoints(house))
    other.do(checkpoint)
    named = checkpoints(house)[before:]
    assert [len(heads) for heads in named] == [1], "the chain that moved, alone"
    other.do(checkpoint)
    assert len(checkpoints(house)) == before + 1, "nothing has moved, so there is nothing to say"
    guest.sit("la-paire")
    other.do(checkpoint)
    assert checkpoints(house)[-1][0][0] == named[0][0][0]
    assert checkpoints(house)[-1][0][1] > named[0][0][1]
    other.close()
    assert audited(house).clean
    house.close()


TAMPERINGS = {
    "said to be named further": ("UPDATE ties SET number = number + 1 WHERE number > 0", "is said to name is"),
    "said not to be named": ("UPDATE ties SET number = 0", "is said to name is 0"),
    "not known": ("DELETE FROM ties WHERE number = 0", "do not say that it was opened"),
    "opened and gone": ("INSERT INTO ties VALUES ('0000', 0)", "chain 0000 is missing"),
    "the latest cut as a whole": (
        "DELETE FROM events WHERE chain = (SELECT min(chain) FROM ties WHERE number = 0); DELETE FROM ties WHERE number = 0",
        "is said to name is",
    ),
}


@pytest.mark.parametrize("tampering", list(TAMPERINGS))
def test_changed_marks_of_checkpoints_are_found(tampering: str, tmp_path: Path) -> None:
    house = House(new_database("sqlite", tmp_path))
    restarted(house, 3)
    assert audited(house).clean
    statements, says = TAMPERINGS[tampering]
    with closing(house.database.connect()) as connection:
        for statement in statements.split("; "):
            connection.execute(statement)
    assert says in str(audited(house).difference)
    house.close()


@pytest.mark.parametrize("kind", DATABASES)
def test_books_without_the_table_of_chains_are_migrated(kind: str, tmp_path: Path) -> None:
    url = new_database(kind, tmp_path)
    with before_live_tables():
        house = House(new_database(kind, tmp_path), deals=False)
        for table in (table for table in FLOOR_PLAN if table.clock is None):
            # baccarat was dealt from a shoe at all tables of that time
            change = {"round_ms_min": 0, **({"shuffle": "shoe"} if find(table.game).shoe else {})}
            house.do(partial(change_table, by="desk", table_id=table.id, change=change))
        restarted(house, 3)
        before = rows_of(house, "SELECT chain, number FROM ties ORDER BY chain")
        older_books(house, url, "0002")
        house.close()
    again = House(url, deals=False)
    known = dict(rows_of(again, "SELECT chain, number FROM ties"))
    assert {chain for chain, _ in before} < set(known)
    assert all(number <= known[chain] for chain, number in before)
    assert audited(again).clean
    again.close()
