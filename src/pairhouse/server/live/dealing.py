"""The dealer of live tables: does what is due at each of them, at its time or as soon as somebody has acted.

Any number of houses on one database may run one. Each table is led by one of them at a time; if that one is gone, its
lease runs out and another finds something overdue.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from pairhouse.core.errors import Refused
from pairhouse.house.live.dealer_lease import LEASE_MS
from pairhouse.house.live.live_floor import Dealt, LiveFloor
from pairhouse.house.live.table_log import live_numbers
from pairhouse.house.store.database import Database, StoreFailed, Tx
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.writer import Command
from pairhouse.server.live.bus import bus_of

log = logging.getLogger("pairhouse.dealing")

LOOK_EVERY_S = 1.0  # so often the tables are looked at for what other houses have done there
Moved = Callable[[str, int], None]


class Dealing:
    """The dealer of one house. `moved` is told of every new entry, after it is on disk."""

    def __init__(
        self,
        floor: LiveFloor,
        clock: Callable[[], int],
        write: Callable[[Command], Awaitable[Any]],
        read: Callable[[Callable[[Tx], Any]], Awaitable[Any]],
        moved: Moved,
        database: Database,
    ) -> None:
        self.name = secrets.token_hex(8)
        self._bus = bus_of(database, self.name)
        self._floor = floor
        self._clock = clock
        self._write = write
        self._read = read
        self._moved = moved
        self._numbers: dict[str, int] = {}
        self._due: dict[str, int] = {}
        self._led: set[str] = set()  # tables that were led from here when last dealt at
        self._woken = asyncio.Event()

    def deal(self, tx: WriteTx, table_id: str) -> Dealt:
        """In the transaction of an act: everything that is due at its table now."""
        return self._floor.lead_and_deal(tx, table_id, self.name)

    def dealt(self, table_id: str, number: int, dealt: Dealt) -> None:
        """An act and what was due after it are on disk: tell everybody, and look again in time."""
        self._tell(table_id, max(number, dealt.number))
        self._due.pop(table_id, None)
        self._after(table_id, dealt, self._clock())
        self._woken.set()

    def heard(self, table_id: str, number: int) -> None:
        """Another house has written something at a table: deal if it is led from here, or look after the lease."""
        if self._numbers.get(table_id, -1) < number:
            is_led_elsewhere = table_id in self._numbers and table_id not in self._led
            self._due[table_id] = self._clock() + LEASE_MS if is_led_elsewhere else 0
            self._tell(table_id, number, is_ours=False)
            self._woken.set()

    async def run(self) -> None:
        """Until the house closes."""
        await asyncio.gather(self._bus.run(self.heard), self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        look_at = 0.0
        while True:
            try:
                if loop.time() >= look_at:
                    await self._look()
                    look_at = loop.time() + LOOK_EVERY_S
                await self._deal()
            except StoreFailed as failed:
                log.warning("dealing failed", extra={"reason": str(failed)})
                await asyncio.sleep(LOOK_EVERY_S)
            await self._rest(look_at - loop.time())

    async def _rest(self, seconds: float) -> None:
        now = self._clock()
        waits = [max(due - now, 0) / 1000 for due in self._due.values()]
        self._woken.clear()
        if 0 in self._due.values():
            return
        try:
            await asyncio.wait_for(self._woken.wait(), max(min([seconds, *waits]), 0.001))
        except TimeoutError:
            return

    async def _look(self) -> None:
        """Tables with entries that are not known here, and new tables, are looked at."""
        for table_id, number in await self._read(live_numbers):
            self.heard(table_id, number)

    async def _deal(self) -> None:
        now = self._clock()
        for table_id in [table_id for table_id, due in self._due.items() if due <= now]:
            if self._due.pop(table_id, None) is None:  # somebody acted there meanwhile, and nothing is due now
                continue
            try:
                dealt = await self._write(partial(self.deal, table_id=table_id))
            except Refused as refused:
                log.warning("table not dealt", extra={"table": table_id, "reason": str(refused)})
                self._due.setdefault(table_id, now + 1000)
                continue
            except StoreFailed:
                self._due.setdefault(table_id, now + 1000)  # or nobody would look at this table again
                raise
            self._after(table_id, dealt, now)

    def _after(self, table_id: str, dealt: Dealt, now: int) -> None:
        if dealt.number == 0:  # another house leads this table; look again when its lease may be over
            self._led.discard(table_id)
            self._due.setdefault(table_id, now + 1000)
            return
        self._led.add(table_id)
        self._tell(table_id, dealt.number)
        if dealt.due is not None:
            self._due.setdefault(table_id, dealt.due)

    def _tell(self, table_id: str, number: int, *, is_ours: bool = True) -> None:
        if self._numbers.get(table_id, -1) < number:
            self._numbers[table_id] = number
            self._moved(table_id, number)
            if is_ours:
                self._bus.tell(table_id, number)
