"""The dealer of live tables: does what is due at each of them, at its time or as soon as somebody has acted.

Any number of houses on one database may run one. Whoever acts at a table deals there, and leads it from then on; if
that house is gone, its lease runs out and another finds something overdue.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from pairhouse.core.errors import Refused
from pairhouse.house.live.dealer_lease import LEASE_MS, DealerTurn, all_leases
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.store.database import Database, StoreFailed, Tx
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.turns import InTurn
from pairhouse.house.store.writer import Command
from pairhouse.server.live.bus import bus_of

log = logging.getLogger("pairhouse.dealing")

LOOK_EVERY_S = 1.0  # so often the tables are looked at for what other houses have done there
Moved = Callable[[str, int], None]


class LiveDealer:
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
        self._woken = asyncio.Event()

    def deal(self, tx: WriteTx, table_id: str) -> DealerTurn:
        """In the transaction of an act: everything that is due at its table now."""
        return self._floor.lead_and_deal(tx, table_id, self.name, takes_over=True)

    def dealt(self, table_id: str, number: int, dealt: DealerTurn) -> None:
        """An act and what was due after it are on disk: tell everybody, and look again in time."""
        self._tell(table_id, max(number, dealt.number))
        self._after(table_id, dealt)
        self._woken.set()

    def heard(self, table_id: str, number: int) -> None:
        """Another house has written something at a table, and dealt there."""
        self._tell(table_id, number, is_ours=False)

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
        """What is new at any table, and when each is due: those that others lead once they are overdue."""
        for lease in await self._read(all_leases):
            known = self._numbers.get(lease.table, -1)
            if lease.number >= known:  # else it has moved on since this was read
                self._due[lease.table] = lease.held_until - (LEASE_MS if lease.dealer == self.name else 0)
                self._tell(lease.table, lease.number, is_ours=False)

    async def _deal(self) -> None:
        """Deal where something is due; what is due at the same time is written together."""
        now = self._clock()
        tables = [table_id for table_id, due in self._due.items() if due <= now]
        for failed in await asyncio.gather(*map(self._deal_at, tables), return_exceptions=True):
            if failed is not None:
                raise failed

    async def _deal_at(self, table_id: str) -> None:
        due = self._due.pop(table_id, None)
        if due is None:  # somebody acted there meanwhile, and nothing is due now
            return
        deal = partial(self._floor.lead_and_deal, table_id=table_id, dealer=self.name)
        try:
            dealt = await self._write(InTurn(deal, table_id))
        except Refused as refused:
            log.warning("table not dealt", extra={"table": table_id, "reason": str(refused)})
            self._due.setdefault(table_id, self._clock() + 1000)
        except StoreFailed:
            self._due.setdefault(table_id, due)  # or nobody would look at this table again
            raise
        else:
            if dealt.number:
                self._tell(table_id, dealt.number)
            if table_id not in self._due:  # else somebody has acted there meanwhile
                self._after(table_id, dealt)

    def _after(self, table_id: str, dealt: DealerTurn) -> None:
        """When to look again; where another house leads, the next look at all tables tells."""
        self._due.pop(table_id, None)
        if dealt.number and dealt.due is not None:
            self._due[table_id] = dealt.due

    def _tell(self, table_id: str, number: int, *, is_ours: bool = True) -> None:
        if self._numbers.get(table_id, -1) < number:
            self._numbers[table_id] = number
            self._moved(table_id, number)
            if is_ours:
                self._bus.tell(table_id, number)
