"""Old books: how they are recognised, and what a house does that is opened on them.

What players were told after the old copy was made cannot be taken back: seeds that were revealed, cards that were
shown. So nothing of the old books that could be known may decide a bet. A new epoch begins: every open round is void
and its stakes go back, every seed in use is revealed, and with it ends its shoe. Players who sit down again get a new
seed. All of it is one transaction, sealed by the event `epoch-begun` (docs/decisions/0024).
"""

import logging
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, insert, select, update

from pairhouse.core.errors import Refused
from pairhouse.house.epoch import FIRST_EPOCH, NOT_OPENED, BooksEpoch, books_epoch
from pairhouse.house.epoch.seen import SeenBooks, SeenChain, SeenFolder
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.pit import Pit
from pairhouse.house.store.chain import Chain
from pairhouse.house.store.database import StoreFailed, Tx
from pairhouse.house.store.live_schema import live_rounds
from pairhouse.house.store.schema import epochs, events, sittings, streams
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.vault import Vault
from pairhouse.rounds.round_view import OPEN

FIRST, OLD, UNCERTAIN = "first opening", "older books", "the machine stopped without closing the books"
_PAGE = 1_000

_SEAL = select(events.c.hash).where(events.c.chain == bindparam("of_chain"), events.c.number == bindparam("at_number"))
_ANY_EVENT = select(events.c.chain).limit(1)
_INSERT = insert(epochs)
_OPEN_ROUNDS = select(sittings.c.round_id).limit(_PAGE)
_LIVE_ROUNDS = select(live_rounds.c.table_id).where(live_rounds.c.state == OPEN).limit(_PAGE)
_IN_USE = select(streams.c.id, streams.c.nonce).where(streams.c.revealed_at.is_(None)).limit(_PAGE)
_REVEAL = update(streams).where(streams.c.id == bindparam("stream")).values(revealed_at=bindparam("at"))
_ANY_SEED = select(streams.c.id, streams.c.sealed_seed).limit(1)
_ANY_SEED_IN_USE = select(streams.c.id).where(streams.c.revealed_at.is_(None)).limit(1)

log = logging.getLogger("pairhouse.epoch")


class NewEpoch(NamedTuple):
    """An epoch that must begin, why, and the events that were seen and are not in these books."""

    epoch: int
    reason: str
    missing: Sequence[SeenChain] = ()


class Ended(NamedTuple):
    """What the beginning of an epoch has ended."""

    rounds: int
    seeds: int


class Opening(NamedTuple):
    """What was found when a chain was opened."""

    books: SeenBooks
    seen: list[SeenChain]
    new: NewEpoch | None
    ended: Ended | None


class OtherBooks(StoreFailed):
    """The database is not the one that this house has seen."""


def missing_chains(tx: Tx, seen: Sequence[SeenChain]) -> list[SeenChain]:
    """The events among these that the books do not have."""
    return [
        chain for chain in seen if tx.value(_SEAL, {"of_chain": chain.chain, "at_number": chain.number}) != chain.hash
    ]


def is_anything_at_stake(tx: Tx) -> bool:
    """Whether there is a seed in use or an open round."""
    return any(tx.one(found, {}) is not None for found in (_ANY_SEED_IN_USE, _OPEN_ROUNDS, _LIVE_ROUNDS))


def needed_epoch(here: BooksEpoch, folder_books: SeenBooks, tx: Tx, seen: Sequence[SeenChain]) -> NewEpoch | None:
    """The epoch that must begin because these books are older than what was seen, or may be; else None."""
    following = max(here.epoch, folder_books.epoch) + 1
    missing = missing_chains(tx, [chain for chain in seen if chain.hash])
    if folder_books.new_epoch:
        return NewEpoch(following, folder_books.new_epoch, missing)
    if missing or here.epoch < folder_books.epoch:
        return NewEpoch(following, OLD, missing)
    if not all(chain.is_certain for chain in seen):
        return NewEpoch(following, UNCERTAIN)
    return None


def begin_epoch(tx: WriteTx, pit: Pit, here: BooksEpoch, new: NewEpoch) -> Ended:
    """Begin a new epoch: void what is open, reveal every seed in use, and seal that it was done and why."""
    round_count = seed_count = 0
    live = LiveFloor(pit.dealer.vault, pit.guard)
    while found := tx.all(_LIVE_ROUNDS, {}):
        for (table_id,) in found:
            live.void(tx, "house", table_id, "malfunction")
            round_count += 1
    while found := tx.all(_OPEN_ROUNDS, {}):
        for (round_id,) in found:
            pit.void(tx, "house", round_id, "malfunction")
            round_count += 1
    while found := tx.all(_IN_USE, {}):
        for stream_id, nonce in found:
            tx.queue(_REVEAL, {"stream": stream_id, "at": tx.now})
            tx.seal("seed-revealed", {"stream": stream_id, "nonces": nonce})
            seed_count += 1
    ended = Ended(round_count, seed_count)
    _write(tx, here, new, ended)
    return ended


def _write(tx: WriteTx, here: BooksEpoch, new: NewEpoch, ended: Ended) -> None:
    tx.run(_INSERT, {"number": new.epoch, "at": tx.now, "reason": new.reason})
    missing = [(chain.chain, chain.number, chain.hash) for chain in new.missing]
    event = {"books": here.id, "epoch": new.epoch, "before": here.epoch, "reason": new.reason, "missing": missing}
    tx.seal("epoch-begun", {**event, **ended._asdict()})


class EpochKeeper:
    """Checks the books whenever a writer opens a chain (at the start, and after a lost connection), and notes what
    was seen of them after every commit."""

    def __init__(self, folder: SeenFolder, vault: Vault, pit: Pit, enter_epoch: Callable[[int], None]) -> None:
        self.folder = folder
        self._vault = vault
        self._pit = pit
        self._enter_epoch = enter_epoch  # for whoever signs something that names the epoch
        self._opening: dict[str, Opening] = {}  # by chain, until its first commit

    def open_chain(self, tx: WriteTx) -> None:
        """Open a chain on books that are not older than any seen, or begin a new epoch."""
        self.folder.prepare()
        seen, folder_books = self.folder.chains(), self.folder.books()  # before anything is read from the database
        here = self._known(tx, folder_books)
        self._check_key(tx)
        tx.chain.checkpoint(tx, tx.now)
        new = needed_epoch(here, folder_books, tx, seen) if folder_books is not None else None
        ended = begin_epoch(tx, self._pit, here, new) if new is not None else None
        if new is None and here.epoch == NOT_OPENED:
            _write(tx, here, NewEpoch(FIRST_EPOCH, FIRST), Ended(0, 0))
        epoch = new.epoch if new is not None else max(here.epoch, FIRST_EPOCH)
        self._enter_epoch(epoch)
        self._opening[tx.chain.id] = Opening(SeenBooks(here.id, epoch), seen, new, ended)

    def _known(self, tx: WriteTx, folder_books: SeenBooks | None) -> BooksEpoch:
        """Which books these are; refused if this house knows others, or does not know how new these should be."""
        here = books_epoch(tx)
        if folder_books is not None and folder_books.id != here.id:
            raise OtherBooks(_other_books(self.folder, folder_books, is_empty=tx.one(_ANY_EVENT, {}) is None))
        if folder_books is None and here.epoch != NOT_OPENED and is_anything_at_stake(tx):
            sentence = "these books were opened elsewhere before, and it is not known here how new they should be"
            choice = "`pairhouse epoch --current` if they are the newest, `pairhouse epoch --new` if they are a copy"
            raise OtherBooks(f"{sentence}: bring {self.folder.path} from there, or say {choice}")
        return here

    def _check_key(self, tx: Tx) -> None:
        """The key for seeds is the one these books are sealed with."""
        row = tx.one(_ANY_SEED, {})
        if row is not None:
            try:
                self._vault.open(bytes(row[1]), row[0])
            except Refused:
                sentence = (
                    "the key for seeds is not the one that these books were sealed with; give theirs, or other books"
                )
                raise OtherBooks(sentence) from None

    def committed(self, chain: Chain) -> None:
        """Note the end of a chain, before anybody is answered."""
        self.folder.note(chain.id, chain.number, chain.head)
        opening = self._opening.pop(chain.id, None)
        if opening is not None:  # the chain is open, and takes the place of those before it
            self.folder.replace(opening.books, opening.seen)
            _say(opening)

    def left(self, chain: Chain) -> None:
        """A writer adds no more to a chain."""
        self.folder.leave(chain.id, chain.number, chain.head)


def _say(opening: Opening) -> None:
    if opening.new is not None and opening.ended is not None:
        told = {"epoch": opening.new.epoch, "reason": opening.new.reason, **opening.ended._asdict()}
        log.warning("a new epoch of the books begins: open rounds are void, seeds in use are revealed", extra=told)


def _other_books(folder: SeenFolder, seen: SeenBooks, *, is_empty: bool) -> str:
    if is_empty:
        sentence = f"this database is empty, but {folder.path} has seen books in epoch {seen.epoch}"
        return f"{sentence}: put them back with `pairhouse restore`, or remove that folder to begin with new books"
    sentence = f"{folder.path} belongs to other books than this database holds"
    return f"{sentence}; give the address of the right database, or say which books these are with `pairhouse epoch`"
