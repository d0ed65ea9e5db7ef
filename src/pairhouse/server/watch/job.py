"""The watch as a job of the bookkeeper: asks the child process to look, stores what it found, and takes the steps.

Any number of houses may share the books: whoever moves the cursor goes on, the others stand by and look again later.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from pairhouse.games.catalogue import MODULES_VARIABLE, outside_modules
from pairhouse.games.floor_plan import CEILING_AN_HOUR, SHOE
from pairhouse.house.floor import read_table, table_ids
from pairhouse.house.house import House
from pairhouse.house.store.database import StoreFailed, Tx
from pairhouse.house.watch_log import TakenStep, read_cursor, save_look
from pairhouse.server.metrics import WATCH_READ, WATCH_STEPS
from pairhouse.server.watch.messages import LENGTH_BYTES, Asked, CeilingsAsked, CeilingWarning, Look, LookAsked, frame
from pairhouse.server.watch.rounds_read import has_new_rounds

log = logging.getLogger("pairhouse.watch")

FIRST_LOOK_S, LOOK_EVERY_S = 5.0, 5.0
STAND_BY_S = 60.0
IDLE_MAX_S = 300.0  # after so long without a round the child is ended; it is started again when it is needed
ANSWER_LIMIT_S = 600.0  # the first look may have to count prices


class ChildFailed(Exception):
    """The child process ended, or did not answer."""


class ChildProcess:
    """The process that weighs; started when it is first asked."""

    def __init__(self, database: str) -> None:
        self.database = database
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    async def ask(self, asked: Asked) -> bytes:
        """One question and its answer."""
        if self._process is None:
            self._process = await self._start()
        reader, writer = self._process.stdout, self._process.stdin
        assert reader is not None
        assert writer is not None
        try:
            writer.write(frame(asked))
            length = int.from_bytes(await asyncio.wait_for(reader.readexactly(LENGTH_BYTES), ANSWER_LIMIT_S))
            return await asyncio.wait_for(reader.readexactly(length), ANSWER_LIMIT_S)
        except (asyncio.IncompleteReadError, TimeoutError, OSError) as gone:
            await self.close()
            raise ChildFailed("the process that weighs results has ended; its messages are above") from gone
        except asyncio.CancelledError:
            await self.close()
            raise

    @staticmethod
    async def _start() -> asyncio.subprocess.Process:
        known = {MODULES_VARIABLE: ",".join(outside_modules()), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "pairhouse.server.watch.child"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **known},
        )

    async def close(self) -> None:
        """End it."""
        if self._process is not None:
            process, self._process = self._process, None
            if process.returncode is None:
                process.kill()
            await process.wait()


class Watch:
    """Looks at the books from time to time. `mode` is what the house allows: to warn, to limit, or to close."""

    def __init__(
        self,
        house: House,
        mode: str,
        write: Callable[[Callable[[Any], Any]], Awaitable[Any]],
        read: Callable[[Callable[[Tx], Any]], Awaitable[Any]],
    ) -> None:
        self.house, self.mode = house, mode
        self._write, self._read = write, read
        self._child = ChildProcess(house.database.url.render_as_string(hide_password=False))
        self._seen: int | None = None
        self._idle_s = 0.0

    async def run(self) -> None:
        """Until the house closes."""
        try:
            await asyncio.sleep(FIRST_LOOK_S)
            await self._warn_of_ceilings()
            await self._child.close()  # most houses have nothing to be weighed for a while, and it takes 70 MB
            while True:
                await asyncio.sleep(await self._look_again())
        finally:
            await self._child.close()

    async def _look_again(self) -> float:
        """One look. A failure is logged, and nothing is lost: the cursor has not moved."""
        try:
            return await self.look()
        except (StoreFailed, ChildFailed) as failed:
            log.warning("watch failed", extra={"reason": str(failed)})
            self._seen = None
            return STAND_BY_S

    async def look(self) -> float:
        """Weigh what was played since the last look, store it, and take the steps; how long to wait for the next."""
        cursor = await self._read(read_cursor)
        if self._seen is not None and cursor.revision != self._seen:  # another house watches, or a step was lifted
            self._seen = cursor.revision
            return STAND_BY_S
        if not await self._read(lambda tx: has_new_rounds(tx, cursor.read_to)):
            self._seen = cursor.revision
            self._idle_s += LOOK_EVERY_S
            if self._idle_s > IDLE_MAX_S:
                await self._child.close()
            return LOOK_EVERY_S
        self._idle_s = 0.0
        found = msgspec.msgpack.decode(await self._child.ask(LookAsked(self._child.database, cursor)), type=Look)
        taken: list[TakenStep] | None = await self._write(
            lambda tx: save_look(tx, cursor.revision, found.read_to, found.rows, found.found, self.mode)
        )
        if taken is None:
            self._seen = cursor.revision
            return STAND_BY_S
        self._seen = cursor.revision + 1
        WATCH_READ.labels("rounds").inc(found.rounds)
        WATCH_READ.labels("shoes").inc(found.shoes)
        for step in taken:
            _tell(step)
        return 0.0 if found.is_full else LOOK_EVERY_S

    async def _warn_of_ceilings(self) -> None:
        """Say which tables a card counter could win too much from."""

        def has_shoes(tx: Tx) -> bool:
            return any(read_table(tx, table).shuffle == SHOE for table in table_ids(tx))

        try:
            if await self._read(has_shoes):
                asked = CeilingsAsked(self._child.database, self.house.pit.round_ms_min)
                for found in msgspec.msgpack.decode(await self._child.ask(asked), type=list[CeilingWarning]):
                    figures = msgspec.structs.asdict(found)
                    log.warning("a counter could win too much", extra={**figures, "stated": CEILING_AN_HOUR})
        except (StoreFailed, ChildFailed) as failed:
            log.warning("watch failed", extra={"reason": str(failed)})

    @property
    def child_pid(self) -> int | None:
        """The process that weighs, while there is one."""
        return self._child.pid

    def is_weighing(self) -> bool:
        """Whether that process runs."""
        return self.child_pid is not None

    async def close(self) -> None:
        await self._child.close()


def _tell(step: TakenStep) -> None:
    WATCH_STEPS.labels(step.step, step.done).inc()
    whose = {"table": step.table, "player": step.player, "wager": step.wager}
    log.warning(
        "results that chance does not explain", extra={"id": step.id, "step": step.step, "done": step.done, **whose}
    )
