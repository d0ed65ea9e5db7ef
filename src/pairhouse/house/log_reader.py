"""What the signed log proves: that one event is in it, and that it has only grown."""

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.merkle import consistency_parts, prove
from pairhouse.house.seal.anchors import ProveGrowth
from pairhouse.house.seal.heads import key_text
from pairhouse.house.seal.log_proofs import prove_event
from pairhouse.house.store.chain import GENESIS
from pairhouse.house.store.database import Database, Tx
from pairhouse.house.store.log_rows import leaf_of, newest_head, node_reader, read_state
from pairhouse.house.store.schema import acts, events

_LAST_ACT = (
    select(acts.c.chain, acts.c.event)
    .where(acts.c.round_id == bindparam("round"))
    .order_by(acts.c.number.desc())
    .limit(1)
)
_EVENT = select(events.c.at, events.c.kind, events.c.body, events.c.hash).where(
    events.c.chain == bindparam("of_chain"), events.c.number == bindparam("at_number")
)


class SealedEvent(msgspec.Struct, frozen=True):
    """An event with all that its seal is made of, so that anybody can compute the seal again."""

    chain: str
    number: int
    at: int
    kind: str
    body: str
    before: str
    seal: str


class RoundSeal(msgspec.Struct, frozen=True):
    """The event that closed a round, and the proof that it is in the log under a signed head."""

    event: SealedEvent
    proof: str


class LogHead(msgspec.Struct, frozen=True):
    """What anybody may know of the signed log: whose it is, and its newest head; none before the first is signed.

    `public_key` is 64 hex digits; `key` is the same as transparency logs write it, with the name of the log.
    """

    books: str
    epoch: int
    public_key: str
    key: str
    size: int
    head: str | None


def prove_growth(database: Database) -> ProveGrowth:
    """A function that proves that the log of one size begins with that of a smaller one."""

    def proof(old: int, new: int) -> list[bytes]:
        with database.reading() as tx:
            return growth_proof(tx, old, new)

    return proof


def growth_proof(tx: Tx, old: int, new: int) -> list[bytes]:
    """The proof that the first `new` events of the log begin with the first `old`."""
    return prove(consistency_parts(old, new), node_reader(tx))


def read_event(tx: Tx, chain: str, number: int) -> SealedEvent | None:
    """An event with the seal of the one before it."""
    row = tx.one(_EVENT, {"of_chain": chain, "at_number": number})
    if row is None:
        return None
    at, kind, body, seal = row
    former = tx.one(_EVENT, {"of_chain": chain, "at_number": number - 1}) if number > 1 else None
    return SealedEvent(chain, number, at, kind, body, former[3] if former is not None else GENESIS, seal)


def seal_of_round(tx: Tx, round_id: str) -> RoundSeal | None:
    """The event that closed a round and its proof; None while no signed head covers it."""
    place = tx.one(_LAST_ACT, {"round": round_id})
    event = read_event(tx, *place) if place is not None and place[0] is not None else None
    if event is None:
        return None
    signed, leaf = newest_head(tx), leaf_of(tx, event.chain, event.number)
    if signed is None or leaf is None or leaf >= signed.head.size:
        return None
    return RoundSeal(event, prove_event(leaf, signed, node_reader(tx)).text)


def log_head(tx: Tx, public_key: str, epoch: int) -> LogHead:
    """The newest head of the log. The key is given: one in the database would be whatever somebody wrote there."""
    books, signed = read_state(tx).books, newest_head(tx)
    key = key_text(f"pairhouse/books/{books}/{epoch}", bytes.fromhex(public_key))
    size, text = (signed.head.size, signed.text) if signed is not None else (0, None)
    return LogHead(books, epoch, public_key, key, size, text)
