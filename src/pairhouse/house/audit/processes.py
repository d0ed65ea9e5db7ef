"""An audit in several processes: each checks some of the rounds, and all of them see the same state of the books."""

import multiprocessing
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text

from pairhouse.house.audit.notebook import Notebook
from pairhouse.house.audit.round_rows import StreamRange
from pairhouse.house.audit.rounds_part import RoundsFound, check_rounds, split
from pairhouse.house.store.database import Database, Tx
from pairhouse.house.store.log_rows import read_state
from pairhouse.house.vault import Vault

PARTS_PER_PROCESS = 8
LOCK_S = 5.0
TABLE_SUBJECTS = ("table", "table version")
_EXPORT = text("SELECT pg_export_snapshot()")


class Shared(NamedTuple):
    """What the processes share: which part is the next to be taken, and how many rounds are checked."""

    next_part: Any
    done: Any


class Helper(NamedTuple):
    """Another process, our end of the pipe to it, and the file of its notebook."""

    process: Any
    pipe: "Connection[Any, Any]"
    notebook: str


class Helpers:
    """Processes that check rounds beside this one. They must be started before this one opens the database."""

    def __init__(self, database: Database, vault: Vault, count: int, folder: Path) -> None:
        context = multiprocessing.get_context("fork")
        self.shared = Shared(context.Value("q", 0), context.Value("q", 0))
        self.vault = vault
        self._parts: list[StreamRange] = []
        self._helpers = []
        url = database.url.render_as_string(hide_password=False)
        for number in range(count):
            ours, theirs = context.Pipe()
            notebook = str(folder / f"notebook-{number}")
            process = context.Process(target=_help, args=(url, vault, theirs, notebook, self.shared), daemon=True)
            process.start()
            theirs.close()
            self._helpers.append(Helper(process, ours, notebook))

    def see(self, snapshot: str) -> None:
        """Have every helper begin to read, and wait until all have."""
        for helper in self._helpers:
            helper.pipe.send(snapshot)
        for helper in self._helpers:
            _received(helper)

    def begin(self, tx: Tx, notebook: Notebook) -> None:
        """Give the helpers their work, and what the events say of the tables that rounds were dealt at."""
        self._parts = split(tx, PARTS_PER_PROCESS * (len(self._helpers) + 1))
        told = {subject: list(notebook.all(subject)) for subject in TABLE_SUBJECTS}
        for helper in self._helpers:
            helper.pipe.send((self._parts, told))

    def finish(self, tx: Tx, notebook: Notebook) -> RoundsFound:
        """Check what the helpers have left, and collect what they have found."""
        found = check_rounds(tx, notebook, self.vault, _taken(self._parts, self.shared), _counter(self.shared))
        for helper in self._helpers:
            answer = _received(helper)
            if isinstance(answer, Exception):
                raise answer
            found = found.with_others(answer)
            notebook.add_sums_of(helper.notebook)
        return found

    def close(self) -> None:
        for helper in self._helpers:
            helper.pipe.close()
            helper.process.terminate()
            helper.process.join()


def _received(helper: Helper) -> Any:
    try:
        return helper.pipe.recv()
    except EOFError:
        raise RuntimeError("a process of the audit has ended before its work was done") from None


def _taken(parts: list[StreamRange], shared: Shared) -> Iterator[StreamRange]:
    """Parts that no other process has taken, one after another."""
    while True:
        with shared.next_part.get_lock():
            number = shared.next_part.value
            shared.next_part.value += 1
        if number >= len(parts):
            return
        yield parts[number]


def _counter(shared: Shared) -> Any:
    def count(more: int) -> None:
        with shared.done.get_lock():
            shared.done.value += more

    return count


def _help(url: str, vault: Vault, pipe: "Connection[Any, Any]", file: str, shared: Shared) -> None:
    """What a helper does; it ends with its parent."""
    database = Database(url)
    with suppress(EOFError, KeyboardInterrupt), database.reading() as tx:
        snapshot = pipe.recv()
        if snapshot:
            tx.raw(f"SET TRANSACTION SNAPSHOT '{snapshot}'")
        read_state(tx)  # SQLite takes its snapshot with the first reading
        pipe.send(None)
        parts, told = pipe.recv()
        notebook = Notebook(file)
        for subject, notes in told.items():
            for name, says in notes:
                notebook.note(subject, name, says)
        try:
            answer: Any = check_rounds(tx, notebook, vault, _taken(parts, shared), _counter(shared))
        except Exception as error:  # the books differ, or the audit itself has failed: the parent says so
            answer = error
        notebook.close()
        pipe.send(answer)
    database.close()


@contextmanager
def reading_together(database: Database, vault: Vault, processes: int) -> Iterator[tuple[Tx, Helpers | None]]:
    """A reading transaction, and helpers that see the same state; none where they cannot be had."""
    if processes < 2 or "fork" not in multiprocessing.get_all_start_methods():
        with database.reading() as tx:
            yield tx, None
        return
    with tempfile.TemporaryDirectory(prefix="pairhouse-audit-") as folder:
        helpers = Helpers(database, vault, processes - 1, Path(folder))
        try:
            with _same_state(database, helpers) as (tx, is_shared):
                yield tx, helpers if is_shared else None
        finally:
            helpers.close()


@contextmanager
def _same_state(database: Database, helpers: Helpers) -> Iterator[tuple[Tx, bool]]:
    if not database.is_sqlite:
        with database.reading() as tx:
            helpers.see(str(tx.value(_EXPORT, {})))
            yield tx, True
        return
    lock = database.connect(wait_s=LOCK_S)
    try:
        try:
            lock.execute("BEGIN IMMEDIATE")  # nobody writes while all of us begin to read
        except sqlite3.Error:
            is_shared = False
        else:
            is_shared = True
        with database.reading() as tx:
            if is_shared:
                read_state(tx)
                helpers.see("")
                lock.execute("ROLLBACK")
            yield tx, is_shared
    finally:
        lock.close()
