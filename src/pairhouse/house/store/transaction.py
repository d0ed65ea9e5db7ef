"""A transaction that changes the books: statements run at once, rows queued to be written together, and undoing both.

A group of commands is decided one after another while its changes are only queued, so a refused command is undone by
dropping what it queued. If it has already run a statement, the whole group is rolled back to a savepoint.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Insert, Select

from pairhouse.house.store.chain import Chain
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.rows import InsertedRow
from pairhouse.house.store.sealed_events import BooksSeal, sealed_event
from pairhouse.house.store.statements import ForEach, Params, Statement


class Mark(msgspec.Struct, frozen=True, gc=False):
    """The state before a command: how many changes were queued and statements run, and the end of the chain."""

    queued: int
    executed: int
    chain: tuple[int, str]


class CannotUndo(Exception):
    """A command of a group was refused after it ran a statement: the group is rolled back and run one by one."""


class WriteTx(Tx):
    """A transaction that changes the books, with the chain its events are sealed to.

    Queued changes are written before the next statement or with the commit, those of one table together: inserts
    first, then updates, then deletes.
    """

    def __init__(self, cursor: Any, kind: str, chain: Chain, clock: Callable[[], int], books_seal: BooksSeal) -> None:
        super().__init__(cursor, kind)
        self.chain = chain
        self._books_seal = books_seal
        self.now = clock()
        self._queue: list[tuple[Statement, Params | Row]] = []
        self._lasting: list[tuple[Statement, Params | Row]] = []  # written with the commit, even for refused commands
        self._flushed = 0
        self._executed = 0
        self._group_chain: tuple[int, str] | None = None  # the end of the chain when the running group began
        self._has_savepoint = False

    def seal(self, kind: str, what: object) -> tuple[str, int]:
        """Add an event to the chain; which chain that is, and the event's number in it."""
        self.chain.add(self, self.now, kind, what)
        return self.chain.id, self.chain.number

    def sealed_event(self, chain: str, number: int) -> tuple[str, dict[str, Any]]:
        """Kind and content of an event that this house has sealed; refused if it was altered."""
        return sealed_event(self, self._books_seal, chain, number)

    def queue(self, statement: Statement, params: Params) -> None:
        """Change something whose result is not needed now; it is written together with other changes."""
        self._queue.append((statement, params))

    def queue_row(self, statement: Insert, row: Row | InsertedRow) -> None:
        """Insert a row (its values in the order of the table's columns), written together with others."""
        self._queue.append((statement, row if isinstance(row, tuple) else msgspec.structs.astuple(row)))

    def queue_regardless(self, statement: Statement, params: Params) -> None:
        """Change something with the commit, even if the command is refused."""
        self._lasting.append((statement, params))

    def finish(self) -> None:
        """Write everything that is queued; the commit follows."""
        self.flush()
        self._queue, self._lasting = self._lasting, []
        self.flush()

    def begin_group(self) -> None:
        """Start a group of commands. Its savepoint is set only before its first write: most groups never need one."""
        self.flush()
        self._group_chain, self._has_savepoint = self.chain.mark, False

    def undo_group(self) -> None:
        """Go back to where the group began."""
        assert self._group_chain is not None
        self._queue.clear()
        if self._has_savepoint:
            super().raw("ROLLBACK TO SAVEPOINT command_group")
        self.chain.back_to(self._group_chain)

    def end_group(self) -> None:
        """End the group; what it queued stays queued."""
        if self._has_savepoint:
            super().raw("RELEASE SAVEPOINT command_group")
        self._group_chain, self._has_savepoint = None, False

    def _ensure_savepoint(self) -> None:
        if self._group_chain is not None and not self._has_savepoint:
            self._has_savepoint = True
            super().raw("SAVEPOINT command_group")

    @property
    def mark(self) -> Mark:
        """Where the transaction stands, to come back to when a command of a group is refused."""
        chain = self.chain
        return Mark(self._flushed + len(self._queue), self._executed, (chain.number, chain.head))

    def back_to(self, mark: Mark) -> None:
        """Drop what was queued since; `CannotUndo` if something was written since.

        Outside a group there is nothing to do: the command has a savepoint of its own, to which its writer goes back.
        """
        if self._group_chain is None:
            return
        if self._flushed > mark.queued or self._executed > mark.executed:
            raise CannotUndo
        del self._queue[mark.queued - self._flushed :]
        self.chain.back_to(mark.chain)

    def drop_queue(self) -> None:
        """Drop every queued change, because the transaction is rolled back to a savepoint."""
        self._queue.clear()

    def flush(self) -> None:
        """Write every queued change now."""
        if not self._queue:
            return
        self._ensure_savepoint()
        queued, self._queue = self._queue, []
        self._flushed += len(queued)
        changes: dict[Any, list[Any]] = {}
        for statement, row in queued:
            changes.setdefault(statement, []).append(row)
        for statement in sorted(changes, key=_inserts_updates_deletes):
            rows = changes[statement]
            if isinstance(rows[0], tuple):
                super().insert_many(statement, rows)
            else:
                super().run_many(statement, rows)

    def _execute(self, statement: Statement, params: Params) -> None:
        if self._queue:
            self.flush()
        if not isinstance(statement, (Select, ForEach)):
            self._ensure_savepoint()
            self._executed += 1
        super()._execute(statement, params)

    def raw(self, text: str) -> None:
        self.flush()
        super().raw(text)


def _inserts_updates_deletes(statement: Any) -> int:
    return 0 if statement.is_insert else 1 if statement.is_update else 2
