"""Wake-ups between houses on one database: at which table something was written, and the newest number there.

A wake-up carries nothing that must not be lost. Whoever misses one finds the entry at the next look into the books, so
whatever brings a few bytes to all others can be the bus. A house alone on its database needs none; on PostgreSQL it is
NOTIFY, sent after the commit on a connection of its own, because a NOTIFY inside a transaction makes commits queue.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from pairhouse.house.store import postgresql
from pairhouse.house.store.database import Database

log = logging.getLogger("pairhouse.bus")

CHANNEL = "pairhouse_live"
TABLES_AT_ONCE = 50  # a notification holds up to 8,000 bytes
RETRY_S = 1.0
Heard = Callable[[str, int], None]


class WakeUp(msgspec.Struct, frozen=True, array_like=True):
    """What one house tells the others: who it is, and the newest number of each table."""

    sender: str
    numbers: dict[str, int]


class Bus(Protocol):
    """Brings wake-ups from each house to all others."""

    def tell(self, table_id: str, number: int) -> None:
        """Something was written at a table, and is on disk."""

    async def run(self, heard: Heard) -> None:
        """Send what is told and call `heard` with what others tell, until cancelled."""


class AloneBus:
    """The bus of a house that is alone on its database."""

    def tell(self, table_id: str, number: int) -> None:
        """Nobody else wants to know."""

    async def run(self, heard: Heard) -> None:
        """Nobody else tells anything."""


class PostgresBus:
    """NOTIFY and LISTEN on connections of their own. What is told while a notification is under way goes together."""

    def __init__(self, database: Database, name: str) -> None:
        self._url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._name = name
        self._told: dict[str, int] = {}
        self._woken = asyncio.Event()

    def tell(self, table_id: str, number: int) -> None:
        self._told[table_id] = number
        self._woken.set()

    async def run(self, heard: Heard) -> None:
        await asyncio.gather(self._again(self._send), self._again(lambda: self._listen(heard)))

    async def _again(self, work: Callable[[], Any]) -> None:
        """Do it until cancelled, on a new connection whenever one is lost. Until then every look finds what is new."""
        failures = (postgresql.driver().Error, OSError)
        while True:
            try:
                await work()
            except failures as error:
                log.warning("wake-ups are not sent or heard", extra={"reason": str(error).strip()})
            await asyncio.sleep(RETRY_S)

    async def _connect(self) -> Any:
        return await postgresql.driver().AsyncConnection.connect(self._url, autocommit=True)

    async def _send(self) -> None:
        async with await self._connect() as connection:
            while True:
                await self._woken.wait()
                self._woken.clear()
                while self._told:
                    tables = list(self._told)[:TABLES_AT_ONCE]
                    numbers = {table_id: self._told.pop(table_id) for table_id in tables}
                    text = msgspec.json.encode(WakeUp(self._name, numbers)).decode()
                    await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, text))

    async def _listen(self, heard: Heard) -> None:
        async with await self._connect() as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            async for notification in connection.notifies():
                hear(notification.payload, self._name, heard)


def hear(text: str, name: str, heard: Heard) -> None:
    """Pass on what another house tells; whatever else comes on the channel is left alone."""
    try:
        told = msgspec.json.decode(text, type=WakeUp)
    except msgspec.DecodeError:
        log.warning("a wake-up cannot be read", extra={"bytes": len(text)})
        return
    if told.sender != name:
        for table_id, number in told.numbers.items():
            heard(table_id, number)


def bus_of(database: Database, name: str) -> Bus:
    """The bus for the houses on a database."""
    return AloneBus() if database.is_sqlite else PostgresBus(database, name)
