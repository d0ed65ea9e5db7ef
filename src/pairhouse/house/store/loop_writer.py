"""A writer that runs on the event loop itself, for SQLite.

SQLite's work is short and holds the interpreter lock anyway. A thread would hand the lock back and forth at every
statement, which cost half of the rounds a second. Here the commands that have arrived run one after another in one
callback of the loop, are committed once, and answered. The loop never blocks on a lock: while another process holds
the file, it goes on, and the batch is tried again.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable

from pairhouse.house.seal.chain_keys import ChainCertifier
from pairhouse.house.store.database import BUSY_TIMEOUT_S, Database, StoreFailed
from pairhouse.house.store.writer import ChainWatch, Job, Writer

RETRY_AFTER_S = 0.002
BATCH_MAX = 32  # small enough that the clients of one batch can send their next requests while the next one runs


class LoopWriter:
    """Collects the commands that arrive in one pass of its event loop and runs them as a batch."""

    def __init__(
        self,
        database: Database,
        certifier: ChainCertifier,
        clock: Callable[[], int],
        loop: asyncio.AbstractEventLoop,
        watch: ChainWatch | None = None,
    ) -> None:
        self._writer = Writer(database, certifier, clock, wait_s=0.0, watch=watch)
        self._loop = loop
        self._waiting: list[Job] = []
        self._is_scheduled = False
        self._busy_since: float | None = None

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def put(self, job: Job) -> None:
        """Queue a command for the next pass of the loop; it is answered once it is on disk."""
        self._waiting.append(job)
        self._schedule()

    def _schedule(self) -> None:
        if not self._is_scheduled and self._waiting:
            self._is_scheduled = True
            self._loop.call_soon(self._work)

    def _work(self) -> None:
        """Run one batch; the rest waits for the next pass of the loop."""
        self._is_scheduled = False
        if not self._waiting:
            return
        if self._is_locked():
            self._is_scheduled = True
            self._loop.call_later(RETRY_AFTER_S, self._work)
            return
        batch, self._waiting = self._waiting[:BATCH_MAX], self._waiting[BATCH_MAX:]
        self._busy_since = None
        self._writer.work(batch)
        self._schedule()

    def _is_locked(self) -> bool:
        """Whether another process holds the file, and we have not yet waited too long for it."""
        try:
            self._writer.begin()
        except sqlite3.Error as error:
            now = time.monotonic()
            self._busy_since = self._busy_since or now
            is_busy = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
            return is_busy and now - self._busy_since < BUSY_TIMEOUT_S
        except StoreFailed:
            return False  # the batch will fail with the same error, and be answered with it
        return False

    def close(self) -> None:
        """Run what is left, then close the file."""
        while self._waiting:
            batch, self._waiting = self._waiting[:BATCH_MAX], self._waiting[BATCH_MAX:]
            self._writer.work(batch)
        self._writer.close()
