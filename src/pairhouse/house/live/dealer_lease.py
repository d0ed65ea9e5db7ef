"""Who deals at a live table: one process at a time, by a lease with a number that is raised with every new dealer.

A lease lasts until a moment after the next thing is due. Whoever acts at a table deals there and takes the lease over,
so nobody waits for a dealer elsewhere; what the clock brings is done by who holds it, and by others once it is overdue.
A dealer that was stopped and comes back finds the number raised, and may do nothing more.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, select, update

from pairhouse.core.errors import Refused
from pairhouse.house.live.table_log import LiveTable
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_tables
from pairhouse.house.store.transaction import WriteTx

LEASE_MS = 2_000
NEVER = 1 << 53  # when something is due at a table where all wait for somebody to act

_HOLD = (
    update(live_tables)
    .where(live_tables.c.table_id == bindparam("table"))
    .values(dealer=bindparam("name"), fence=bindparam("new_fence"), held_until=bindparam("until"))
)
_LEASES = select(live_tables.c.table_id, live_tables.c.number, live_tables.c.dealer, live_tables.c.held_until).order_by(
    live_tables.c.table_id
)


class Lease(NamedTuple):
    """Who leads a table until when, and the number of its newest entry."""

    table: str
    number: int
    dealer: str
    held_until: int


class DealerTurn(NamedTuple):
    """After the dealer's turn: the newest entry (0 while another dealer leads the table), and when to look again."""

    number: int
    due: int | None


def all_leases(tx: Tx) -> list[Lease]:
    """The lease of every live table."""
    return [Lease._make(row) for row in tx.all(_LEASES, {})]


def take_lease(tx: WriteTx, table: LiveTable, dealer: str, *, takes_over: bool = False) -> LiveTable | None:
    """Lead a table, or go on leading it; None while another dealer does, unless it is taken over."""
    if table.dealer == dealer and table.held_until > tx.now:
        return table
    if table.dealer != dealer and table.held_until > tx.now and not takes_over:
        return None
    fence = table.fence if table.dealer == dealer else table.fence + 1
    return _hold(tx, table._replace(dealer=dealer, fence=fence, held_until=tx.now + LEASE_MS))


def keep_lease(tx: WriteTx, table: LiveTable, due: int | None) -> None:
    """Hold the table until a moment after something is due there again."""
    if not is_held_for(table, due):
        _hold(tx, table._replace(held_until=_lease_for(due)))


def is_held_for(table: LiveTable, due: int | None) -> bool:
    """Whether the lease of a table ends a moment after this time, as it must where something is due then."""
    return table.held_until == _lease_for(due)


def _lease_for(due: int | None) -> int:
    return (NEVER if due is None else due) + LEASE_MS


def _hold(tx: WriteTx, table: LiveTable) -> LiveTable:
    held = {"name": table.dealer, "new_fence": table.fence, "until": table.held_until}
    tx.run(_HOLD, {"table": table.id, **held})
    return table


def check_lease(table: LiveTable, dealer: str, fence: int) -> None:
    """Refuse what a dealer wants to do who no longer leads the table."""
    if (table.dealer, table.fence) != (dealer, fence):
        raise Refused("not-dealer", "another dealer leads this table by now")
