"""What the bookkeeper does by itself: call off rounds left open for 30 days, tie its chains together, count prices."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.house.floor import read_table, table_ids
from pairhouse.house.house import House
from pairhouse.house.store.database import StoreFailed, Tx
from pairhouse.house.store.schema import rounds
from pairhouse.house.store.transaction import WriteTx

if TYPE_CHECKING:
    from pairhouse.server.bookkeeper import Bookkeeper

log = logging.getLogger("pairhouse.jobs")

OPEN_MAX_MS = 30 * 24 * 3_600_000
CANCEL_EVERY_S, CHECKPOINT_EVERY_S = 600.0, 60.0
_OVERDUE = select(rounds.c.id).where(rounds.c.state == "open", rounds.c.opened_at < bindparam("limit")).limit(100)


def cancel_overdue(house: House) -> int:
    """Call off every round that has been open for more than 30 days; its stakes go back. How many.

    [TCP-40] [NSB-38] [LP-41] [BPP-50]
    """
    count = 0
    while True:
        with house.database.reading() as tx:
            found = tx.all(_OVERDUE, {"limit": house.clock() - OPEN_MAX_MS})
        for (round_id,) in found:
            with suppress(Refused):  # its player has just ended it
                house.do(partial(house.pit.void, by="clock", round_id=round_id, reason="cancelled"))
                count += 1
        if not found:
            return count


def checkpoint(tx: WriteTx) -> None:
    """Tie the chain of this writer to all others."""
    tx.chain.checkpoint(tx, tx.now)


async def run_jobs(keeper: "Bookkeeper") -> None:
    """Until the server stops."""
    await asyncio.gather(
        _every(CANCEL_EVERY_S, lambda: asyncio.to_thread(cancel_overdue, keeper.house)),
        _every(CHECKPOINT_EVERY_S, lambda: keeper.write(checkpoint)),
        _count_prices(keeper),
        keeper.cashier.outbox.run(),
    )


async def _count_prices(keeper: "Bookkeeper") -> None:
    def variants(tx: Tx) -> list[Variant]:
        return [read_table(tx, table_id).betting.variant for table_id in table_ids(tx)]

    await keeper.prices.fill(await keeper.read(variants))


async def _every(seconds: float, work: Callable[[], Awaitable[object]]) -> None:
    """Do it again and again; a failure is logged and the next time comes."""
    while True:
        try:
            await work()
        except (StoreFailed, OSError) as failed:
            log.warning("job failed", extra={"reason": str(failed)})
        await asyncio.sleep(seconds)
