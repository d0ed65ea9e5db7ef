"""Writers: commands from many requests run in one transaction and are committed together.

A command is a function of a transaction. The commands that are waiting form a batch: they run one after another, each
under a savepoint, so a refusal undoes that command alone. Batched commands of one kind run as a group: one query reads
all they need, each is decided, and their changes are written together. Nobody is answered before the commit is on
disk. With every commit a writer signs the end of its chain (house/seal/chain_keys.py). Each process has one writer. On
PostgreSQL its transactions are SERIALIZABLE; a batch that conflicts with another process is run again in halves, down
to single commands. Commands that act on one thing, such as a live table, wait for their turn there before their
transaction begins, so that they see all that was done there before and need less than SERIALIZABLE.
"""

import asyncio
import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

from pairhouse.core.errors import Refused
from pairhouse.house.seal.chain_keys import ChainCertifier, ChainKey
from pairhouse.house.store.answers import Callback, Receiver, deliver
from pairhouse.house.store.chain import Chain
from pairhouse.house.store.chain_ends import insert_end, sign_end
from pairhouse.house.store.database import BUSY_TIMEOUT_S, Database, OutcomeUnknown, StoreFailed
from pairhouse.house.store.postgresql import end_turns, is_lost, is_retryable, take_turns
from pairhouse.house.store.sealed_events import BooksSeal
from pairhouse.house.store.transaction import CannotUndo, WriteTx
from pairhouse.house.store.turns import apart, turns_of

if TYPE_CHECKING:
    from pairhouse.house.store.loop_writer import LoopWriter

BATCH_MAX = 128
TRIES_MAX = 40
WRITERS_POSTGRESQL = 1  # more of them in one process conflict with each other, and give fewer rounds a second

log = logging.getLogger("pairhouse.store")


Command = Callable[[WriteTx], Any]
GroupFunction = Callable[[WriteTx, Sequence[Any]], list[Any]]
DEFER = object()  # the answer to a command that must wait for another one of its group


class Batched:
    """A command that runs in a group with the others of its kind in a batch, or alone.

    `run_group` receives the arguments of all of them and gives each an answer, a refusal, or `DEFER`.
    """

    def __init__(self, run_group: GroupFunction, argument: Any, turn: str | None = None) -> None:
        self.run_group = run_group
        self.argument = argument
        self.turn = turn

    def __call__(self, tx: WriteTx) -> Any:
        answer = self.run_group(tx, [self.argument])[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


class Conflict(Exception):
    """A batch conflicts with another transaction: its halves touch less, and are tried one after the other."""


class RunInstead(Exception):
    """Raised by a command: undo what it has done so far, and run another command in its place."""

    def __init__(self, command: Command) -> None:
        self.command = command


Job = tuple[Command, Receiver]  # a command, and who receives its answer


class ChainWatch(Protocol):
    """Is told of the chains of a process: `house/epoch/` checks there whether the books are old."""

    def open_chain(self, tx: WriteTx) -> None: ...
    def committed(self, chain: Chain) -> None: ...
    def left(self, chain: Chain) -> None: ...


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Writers:
    """The writers of one process."""

    def __init__(
        self,
        database: Database,
        certifier: ChainCertifier,
        clock: Callable[[], int] = now_ms,
        count: int | None = None,
        watch: ChainWatch | None = None,
    ) -> None:
        self.database = database
        self.certifier = certifier
        self.clock = clock
        self.watch = watch
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        number = 1 if database.is_sqlite else (count or WRITERS_POSTGRESQL)
        self._threads = [threading.Thread(target=self._serve, name=f"writer-{n}", daemon=True) for n in range(number)]
        self._is_closed = False
        self._loop_writers: dict[asyncio.AbstractEventLoop, LoopWriter] = {}
        self._writers: list[Writer] = []
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """How many commands wait for a writer."""
        return self._queue.qsize() + sum(writer.waiting for writer in self._loop_writers.values())

    @property
    def tried_again(self) -> int:
        """How many transactions were tried again because another process was in their way."""
        return sum(writer.tried_again for writer in self._writers)

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
        """Run a command from an event loop. The answers of a batch reach the loop together, which costs less."""
        if self._is_closed:
            raise StoreFailed("the house is closing")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._put(loop, (command, future))
        return await future

    def call(self, command: Command, on_answer: Callable[[Any], None]) -> None:
        """The same without waiting: `on_answer` is called on this loop with the answer, or with what was raised."""
        if self._is_closed:
            raise StoreFailed("the house is closing")
        loop = asyncio.get_running_loop()
        self._put(loop, (command, Callback(loop, on_answer)))

    def _put(self, loop: asyncio.AbstractEventLoop, job: Job) -> None:
        if self.database.is_sqlite:
            self._loop_writer(loop).put(job)
        else:
            self._queue.put(job)

    def _loop_writer(self, loop: asyncio.AbstractEventLoop) -> "LoopWriter":
        writer = self._loop_writers.get(loop)
        if writer is None:
            from pairhouse.house.store.loop_writer import LoopWriter  # noqa: PLC0415 (it imports this module)

            writer = LoopWriter(self.database, self.certifier, self.clock, loop, self.watch)
            self._loop_writers[loop] = writer
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
        writer = Writer(self.database, self.certifier, self.clock, watch=self.watch)
        self._writers.append(writer)
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
    """Runs batches of commands on one connection, and seals their events to one chain."""

    def __init__(
        self,
        database: Database,
        certifier: ChainCertifier,
        clock: Callable[[], int],
        wait_s: float = BUSY_TIMEOUT_S,
        watch: ChainWatch | None = None,
    ) -> None:
        self.database = database
        self.certifier = certifier
        self.clock = clock
        self.watch = watch
        self.chain = Chain.new()
        self._chain_key: ChainKey | None = None
        self._books_seal = BooksSeal(certifier.books, certifier.public_key)
        self._failures: tuple[type[Exception], ...] = (*database.errors, StoreFailed)
        self._wait_s = wait_s
        self._begin = "BEGIN IMMEDIATE" if database.is_sqlite else "BEGIN ISOLATION LEVEL SERIALIZABLE"
        self.tried_again = 0
        self._has_turns = False
        self._connection: Any = None
        self._tx: WriteTx | None = None

    def work(self, batch: list[Job]) -> None:
        """Run these commands and hand each its answer, or the error."""
        for part in [batch] if self.database.is_sqlite else apart(batch):
            self._work(part)

    def _work(self, batch: list[Job]) -> None:
        answers = self._try(batch)
        if isinstance(answers, Conflict):
            half = len(batch) // 2
            self._work(batch[:half])
            self._work(batch[half:])
            return
        if isinstance(answers, BaseException) and len(batch) > 1 and not isinstance(answers, StoreFailed):
            for job in batch:
                self._work([job])
            return
        if isinstance(answers, BaseException):
            answers = [answers] * len(batch)
        deliver([receiver for _, receiver in batch], answers)

    def _try(self, batch: list[Job]) -> list[Any] | BaseException:
        """The answers, committed; or what went wrong, with nothing changed."""
        turns = [] if self.database.is_sqlite else turns_of(batch)
        for attempt in range(TRIES_MAX):
            mark = self.chain.mark
            try:
                self._take_turns(turns)
                answers = self._transact(batch)
            except self._failures as error:
                self.chain.back_to(mark)
                self._rollback()
                if not is_retryable(error):
                    log.warning("store failed", extra={"reason": str(error)})
                    if isinstance(error, StoreFailed):
                        return error
                    return StoreFailed(f"the books could not be written, and nothing was changed: {_reason(error)}")
                self.tried_again += 1
                if len(batch) > 1:
                    return Conflict()
                time.sleep(random.uniform(0, 0.001 * 2 ** min(attempt, 7)))
            except Exception as error:  # a broken invariant: nothing of the batch stands
                self.chain.back_to(mark)
                self._rollback()
                if len(batch) == 1:
                    log.exception("command failed")
                return error
            else:
                self._end_turns()
                return answers
        return StoreFailed("the books are too busy just now, and nothing was changed; try again")

    def begin(self) -> WriteTx:
        """Open a transaction, unless one is open in which nothing has been done yet."""
        if self._tx is None:
            if self._connection is None:
                self._connection = self.database.connect(wait_s=self._wait_s)
            cursor = self.database.cursor(self._connection)
            tx = WriteTx(cursor, self.database.kind, self.chain, self.clock, self._books_seal)
            is_in_turn = self._has_turns and self.chain.number > 0  # a chain is opened by what all chains are
            tx.raw("BEGIN ISOLATION LEVEL REPEATABLE READ" if is_in_turn else self._begin)
            self._tx = tx
        return self._tx

    def _take_turns(self, turns: Sequence[str]) -> None:
        """Wait for these turns; they are ours until the transaction has ended, however it ends."""
        if turns:
            if self._connection is None:
                self._connection = self.database.connect(wait_s=self._wait_s)
            self._has_turns = True
            take_turns(self._connection, turns)

    def _end_turns(self) -> None:
        """Let others have them. A connection that cannot do it any more is closed, and has none then."""
        if self._has_turns and self._connection is not None:
            self._has_turns = False
            try:
                end_turns(self._connection)
            except self.database.errors:
                self._leave_connection()

    def _transact(self, batch: list[Job]) -> list[Any]:
        tx = self.begin()
        self._tx = None
        number_before = self.chain.number
        if number_before == 0 and self.watch is not None:
            self.watch.open_chain(tx)
        elif number_before == 0:
            self.chain.checkpoint(tx, tx.now)
        answers = self._answers(tx, [command for command, _ in batch])
        tx.finish()
        if self.chain.number > number_before:
            self._sign_end(tx, is_new=number_before == 0)
        self._commit(tx)
        self.certifier.recent.add(self.chain.id, number_before, self.chain.committed())
        if self.watch is not None:
            self.watch.committed(self.chain)
        return answers

    def _sign_end(self, tx: WriteTx, *, is_new: bool) -> None:
        """Sign how far the chain goes now. Its key is made when it opens, and goes with this writer."""
        chain = self.chain
        if self._chain_key is None or self._chain_key.certificate.chain != chain.id:
            self._chain_key = self.certifier.new_key(chain.id)
        (insert_end if is_new else sign_end)(tx, self._chain_key, chain.number, chain.head)

    def _answers(self, tx: WriteTx, commands: list[Command]) -> list[Any]:
        """The answer to each. They were waiting at the same time, so groups may run before single commands."""
        answers: list[Any] = [None] * len(commands)
        groups: dict[GroupFunction, list[int]] = {}
        for place, command in enumerate(commands):
            if isinstance(command, Batched):
                groups.setdefault(command.run_group, []).append(place)
        for run_group, waiting in groups.items():
            self._run_group(tx, run_group, commands, waiting, answers)
        for place, command in enumerate(commands):
            if isinstance(answers[place], RunInstead):
                answers[place] = self._under_savepoint(tx, answers[place].command)
            elif not isinstance(command, Batched):
                answers[place] = self._under_savepoint(tx, command)
        return answers

    def _run_group(
        self, tx: WriteTx, run_group: GroupFunction, commands: list[Any], waiting: list[int], answers: list[Any]
    ) -> None:
        """Run the commands of a group, and again those that were deferred; the first is never deferred."""
        while waiting:
            for place, answer in zip(waiting, self._run_once(tx, run_group, commands, waiting), strict=True):
                answers[place] = answer
            deferred = [place for place in waiting if answers[place] is DEFER]
            if len(deferred) > len(waiting) * 3 // 4:  # few players sent many: a group would read most of them in vain
                for place in deferred:
                    answers[place] = self._under_savepoint(tx, commands[place])
                return
            waiting = deferred

    def _run_once(self, tx: WriteTx, run_group: GroupFunction, commands: list[Any], waiting: list[int]) -> list[Any]:
        """Run a group once; if one of its commands cannot be undone, each of them alone, in the same transaction."""
        tx.begin_group()
        try:
            answers = run_group(tx, [commands[place].argument for place in waiting])
        except CannotUndo:
            tx.undo_group()
            tx.end_group()
            return [self._under_savepoint(tx, commands[place]) for place in waiting]
        tx.end_group()
        return answers

    def _commit(self, tx: WriteTx) -> None:
        """Commit. If the connection is lost meanwhile, nobody knows whether the commit was made."""
        try:
            tx.raw("COMMIT")
        except self.database.errors as error:
            if not self.database.is_sqlite and is_lost(self._connection, error):
                sentence = "the database went away while the books were written; ask again with the same key"
                raise OutcomeUnknown(f"{sentence} to learn what came of it") from error
            raise

    def _under_savepoint(self, tx: WriteTx, command: Command) -> Any:
        mark = self.chain.mark
        tx.raw("SAVEPOINT command")
        try:
            answer = command(tx)
        except (Refused, RunInstead) as other:
            tx.drop_queue()
            tx.raw("ROLLBACK TO SAVEPOINT command")
            self.chain.back_to(mark)
            answer = self._under_savepoint(tx, other.command) if isinstance(other, RunInstead) else other
        tx.raw("RELEASE SAVEPOINT command")
        return answer

    def _rollback(self) -> None:
        """End the transaction; a connection that fails at that is closed, and a new chain begins.

        The last commit of a lost connection may have been made without our knowledge, so the old chain may be longer
        than we know.
        """
        try:
            if self._connection is not None and (not self.database.is_sqlite or self._connection.in_transaction):
                self._connection.execute("ROLLBACK")
            self._end_turns()
        except self.database.errors:
            self._leave_connection()

    def _leave_connection(self) -> None:
        self._has_turns = False
        self.close()
        self.certifier.recent.forget(self.chain.id)
        self.chain = Chain.new()

    def close(self) -> None:
        if self.watch is not None:
            self.watch.left(self.chain)
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _reason(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]
