"""The floor: how tables are shuffled, limits of single wagers, and tables of older books."""

import json
import random
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from direct_house import DATABASES, TABLES, Guest, audited, before_live_tables, new_database, older_books
from pairhouse.core.errors import Refused
from pairhouse.house.floor import add_table, change_table, read_table
from pairhouse.house.house import House
from pairhouse.house.store.chain import GENESIS, event_hash
from pairhouse.rounds.table_limits import Limits

BACCARAT = "nepal-super-baccarat"


@pytest.mark.parametrize("kind", DATABASES)
def test_tables_of_older_books_keep_their_shoes_and_have_no_pace(kind: str, tmp_path: Path) -> None:
    """Their sealed events say nothing of shuffle and pace, and the audit knows what that means."""
    with before_live_tables():
        house = House(new_database(kind, tmp_path))
    forget_shuffle_and_pace(house)
    url = new_database(kind, tmp_path)
    older_books(house, url, "0003")
    house.close()
    again = House(url)
    with again.database.reading() as tx:
        found = {table: read_table(tx, table) for table in TABLES}
    assert {table for table, each in found.items() if each.shuffle == "shoe"} == {BACCARAT}
    assert {each.round_ms_min for each in found.values()} == {0}
    guest = Guest(again, random.Random(1))
    guest.sit(BACCARAT)
    assert [guest.bet(BACCARAT, [{"player": 200}]).proof.nonce for _ in range(3)] == [0, 0, 0]
    again.do(lambda tx: change_table(tx, "desk", BACCARAT, {"shuffle": "every-round"}))
    assert [guest.bet(BACCARAT, [{"player": 200}]).proof.nonce for _ in range(3)] == [1, 2, 3]
    assert audited(again).difference is None
    again.close()


def forget_shuffle_and_pace(house: House) -> None:
    """Seal the events anew as they were before tables had either, and before books had epochs."""
    with closing(house.database.connect()) as connection:
        mark = "?" if house.database.is_sqlite else "%s"
        rows = connection.execute("SELECT chain, at, kind, body FROM events ORDER BY number").fetchall()
        assert len({row[0] for row in rows}) == 1
        connection.execute("DELETE FROM events")
        before, number = GENESIS, 0
        for chain, at, kind, written in rows:
            if kind == "epoch-begun":
                continue
            body = {name: said for name, said in json.loads(written).items() if name not in ("shuffle", "round_ms_min")}
            text = json.dumps(body, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
            number += 1
            before = event_hash(before, chain, number, at, kind, text)
            added = f"INSERT INTO events (chain, number, at, kind, body, hash) VALUES ({', '.join([mark] * 6)})"
            connection.execute(added, (chain, number, at, kind, text, before))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = House(new_database("sqlite", tmp_path))
    yield opened
    opened.close()


def test_a_table_is_shuffled_as_its_game_can_be(house: House) -> None:
    with pytest.raises(Refused, match="La Pair'e is not dealt from a shoe"):
        house.do(lambda tx: change_table(tx, "desk", "la-paire", {"shuffle": "shoe"}))
    with pytest.raises(Refused, match="'never' is no way to shuffle; it can be every-round or shoe"):
        house.do(lambda tx: change_table(tx, "desk", BACCARAT, {"shuffle": "never"}))
    with house.database.reading() as tx:
        assert read_table(tx, BACCARAT).version == 1


def test_a_wager_has_a_maximum_of_its_own_or_is_closed(house: House) -> None:
    limits = Limits(wager_maximum={"tie": 1_000, "tie-on-0": 0})
    house.do(lambda tx: add_table(tx, "narrow", "Narrow", BACCARAT, {}, limits))
    guest = Guest(house, random.Random(1))
    guest.sit("narrow")
    guest.bet("narrow", [{"tie": 1_000, "player": 5_000}])
    with pytest.raises(Refused, match=r"11.00 on tie is not possible at this table; it takes 1.00 to 10.00"):
        guest.bet("narrow", [{"tie": 1_100}])
    with pytest.raises(Refused, match="tie-on-0 is closed at this table") as refused:
        guest.bet("narrow", [{"tie-on-0": 100}])
    assert refused.value.code == "wager-closed"
    assert audited(house).difference is None


@pytest.mark.parametrize(
    ("wagers", "says"),
    [
        ({"ties": 100}, "wager 'ties' is unknown"),
        ({"tie": 50}, "a maximum of 50 on tie is not possible; give 0 to close it, or 100 to 50000 in steps of 100"),
        ({"tie": 150}, "a maximum of 150 on tie"),
        ({"tie": 50_100}, "a maximum of 50100 on tie"),
        ({"tie": -100}, "a maximum of -100 on tie"),
    ],
)
def test_a_maximum_that_cannot_be_is_refused(house: House, wagers: dict[str, int], says: str) -> None:
    with pytest.raises(Refused, match=says):
        house.do(lambda tx: change_table(tx, "desk", BACCARAT, {"limits": {"wager_maximum": wagers}}))


@pytest.mark.parametrize("kind", DATABASES)
def test_options_are_switched_and_open_rounds_go_on(kind: str, tmp_path: Path) -> None:
    """A round is settled by the options it was dealt with; the next one by those in force."""
    house = House(new_database(kind, tmp_path))
    table, guest = "three-card-poker", Guest(house, random.Random(3))
    guest.sit(table)
    view = guest.bet(table, [{"ante": 200, "pairplus": 100}])
    while view.state != "open":
        view = guest.bet(table, [{"ante": 200, "pairplus": 100}])
    house.do(lambda tx: change_table(tx, "desk", table, {"options": {"pairplus": "40-30-5-4-1"}}))
    finished = guest.choose(view, "fold")
    assert finished.log is not None
    assert finished.log.options["pairplus"] == "40-30-6-3-1"
    after = guest.play(table, [{"ante": 200, "pairplus": 100}])
    assert after.log is not None
    assert after.log.options["pairplus"] == "40-30-5-4-1"
    with house.database.reading() as tx:
        assert read_table(tx, table).betting.variant.options["pairplus"] == "40-30-5-4-1"
    assert audited(house).difference is None
    for options, sentence in (
        ({"pairplus": "1-1-1"}, "1-1-1"),
        ({"colour": "red"}, "colour"),
        ({"progressive": True}, "a progressive meter stays with its table"),
    ):
        with pytest.raises(Refused, match=sentence):
            house.do(partial(change_table, by="desk", table_id=table, change={"options": options}))
    house.close()
