"""`python -m pairhouse.server.watch.child`: reads the books and weighs rounds, at low priority, as long as it is asked.

Its parent is the bookkeeper, which alone writes. Requests and answers are MessagePack, each after its length in four
bytes. When the parent ends, however it ends, standard input closes and the child ends too.
"""

import os
import sys
from typing import BinaryIO

import msgspec

from pairhouse.games.catalogue import load_named_modules
from pairhouse.house.floor import read_table, table_ids
from pairhouse.house.store.database import Database
from pairhouse.server.watch.judge import Judge
from pairhouse.server.watch.messages import LENGTH_BYTES, Asked, CeilingWarning, Look, LookAsked, frame

PRIORITY = 19  # of 19: under full load it gets about a hundredth of a core, and reads on when there is time


def read_frame(source: BinaryIO) -> bytes | None:
    """The next message; None when the other end is gone."""
    length = source.read(LENGTH_BYTES)
    if len(length) < LENGTH_BYTES:
        return None
    return source.read(int.from_bytes(length))


class Child:
    """Answers what it is asked, and caches records between looks."""

    def __init__(self) -> None:
        self._judge = Judge()
        self._database: Database | None = None

    def answer(self, asked: Asked) -> Look | list[CeilingWarning]:
        """Read the books and weigh."""
        if self._database is None:
            self._database = Database(asked.database)
        with self._database.reading() as tx:
            if isinstance(asked, LookAsked):
                return self._judge.look(tx, asked.cursor)
            tables = [read_table(tx, table) for table in table_ids(tx)]
        from pairhouse.server.watch.shoes import ceiling_warnings  # it loads a compiler

        return ceiling_warnings(tables, asked.round_ms_min)


def main() -> None:
    """Until nobody asks any more."""
    os.nice(PRIORITY)
    load_named_modules()
    child = Child()
    while (request := read_frame(sys.stdin.buffer)) is not None:
        sys.stdout.buffer.write(frame(child.answer(msgspec.msgpack.decode(request, type=Asked))))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
