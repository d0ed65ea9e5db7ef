"""The least time between two rounds of a player at a table: kept in the same transaction as the bet."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from direct_house import DATABASES, Guest, new_books
from pairhouse.core.errors import Refused
from pairhouse.games.floor_plan import FLOOR_PLAN, ROUND_MS_MIN
from pairhouse.house.floor import change_table, read_table
from pairhouse.house.house import ROUND_TIME_VARIABLE, House, round_ms_of
from pairhouse.house.pace import TooSoon, check_pace

TABLE, BET = "nepal-super-baccarat", [{"player": 200}]


class Hand:
    """A clock that stands still until it is moved."""

    now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture(params=DATABASES)
def house(
    request: pytest.FixtureRequest, tmp_path: Path, clock: Hand, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    monkeypatch.delenv(ROUND_TIME_VARIABLE)
    opened = House(new_books(request.param, tmp_path), clock=clock)
    yield opened
    opened.close()


def guest_at(house: House, table: str = TABLE) -> Guest:
    guest = Guest(house, random.Random(3))
    guest.sit(table)
    return guest


def test_a_round_can_follow_when_the_least_time_has_passed() -> None:
    check_pace(5_000, None, 2_500)
    check_pace(5_000, 5_000, 0)
    check_pace(7_500, 5_000, 2_500)
    with pytest.raises(TooSoon, match=r"can begin in 0\.1 seconds") as refused:
        check_pace(7_499, 5_000, 2_500)
    assert (refused.value.code, refused.value.wait_ms) == ("too-soon", 1)


def test_the_sentence_never_promises_too_early() -> None:
    assert str(TooSoon(4_901)) == "the next round can begin in 5.0 seconds"
    assert str(TooSoon(1)) == "the next round can begin in 0.1 seconds"


def test_a_clock_that_was_set_back_keeps_nobody_waiting() -> None:
    check_pace(4_999, 5_000, 1_000)


@pytest.mark.parametrize("table", [table.id for table in FLOOR_PLAN[:1]] + [TABLE])
def test_a_bet_too_soon_changes_nothing_and_is_taken_later(house: House, clock: Hand, table: str) -> None:
    guest = guest_at(house, table)
    first = guest.play(table)
    for early in (0, ROUND_MS_MIN - 1):
        clock.now += early
        with pytest.raises(TooSoon) as refused:
            guest.bet(table)
        assert refused.value.wait_ms == ROUND_MS_MIN - early
    clock.now += 1
    assert guest.bet(table).proof.nonce == first.proof.nonce + 1


@pytest.mark.parametrize("shuffle", ["shoe", "every-round"])
def test_a_new_seed_is_no_way_round_it(house: House, clock: Hand, shuffle: str) -> None:
    house.do(lambda tx: change_table(tx, "desk", TABLE, {"shuffle": shuffle}))
    guest = guest_at(house)
    for _ in range(3):
        guest.bet(TABLE, BET)
        guest.rotate(TABLE)
        with pytest.raises(TooSoon):
            guest.bet(TABLE, BET)
        clock.now += ROUND_MS_MIN
        guest.bet(TABLE, BET)
        with pytest.raises(TooSoon):  # in the middle of a shoe, too
            guest.bet(TABLE, BET)
        clock.now += ROUND_MS_MIN


def test_others_and_other_tables_do_not_wait(house: House) -> None:
    guest = guest_at(house)
    guest.bet(TABLE, BET)
    guest.sit("la-paire")
    guest.play("la-paire")
    guest_at(house).bet(TABLE, BET)


def test_a_table_has_a_pace_of_its_own(house: House, clock: Hand) -> None:
    house.do(lambda tx: change_table(tx, "desk", TABLE, {"round_ms_min": 20_000}))
    guest = guest_at(house)
    guest.bet(TABLE, BET)
    clock.now += 19_999
    with pytest.raises(TooSoon):
        guest.bet(TABLE, BET)
    house.do(lambda tx: change_table(tx, "desk", TABLE, {"round_ms_min": 0}))
    guest.bet(TABLE, BET)
    with pytest.raises(Refused, match="-1 ms between two rounds are not possible; give 0 to 600000"):
        house.do(lambda tx: change_table(tx, "desk", TABLE, {"round_ms_min": -1}))
    with house.database.reading() as tx:
        assert read_table(tx, TABLE).round_ms_min == 0


def test_a_house_may_set_one_for_all_tables(house: House) -> None:
    house.pit.round_ms_min = 0
    guest = guest_at(house)
    for _ in range(3):
        guest.bet(TABLE, BET)


@pytest.mark.parametrize(("given", "found"), [(None, None), ("", None), ("0", 0), ("2.5", 2_500), (1, 1_000)])
def test_seconds_are_read(given: str | float | None, found: int | None) -> None:
    assert round_ms_of(given) == found


@pytest.mark.parametrize("given", ["soon", "-1", "601", "nan", "inf"])
def test_what_is_no_time_is_refused(given: str) -> None:
    with pytest.raises(Refused, match=r"not possible|give seconds from 0 to 600"):
        round_ms_of(given)
