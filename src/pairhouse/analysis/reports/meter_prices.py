"""What a wager on a progressive meter is worth: at the reading it is priced at, at others, and where it breaks even."""

from collections.abc import Callable
from fractions import Fraction

import msgspec

from pairhouse.analysis.methods.method import Method
from pairhouse.core.meter import Meter

STEPS = 4  # readings shown from the seed to the ceiling


class AtReading(msgspec.Struct, frozen=True):
    """The expectation per unit when the meter shows so much before the round, in minor units."""

    reading: int
    ev: Fraction


class MeterPrices(msgspec.Struct, frozen=True):
    """At which reading the wager is priced here, its expectation at some others, and the least that favours nobody.

    `break_even` is the lowest reading at which the expectation is not below zero; None where no reading reaches it.
    """

    reading: int
    readings: list[AtReading]
    break_even: int | None


def meter_prices(method: Method, wager: str) -> MeterPrices | None:
    """The prices of a wager over the range of its meter; None where it does not pay from one."""
    meter = method.given.game.meter(method.given.options)
    given = method.given.wagers[wager].paytable
    if meter is None or method.reading is None or not any(line.share for line in given.rows):
        return None

    def ev(reading: int) -> Fraction:
        return method.at_reading(reading).exact_price(wager).ev

    shown = sorted({*_steps(meter), method.reading})
    return MeterPrices(method.reading, [AtReading(at, ev(at)) for at in shown], _break_even(meter, ev))


def _steps(meter: Meter) -> list[int]:
    """Readings from the seed to the ceiling, evenly apart."""
    return [meter.seed + (meter.ceiling - meter.seed) * step // STEPS for step in range(STEPS + 1)]


def _break_even(meter: Meter, ev: Callable[[int], Fraction]) -> int | None:
    """By halving: the expectation never falls while the meter grows."""
    if ev(meter.ceiling) < 0:
        return None
    low, high = 0, meter.ceiling
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if ev(middle) >= 0 else (middle + 1, high)
    return low
