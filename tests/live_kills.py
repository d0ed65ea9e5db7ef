"""A crowd at live tables over HTTP while processes are killed: every answer is written down and held to the books."""

import asyncio
import os
import random
import secrets
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import psycopg
from sqlalchemy import select

from pairhouse.client.house_client import Done, HouseClient
from pairhouse.crowd.journal import Journal
from pairhouse.crowd.players import KINDS, CrowdTable, SimulatedPlayer
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.house.floor import change_table
from pairhouse.house.house import House
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.store.database import Database
from pairhouse.house.store.live_schema import live_entries
from pairhouse.rounds.live_round import LiveSettings
from servers import Server

CLOCK = LiveSettings(seats=None, betting=1_000, seeds=700, decision=1_000, grace=200, pause=200)
SHARED = "nepal-super-baccarat"
TABLES = {"three-card-poker": 7, "pair-v3-8": 7, "la-paire": None, SHARED: None}
KINDS_AT_TABLE = ("careless", "basic", "leaving")
PATIENCE_S = 240.0
_SIGNED = select(live_entries.c.key, live_entries.c.number, live_entries.c.balance).where(
    live_entries.c.key.is_not(None)
)


class Answer(NamedTuple):
    """An act that the house has acknowledged."""

    what: str
    key: str
    done: Done


class WritingClient(HouseClient):
    """A visitor who writes every answer down."""

    def __init__(self, url: str) -> None:
        super().__init__(url, PATIENCE_S)
        self.answers: list[Answer] = []

    async def act(self, method: str, table: str, what: str, body: Any = None, key: str | None = None) -> Done:
        key = key or secrets.token_hex(12)
        done = await super().act(method, table, what, body, key)
        self.answers.append(Answer(what, key, done))
        return done


def open_live_tables(url: str) -> None:
    """A house with tables whose clocks run fast."""
    house = House(url)
    floor = LiveFloor(house.vault, house.pit.guard)
    house.do(partial(change_table, by="desk", table_id=SHARED, change={"shuffle": "shoe"}))
    for table, seats in TABLES.items():
        settings = msgspec.structs.replace(CLOCK, seats=seats)
        house.do(partial(floor.make_live, by="desk", table_id=table, settings=settings))
    house.close()


def children_of(parent: int) -> Iterator[int]:
    """The processes that a process has started."""
    for folder in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                yield int(folder.name)


class Killings:
    """Servers and a crowd, and a hand that kills one process after another."""

    def __init__(self, url: str, folder: Path, seed: int, processes: int, postgres: Any = None) -> None:
        self.url = url
        self.rng = random.Random(seed)
        self.servers = [Server(url, folder) for _ in range(processes)]
        self.postgres = postgres
        self.journal = Journal()
        self.players: list[SimulatedPlayer] = []
        self.clients: list[WritingClient] = []
        self.count: Counter[str] = Counter()
        self.went_on_s: list[float] = []
        self.slowest_s: dict[str, float] = {}  # of them, by what was killed
        self.reopened_s: list[float] = []  # of a house that is alone
        self.recovered_s: list[float] = []  # of PostgreSQL; tables go on from then

    async def run(self, kills: int) -> None:
        for server in self.servers:
            server.start()
        try:
            await asyncio.gather(*(server.ready() for server in self.servers))
            visits = [asyncio.create_task(player.visit(None)) for player in self._crowd()]
            for _ in range(kills):
                await self._acknowledged(visits, 6)
                await asyncio.sleep(self.rng.expovariate(1 / 0.4))
                await self._kill_one()
            await self._acknowledged(visits, 6)
            for visit in visits:
                visit.cancel()
            await asyncio.gather(*visits, return_exceptions=True)
        finally:
            for client in self.clients:
                await client.close()
            for server in self.servers:
                server.stop()

    def _crowd(self) -> list[SimulatedPlayer]:
        """At each table players of several kinds, spread over the servers."""
        planned = {table.id: table for table in FLOOR_PLAN}
        for table, seats in TABLES.items():
            variant = find(planned[table].game).variant(planned[table].options)
            for number, kind in enumerate(KINDS_AT_TABLE * 2):
                client = WritingClient(self.servers[number % len(self.servers)].base)
                rng = random.Random(self.rng.random())
                self.clients.append(client)
                there = CrowdTable(table, variant, 100, seats)
                self.players.append(KINDS[kind](client, there, self.journal, rng, 0.0))
        return self.players

    async def _acknowledged(self, visits: list["asyncio.Task[None]"], more: int) -> None:
        """Until so many more acts were answered, however fast the machine is."""
        before = sum(len(client.answers) for client in self.clients)
        while sum(len(client.answers) for client in self.clients) < before + more:
            for visit in visits:
                if visit.done():
                    visit.result()
            await asyncio.sleep(0.01)

    async def _kill_one(self) -> None:
        kinds = ["dealer", "dealer", "worker"] + (["database"] if self.postgres is not None else [])
        kind = self.rng.choice(kinds)
        self.count[kind] += 1
        server = self.rng.choice(self.servers)
        numbers = await self._numbers()
        if kind == "dealer":
            killed_at = time.monotonic()
            server.kill()
            server.start()
        elif kind == "worker":
            workers = server.workers()
            killed_at = time.monotonic()
            if workers:
                with suppress(ProcessLookupError):
                    os.kill(self.rng.choice(workers), signal.SIGKILL)
        else:
            killed_at = await self._kill_in_database()
        if len(self.servers) == 1:  # nobody else can answer; what counts is the time from its opening
            await server.ready()
            self.reopened_s.append(time.monotonic() - killed_at)
            killed_at = time.monotonic()
        await self._goes_on(numbers, killed_at)
        self.slowest_s[kind] = max(self.slowest_s.get(kind, 0.0), self.went_on_s[-1])
        await asyncio.gather(*(each.ready() for each in self.servers))

    async def _kill_in_database(self) -> float:
        """Kill a process of PostgreSQL, which ends every connection and recovers; when it takes connections again."""
        connect = partial(psycopg.AsyncConnection.connect, self.postgres.get_uri(), autocommit=True)
        async with asyncio.timeout(PATIENCE_S):
            there = await connect()
            killed_at = time.monotonic()
            os.kill(self.rng.choice(list(children_of(self.postgres.get_postmaster_info().pid))), signal.SIGKILL)
            with suppress(psycopg.OperationalError):
                while await there.execute("SELECT 1"):
                    await asyncio.sleep(0.01)
            while True:
                with suppress(psycopg.OperationalError):
                    await (await connect()).close()
                    break
                await asyncio.sleep(0.02)
        self.recovered_s.append(time.monotonic() - killed_at)
        return time.monotonic()

    async def _numbers(self) -> dict[str, int]:
        """The newest entry of every table, from whichever server answers."""
        async with httpx.AsyncClient(timeout=5) as client:
            while True:
                for server in self.servers:
                    with suppress(httpx.TransportError):
                        answer = await client.get(f"{server.base}/live")
                        if answer.status_code == 200:
                            return {
                                line["table"]: line["number"]
                                for line in answer.json()["tables"]
                                if line["table"] in TABLES
                            }
                await asyncio.sleep(0.05)

    async def _goes_on(self, before: dict[str, int], since: float) -> None:
        """Until every table has a new entry; how long that took."""
        while True:
            now = await self._numbers()
            if all(now[table] > number for table, number in before.items()):
                self.went_on_s.append(time.monotonic() - since)
                return
            await asyncio.sleep(0.05)

    # Afterwards.

    def check_books(self) -> None:
        """Everything acknowledged is in the books, once, with the number and the balance that was told."""
        database = Database(self.url)
        with database.reading() as tx:
            rows = tx.all(_SIGNED, {})
        database.close()
        written = {key: (number, balance) for key, number, balance in rows}
        assert len(written) == len(rows), "a request was done twice"
        for client in self.clients:
            for answer in client.answers:
                if answer.what != "seat":
                    assert written[answer.key] == (answer.done.number, answer.done.balance), answer
                    self.count[answer.what] += 1

    def told(self) -> str:
        slowest = sorted(self.went_on_s)
        half, most = slowest[len(slowest) // 2], slowest[-1]
        unanswered = sum(client.unanswered for client in self.clients)
        streams = sum(client.lost_streams for client in self.clients)
        said = ", ".join(f"{name} {number}" for name, number in sorted(self.count.items()))
        by_kind = ", ".join(f"{kind} {seconds:.2f} s" for kind, seconds in sorted(self.slowest_s.items()))
        rounds = len(self.journal.rounds)
        reopened = f", after at most {max(self.reopened_s):.1f} s in which no house was open" if self.reopened_s else ""
        if self.recovered_s:
            reopened = f", after at most {max(self.recovered_s):.1f} s in which PostgreSQL recovered"
        return (
            f"{said}; {rounds} rounds; {unanswered} requests sent again, {streams} streams taken up again; "
            f"tables went on within {half:.2f} s (half), {most:.2f} s (all: {by_kind}){reopened}"
        )
