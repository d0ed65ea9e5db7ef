"""Checks of the epochs of the books: an event began each of them, and the last is the one in force."""

import msgspec
from sqlalchemy import select

from pairhouse.core.errors import Refused
from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.epoch import books_epoch
from pairhouse.house.epoch.old_books import FIRST
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import epochs

_EPOCHS = select(epochs.c.number, epochs.c.at, epochs.c.reason)


class EpochBegun(msgspec.Struct, frozen=True):
    """An epoch of the books: why it began, what it ended, and which events had been seen and are gone."""

    epoch: int
    at: int
    reason: str
    rounds: int
    seeds: int
    missing: list[tuple[str, int, str]]


def note_epoch(notebook: Notebook, place: str, at: int, body: dict[str, object]) -> None:
    """Note what an `epoch-begun` event says."""
    notebook.note("epoch", f"{body['epoch']:09}", text({**body, "at": at}))


def check_epochs(tx: Tx, notebook: Notebook) -> list[EpochBegun]:
    """Every epoch has the event that began it, and follows the one before; all of them but the first."""
    try:
        here, found, before = books_epoch(tx), [], 0
    except Refused as refused:
        raise Differs(str(refused)) from refused
    rows = {int(number): (at, reason) for number, at, reason in tx.all(_EPOCHS, {})}
    for name, says in notebook.all("epoch"):
        number, body = int(name), msgspec.json.decode(says)
        where = f"epoch {number}"
        check_equal(where, "its books", body["books"], here.id)
        check_equal(where, "the epoch before it", body["before"], before)
        check_equal(where, "when and why it began", rows.pop(number, None), (body["at"], body["reason"]))
        found.append(msgspec.convert(body, EpochBegun))
        before = number
    if rows:
        raise Differs(f"the books are said to be in epoch {max(rows)}; no event tells of it")
    return [epoch for epoch in found if epoch.reason != FIRST]
