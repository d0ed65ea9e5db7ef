"""Wake-ups between houses on one PostgreSQL: what is written at one is told at the other at once, or at its next look."""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from api_house import Open, served
from direct_house import new_database
from guests import Guest
from live_reader import Reader
from pairhouse.house.store.database import Database
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.server.live.bus import CHANNEL, AloneBus, PostgresBus, bus_of, hear

TABLE = "nepal-super-baccarat"
CLOCK = {"betting": 60_000, "seeds": 500, "pause": 100}


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Open, Open]]:
    url = new_database("postgresql", tmp_path_factory.mktemp("bus"))
    with served(url, deals=True) as one, served(url, deals=True) as other:
        made = one.client.put(f"/admin/tables/{TABLE}/live", json=CLOCK, headers=one.office().headers)
        assert made.status_code == 200, made.text
        yield one, other


def bet(guest: Guest, stake: int) -> int:
    body = {"stakes": {"player": stake}, "seed": seed_commitment("mine")}
    answer = guest.ask("PUT", f"/tables/{TABLE}/live/bet", key=secrets.token_hex(8), json=body)
    assert answer.status_code == 200, answer.text
    number: int = answer.json()["number"]
    return number


def seconds_to_hear(reader: Reader, guest: Guest, stake: int) -> float:
    number = bet(guest, stake)
    began = time.monotonic()
    reader.until(lambda news: news["number"] >= number)
    return time.monotonic() - began


def test_a_bet_at_one_house_is_told_at_the_other(houses: tuple[Open, Open]) -> None:
    """By a wake-up; and when the connection for wake-ups is broken, by the next look, with nothing lost."""
    one, other = houses
    guest = one.guest()
    guest.ask("POST", f"/tables/{TABLE}/live/seat", key=secrets.token_hex(8), json={})
    reader = Reader(str(other.client.base_url), TABLE)
    reader.until(lambda news: news["view"] is not None)
    took = sorted(seconds_to_hear(reader, guest, 100 * n) for n in range(1, 8))
    assert took[3] < 0.5, took  # the next look would come after half a second on average
    numbers = [entry.get("stakes", {}).get("player") for news in reader.news for entry in news["entries"]]
    assert [stake for stake in numbers if stake] == [100 * n for n in range(1, 8)]
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ %s AND pid <> pg_backend_pid()"
    connection = one.house.database.connect()
    assert connection.execute(ended, (f"^LISTEN {CHANNEL}",)).rowcount
    connection.close()
    assert seconds_to_hear(reader, guest, 1_000) < 10
    reader.close()


def test_houses_bet_at_one_table_together(houses: tuple[Open, Open]) -> None:
    """People at both houses bet in the same coup; it is dealt once, and each is told of it by their own house."""
    guests = [houses[n % 2].guest() for n in range(6)]
    for guest in guests:
        guest.ask("POST", f"/tables/{TABLE}/live/seat", key=secrets.token_hex(8), json={})
        bet(guest, 500)
    seats = [house.client.get(f"/tables/{TABLE}/live").json()["view"]["seats"] for house in houses]
    assert seats[0] == seats[1]
    assert len(seats[0]) >= 6


def test_who_leads_a_table_deals_at_once_what_is_due_by_the_other(houses: tuple[Open, Open]) -> None:
    """Everybody at both houses is ready: nobody waits for a lease to run out, whichever house hears it last."""
    table = "three-card-poker"
    clock = {"seats": 7, "betting": 60_000, "seeds": 30_000, "decision": 30_000, "pause": 100}
    houses[0].client.put(f"/admin/tables/{table}/live", json=clock, headers=houses[0].office().headers)
    guests = [house.guest() for house in houses]
    took = []
    for guest in guests:
        guest.ask("POST", f"/tables/{table}/live/seat", key=secrets.token_hex(8), json={})
    bets = {"stakes": {"ante": 1000}, "seed": seed_commitment("mine")}
    for order in (guests, guests[::-1], guests, guests[::-1]):
        until_phase(houses[0], table, "betting")
        for guest in order:
            assert guest.ask("PUT", f"/tables/{table}/live/bet", key=secrets.token_hex(8), json=bets).is_success
            assert guest.ask("POST", f"/tables/{table}/live/ready", key=secrets.token_hex(8)).is_success
        took.append(until_phase(houses[0], table, "seeds"))
        for guest in order:
            guest.ask("POST", f"/tables/{table}/live/seed", key=secrets.token_hex(8), json={"seed": "mine"})
        took.append(until_phase(houses[1], table, "playing"))
        for number, guest in enumerate(guests):
            body = {"choice": "fold", "number": number}
            assert guest.ask("POST", f"/tables/{table}/live/choices", key=secrets.token_hex(8), json=body).is_success
    assert max(took) < 2, took


def until_phase(house: Open, table: str, phase: str) -> float:
    """How long it takes until a table is at a phase."""
    began = time.monotonic()
    while time.monotonic() < began + 20:
        if (house.client.get(f"/tables/{table}/live").json()["view"] or {}).get("phase") == phase:
            return time.monotonic() - began
        time.sleep(0.02)
    raise AssertionError(f"the table never came to {phase}")


def test_what_is_told_is_heard_by_others_alone() -> None:
    heard: list[tuple[str, int]] = []
    note: Callable[[str, int], None] = lambda table, number: heard.append((table, number))  # noqa: E731
    hear('["me",{"a":1}]', "me", note)
    hear("not ours", "me", note)
    hear('{"a":1}', "me", note)
    hear('["other",{"a":4,"b":2}]', "me", note)
    assert heard == [("a", 4), ("b", 2)]


def test_what_is_told_together_is_sent_together(houses: tuple[Open, Open]) -> None:
    """Two hundred tables at once arrive, each with its newest number; on a database of one house nobody is told."""
    database = houses[0].house.database

    async def talk() -> dict[str, int]:
        heard: dict[str, int] = {}
        buses = [PostgresBus(database, name) for name in ("one", "two")]
        runs = [asyncio.create_task(bus.run(heard.__setitem__)) for bus in buses]
        for _ in range(200):  # until the other listens
            buses[0].tell("first", 1)
            await asyncio.sleep(0.05)
            if "first" in heard:
                break
        for number in range(1, 4):
            for table in range(200):
                buses[0].tell(f"table-{table}", number)
        for _ in range(200):
            await asyncio.sleep(0.05)
            if len(heard) >= 201:
                break
        for run in runs:
            run.cancel()
        await asyncio.gather(*runs, return_exceptions=True)
        return {table: number for table, number in heard.items() if table.startswith("table-")}

    assert asyncio.run(talk()) == {f"table-{table}": 3 for table in range(200)}


def test_a_house_on_sqlite_is_alone(tmp_path: Path) -> None:
    bus: Any = bus_of(Database(f"sqlite:///{tmp_path}/house.db"), "me")
    assert isinstance(bus, AloneBus)
    bus.tell("a", 1)
    asyncio.run(bus.run(lambda table, number: None))
