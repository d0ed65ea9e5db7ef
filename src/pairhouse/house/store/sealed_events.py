"""Events that are believed only if they are sealed: in the signed log under a head of ours, or up to a signed end.

Whoever can write the database can write an event and its hash too. So before money leaves the house on the strength of
an event, the event is held to a signature that nobody else can make.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused
from pairhouse.house.seal.chain_keys import ChainCertificate
from pairhouse.house.seal.heads import KeyRing
from pairhouse.house.seal.log_proofs import prove_event
from pairhouse.house.store.chain import GENESIS, event_hash
from pairhouse.house.store.chain_ends import SignedChain
from pairhouse.house.store.database import Tx
from pairhouse.house.store.log_rows import leaf_of, newest_head, node_reader
from pairhouse.house.store.schema import chain_ends, events

PAGE = 1_000
_EVENTS = (
    select(events.c.number, events.c.at, events.c.kind, events.c.body, events.c.hash)
    .where(events.c.chain == bindparam("of_chain"), events.c.number > bindparam("after"))
    .order_by(events.c.number)
    .limit(bindparam("count"))
)
_SEAL = select(events.c.hash).where(events.c.chain == bindparam("of_chain"), events.c.number == bindparam("at_number"))
_END = select(chain_ends).where(chain_ends.c.chain == bindparam("of_chain"))


class BooksSeal(NamedTuple):
    """What seals of these books are held to: their id, and the public half of the sealing key."""

    books: str
    public_key: bytes


def sealed_event(tx: Tx, seal: BooksSeal, chain: str, number: int) -> tuple[str, dict[str, Any]]:
    """Kind and content of an event, once its seal was traced to a signature of this house; refused otherwise."""
    rows = tx.all(_EVENTS, {"of_chain": chain, "after": max(number - 2, 0), "count": 2 if number > 1 else 1})
    if not rows or rows[-1][0] != number:
        raise _altered(chain, number, "it is missing")
    _, at, kind, body, found = rows[-1]
    before = rows[0][4] if number > 1 else GENESIS
    if event_hash(before, chain, number, at, kind, body) != found:
        raise _altered(chain, number, "it does not match its seal")
    if not _is_in_log(tx, seal, chain, number, found):
        _check_up_to_end(tx, seal, chain, number, found)
    return kind, msgspec.json.decode(body)


def _is_in_log(tx: Tx, seal: BooksSeal, chain: str, number: int, found: str) -> bool:
    """Whether the log has this event under a signed head; refused if it has another in its place."""
    signed, leaf = newest_head(tx), leaf_of(tx, chain, number)
    if signed is None or leaf is None or leaf >= signed.head.size:
        return False
    prove_event(leaf, signed, node_reader(tx)).check(bytes.fromhex(found), KeyRing(seal.books, seal.public_key))
    return True


def _check_up_to_end(tx: Tx, seal: BooksSeal, chain: str, number: int, found: str) -> None:
    """Refuse an event from which the seals do not lead to an end that the writer of the chain has signed."""
    row = tx.one(_END, {"of_chain": chain})
    if row is None:
        raise _altered(chain, number, "its chain was not opened by this house")
    for _ in seals_up_to_end(tx, seal, SignedChain._make(row), number, found):
        pass


def seals_up_to_end(
    tx: Tx, seal: BooksSeal, chain: SignedChain, after: int, before: str | None = None
) -> Iterator[list[bytes]]:
    """The seals of a chain from after an event to its signed end, page by page, each computed again.

    Refused, at the latest with the last page, if they do not lead to what the writer of the chain has signed.
    """
    certificate = chain.certificate_of(seal.books)
    _check_certificate(certificate, seal.public_key)
    chain.end.check(certificate)
    if before is None:
        before = tx.value(_SEAL, {"of_chain": chain.chain, "at_number": after}) if after else GENESIS
    while after < chain.number:
        count = min(PAGE, chain.number - after)
        rows = tx.all(_EVENTS, {"of_chain": chain.chain, "after": after, "count": count})
        page = []
        for number, at, kind, body, found in rows:
            if number != after + 1 or event_hash(str(before), chain.chain, number, at, kind, body) != found:
                raise _altered(chain.chain, number, "it, or the event before it, was altered")
            after, before = number, found
            page.append(bytes.fromhex(found))
        if len(rows) < count:
            raise _altered(chain.chain, after + 1, "it is missing")
        if after == chain.number and before != chain.hash:
            raise _altered(chain.chain, after, "it has another seal than its writer has signed")
        yield page
    if before != chain.hash:
        raise _altered(chain.chain, after, "it has another seal than its writer has signed")


@lru_cache(maxsize=64)
def _check_certificate(certificate: ChainCertificate, public_key: bytes) -> None:
    certificate.check([public_key])


def _altered(chain: str, number: int, why: str) -> Refused:
    return Refused("books-altered", f"event {number} of chain {chain} is not as this house has sealed it: {why}")
