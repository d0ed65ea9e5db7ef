"""Seven people at each of many Three Card Poker tables, over HTTP: they bet, open their seeds and decide in turn."""

import asyncio
import random
import secrets
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from live_house import Line, address_of, are_clean, cpu_s, database, do_all, family, goal, heading, serving

from pairhouse.house.floor import add_table
from pairhouse.house.house import House
from pairhouse.house.live.acts import TakeSeat
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.people import new_guest
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.live_round import LiveSettings
from pairhouse.rounds.shared_seeds import seed_commitment

TCP = "three-card-poker"
STAKES = {"ante": 1000, "pairplus": 500}
SEED = "a seed of the benchmark"
BETS_WITHIN_S, DECIDES_WITHIN_S = 8.0, 4.0  # a round of seven takes about half a minute then
CLOCK = LiveSettings(seats=7, seeds=10_000)  # as it is by default, but for people who all open their seeds at once
SERVERS = {"sqlite": 1, "postgresql": 2}
HURRIED = msgspec.structs.replace(CLOCK, pause=0)
COLUMNS = (
    *("database", "tables", "servers", "rounds", "acts a second", "processor, ms a round", "of the database"),
    *(
        "median of acts, ms",
        "99 %, ms",
        "decided by the clock",
        "refusals",
        "tried again",
        "books",
        "goal: none late, no error",
    ),
)
SAYS = (
    "People bet within 8 seconds, open their seeds at once and decide within 4. The clock is the default one: 20 s for "
    "bets, 25 s for a decision. An act is late where the clock decided for somebody who had not let it run out."
)


class View(msgspec.Struct):
    """What the benchmark needs of a round."""

    phase: str


class Entry(msgspec.Struct):
    """What it needs of an entry: whether the clock made it for somebody."""

    automatic: bool = False


class News(msgspec.Struct):
    """What it needs of a message."""

    entries: list[Entry]
    view: View | None = None


class Floor:
    """What the people at all tables have done."""

    def __init__(self, is_hurried: bool) -> None:
        self.rounds = self.late = 0
        self.wrong: list[str] = []
        self.took: list[float] = []
        self.is_hurried = is_hurried

    async def act(self, line: Line, table: str, within_s: float, method: str, what: str, body: Any = None) -> None:
        """Think for a while, then act."""
        if within_s and not self.is_hurried:
            await asyncio.sleep(random.uniform(0, within_s))
        began = time.perf_counter()
        status, answer = await line.ask(method, f"/tables/{table}/live/{what}", body)
        self.took.append(time.perf_counter() - began)
        if status != 200:
            self.wrong.append(f"{what}: {status} {answer}")


class Table:
    """What a table shows, as somebody sees it who watches."""

    def __init__(self, id_: str, port: int, number: int) -> None:
        self.id, self.port, self.number = id_, port, number
        self.phase = ""
        self.late = 0  # decisions that the clock made
        self._moved = asyncio.Condition()

    async def watch(self) -> None:
        """Until cancelled."""
        where = {"host": "127.0.0.1", "port": self.port, "local_addr": address_of(self.number), "limit": 1 << 20}
        reader, writer = await asyncio.open_connection(**where)
        writer.write(f"GET /tables/{self.id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        decode = msgspec.json.Decoder(News).decode
        while line := await reader.readline():
            if line.startswith(b"data: "):
                news = decode(line[6:])
                self.phase = news.view.phase if news.view is not None else ""
                self.late += sum(entry.automatic for entry in news.entries)
                async with self._moved:
                    self._moved.notify_all()

    async def comes_to(self, *phases: str) -> None:
        """Wait until the round is there."""
        async with self._moved:
            await self._moved.wait_for(lambda: self.phase in phases)


async def play_table(floor: Floor, number: int, port: int, tokens: list[str], until: float) -> None:
    """Seven people at one table, round after round."""
    table = Table(f"bench-{number}", port, 8 * number)
    watching = asyncio.create_task(table.watch())
    lines = [Line(port, token, 8 * number + 1 + place) for place, token in enumerate(tokens)]

    async def bet(line: Line) -> None:
        body = {"stakes": STAKES, "seed": seed_commitment(SEED)}
        await floor.act(line, table.id, BETS_WITHIN_S, "PUT", "bet", body)
        await floor.act(line, table.id, 0, "POST", "ready")

    while time.monotonic() < until:
        await table.comes_to("betting")
        await asyncio.gather(*map(bet, lines))
        await table.comes_to("seeds")
        await asyncio.gather(*(floor.act(line, table.id, 0, "POST", "seed", {"seed": SEED}) for line in lines))
        await table.comes_to("playing")
        for place, line in enumerate(lines):
            choice = {"choice": "play" if place % 3 else "fold", "number": place}
            await floor.act(line, table.id, DECIDES_WITHIN_S, "POST", "choices", choice)
        await table.comes_to("closed", "betting")
        floor.rounds += 1
    floor.late += table.late
    watching.cancel()
    for line in lines:
        line.close()


def set_up(url: str, count: int, clock: LiveSettings) -> list[list[str]]:
    """So many tables with seven people at each; their tokens."""
    house = House(url)
    live = LiveFloor(house.vault, house.pit.guard)
    ids = [f"bench-{number}" for number in range(count)]
    do_all(house, [partial(add_table, table_id=each, name=each, game=TCP, options={}) for each in ids])
    do_all(house, [partial(live.make_live, by="b", table_id=each, settings=clock) for each in ids])
    tokens = do_all(house, [new_guest] * (7 * count))
    sits = [
        partial(
            live.act,
            token_hash=hash_of(token),
            act=TakeSeat(table=ids[place // 7], key=secrets.token_hex(8), body_hash=""),
        )
        for place, token in enumerate(tokens)
    ]
    do_all(house, sits)
    do_all(house, [partial(live.lead_and_deal, table_id=each, dealer="set-up") for each in ids])
    house.close()
    return [tokens[7 * number : 7 * number + 7] for number in range(count)]


async def tried_again(ports: list[int]) -> int:
    """How many transactions of these servers were tried again, because of another process."""
    found = 0
    for port in ports:
        line = Line(port)
        for text in (await line.text("/metrics")).splitlines():
            if text.startswith("pairhouse_transactions_tried_again "):
                found += round(float(text.split()[1]))
        line.close()
    return found


def tables(kind: str, count: int, seconds: float, servers: int, is_hurried: bool) -> str:
    """A row for tables of seven people who play for so long; the people of a table are at one server."""
    with database(kind) as new:
        people = set_up(new.url, count, HURRIED if is_hurried else CLOCK)
        floor = Floor(is_hurried)
        with serving(new.url, servers) as (ports, pids):
            before, before_there = sum(map(cpu_s, family(pids))), sum(map(cpu_s, family(new.pids)))

            async def play() -> int:
                until = time.monotonic() + seconds
                places = enumerate(people)
                await asyncio.gather(*(play_table(floor, n, ports[n % len(ports)], who, until) for n, who in places))
                return await tried_again(ports)

            began = time.perf_counter()
            again = asyncio.run(play())
            wall = time.perf_counter() - began
            cpu = sum(map(cpu_s, family(pids))) - before
            cpu_there = sum(map(cpu_s, family(new.pids))) - before_there
        clean = are_clean(new.url)
    if floor.wrong:
        print(f"<!-- first of {len(floor.wrong)} refusals: {floor.wrong[0][:200]} -->")
    took, rounds = sorted(floor.took), max(floor.rounds, 1)
    half, slow = took[len(took) // 2] * 1000, took[int(len(took) * 0.99)] * 1000
    cost = f"{cpu / rounds * 1000:.1f} | {cpu_there / rounds * 1000:.1f}"
    books = "clean" if clean else "NOT CLEAN"
    met = goal("so", clean and not floor.late and not floor.wrong)
    counts = f"{floor.late} | {len(floor.wrong)} | {again} | {books} | {met}"
    figures = f"{floor.rounds} | {len(took) / wall:.0f} | {cost} | {half:.0f} | {slow:.0f}"
    return f"| {kind} | {count} | {servers} | {figures} | {counts} |"


def all_tables(small: int, kinds: Sequence[str]) -> None:
    """Tables whose people think before they act."""
    heading("Three Card Poker, seven people at each table", COLUMNS, SAYS)
    for kind in kinds:
        print(tables(kind, 500 // small, 60 / (3 if small > 1 else 1), SERVERS[kind], False), flush=True)


def hurried_tables(small: int, kinds: Sequence[str]) -> None:
    """Tables whose people act as soon as they can."""
    heading("The same in a hurry", COLUMNS, "Nobody thinks.")
    for kind in kinds:
        print(tables(kind, 8, 20 / (2 if small > 1 else 1), SERVERS[kind], True), flush=True)
