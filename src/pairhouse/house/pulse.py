"""Signs of life of a house, and a time of day that never runs ahead of the time that has really passed."""

import time
from collections.abc import Callable

from sqlalchemy import bindparam, delete, func, insert, select, update

from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import pulses
from pairhouse.house.store.transaction import WriteTx

DAY_MS = 24 * 3_600_000
CLOSED_MAX_MS = DAY_MS  # what a house that was closed for longer takes for the time at first
BELIEVED_AFTER_S = 7 * 24 * 3_600.0
_NEWEST = select(func.max(pulses.c.at)).where(pulses.c.house != bindparam("of_house"))
_UPDATE = update(pulses).where(pulses.c.house == bindparam("of_house")).values(at=bindparam("now"))
_INSERT = insert(pulses)
_DELETE_OLD = delete(pulses).where(pulses.c.at < bindparam("before"), pulses.c.house != bindparam("of_house"))


def newest_pulse(tx: Tx, house: str) -> int | None:
    """When any other house on these books, or this one before it was started, last gave a sign of life."""
    found: int | None = tx.value(_NEWEST, {"of_house": house})
    return found


def give_pulse(tx: WriteTx, house: str, now: int) -> None:
    """Write something, so that whoever waits for it knows that writing works; and when that was."""
    if not tx.run(_UPDATE, {"of_house": house, "now": now}):
        tx.run(_INSERT, {"house": house, "at": now})
        tx.run(_DELETE_OLD, {"of_house": house, "before": now - 30 * DAY_MS})


class PassedTime:
    """The time of day by which rounds are too old. A clock that is set forward does not make them so.

    It starts where the clock stands and goes on by the time that has passed since. After a start it takes the last
    sign of life for the time, if that is more than a day ago: the house was closed, or its clock is wrong, and nobody
    can tell. It is never ahead of the clock. What it lags behind is believed after a week without a stop.
    """

    def __init__(
        self, clock: Callable[[], int], newest: int | None, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock, self._monotonic = clock, monotonic
        self._started_ms, self._started_s = clock(), monotonic()
        is_long_ago = newest is not None and self._started_ms - newest > CLOSED_MAX_MS
        self._base_ms = newest if newest is not None and is_long_ago else self._started_ms

    def __call__(self) -> int:
        passed_s = self._monotonic() - self._started_s
        base_ms = self._base_ms if passed_s < BELIEVED_AFTER_S else self._started_ms
        return min(self._clock(), base_ms + int(passed_s * 1000))
