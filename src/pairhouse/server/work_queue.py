"""Slow work beside the event loop: of each kind a few at a time, some waiting, and no more than that."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pairhouse.core.errors import Refused
from pairhouse.server.processes.resource_limits import yield_processor

T = TypeVar("T")


class WorkQueue:
    """Work of one kind. Each kind has a queue of its own, so that whoever fills one holds up no other."""

    def __init__(self, what: str, threads: int, most: int, *, yields: bool = False) -> None:
        self._what = what  # what too many do, in a sentence
        self._most = most
        # Only work that holds the interpreter for moments may yield the processor: with it, whoever waits would wait.
        begin = yield_processor if yields else None
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="work-queue", initializer=begin)
        self._begun = 0

    async def run(self, work: Callable[[], T]) -> T:
        """Do it when its turn comes; refused where too many wait."""
        if self._begun >= self._most:
            raise Refused("busy", f"too many {self._what} just now; try again in a moment")
        self._begun += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._begun -= 1

    def close(self) -> None:
        """Let what was begun end."""
        self._threads.shutdown(wait=True)
