"""The dealer's clock: a table is never forgotten, whatever happens while another one is dealt."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from direct_house import new_database
from pairhouse.games.floor_plan import LIVE_TABLES
from pairhouse.house.house import House
from pairhouse.house.live.acts import LiveBet, TakeSeat
from pairhouse.house.live.crowd_acts import CrowdActs, SessionAct
from pairhouse.house.live.dealer_lease import LEASE_MS, DealerTurn, all_leases
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.table_log import live_numbers
from pairhouse.house.people import new_guest
from pairhouse.house.store.database import StoreFailed
from pairhouse.house.store.writer import Batched
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.live_round import LiveSettings
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.server.live.dealing import LiveDealer

PATIENCE_S = 60.0
ALONE = "la-paire"
FIRST, *OTHERS = sorted(table.id for table in LIVE_TABLES)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = House(new_database("sqlite", tmp_path))
    yield opened
    opened.close()


def dealer_of(house: House, before_write: Any, moved: Any = lambda table, number: None) -> LiveDealer:
    """A dealer of a real house; something happens before each of its transactions."""

    async def write(command: Any) -> Any:
        before_write(command)
        return house.do(command)

    async def read(ask: Any) -> Any:
        with house.database.reading() as tx:
            return ask(tx)

    floor = LiveFloor(house.vault, house.pit.guard)
    return LiveDealer(floor, house.clock, write, read, moved, house.database)


def deal_until(dealing: LiveDealer, holds: Callable[[], bool]) -> None:
    """Let the dealer work until this holds; a dealer who ends by an error is one who has failed."""

    async def run() -> None:
        working = asyncio.create_task(dealing.run())
        until = asyncio.get_running_loop().time() + PATIENCE_S
        while not holds() and not working.done() and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.02)
        if working.done():
            working.result()
        working.cancel()

    asyncio.run(run())
    assert holds()


def opened(house: House) -> set[str]:
    return {table for table, number in house.do(live_numbers) if number}


def test_a_table_at_which_nothing_is_due_any_more_stops_nobody(house: House) -> None:
    """While the first table is dealt, somebody acts at all others, and nothing is due there then."""
    began: list[str] = []

    def act(command: Any) -> None:
        if not began:
            for table in OTHERS:
                dealing.dealt(table, 0, DealerTurn(1, None))
            asyncio.get_running_loop().call_later(0.2, dealing.dealt, OTHERS[0], 5, DealerTurn(5, 0))
        began.append(command.turn)

    dealing = dealer_of(house, act)
    deal_until(dealing, lambda: began[:2] == [FIRST, OTHERS[0]])


def test_who_leads_a_table_is_left_alone_until_something_is_overdue_there(house: House) -> None:
    """Another house leads the first table: this one deals at all others, and not there."""
    floor = LiveFloor(house.vault, house.pit.guard)
    house.do(lambda tx: floor.lead_and_deal(tx, FIRST, "another"))
    dealt: list[str] = []
    deal_until(dealer_of(house, lambda command: dealt.append(command.turn)), lambda: set(OTHERS) <= set(dealt))
    assert FIRST not in dealt
    assert next(lease for lease in house.do(all_leases) if lease.table == FIRST).dealer == "another"


def test_a_dealer_who_is_gone_is_replaced_within_five_seconds(house: House) -> None:
    """Bets close soon at a table whose house is gone then: another one closes them."""
    floor = LiveFloor(house.vault, house.pit.guard)
    house.do(lambda tx: floor.make_live(tx, "desk", ALONE, LiveSettings(seats=None, betting=200)))
    house.do(lambda tx: floor.lead_and_deal(tx, ALONE, "gone"))
    token = hash_of(house.do(new_guest))
    house.do(lambda tx: floor.act(tx, token, TakeSeat(table=ALONE, key="one-key-1", body_hash="")))
    bet = LiveBet(table=ALONE, key="one-key-2", body_hash="", stakes={"card-7": 100}, seed=seed_commitment("mine"))
    acts = CrowdActs(floor, "gone")
    before = house.do(Batched(acts.run, SessionAct(token, bet)))[1]
    assert before.due is not None
    closed_at: list[int] = []

    def moved(table: str, number: int) -> None:
        if table == ALONE and number > before.number:
            closed_at.append(house.clock())

    deal_until(dealer_of(house, lambda command: None, moved), lambda: bool(closed_at))
    assert LEASE_MS <= closed_at[0] - before.due < 5_000


def test_a_database_that_fails_makes_nobody_forget_a_table(house: House) -> None:
    failures = [StoreFailed("the database went away"), StoreFailed("once more")]

    def fail(command: Any) -> None:
        if failures:
            raise failures.pop()

    deal_until(dealer_of(house, fail), lambda: opened(house) == {FIRST, *OTHERS})
    assert not failures
