"""Who deals at a live table: one process at a time, by a lease with a number that is raised with every new dealer.

A dealer that was stopped and comes back finds the number raised, and may do nothing more.
"""

from sqlalchemy import bindparam, update

from pairhouse.core.errors import Refused
from pairhouse.house.live.table_log import LiveTable, read_live_table
from pairhouse.house.store.live_schema import live_tables
from pairhouse.house.store.transaction import WriteTx

LEASE_MS = 3_000

_TAKE = (
    update(live_tables)
    .where(
        live_tables.c.table_id == bindparam("table"),
        (live_tables.c.dealer == bindparam("name")) | (live_tables.c.held_until <= bindparam("now")),
    )
    .values(dealer=bindparam("name"), fence=bindparam("new_fence"), held_until=bindparam("until"))
    .returning(live_tables.c.fence)
)


def take_lease(tx: WriteTx, table_id: str, dealer: str) -> LiveTable | None:
    """Lead a table, or go on leading it; None while another dealer does."""
    table = read_live_table(tx, table_id)
    fence = table.fence if table.dealer == dealer else table.fence + 1
    until = tx.now + LEASE_MS
    taken = {"table": table_id, "name": dealer, "now": tx.now, "new_fence": fence, "until": until}
    if tx.value(_TAKE, taken) is None:
        return None
    return table._replace(dealer=dealer, fence=fence, held_until=until)


def check_lease(table: LiveTable, dealer: str, fence: int) -> None:
    """Refuse what a dealer wants to do who no longer leads the table."""
    if (table.dealer, table.fence) != (dealer, fence):
        raise Refused("not-dealer", "another dealer leads this table by now")
