"""Commands that wait for their turn, from two houses on one PostgreSQL: none is tried again, and no turn is kept."""

import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from direct_house import new_books
from pairhouse.core.errors import Refused
from pairhouse.house.bank import balance_of, change_balance, open_account
from pairhouse.house.house import House
from pairhouse.house.live.acts import LiveBet, LiveReady, TakeSeat
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.people import new_guest
from pairhouse.house.store.database import StoreFailed
from pairhouse.house.store.turns import InTurn
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.live_round import LiveSettings
from pairhouse.rounds.shared_seeds import seed_commitment

TABLES = ("three-card-poker", "three-card-poker-progressive")
CLOCK = LiveSettings(seats=7, betting=600_000, seeds=600_000)


@pytest.fixture
def houses(tmp_path: Path) -> Iterator[tuple[House, House]]:
    url = new_books("postgresql", tmp_path)
    one, other = House(url), House(url)
    yield one, other
    other.close()
    one.close()


class Seat:
    """Somebody at a live table by way of one of the houses."""

    def __init__(self, house: House, floor: LiveFloor, table: str) -> None:
        self.house, self.floor, self.table = house, floor, table
        self.token = hash_of(house.do(new_guest))
        house.do(partial(floor.act, token_hash=self.token, act=TakeSeat(**self._words())))

    def _words(self) -> dict[str, Any]:
        return {"table": self.table, "key": secrets.token_hex(8), "body_hash": ""}

    def act(self, act: Any) -> None:
        def do(tx: Any) -> None:
            self.floor.act(tx, self.token, act)
            self.floor.lead_and_deal(tx, self.table, f"house {id(self.house)}", takes_over=True)

        self.house.do(InTurn(do, self.table))

    def bet_often(self, times: int) -> None:
        for number in range(times):
            stakes = {"ante": 500 + 100 * (number % 5)}
            self.act(LiveBet(stakes=stakes, seed=seed_commitment("mine"), **self._words()))
        self.act(LiveReady(**self._words()))


@pytest.mark.parametrize("spread", ["a table at each house", "every table at both houses"])
def test_acts_of_two_houses_are_done_once_each_and_never_tried_again(houses: tuple[House, House], spread: str) -> None:
    """At one table or at two: whoever comes second waits, and sees what the first has done."""
    floors = [LiveFloor(house.vault, house.pit.guard) for house in houses]
    for table in TABLES:
        houses[0].do(partial(floors[0].make_live, by="desk", table_id=table, settings=CLOCK))
        houses[0].do(partial(floors[0].lead_and_deal, table_id=table, dealer="set-up"))
    seats = []
    for number in range(8):
        place = (number if spread.startswith("a table") else number // 2) % 2
        seats.append(Seat(houses[place], floors[place], TABLES[number % 2]))
    before = [house.writers.tried_again for house in houses]
    people = [threading.Thread(target=seat.bet_often, args=(6,)) for seat in seats]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert [house.writers.tried_again for house in houses] == before
    with houses[1].database.reading() as tx:
        views = [floors[1].view(tx, table) for table in TABLES]
    assert [view.phase for view in views] == ["seeds", "seeds"]  # all were ready, so betting is closed
    assert [len(view.seats) for view in views] == [4, 4]


def test_commands_that_conflict_without_a_turn_are_tried_again_until_they_are_done(houses: tuple[House, House]) -> None:
    """Two houses add to one balance: each reads it first, so one of two at the same time has to run again."""
    account = "player:somebody"
    houses[0].do(lambda tx: open_account(tx, account, "player"))

    def add(tx: Any) -> None:
        balance = balance_of(tx, account)
        time.sleep(0.002)
        change_balance(tx, account, balance, 1)

    adding = [threading.Thread(target=lambda house=house: [house.do(add) for _ in range(20)]) for house in houses]
    for thread in adding:
        thread.start()
    for thread in adding:
        thread.join(60)
    assert not any(thread.is_alive() for thread in adding)
    assert houses[0].do(lambda tx: balance_of(tx, account)) == 40
    assert sum(house.writers.tried_again for house in houses) > 0


def fails(error: Exception) -> Any:
    def command(_: Any) -> None:
        raise error

    return command


@pytest.mark.parametrize("error", [Refused("no", "no"), ValueError("a broken invariant")])
def test_a_command_that_fails_keeps_no_turn(houses: tuple[House, House], error: Exception) -> None:
    with pytest.raises(type(error)):
        houses[0].do(InTurn(fails(error), "here"))
    assert houses[1].writers.submit(InTurn(lambda tx: tx.now, "here")).result(10)


def test_a_connection_that_is_lost_keeps_no_turn(houses: tuple[House, House]) -> None:
    """One house loses its connection in the middle of its turn: the other has it then, and the first goes on later."""
    connection = houses[1].database.connect()
    began = threading.Event()

    def slowly(tx: Any) -> None:
        began.set()
        tx.raw("SELECT pg_sleep(30)")

    lost = houses[0].writers.submit(InTurn(slowly, "here"))
    assert began.wait(10)
    waits = houses[1].writers.submit(InTurn(lambda tx: tx.now, "here"))
    time.sleep(0.2)
    assert not waits.done()
    ended = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ 'pg_sleep' AND pid <> pg_backend_pid()"
    )
    assert connection.execute(ended).rowcount == 1
    connection.close()
    with pytest.raises(StoreFailed):
        lost.result(10)
    assert waits.result(10)
    assert houses[0].writers.submit(InTurn(lambda tx: tx.now, "here")).result(10)


def test_a_player_who_bets_in_two_windows_at_once_has_one_hand(houses: tuple[House, House]) -> None:
    """[TCP-7] At two tables of a game by two houses in one moment: one bet is taken, the other refused, never both."""
    floors = [LiveFloor(house.vault, house.pit.guard) for house in houses]
    for table in TABLES:
        houses[0].do(partial(floors[0].make_live, by="desk", table_id=table, settings=CLOCK))
        houses[0].do(partial(floors[0].lead_and_deal, table_id=table, dealer="set-up"))
    seats = [Seat(house, floor, table) for house, floor, table in zip(houses, floors, TABLES, strict=True)]
    seats[1].token = seats[0].token
    houses[1].do(partial(floors[1].act, token_hash=seats[0].token, act=TakeSeat(**seats[1]._words())))
    for _ in range(12):
        start, taken = threading.Barrier(2), Counter[str]()

        def bet(seat: Seat, start: threading.Barrier, taken: Counter[str]) -> None:
            start.wait()
            try:
                seat.act(LiveBet(stakes={"ante": 500}, seed=seed_commitment("mine"), **seat._words()))
                taken[seat.table] += 1
            except Refused as refused:
                taken[refused.code] += 1

        windows = [threading.Thread(target=bet, args=(seat, start, taken)) for seat in seats]
        for window in windows:
            window.start()
        for window in windows:
            window.join()
        assert taken["hand-elsewhere"] == 1, taken
        winner = next(seat for seat in seats if taken[seat.table])
        winner.act(LiveBet(stakes={}, seed=seed_commitment("mine"), **winner._words()))
