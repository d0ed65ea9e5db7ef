"""Rounds in parts: the streams of a house split into ranges of about equal work, each checked by itself."""

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, or_, select

from pairhouse.house.audit.chain_checks import noted_version
from pairhouse.house.audit.notebook import Differs, Notebook, check_equal
from pairhouse.house.audit.round_checks import RoundsCheck, TableDealt
from pairhouse.house.audit.round_rows import EVERY_STREAM, StreamRange, pages_of_rounds
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import acts, events, streams
from pairhouse.house.vault import Vault

PAGE = 5_000
OBJECTS_BETWEEN_COLLECTIONS = 100_000
_STREAMS = (
    select(streams.c.id, streams.c.nonce).where(streams.c.id > bindparam("after")).order_by(streams.c.id).limit(PAGE)
)
_TOLD = (
    select(events.c.chain, events.c.number, events.c.body)
    .where(
        or_(*(events.c.kind == kind for kind in ("open", "choice", "void"))),
        (events.c.chain > bindparam("after_chain"))
        | ((events.c.chain == bindparam("after_chain")) & (events.c.number > bindparam("after_number"))),
    )
    .order_by(events.c.chain, events.c.number)
    .limit(PAGE)
)
_ACT = select(acts.c.chain, acts.c.event).where(
    acts.c.round_id == bindparam("round"), acts.c.number == bindparam("at_number")
)

OnRounds = Callable[[int], None]  # told how many more rounds are checked


class RoundsFound(NamedTuple):
    """What the check of some rounds has found; sums of money are in the notebook."""

    counts: Counter[str]
    held: int
    tables: dict[TableDealt, str]

    def with_others(self, other: "RoundsFound") -> "RoundsFound":
        """Both together."""
        return RoundsFound(self.counts + other.counts, self.held + other.held, {**other.tables, **self.tables})


def check_rounds(
    tx: Tx, notebook: Notebook, vault: Vault, parts: Iterable[StreamRange], on_rounds: OnRounds
) -> RoundsFound:
    """Check every round of some parts."""
    check = RoundsCheck(notebook, vault)
    with _rare_collections():
        for part in parts:
            for page in pages_of_rounds(tx, part):
                for audited in page:
                    check.check(audited)
                for account, change in check.accounts.items():
                    notebook.add(f"account:{account}", change)
                check.accounts.clear()
                on_rounds(len(page))
            check.finish()
    return RoundsFound(check.count, check.held, check.tables)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for cycles only once in some pages, which have many records and no cycles: that took a tenth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def name_transfer_too_many(tx: Tx, notebook: Notebook, vault: Vault) -> None:
    """There are more transfers in rounds than follow from them: find one at a round, where it says so."""
    check = RoundsCheck(notebook, vault)
    for page in pages_of_rounds(tx, with_others=True):
        for audited in page:
            check.check(audited)


def split(tx: Tx, count: int) -> list[StreamRange]:
    """All streams in about so many ranges with about as many rounds each, judged by the nonces they have given."""
    weights: list[tuple[str, int]] = []
    after, total = "", 0
    while rows := tx.all(_STREAMS, {"after": after}):
        after = rows[-1][0]
        for stream, nonce in rows:
            total += max(0, nonce) + 1
            if weights and weights[-1][1] < MERGED:
                weights[-1] = (stream, weights[-1][1] + max(0, nonce) + 1)
            else:
                weights.append((stream, max(0, nonce) + 1))
    ranges, first, weight = [], "", 0
    for stream, more in weights:
        weight += more
        if weight * count >= total:
            ranges.append(StreamRange(first, stream))
            first, weight = stream, 0
    return [*ranges, StreamRange(first, EVERY_STREAM.last)]


MERGED = 200  # streams with few rounds are taken together, so that the list stays short


def check_tables(notebook: Notebook, tables: dict[TableDealt, str]) -> None:
    """Rounds were dealt at tables, in versions and by options that events tell of."""
    for dealt, round_id in tables.items():
        where = f"round {round_id}"
        noted = noted_version(notebook, dealt.table, dealt.version)
        if noted is None:
            raise Differs(f"{where} was dealt at version {dealt.version} of table {dealt.table}, which no event tells")
        game, *_ = msgspec.json.decode(notebook.noted("table", dealt.table) or "[null]")
        check_equal(where, "its game", dealt.game, game)
        check_equal(where, "its options", msgspec.json.decode(dealt.options), msgspec.json.decode(noted["options"]))


def name_act_without_row(tx: Tx) -> None:
    """Find the event of an act that is gone, or that another event tells of too."""
    chain, number = "", 0
    while rows := tx.all(_TOLD, {"after_chain": chain, "after_number": number}):
        for chain, number, body in rows:
            told = msgspec.json.decode(body)
            act = f"act {told['act']} of round {told['round']}"
            found = tx.one(_ACT, {"round": told["round"], "at_number": told["act"]})
            if found is None:
                raise Differs(f"{act} is missing; event {chain} {number} tells of it")
            if found != (chain, number):
                raise Differs(f"{act} is told by two events; it should be told by one")
    raise Differs("there are acts of rounds that are missing")
