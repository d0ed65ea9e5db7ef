"""A writer that works on the event loop itself, for a database in a file of our own.

SQLite's work is short and holds the interpreter anyway. A thread for it would hand the interpreter back and forth at
every statement, which cost half of the rounds a second; here the requests that have arrived are run one after another
between two turns of the loop, committed once, and answered. Only waiting is left to others: when another process holds
the file, the loop goes on and the batch is tried again.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable

from pairhouse.house.store.database import BUSY_TIMEOUT_S, Database, StoreFailed
from pairhouse.house.store.writer import Job, Writer

PATIENCE_S = 0.002
BATCH_MAX = 32  # while a batch is worked on, those of the one before hear their answers and ask again


class LoopWriter:
    """Gathers what arrives in one turn of its loop."""

    def __init__(self, database: Database, clock: Callable[[], int], loop: asyncio.AbstractEventLoop) -> None:
        self._writer = Writer(database, clock, wait_s=0.0)
        self._loop = loop
        self._waiting: list[Job] = []
        self._is_called = False
        self._busy_since: float | None = None

    def put(self, job: Job) -> None:
        """Work for the next turn; its answer is told once it is on disk."""
        self._waiting.append(job)
        self._call()

    def _call(self) -> None:
        if not self._is_called and self._waiting:
            self._is_called = True
            self._loop.call_soon(self._work)

    def _work(self) -> None:
        """One batch; what is left over has its turn after the loop's own."""
        self._is_called = False
        if not self._waiting:
            return
        if self._is_taken():
            self._is_called = True
            self._loop.call_later(PATIENCE_S, self._work)
            return
        batch, self._waiting = self._waiting[:BATCH_MAX], self._waiting[BATCH_MAX:]
        self._busy_since = None
        self._writer.work(batch)
        self._call()

    def _is_taken(self) -> bool:
        """Whether another process holds the file just now, and patience is left."""
        try:
            self._writer.begin()
        except sqlite3.OperationalError as error:
            now = time.monotonic()
            self._busy_since = self._busy_since or now
            is_busy = error.sqlite_errorcode == sqlite3.SQLITE_BUSY
            return is_busy and now - self._busy_since < BUSY_TIMEOUT_S
        except StoreFailed:
            return False  # those who wait are told so by the work itself
        return False

    def close(self) -> None:
        """Run what is left, then leave the file."""
        while self._waiting:
            batch, self._waiting = self._waiting[:BATCH_MAX], self._waiting[BATCH_MAX:]
            self._writer.work(batch)
        self._writer.close()
