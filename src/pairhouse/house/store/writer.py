"""Writers: commands from many requests, run one after another in one transaction, and committed together.

A command is a function of a transaction. It is run under a savepoint, so a refusal undoes that command alone. Deeds of
one kind can be done in one sweep: all that they need is read at once, each is decided, and all that they write is
written at once. Nobody is answered before the commit is on disk. Each process has one writer. On PostgreSQL it is
SERIALIZABLE; a batch that another process stood in the way of is run again in halves, down to single commands, each
again as a whole.
"""

import asyncio
import logging
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg

from pairhouse.core.errors import Refused
from pairhouse.house.store.chain import Chain
from pairhouse.house.store.database import (
    BUSY_TIMEOUT_S,
    Database,
    OutcomeUnknown,
    StoreFailed,
    is_retryable,
)
from pairhouse.house.store.transaction import CannotUndo, WriteTx

if TYPE_CHECKING:
    from pairhouse.house.store.loop_writer import LoopWriter

BATCH_MAX = 128
TRIES_MAX = 40
WRITERS_POSTGRESQL = 1  # more of them in one process stood in each other's way, and gave fewer rounds

log = logging.getLogger("pairhouse.store")


Command = Callable[[WriteTx], Any]
DEFER = object()  # the answer to a deed that must wait for another of the same sweep


class Batched:
    """A deed that is done with others of its kind, or alone. A sweep gives it an answer, a refusal, or `DEFER`."""

    def __init__(self, sweep: "Sweep", deed: Any) -> None:
        self.sweep = sweep
        self.deed = deed

    def __call__(self, tx: WriteTx) -> Any:
        answer = self.sweep(tx, [self.deed])[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


Sweep = Callable[[WriteTx, Sequence[Any]], list[Any]]


class Conflict(Exception):
    """Another transaction stood in the way of a batch: its halves touch less, and are tried one after the other."""


class RunInstead(Exception):
    """Undo what the command has done so far, and answer with another one."""

    def __init__(self, command: Command) -> None:
        self.command = command


class Call(NamedTuple):
    """Somebody on an event loop who is called with what came of a command, which costs less than a future."""

    loop: asyncio.AbstractEventLoop
    told: Callable[[Any], None]


OnLoop = asyncio.Future[Any] | Call
Job = tuple[Command, Future[Any] | OnLoop]


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Writers:
    """The writers of one process."""

    def __init__(self, database: Database, clock: Callable[[], int] = now_ms, count: int | None = None) -> None:
        self.database = database
        self.clock = clock
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        number = 1 if database.is_sqlite else (count or WRITERS_POSTGRESQL)
        self._threads = [threading.Thread(target=self._serve, name=f"writer-{n}", daemon=True) for n in range(number)]
        self._is_closed = False
        self._loop_writers: dict[asyncio.AbstractEventLoop, LoopWriter] = {}
        for thread in self._threads:
            thread.start()

    def submit(self, command: Command) -> Future[Any]:
        """Queue a command; its future has the answer once it is on disk."""
        if self._is_closed:
            raise StoreFailed("the house is closing")
        future: Future[Any] = Future()
        self._queue.put((command, future))
        return future

    def do(self, command: Command) -> Any:
        """Run a command and wait for it."""
        return self.submit(command).result()

    async def run(self, command: Command) -> Any:
        """Run a command from an event loop. A batch is told to its loop at once, which is cheaper than one by one."""
        if self._is_closed:
            raise StoreFailed("the house is closing")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._put(loop, (command, future))
        return await future

    def call(self, command: Command, told: Callable[[Any], None]) -> None:
        """The same without waiting: `told` is called on this event loop with the answer, or with what was raised."""
        if self._is_closed:
            raise StoreFailed("the house is closing")
        loop = asyncio.get_running_loop()
        self._put(loop, (command, Call(loop, told)))

    def _put(self, loop: asyncio.AbstractEventLoop, job: Job) -> None:
        if self.database.is_sqlite:
            self._loop_writer(loop).put(job)
        else:
            self._queue.put(job)

    def _loop_writer(self, loop: asyncio.AbstractEventLoop) -> "LoopWriter":
        writer = self._loop_writers.get(loop)
        if writer is None:
            from pairhouse.house.store.loop_writer import LoopWriter  # noqa: PLC0415 (it is made of what is here)

            writer = self._loop_writers[loop] = LoopWriter(self.database, self.clock, loop)
        return writer

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._is_closed = True
        for writer in self._loop_writers.values():
            writer.close()
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        writer = Writer(self.database, self.clock)
        while (job := self._queue.get()) is not None:
            batch = [job]
            is_last = False
            while len(batch) < BATCH_MAX and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    is_last = True
                    break
                batch.append(following)
            writer.work(batch)
            if is_last:
                break
        writer.close()


class Writer:
    """One connection with its chain."""

    def __init__(self, database: Database, clock: Callable[[], int], wait_s: float = BUSY_TIMEOUT_S) -> None:
        self.database = database
        self.clock = clock
        self.chain = Chain.new()
        self._wait_s = wait_s
        self._begin = "BEGIN IMMEDIATE" if database.is_sqlite else "BEGIN ISOLATION LEVEL SERIALIZABLE"
        self._connection: Any = None
        self._tx: WriteTx | None = None

    def work(self, batch: list[Job]) -> None:
        """Run these commands and tell each its answer, or why there is none."""
        answers = self._try(batch)
        if isinstance(answers, Conflict):
            half = len(batch) // 2
            self.work(batch[:half])
            self.work(batch[half:])
            return
        if isinstance(answers, BaseException) and len(batch) > 1 and not isinstance(answers, StoreFailed):
            for job in batch:
                self.work([job])
            return
        if isinstance(answers, BaseException):
            answers = [answers] * len(batch)
        _tell(batch, answers)

    def _try(self, batch: list[Job]) -> list[Any] | BaseException:
        """The answers, committed; or what went wrong, with nothing changed."""
        for attempt in range(TRIES_MAX):
            mark = self.chain.mark
            try:
                return self._transact(batch)
            except (sqlite3.Error, psycopg.Error, StoreFailed) as error:
                self.chain.back_to(mark)
                self._rollback()
                if not is_retryable(error):
                    log.warning("store failed", extra={"reason": str(error)})
                    if isinstance(error, StoreFailed):
                        return error
                    return StoreFailed(f"the books could not be written, and nothing was changed: {_reason(error)}")
                if len(batch) > 1:
                    return Conflict()
                time.sleep(random.uniform(0, 0.001 * 2 ** min(attempt, 7)))
            except Exception as error:  # a broken invariant: nothing of the batch stands
                self.chain.back_to(mark)
                self._rollback()
                if len(batch) == 1:
                    log.exception("command failed")
                return error
        return StoreFailed("the books are too busy just now, and nothing was changed; try again")

    def begin(self) -> WriteTx:
        """Open a transaction, unless one is open that nothing has been done in."""
        if self._tx is None:
            if self._connection is None:
                self._connection = self.database.connect(wait_s=self._wait_s)
            tx = WriteTx(self.database.cursor(self._connection), self.database.kind, self.chain, self.clock)
            tx.raw(self._begin)
            self._tx = tx
        return self._tx

    def _transact(self, batch: list[Job]) -> list[Any]:
        tx = self.begin()
        self._tx = None
        if self.chain.number == 0:
            self.chain.checkpoint(tx, tx.now)
        answers = self._answers(tx, [command for command, _ in batch])
        self._commit(tx)
        return answers

    def _answers(self, tx: WriteTx, commands: list[Command]) -> list[Any]:
        """What came of each. They all wait at the same time, so those that go in one sweep may go first."""
        answers: list[Any] = [None] * len(commands)
        sweeps: dict[Sweep, list[int]] = {}
        for place, command in enumerate(commands):
            if isinstance(command, Batched):
                sweeps.setdefault(command.sweep, []).append(place)
        for sweep, waiting in sweeps.items():
            self._sweep(tx, sweep, commands, waiting, answers)
        for place, command in enumerate(commands):
            if isinstance(answers[place], RunInstead):
                answers[place] = self._under_savepoint(tx, answers[place].command)
            elif not isinstance(command, Batched):
                answers[place] = self._under_savepoint(tx, command)
        return answers

    def _sweep(self, tx: WriteTx, sweep: Sweep, commands: list[Any], waiting: list[int], answers: list[Any]) -> None:
        """Do these in as few goes as may be: the first of those that wait is always done."""
        while waiting:
            if len(waiting) == 1:
                answers[waiting[0]] = self._under_savepoint(tx, commands[waiting[0]])
                return
            for place, answer in zip(waiting, self._go(tx, sweep, commands, waiting), strict=True):
                answers[place] = answer
            left = [place for place in waiting if answers[place] is DEFER]
            if len(left) > len(waiting) * 3 // 4:  # many deeds of few players: each go would read nearly all of them
                for place in left:
                    answers[place] = self._under_savepoint(tx, commands[place])
                return
            waiting = left

    def _go(self, tx: WriteTx, sweep: Sweep, commands: list[Any], waiting: list[int]) -> list[Any]:
        """One go of a sweep; if one of its deeds has no way back, each of them alone, in the same transaction."""
        tx.begin_sweep()
        try:
            told = sweep(tx, [commands[place].deed for place in waiting])
        except CannotUndo:
            tx.undo_sweep()
            tx.end_sweep()
            return [self._under_savepoint(tx, commands[place]) for place in waiting]
        tx.end_sweep()
        return told

    def _commit(self, tx: WriteTx) -> None:
        """Put it on disk. When the database goes away in the middle of that, nobody knows whether it is there."""
        tx.finish()
        try:
            tx.raw("COMMIT")
        except psycopg.OperationalError as error:
            if self._connection.broken:
                sentence = "the database went away while the books were written; ask again with the same key"
                raise OutcomeUnknown(f"{sentence} to learn what came of it") from error
            raise

    def _under_savepoint(self, tx: WriteTx, command: Command) -> Any:
        mark = self.chain.mark
        tx.raw("SAVEPOINT command")
        try:
            answer = command(tx)
        except (Refused, RunInstead) as other:
            tx.forget()
            tx.raw("ROLLBACK TO SAVEPOINT command")
            self.chain.back_to(mark)
            answer = self._under_savepoint(tx, other.command) if isinstance(other, RunInstead) else other
        tx.raw("RELEASE SAVEPOINT command")
        return answer

    def _rollback(self) -> None:
        """Leave the transaction; a connection that cannot even do that is given up, and its chain with it.

        The last commit of a lost connection may stand although nobody was told, so its chain may be longer than known.
        """
        try:
            if self._connection is not None and (not self.database.is_sqlite or self._connection.in_transaction):
                self._connection.execute("ROLLBACK")
        except (sqlite3.Error, psycopg.Error):
            self.close()
            self.chain = Chain.new()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _tell(batch: list[Job], answers: list[Any]) -> None:
    """Hand out the answers of a batch: directly to threads that wait, and once to each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[OnLoop, Any]]] = {}
    for (_, future), answer in zip(batch, answers, strict=True):
        if isinstance(future, Call):
            by_loop.setdefault(future.loop, []).append((future, answer))
        elif isinstance(future, asyncio.Future):
            by_loop.setdefault(future.get_loop(), []).append((future, answer))
        else:
            _set(future, answer)
    for loop, told in by_loop.items():
        try:
            loop.call_soon_threadsafe(_set_all, told)
        except RuntimeError:  # the loop has ended, and nobody waits any more
            log.info("nobody waits for an answer", extra={"answers": len(told)})


def _set_all(told: list[tuple[OnLoop, Any]]) -> None:
    for future, answer in told:
        if isinstance(future, Call):
            future.told(answer)
        elif not future.done():
            _set(future, answer)


def _set(future: Future[Any] | asyncio.Future[Any], answer: Any) -> None:
    if isinstance(answer, BaseException):
        future.set_exception(answer)
    else:
        future.set_result(answer)


def _reason(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]
