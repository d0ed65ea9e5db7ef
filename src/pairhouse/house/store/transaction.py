"""A transaction that changes the books: what is written at once, what is written later, and the way back."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Insert, Select

from pairhouse.house.store.chain import Chain
from pairhouse.house.store.database import ForEach, Params, Statement, Tx, Values


class Mark(NamedTuple):
    """Where a deed of a sweep begins: how much was put down for later before it, and written at once; the chain."""

    put: int
    ran: int
    chain: tuple[int, str]


class CannotUndo(Exception):
    """A deed was refused after something of it was written: its sweep begins again, each deed alone."""


class WriteTx(Tx):
    """A transaction that changes the books, with the chain its doings are sealed to.

    What nobody waits for is written later: before the next thing is read, or with the commit. Rows of one table then go
    to the database together. Additions go first, then changes, then removals.
    """

    def __init__(self, cursor: Any, kind: str, chain: Chain, clock: Callable[[], int]) -> None:
        super().__init__(cursor, kind)
        self.chain = chain
        self.now = clock()
        self._later: list[tuple[Statement, Params | Values]] = []
        self._touches: list[tuple[Statement, Params | Values]] = []
        self._flushed = 0
        self._ran = 0
        self._sweep: tuple[int, str] | None = None  # the chain before the sweep that is going on
        self._is_guarded = False

    def seal(self, kind: str, what: object) -> None:
        """Add an event to the chain."""
        self.chain.add(self, self.now, kind, what)

    def later(self, statement: Statement, row: Params) -> None:
        """Change something whose outcome nobody asks for."""
        self._later.append((statement, row))

    def add(self, statement: Insert, row: Values) -> None:
        """Add a row that nobody reads before it is written."""
        self._later.append((statement, row))

    def touch(self, statement: Statement, row: Params) -> None:
        """Note something that stands whatever comes of the deed; it is written with the commit."""
        self._touches.append((statement, row))

    def finish(self) -> None:
        """Write all that is still to be written."""
        self.flush()
        self._later, self._touches = self._touches, []
        self.flush()

    def begin_sweep(self) -> None:
        """From here on nothing is written before there is a savepoint; most sweeps write nothing until they end."""
        self.flush()
        self._sweep, self._is_guarded = self.chain.mark, False

    def undo_sweep(self) -> None:
        """Back to where the sweep began."""
        assert self._sweep is not None
        self._later.clear()
        if self._is_guarded:
            super().raw("ROLLBACK TO SAVEPOINT sweep")
        self.chain.back_to(self._sweep)

    def end_sweep(self) -> None:
        """What it left for later stays so."""
        if self._is_guarded:
            super().raw("RELEASE SAVEPOINT sweep")
        self._sweep, self._is_guarded = None, False

    def _guard(self) -> None:
        if self._sweep is not None and not self._is_guarded:
            self._is_guarded = True
            super().raw("SAVEPOINT sweep")

    @property
    def mark(self) -> Mark:
        chain = self.chain
        return Mark(self._flushed + len(self._later), self._ran, (chain.number, chain.head))

    def back_to(self, mark: Mark) -> None:
        """Drop what was put down since. What was written since cannot be dropped."""
        if self._flushed > mark.put or self._ran > mark.ran:
            raise CannotUndo
        del self._later[mark.put - self._flushed :]
        self.chain.back_to(mark.chain)

    def forget(self) -> None:
        """Drop what was to be written later: the transaction is undone as far back as the last flush."""
        self._later.clear()

    def flush(self) -> None:
        """Write all that was left for later."""
        if not self._later:
            return
        self._guard()
        waiting, self._later = self._later, []
        self._flushed += len(waiting)
        changes: dict[Any, list[Any]] = {}
        for statement, row in waiting:
            changes.setdefault(statement, []).append(row)
        for statement in sorted(changes, key=_turn):
            rows = changes[statement]
            if isinstance(rows[0], tuple):
                super().add_many(statement, rows)
            else:
                super().many(statement, rows)

    def _execute(self, statement: Statement, params: Params) -> None:
        if self._later:
            self.flush()
        if not isinstance(statement, (Select, ForEach)):
            self._guard()
            self._ran += 1
        super()._execute(statement, params)

    def raw(self, text: str) -> None:
        self.flush()
        super().raw(text)


def _turn(statement: Any) -> int:
    return 0 if statement.is_insert else 1 if statement.is_update else 2
