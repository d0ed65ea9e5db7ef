"""Who watches which live table in this process, and what they are sent.

A reader is told the newest entry's number and reads on from there, so a lost wake-up costs one look and never an entry.
How a table stands is read once for all its readers; what spectators are sent is made once for all of them. A reader who
takes nothing waits for itself alone, and then gets what it has missed in one message.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.seating import seat_of
from pairhouse.house.live.table_log import live_numbers
from pairhouse.house.store.database import StoreFailed, Tx
from pairhouse.server.live.moment import Moment, read_moment
from pairhouse.server.models.live import LiveNews

log = logging.getLogger("pairhouse.hub")

HEARTBEAT_S = 15.0
LOOK_S = 2.0  # so often the books are looked at for what no wake-up told of
CROWD = 200  # readers of a table from which on what happens within `GAP_S` is told together
GAP_S = 0.05
STREAMS_OF_PLAYER_MAX = 16
encode = msgspec.json.Encoder().encode


class Reader:
    """Somebody who watches a table."""

    __slots__ = ("_waiting", "beat", "is_gone", "is_told_at", "is_woken", "player_id", "table_id")

    def __init__(self, table_id: str, player_id: str | None, now: float) -> None:
        self.table_id = table_id
        self.player_id = player_id
        self.beat = self.is_gone = self.is_woken = False
        self.is_told_at = now
        self._waiting: asyncio.Future[None] | None = None

    def wake(self) -> None:
        """There may be something to be told."""
        self.is_woken = True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def woken(self) -> None:
        """Wait until woken. An event of asyncio would take as much memory as all else of a reader."""
        if not self.is_woken:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
            self._waiting = None
        self.is_woken = False

    def leave(self) -> None:
        """The line is lost: the stream ends."""
        self.is_gone = True
        self.wake()


class Watched:
    """A table that somebody watches: its readers, the newest number told of, and how it stood when last read."""

    def __init__(self) -> None:
        self.readers: set[Reader] = set()
        self.newest = -1
        self.moment: Moment | None = None
        self.read_at = 0.0
        self.reading: asyncio.Task[None] | None = None

    @property
    def is_known(self) -> bool:
        """Whether the newest that was told of has been read."""
        return self.moment is not None and self.moment.number >= self.newest

    def wake(self) -> None:
        for reader in self.readers:
            reader.wake()


class Hub:
    """The readers of live tables in one process."""

    def __init__(self, floor: LiveFloor, clock: Callable[[], int], read: Callable[[Callable[[Tx], Any]], Any]) -> None:
        self.floor = floor
        self._clock = clock
        self._read = read
        self._tables: dict[str, Watched] = {}
        self._by_player: Counter[str] = Counter()
        self._looking: asyncio.Task[None] | None = None
        self._is_stopping = False

    @property
    def readers(self) -> int:
        """How many watch."""
        return sum(len(watched.readers) for watched in self._tables.values())

    def moved(self, table_id: str, number: int) -> None:
        """A table has a new entry: it is read, and then everybody who watches is woken."""
        watched = self._tables.get(table_id)
        if watched is not None and number > watched.newest:
            watched.newest = number
            self._read_soon(table_id, watched)

    def stop(self) -> None:
        """End every stream: the house closes, and readers come back to it or to another one."""
        self._is_stopping = True
        if self._looking is not None:
            self._looking.cancel()
        for watched in self._tables.values():
            watched.wake()

    async def news(self, table_id: str, player_id: str | None, after: int) -> LiveNews:
        """What a reader is told who has seen everything up to a number."""
        watched = self._tables.get(table_id)
        watching = watched.moment.watching if watched is not None and watched.moment is not None else 0

        def ask(tx: Tx) -> LiveNews:
            seat = seat_of(tx, table_id, player_id) if player_id is not None else None
            moment = read_moment(self.floor, tx, table_id)
            moment.watching = watching
            return moment.news(self._clock(), seat, after)

        found: LiveNews = await self._read(ask)
        return found

    def join(self, table_id: str, player_id: str | None) -> Reader:
        """Somebody wants to watch a table; refused where one player has too many streams."""
        if player_id is not None and self._by_player[player_id] >= STREAMS_OF_PLAYER_MAX:
            raise Refused("too-many-at-once", f"you watch {STREAMS_OF_PLAYER_MAX} tables already; close one first")
        return Reader(table_id, player_id, asyncio.get_running_loop().time())

    async def send_events(self, reader: Reader, after: int, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Server-sent events for one reader: at once how the table stands, then everything that happens."""
        watched = self._begin(reader)
        loop = asyncio.get_running_loop()
        try:
            moment = await self._first_moment(reader.table_id, watched)
            if moment is None:  # the reader comes again
                return
            await send(await self._message(moment, reader, after))
            seen, reader.is_told_at = moment.number, loop.time()
            while True:
                await reader.woken()
                if self._is_stopping or reader.is_gone:
                    return
                moment = watched.moment or moment
                if moment.number > seen:
                    await send(await self._message(moment, reader, seen))
                    seen, reader.is_told_at = moment.number, loop.time()
                elif reader.beat:
                    await send(b": still here\n\n")
                    reader.is_told_at = loop.time()
                reader.beat = False
        finally:
            self._end(reader, watched)

    def _begin(self, reader: Reader) -> Watched:
        watched = self._tables.setdefault(reader.table_id, Watched())
        watched.readers.add(reader)
        if reader.player_id is not None:
            self._by_player[reader.player_id] += 1
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        return watched

    def _end(self, reader: Reader, watched: Watched) -> None:
        watched.readers.discard(reader)
        if not watched.readers and self._tables.get(reader.table_id) is watched:
            del self._tables[reader.table_id]
        if reader.player_id is not None:
            self._by_player[reader.player_id] -= 1
            if not self._by_player[reader.player_id]:
                del self._by_player[reader.player_id]
        if not self._tables and self._looking is not None:
            self._looking.cancel()
            self._looking = None

    async def _look(self) -> None:
        """Find what no wake-up told of, and give a sign of life to those who heard nothing for long."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK_S)
            with suppress(StoreFailed):
                for table_id, number in await self._read(live_numbers):
                    self.moved(table_id, number)
            late = loop.time() - HEARTBEAT_S
            for table_id, watched in self._tables.items():
                if not watched.is_known:  # the books could not be read when this was told
                    self._read_soon(table_id, watched)
                for reader in watched.readers:
                    if reader.is_told_at < late:
                        reader.beat = True
                        reader.wake()

    async def _first_moment(self, table_id: str, watched: Watched) -> Moment | None:
        """How a table stands, for somebody who has just come; None where the books cannot be read."""
        if not watched.is_known:
            await asyncio.shield(self._read_soon(table_id, watched))
        return watched.moment

    def _read_soon(self, table_id: str, watched: Watched) -> "asyncio.Task[None]":
        """Read how a table stands, once for all who watch it."""
        if watched.reading is None:
            watched.reading = asyncio.create_task(self._read_on(table_id, watched))
        return watched.reading

    async def _read_on(self, table_id: str, watched: Watched) -> None:
        loop = asyncio.get_running_loop()
        try:
            if len(watched.readers) >= CROWD:
                await asyncio.sleep(watched.read_at + GAP_S - loop.time())
            watched.read_at = loop.time()
            known = watched.moment.entries if watched.moment is not None else ()
            moment: Moment = await self._read(lambda tx: read_moment(self.floor, tx, table_id, known))
        except (Refused, StoreFailed) as failed:
            log.warning("a table cannot be shown", extra={"table": table_id, "reason": str(failed)})
            return
        finally:
            watched.reading = None
        moment.watching = _watching(watched, moment)
        watched.moment, watched.newest = moment, max(watched.newest, moment.number)
        watched.wake()
        if not watched.is_known:
            self._read_soon(table_id, watched)

    async def _message(self, moment: Moment, reader: Reader, after: int) -> bytes:
        """The event for a reader; one for all spectators who have seen the same."""
        player_id = reader.player_id
        seat = moment.seat_of(player_id) if player_id is not None else None
        if player_id is not None and seat is None and not moment.knows_all_seats:
            seat = await self._read(lambda tx: seat_of(tx, reader.table_id, player_id))
        if seat is not None:
            return _event(moment.news(self._clock(), seat, after))
        after = moment.told_from(after)
        known = moment.messages.get(after)
        if known is None:
            known = moment.messages[after] = _event(moment.news(self._clock(), None, after))
        return known


def _watching(watched: Watched, moment: Moment) -> int:
    """How many people read a table here without a seat; a player's second window is not a second person."""
    players = {reader.player_id for reader in watched.readers if reader.player_id is not None}
    strangers = sum(reader.player_id is None for reader in watched.readers)
    return strangers + sum(moment.seat_of(player) is None for player in players)


def _event(news: LiveNews) -> bytes:
    return b"id: %d\ndata: %s\n\n" % (news.number, encode(news))
