"""A crowd at a live table: players of several kinds who come, play and leave, and what they have to tell."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from pairhouse.client.house_client import HouseClient
from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.crowd.journal import Journal, Summary, counted
from pairhouse.crowd.players import KINDS, CrowdTable, SimulatedPlayer
from pairhouse.games.catalogue import find

PLAYERS_MAX = 2_000
TELL_EVERY_S = 5.0
GOODBYE_S = 15.0


def read_kinds(text: str) -> list[str]:
    """`best,careless` as kinds of players."""
    kinds = [word.strip() for word in text.split(",") if word.strip()]
    for kind in kinds or [text]:
        if kind not in KINDS:
            raise Refused("bad-kind", f"{shown(kind)} is no kind of player; it can be {one_of(KINDS)}")
    return kinds


class Crowd:
    """Players at one table. Their kinds take turns in the order given; a seed makes their bets and choices again."""

    def __init__(
        self, house: str, players: int, kinds: Sequence[str], seed: int, think_s: float = 0.5, patience_s: float = 10.0
    ) -> None:
        if not 1 <= players <= PLAYERS_MAX:
            raise Refused("bad-crowd", f"{players} players are not possible; give 1 to {PLAYERS_MAX}")
        self.journal = Journal()
        self.clients = [HouseClient(house, patience_s) for _ in range(players)]
        self.kinds = [KINDS[kinds[number % len(kinds)]] for number in range(players)]
        self.rngs = [Random(f"{seed}-{number}") for number in range(players)]
        self.think_s = think_s
        self.players: list[SimulatedPlayer] = []
        self._ended = asyncio.Event()

    def end(self) -> None:
        """Everybody leaves now."""
        self._ended.set()

    async def play(
        self, table: str, rounds: int | None, seconds: float | None, tell: Callable[[str], None] | None = None
    ) -> Summary:
        """Until everybody has played so many rounds, so many seconds have passed, or it is ended."""
        telling: asyncio.Task[None] | None = None
        visits: list[asyncio.Task[None]] = []
        try:
            found = await self._table(table)
            made = zip(self.kinds, self.clients, self.rngs, strict=True)
            self.players = [kind(client, found, self.journal, rng, self.think_s) for kind, client, rng in made]
            visits = [asyncio.create_task(player.visit(rounds)) for player in self.players]
            if tell is not None:
                tell(f"{counted(len(visits), 'player')} at {found.id}")
                telling = asyncio.create_task(self._tell(tell))
            await self._wait(visits, seconds)
        finally:
            if telling is not None:
                telling.cancel()
            await self._goodbye(visits)
        return self.journal.summary(
            len(self.players),
            sum(client.unanswered for client in self.clients),
            sum(client.lost_streams for client in self.clients),
        )

    async def _wait(self, visits: list["asyncio.Task[None]"], seconds: float | None) -> None:
        ended = asyncio.create_task(self._ended.wait())
        until = asyncio.get_running_loop().time() + seconds if seconds is not None else None
        waiting: set[asyncio.Task[Any]] = {ended, *visits}
        while ended in waiting and len(waiting) > 1:
            left = max(0.0, until - asyncio.get_running_loop().time()) if until is not None else None
            done, waiting = await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                break
            for task in done:
                task.result()
        ended.cancel()

    async def _goodbye(self, visits: list["asyncio.Task[None]"]) -> None:
        """Everybody stands up; who has a hand plays it first, so that nobody else waits for the clock."""
        until = asyncio.get_running_loop().time() + GOODBYE_S
        while any(player.has_hand for player in self.players) and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.1)
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        leaving = asyncio.gather(*(player.go() for player in self.players if player.place.seat is not None))
        try:
            await asyncio.wait_for(leaving, GOODBYE_S)
        except TimeoutError:
            self.journal.count["did not leave"] += 1
        await asyncio.gather(*(client.close() for client in self.clients))

    async def _tell(self, tell: Callable[[str], None]) -> None:
        while True:
            await asyncio.sleep(TELL_EVERY_S)
            tell(self.journal.line())

    async def _table(self, word: str) -> CrowdTable:
        line = await self.clients[0].find_live_table(word)
        record = await self.clients[0].ask("GET", f"/tables/{line.table}")
        options = {option["name"]: option["value"] for option in record["game"]["options"]}
        variant = find(record["game"]["id"]).variant(options)
        return CrowdTable(line.table, variant, record["limits"]["minimum"], line.seats)
