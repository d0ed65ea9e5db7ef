"""What the bookkeeper does by itself: end old rounds and free bets, clean up, sign the log, price, watch."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import PACKAGE
from pairhouse.house.cleaning import delete_sessions, end_guests, guests_left, sessions_over
from pairhouse.house.floor import read_table, table_ids
from pairhouse.house.free_bets import expire, free_bets_over
from pairhouse.house.house import House
from pairhouse.house.overtime import end_overdue, overdue_rounds
from pairhouse.house.pulse import PassedTime, newest_pulse
from pairhouse.house.store.database import StoreFailed, Tx
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.watch_log import OFF
from pairhouse.server.bookkeeping.log_job import SEAL_EVERY_S, seal_log
from pairhouse.server.bookkeeping.sightings import Sightings
from pairhouse.server.watch.job import Watch

if TYPE_CHECKING:
    from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper

log = logging.getLogger("pairhouse.jobs")

END_OLD_EVERY_S, CLEAN_EVERY_S, CHECKPOINT_EVERY_S, PULSE_EVERY_S = 600.0, 3_600.0, 60.0, 60.0
Find = Callable[[Tx, int], list[str]]
Change = Callable[..., int]


class RoundClock:
    """Ends every private round whose time is over: finished after 24 hours, or cancelled after 30 days.

    A round is ended when it was found too old twice, with real time between: a clock that jumps ends nothing.
    [TCP-40] [NSB-38] [LP-41] [BPP-50]
    """

    def __init__(self, house: House, now: Callable[[], int], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._house, self._now, self._sightings = house, now, Sightings(monotonic)

    def look(self) -> int:
        """Look once; how many rounds were ended."""
        with self._house.database.reading() as tx:
            found = {overdue.id: overdue for overdue in overdue_rounds(tx, self._now())}
        count = 0
        for round_id in self._sightings.found_twice(list(found)):
            with suppress(Refused):  # its player has just ended it
                self._house.do(partial(end_overdue, pit=self._house.pit, overdue=found[round_id]))
                count += 1
        return count


class ExpiredFreeBets:
    """Ends every free bet that is no longer good, when it was found so twice, with real time between."""

    def __init__(self, house: House, now: Callable[[], int], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._house, self._now, self._sightings = house, now, Sightings(monotonic)

    def end(self) -> int:
        """Look once; how many free bets were ended."""
        now = self._now()
        with self._house.database.reading() as tx:
            found = free_bets_over(tx, now)
        ended = [self._house.do(partial(expire, free_bet=one, now=now)) for one in self._sightings.found_twice(found)]
        return sum(ended)


def clean_up(house: House, now: int) -> tuple[int, int]:
    """Delete sessions that are over and end guests who have left; how many of each."""
    counts = [0, 0]
    steps: tuple[tuple[Find, Change], ...] = (sessions_over, delete_sessions), (guests_left, end_guests)
    for place, (find, change) in enumerate(steps):
        while True:
            with house.database.reading() as tx:
                found = find(tx, now)
            done: int = house.do(partial(change, ids=found, now=now)) if found else 0
            counts[place] += done
            if not done:
                break
    return counts[0], counts[1]


def checkpoint(tx: WriteTx) -> None:
    """Tie the chain of this writer to all others."""
    tx.chain.checkpoint(tx, tx.now)


async def run_jobs(keeper: "Bookkeeper") -> None:
    """Until the server stops."""
    now = keeper.passed_time = PassedTime(keeper.house.clock, await _last_sign_of_life(keeper))
    clock, expired = RoundClock(keeper.house, now), ExpiredFreeBets(keeper.house, now)
    work = (
        _every(END_OLD_EVERY_S, lambda: asyncio.to_thread(clock.look)),
        _every(END_OLD_EVERY_S, lambda: asyncio.to_thread(expired.end)),
        _every(CLEAN_EVERY_S, lambda: asyncio.to_thread(lambda: clean_up(keeper.house, now()))),
        _every(PULSE_EVERY_S, keeper.pulse),
        _every(CHECKPOINT_EVERY_S, lambda: keeper.write(checkpoint)),
        _every(SEAL_EVERY_S, lambda: seal_log(keeper)),
        _count_prices(keeper),
        keeper.cashier.outbox.run(),
        keeper.dealing.run(),
        _watch(keeper),
    )
    jobs = [asyncio.create_task(each) for each in work]
    try:
        await asyncio.gather(*jobs)
    except asyncio.CancelledError:  # the jobs too are cancelled: each ends its processes before the loop closes
        await asyncio.wait(jobs)
        raise


async def _watch(keeper: "Bookkeeper") -> None:
    if keeper.watch != OFF:
        await Watch(keeper.house, keeper.watch, keeper.write, keeper.read).run()


async def _last_sign_of_life(keeper: "Bookkeeper") -> int | None:
    while True:
        try:
            return await keeper.read(lambda tx: newest_pulse(tx, keeper.pulse_id))
        except StoreFailed as failed:
            log.warning("job failed", extra={"reason": str(failed)})
            await asyncio.sleep(1)


async def _count_prices(keeper: "Bookkeeper") -> None:
    def variants(tx: Tx) -> list[Variant]:
        found = [read_table(tx, table_id).betting.variant for table_id in table_ids(tx)]
        return sorted(found, key=lambda variant: variant.game.module.startswith(PACKAGE))  # who wrote one waits for it

    await keeper.prices.fill(await keeper.read(variants))


async def _every(seconds: float, work: Callable[[], Awaitable[object]]) -> None:
    """Do it again and again; a failure is logged and the next time comes."""
    while True:
        try:
            await work()
        except (Refused, StoreFailed, OSError) as failed:
            log.warning("job failed", extra={"reason": str(failed)})
        await asyncio.sleep(seconds)
