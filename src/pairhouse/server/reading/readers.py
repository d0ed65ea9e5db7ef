"""Reads that change nothing: each in one transaction, on a connection of its own, beside the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pairhouse.house.store.database import Database, Tx

THREADS = 4
T = TypeVar("T")


class Readers:
    """Threads that read from a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="reader")

    async def read(self, question: Callable[[Tx], T]) -> T:
        """Ask the books one question."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._ask, question)

    def _ask(self, question: Callable[[Tx], T]) -> T:
        with self._database.reading() as tx:
            return question(tx)

    def close(self) -> None:
        """Let what was begun end."""
        self._threads.shutdown(wait=True)
