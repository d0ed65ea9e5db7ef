"""Which books these are, and whether they are the newest that this house has seen.

A backup that is put back, or a replica that lagged and was promoted, is older than what players were told: seeds have
been revealed since, and cards shown. So a house keeps, outside the database, the last event of each chain it answered
for (`seen.py`). Books that lack one of them are old: they begin a new *epoch* (`old_books.py`).
"""

from typing import NamedTuple

from sqlalchemy import func, select

from pairhouse.core.errors import Refused
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import epochs, signed_log

NOT_OPENED, FIRST_EPOCH = 0, 1
_BOOKS = select(signed_log.c.books, select(func.max(epochs.c.number)).scalar_subquery())


class BooksEpoch(NamedTuple):
    """The id of the books, which every copy of them shares, and their epoch: 1, and 1 more for each taken-up copy."""

    id: str
    epoch: int


def books_epoch(tx: Tx) -> BooksEpoch:
    """Which books these are. Their epoch is 0 until a house that knows of epochs has opened them."""
    row = tx.one(_BOOKS, {})
    if row is None:
        raise Refused("bad-log", "the books do not say which books they are: the row of their signed log is missing")
    return BooksEpoch(row[0], row[1] or NOT_OPENED)
