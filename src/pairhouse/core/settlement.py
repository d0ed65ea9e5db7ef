"""What a wager comes to: the only place where stakes, multiples and prices are multiplied.

Live play settles money with it, in minor units under the table's rounding rule; tallies, prices and simulations read it
per unit, as Fractions; a progressive is priced by it at a meter's reading.
"""

from fractions import Fraction
from typing import Any, Generic

import msgspec

from pairhouse.core.meter import Meter
from pairhouse.core.money import EXACT, Amount, step_for, winnings
from pairhouse.core.paytable import PUSH, Row, Wager

UNIT = Fraction(1)
_UNKNOWN: Any = object()


class Settlement(msgspec.Struct, Generic[Amount], frozen=True, gc=False):
    """A wager decided: the row it is paid by, the stake at risk, what comes back in all, and the meter after it."""

    row: Row
    stake: Amount
    returned: Amount
    meter: Meter | None = None

    @property
    def net(self) -> Amount:
        """Won or lost."""
        return self.returned - self.stake


def settlement(
    wager: Wager, happened: Any, base: Amount, rounding: str = EXACT, meter: Meter | None = None
) -> Settlement[Amount] | None:
    """Settle a wager on what happened; None where it is not at risk, or a bonus is not won.

    `base` is the stake on the wager itself, or on the one it follows from: whole minor units, or a Fraction, with which
    nothing is rounded. Where a row pays a share of the meter, the share of this meter comes back too.
    """
    if not isinstance(happened, wager.decided_by):
        return None
    row, times = wager.decide(happened)
    return settle_row(wager, row, times, base, rounding, meter)


def settlement_per_unit(wager: Wager, happened: Any) -> Settlement[Fraction] | None:
    """The same for one unit on the base, exactly; looked up where this has happened before."""
    if not isinstance(happened, wager.decided_by):
        return None
    found: Settlement[Fraction] | None = wager.settled_per_unit.get(happened, _UNKNOWN)
    if found is _UNKNOWN:
        found = wager.settled_per_unit[happened] = settlement(wager, happened, UNIT)
    return found


def settle_row(
    wager: Wager, row: Row, times: int, base: Amount, rounding: str = EXACT, meter: Meter | None = None
) -> Settlement[Amount] | None:
    """Settle a wager by a row of its paytable, with its stake at risk so many times."""
    stake = times * stake_of(wager, base, rounding)
    if wager.bonus:
        if not row.wins:
            return None
        returned = winnings(base, max(row.pays, PUSH), rounding)
    elif stake == 0:
        return None
    else:
        returned = stake + winnings(stake, row.pays, rounding)
    if row.share is not None and meter is not None:
        award, meter = meter.award(row.share)
        returned += award
    return Settlement(row, stake, returned, meter)


def stake_of(wager: Wager, base: Amount, rounding: str = EXACT) -> Amount:
    """The stake of a wager, once, for a stake on the wager it follows from (or its own); a bonus has none."""
    return base * 0 if wager.bonus else winnings(base, wager.multiple, rounding)


def largest_return(wager: Wager) -> Fraction:
    """The most that comes back for a unit on the base, with the stake at risk once; a meter's award is not in it."""
    best = max(wager.paytable.rows, key=lambda row: row.pays)
    found = settle_row(wager, best, 1, UNIT)
    return found.returned if found is not None else PUSH


def exact_step(wager: Wager) -> int:
    """The step in which the base must be staked, so that this wager's stake and all its prices are whole units."""
    rows = [settle_row(wager, row, 1, UNIT) for row in wager.paytable.rows]
    return step_for([stake_of(wager, UNIT), *(found.returned for found in rows if found is not None)])
