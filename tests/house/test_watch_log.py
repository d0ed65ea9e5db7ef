"""What the watch keeps in the books: its cursor, records and steps, sealed, and lifted by an administrator."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from direct_house import DATABASES, Guest, audited, deal_from_shoe, new_books
from pairhouse.core.errors import Refused
from pairhouse.house.floor import read_table
from pairhouse.house.house import House
from pairhouse.house.restrictions import restriction_of
from pairhouse.house.store.database import Tx
from pairhouse.house.watch_log import (
    TakenStep,
    WatchFinding,
    WatchRow,
    check_watch,
    highest_records,
    lift_step,
    read_cursor,
    read_records,
    save_look,
    taken_steps,
)

TABLE = "nepal-super-baccarat"


@pytest.fixture(params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    opened = House(new_books(request.param, tmp_path))
    yield opened
    opened.close()


def take(house: House, mode: str, step: str, why: Any = "wins", player: str = "", wager: str = "") -> TakenStep:
    """The step that follows from this evidence."""
    found = WatchFinding(TABLE, player, wager, step, why, {"rounds": 7, "z": 9.5})
    row = WatchRow(TABLE, player, wager, 1e9, step, b"record")

    def save(tx: Any) -> list[TakenStep]:
        taken = save_look(tx, read_cursor(tx).revision, {"chain": 0}, [row], [found], mode)
        assert taken is not None
        return taken

    (taken,) = house.do(save)
    return taken  # type: ignore[no-any-return]


def look(house: House, question: Any) -> Any:
    with house.database.reading() as tx:
        return question(tx)


def standing(tx: Tx) -> tuple[Any, ...]:
    table = read_table(tx, TABLE)
    return dict(table.betting.limits.wager_maximum), table.shuffle, table.status


@pytest.mark.parametrize(
    ("mode", "step", "maximum"),
    [
        ("warn", "close", None),
        ("limit", "warn", None),
        ("limit", "lower limits", 100),
        ("limit", "close", 100),
        ("close", "close", 0),
    ],
)
def test_a_player_is_limited_as_far_as_the_house_allows(house: House, mode: str, step: str, maximum: int) -> None:
    ann = Guest(house, random.Random(1))
    taken = take(house, mode, step, player=ann.id)
    assert look(house, lambda tx: restriction_of(tx, ann.id, TABLE)) == maximum
    assert taken.done == {None: "warned", 100: "player limited", 0: "player closed"}[maximum]
    house.do(lambda tx: lift_step(tx, "desk", taken.id))
    assert look(house, lambda tx: restriction_of(tx, ann.id, TABLE)) is None
    assert audited(house).difference is None


@pytest.mark.parametrize(
    ("mode", "step", "why", "wager", "stands"),
    [
        ("warn", "close", "wins", "tie", ({}, "shoe", "open")),
        ("limit", "lower limits", "wins", "tie", ({"tie": 100}, "shoe", "open")),
        ("close", "close", "wins", "tie", ({"tie": 0}, "shoe", "open")),
        ("limit", "close", "loses", "tie", ({}, "shoe", "open")),
        ("close", "close", "loses", "tie", ({"tie": 0}, "shoe", "open")),
        ("limit", "lower limits", "counts", "", ({}, "every-round", "open")),
        ("limit", "close", "wins", "", ({}, "shoe", "open")),
        ("close", "close", "loses", "", ({}, "shoe", "closed")),
    ],
)
def test_a_wager_is_closed_a_shoe_ended_a_table_closed(
    house: House, mode: str, step: str, why: str, wager: str, stands: tuple[Any, ...]
) -> None:
    deal_from_shoe(house)
    taken = take(house, mode, step, why, wager=wager)
    assert look(house, standing) == stands
    house.do(lambda tx: lift_step(tx, "desk", taken.id))
    assert look(house, standing) == ({}, "shoe", "open")
    assert audited(house).difference is None


def test_nobody_is_limited_for_losing(house: House) -> None:
    ann = Guest(house, random.Random(1))
    assert take(house, "close", "close", "loses", player=ann.id).done == "warned"
    assert look(house, lambda tx: restriction_of(tx, ann.id, TABLE)) is None


def test_every_step_is_sealed_with_its_figures_and_so_is_its_end(house: House) -> None:
    ann = Guest(house, random.Random(1))
    taken = take(house, "limit", "lower limits", player=ann.id)
    assert look(house, lambda tx: taken_steps(tx, 9)) == [taken]
    assert taken.figures == {"why": "wins", "rounds": 7, "z": 9.5}
    house.do(lambda tx: lift_step(tx, "desk", taken.id))
    with pytest.raises(Refused, match="lifted already"):
        house.do(lambda tx: lift_step(tx, "desk", taken.id))
    with pytest.raises(Refused, match="there is no step 'x' of the watch"):
        house.do(lambda tx: lift_step(tx, "desk", "x"))
    (lifted,) = look(house, lambda tx: taken_steps(tx, 9))
    assert (lifted.lifted_by, lifted.figures) == ("desk", taken.figures)
    connection = house.database.connect(reading=True)
    rows = connection.execute("SELECT kind, body FROM events ORDER BY number").fetchall()
    kinds = [kind for kind, _ in rows]
    connection.close()
    order = [kinds.index(kind) for kind in ("player-restricted", "watch-step", "watch-lifted")]
    assert order == sorted(order)
    assert all(word in dict(rows)["watch-step"] for word in ('"z":9.5', '"mode":"limit"', ann.id))


def test_a_record_is_forgotten_with_its_step_and_the_cursor_moves(house: House) -> None:
    """So that whoever has cached the record reads it again."""
    ann = Guest(house, random.Random(1))
    key = (TABLE, ann.id, "")
    taken = take(house, "warn", "warn", player=ann.id)
    take(house, "warn", "warn", wager="tie")
    (row,) = look(house, lambda tx: read_records(tx, [key, (TABLE, "nobody", "")]))
    assert (row.key, row.record) == (key, b"record")
    assert len(look(house, lambda tx: highest_records(tx, 5))) == 2
    before = look(house, read_cursor)
    assert before.read_to == {"chain": 0}
    house.do(lambda tx: lift_step(tx, "desk", taken.id))
    assert look(house, lambda tx: read_records(tx, [key])) == []
    assert look(house, read_cursor).revision == before.revision + 1


def test_of_two_that_look_at_once_one_is_told_that_it_came_second(house: House) -> None:
    row = WatchRow(TABLE, "", "", 5.0, "nothing", b"first")
    assert house.do(lambda tx: save_look(tx, 0, {"a": 1}, [row], [], "close")) == []
    late = WatchRow(TABLE, "", "", 6.0, "nothing", b"second")
    found = WatchFinding(TABLE, "", "tie", "close", "wins", {})
    assert house.do(lambda tx: save_look(tx, 0, {"a": 1}, [late], [found], "close")) is None
    assert [row.record for row in look(house, lambda tx: highest_records(tx, 5))] == [b"first"]
    assert look(house, standing)[0] == {}


def test_what_no_watch_can_be_told_is_refused() -> None:
    assert check_watch("limit") == "limit"
    with pytest.raises(Refused, match="'loud' is nothing a watch can be told; it can be off, warn, limit, close"):
        check_watch("loud")
