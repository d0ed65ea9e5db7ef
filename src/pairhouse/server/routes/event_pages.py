"""The sealed events, page by page."""

from sqlalchemy import bindparam, select

from pairhouse.house.store.chain import HEADS
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import events
from pairhouse.server.models import ChainRecord, EventRecord, Events

PAGE = 1_000
_AFTER = (
    select(events.c.chain, events.c.number, events.c.at, events.c.kind, events.c.body, events.c.hash)
    .where(events.c.chain == bindparam("chain_id"), events.c.number > bindparam("after"))
    .order_by(events.c.number)
    .limit(PAGE)
)


def events_after(tx: Tx, chain: str | None, after: int) -> Events:
    """The chains with their heads, and a page of one of them."""
    chains = [ChainRecord(*row) for row in tx.all(HEADS, {})]
    found = tx.all(_AFTER, {"chain_id": chain, "after": after}) if chain is not None else []
    return Events(chains, [EventRecord(*row) for row in found])
