"""Many who watch live tables: memory of an open stream, messages a second, and how long each takes from its commit."""

import asyncio
import time
from functools import partial
from typing import Any, NamedTuple

from live_house import Line, address_of, cpu_s, database, do_all, family, goal, heading, memory_mb, serving

from pairhouse.house.floor import add_table
from pairhouse.house.house import House
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.people import new_guest
from pairhouse.rounds.live_round import LiveSettings
from pairhouse.rounds.shared_seeds import seed_commitment

BACCARAT = "nepal-super-baccarat"
LINES_AT_ONCE = 100
FIRST = 100  # streams after which memory is looked at: whatever a worker needs for its first ones is there then
A_SECOND = 20_000
COLUMNS = (
    *("streams", "tables", "open", "memory, MB", "KB a stream", "messages a second", "processor, us each"),
    *("of the watchers", "bytes each", "median, ms", "99 %, ms", "goal: under 500 MB", "goal: 99 % within 100 ms"),
)
SAYS = (
    "Two HTTP workers on SQLite; one bet after another, so often that 20,000 messages a second are due. Processor time "
    "of all processes of the house for a message, its part of the bet included, and beside it that of the process that "
    "watches. Times are from the beginning of the bet's transaction to the arrival."
)


class Watched:
    """What all watchers have seen."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self.messages = self.size = self.open = 0


class Watcher(asyncio.Protocol):
    """Somebody who watches a table, as cheaply as can be: it notes when each message has come."""

    def __init__(self, seen: Watched, table: str) -> None:
        self.seen, self.table = seen, table

    def connection_made(self, transport: Any) -> None:
        transport.write(f"GET /tables/{self.table}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        now = time.time() * 1000
        self.seen.size += len(data)
        self.seen.open += data.startswith(b"HTTP/1.1 200")
        place = data.find(b'"entry":"bet","at":')
        if place >= 0:
            self.seen.messages += 1
            self.seen.late.append(now - int(data[place + 19 : place + 32]))


class Here(NamedTuple):
    """A house to be watched: its port, its processes, and somebody who bets at each of its tables."""

    port: int
    pids: list[int]
    tables: list[str]
    tokens: list[str]


async def open_streams(here: Here, seen: Watched, first: int, last: int) -> list[asyncio.Transport]:
    """Watchers by number, spread over the tables."""
    loop, lines = asyncio.get_running_loop(), []
    for start in range(first, last, LINES_AT_ONCE):
        opened = [
            loop.create_connection(
                partial(Watcher, seen, here.tables[number % len(here.tables)]),
                "127.0.0.1",
                here.port,
                local_addr=address_of(number),
            )
            for number in range(start, min(start + LINES_AT_ONCE, last))
        ]
        lines += [transport for transport, _ in await asyncio.gather(*opened)]
    await asyncio.sleep(3)
    return lines


async def bet_on(here: Here, count: int, seconds: float) -> int:
    """Bet at one table after another; how many bets were made."""
    people = [Line(here.port, token) for token in here.tokens]
    for person, table in zip(people, here.tables, strict=True):
        await person.ask("POST", f"/tables/{table}/live/seat", {})
    gap = count / len(here.tables) / A_SECOND
    began, bets = time.perf_counter(), 0
    while time.perf_counter() < began + seconds:
        place = bets % len(people)
        body = {"stakes": {"player": 100 + 100 * (bets // len(people) % 99)}, "seed": seed_commitment("mine")}
        status, answer = await people[place].ask("PUT", f"/tables/{here.tables[place]}/live/bet", body)
        assert status == 200, answer
        bets += 1
        await asyncio.sleep(max(began + bets * gap - time.perf_counter(), 0))
    for person in people:
        person.close()
    return bets


async def watch(here: Here, count: int, seconds: float) -> str:
    """A row of the table."""
    seen = Watched()
    lines = await open_streams(here, seen, 0, FIRST)
    few = sum(map(memory_mb, family(here.pids)))
    lines += await open_streams(here, seen, FIRST, count)
    memory = sum(map(memory_mb, family(here.pids)))
    seen.late, seen.messages, seen.size = [], 0, 0
    before, mine, began = sum(map(cpu_s, family(here.pids))), time.process_time(), time.perf_counter()
    await bet_on(here, count, seconds)
    wall = time.perf_counter() - began
    await asyncio.sleep(1)
    cpu, mine = sum(map(cpu_s, family(here.pids))) - before, time.process_time() - mine
    for line in lines:
        line.abort()
    told, late = max(seen.messages, 1), sorted(seen.late)
    half, most = late[len(late) // 2], late[int(len(late) * 0.99)]
    each = 1024 * (memory - few) / (count - FIRST)
    figures = f"{memory:.0f} | {each:.1f} | {told / wall:,.0f} | {cpu / told * 1e6:.1f} | {mine / told * 1e6:.1f}"
    met = f"{goal('memory', memory < 500)} | {goal('in time', most < 100)}"
    figures += f" | {seen.size / told:.0f} | {half:.0f} | {most:.0f}"
    return f"| {count:,} | {len(here.tables)} | {seen.open:,} | {figures} | {met} |"


def streams(count: int, tables: int, seconds: float) -> str:
    """So many streams, spread over so many tables."""
    with database("sqlite") as new:
        house = House(new.url)
        floor = LiveFloor(house.vault, house.pit.guard)
        ids = [f"watched-{number}" for number in range(tables)]
        clock = LiveSettings(seats=None, betting=600_000)
        do_all(house, [partial(add_table, table_id=each, name=each, game=BACCARAT, options={}) for each in ids])
        do_all(house, [partial(floor.make_live, by="b", table_id=each, settings=clock) for each in ids])
        tokens = do_all(house, [new_guest] * tables)
        house.close()
        with serving(new.url, 1, "--workers", "2") as (ports, pids):
            return asyncio.run(watch(Here(ports[0], pids, ids, tokens), count, seconds))


def all_streams(small: int) -> None:
    """The whole table."""
    heading("Streams", COLUMNS, SAYS)
    for count, tables in ((1_500, 50), (15_000, 50), (3_000, 1), (15_000, 1)):
        print(streams(count // small, max(tables // small, 1), 20 / (2 if small > 1 else 1)), flush=True)
