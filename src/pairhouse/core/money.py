"""Money is integer minor units (cents). Prices are Fractions; a payment is exact, or rounded by a named rule."""

from fractions import Fraction
from math import lcm
from typing import TypeVar

from pairhouse.core.errors import Refused, shown

Amount = TypeVar("Amount", int, Fraction)  # whole minor units, or units as exact numbers

EXACT, DOWN, UP, NEAREST = "exact", "down", "up", "nearest"
ROUNDINGS = (EXACT, DOWN, UP, NEAREST)
STAKE_MAX = 10**15  # far above any table limit, and far below what a 64-bit column holds even at 1300 to 1


def winnings(stake: Amount, pays: Fraction, rounding: str = EXACT) -> Amount:
    """What a stake wins at `pays` to 1; negative where part of the stake is lost.

    A stake in minor units wins whole ones: `down` favours the house, `up` the player, `nearest` the player at exactly
    half a unit. Under `exact` the stake was checked when the bet was accepted, so an inexact payment is a broken
    promise and stops the table. A stake that is a Fraction is never rounded.
    """
    numerator, denominator = pays.as_integer_ratio()
    if denominator == 1:
        return stake * numerator
    if isinstance(stake, Fraction):
        return stake * pays
    whole, rest = divmod(stake * numerator, denominator)
    if rest == 0 or rounding == DOWN:
        return whole
    if rounding == UP:
        return whole + 1
    if rounding == NEAREST:
        return whole + (2 * rest >= denominator)
    raise AssertionError(f"a stake of {stake} at {price_text(pays)} does not come out in whole units")


def step_for(prices: list[Fraction]) -> int:
    """The smallest stake, of which every multiple is paid exactly at each of these prices."""
    return lcm(*(price.denominator for price in prices))


def check_stake(wager: str, stake: object, step: int, rounding: str) -> int:
    """A stake in whole minor units that this wager can pay out exactly, or under the table's rounding rule."""
    if type(stake) is not int or not 0 < stake <= STAKE_MAX:
        accepted = f"whole minor units (cents) from 1 to {STAKE_MAX}"
        sentence = f"a stake of {shown(stake)} on {wager} is not possible; give {accepted}"
        raise Refused("bad-stake", sentence)
    if rounding == EXACT and stake % step:
        accepted = "an even number" if step == 2 else f"a multiple of {step}"
        sentence = (
            f"a stake of {stake} on {wager} would not always be paid in whole minor units; "
            f"give {accepted}, or name a rounding rule (down, up or nearest)"
        )
        raise Refused("bad-stake", sentence)
    return stake


def price_text(pays: Fraction) -> str:
    """`3 to 2`, or a word where nothing is won."""
    if pays == 0:
        return "stake back"
    if pays == -1:
        return "loses"
    if pays < 0:
        return f"loses {-pays} of the stake"
    return f"{pays.numerator} to {pays.denominator}"


def amount_text(minor: int) -> str:
    """`1,234.50` for 123450; the sign in front."""
    sign = "-" if minor < 0 else ""
    return f"{sign}{abs(minor) // 100:,}.{abs(minor) % 100:02d}"
