"""What the price of a wager means over many rounds: bands, the chance to be ahead, and ruin."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import erfc, exp, floor, gcd, inf, lcm, log, log1p, pi, sqrt
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]
Steps = npt.NDArray[np.int64]
Ending = tuple[Fraction, Fraction]  # what is won per unit, and how likely that is

BAND_ROUNDS = tuple(10**power for power in range(3, 10))
AHEAD_ROUNDS = (100, 1_000, 10_000, 100_000)
SMALLEST = 1e-300  # smaller chances are said to be below this: a float would soon lose their digits
BANKROLLS = (100, 1_000)
NEGLIGIBLE = 1e-30  # what a frequency this faint adds to a chance is far below a rounding
Z_99 = 2.5758293035489004  # 99 % of a normal distribution lies within so many deviations
Z_90 = 1.6448536269514722


class ConfidenceBand(msgspec.Struct, frozen=True):
    """Where the net result per round lies after so many rounds, with 99 % confidence."""

    rounds: int
    low: float
    high: float


class Ahead(msgspec.Struct, frozen=True, omit_defaults=True):
    """The chance to have won more than lost after so many rounds with one unit each.

    A figure too small for a float is null, and `below` says what it is below. A chance of 0 says that nobody can be
    ahead. The relative error of the chance is below 1e-9 (absolute, where the player has the edge).
    """

    rounds: int
    chance: float | None
    normal_approximation: float | None
    below: float | None = None


class Ruin(msgspec.Struct, frozen=True, omit_defaults=True):
    """The chance that a bankroll, in units, is ever lost by betting one unit a round for ever.

    One too small for a float is null, and `below` says what it is below.
    """

    bankroll: int
    chance: float | None
    below: float | None = None


def bands(ev: Fraction | float, variance: Fraction | float) -> list[ConfidenceBand]:
    """The 99 % bands of the mean net result, from the normal distribution."""
    half = Z_99 * sqrt(variance)
    return [ConfidenceBand(n, float(ev) - half / sqrt(n), float(ev) + half / sqrt(n)) for n in BAND_ROUNDS]


def volatility_index(variance: Fraction) -> float:
    """Half the width of the 90 % band of a single round: the figure that par sheets of machines quote."""
    return Z_90 * sqrt(variance)


def ruin(ev: Fraction, variance: Fraction) -> list[Ruin]:
    """Without an edge of the player, ruin is certain; with one it is about exp(-2 * ev * bankroll / variance)."""
    if ev <= 0:
        return [Ruin(bankroll, 1.0) for bankroll in BANKROLLS]
    if not variance:
        return [Ruin(bankroll, 0.0) for bankroll in BANKROLLS]
    logarithms = [(bankroll, -2 * float(ev / variance) * bankroll) for bankroll in BANKROLLS]
    return [
        Ruin(bankroll, exp(logarithm)) if logarithm > log(SMALLEST) else Ruin(bankroll, None, SMALLEST)
        for bankroll, logarithm in logarithms
    ]


def ahead(endings: Sequence[Ending]) -> list[Ahead]:
    """The chance to be ahead after 100 to 100,000 rounds, computed and as the normal distribution has it."""
    mean = sum((net * chance for net, chance in endings), Fraction(0))
    variance = sum((chance * (net - mean) ** 2 for net, chance in endings), Fraction(0))
    if not variance:
        return []
    deviation = sqrt(variance)
    ladder = tuple(sorted((net, float(chance)) for net, chance in endings))
    found = []
    for rounds in AHEAD_ROUNDS:
        logarithm = log_chance_ahead(ladder, rounds)
        chance = None if -inf < logarithm < log(SMALLEST) else exp(logarithm)
        curve = erfc(-float(mean) * sqrt(rounds) / deviation / sqrt(2)) / 2
        normal = None if curve < SMALLEST else curve
        found.append(Ahead(rounds, chance, normal, SMALLEST if None in (chance, normal) else None))
    return found


@lru_cache(maxsize=1024)
def log_chance_ahead(ladder: tuple[tuple[Fraction, float], ...], rounds: int) -> float:
    """The logarithm of the chance that a sum of so many rounds is above zero, minus infinity where it cannot be.

    Results are counted in steps above the lowest one, as coarse as they allow.
    """
    lowest = ladder[0][0]
    step = _common_step([net - lowest for net, _ in ladder])
    rungs = np.array([int((net - lowest) / step) for net, _ in ladder])
    chances = np.array([chance for _, chance in ladder])
    top = int(rungs.max())
    enough = floor(-rounds * lowest / step) + 1  # the least number of steps that is above zero in all
    if enough <= 0:
        return 0.0
    if enough > rounds * top:
        return -inf
    if enough > rounds * float(rungs @ chances):
        return _log_upper_tail(rungs, chances, rounds, enough)
    behind = _log_upper_tail(top - rungs, chances, rounds, rounds * top - enough + 1)
    return log1p(-exp(behind))


def _log_upper_tail(rungs: Steps, chances: Reals, rounds: int, enough: int) -> float:
    """The logarithm of the chance that so many rounds come to `enough` steps, which is more than their mean.

    A Fourier transform has an error that does not shrink with the chance, so one round is tilted first: each rung is
    made likelier by exp(tilt * rung), until the mean of the sum is `enough`. What was rare is then ordinary, its chance
    is read off the transform, and the tilt is divided out again. The relative error is about `rounds` roundings.

    The sum lives on a circle wide enough that what wraps around is below the rounding of a float: the whole range
    where that is small, 40 deviations and a few of the largest wins elsewhere.
    """
    top = int(rungs.max())
    if enough == rounds * top:
        return rounds * log(float(chances[rungs == top].sum()))
    tilt = _tilt_to(rungs, chances, enough / rounds)
    weights = chances * np.exp(tilt * (rungs - top))
    tilted = weights / weights.sum()
    deviation = sqrt(float((rungs - enough / rounds) ** 2 @ tilted))
    whole = rounds * top
    reach = min(whole, int(40 * deviation * sqrt(rounds)) + 8 * top)
    size = _length(reach + 2)
    circle = np.zeros(size)
    np.add.at(circle, rungs % size, tilted)
    first = 0 if reach == whole else max(0, enough - size // 2)
    found = _weighed(np.fft.rfft(circle), rounds, size, enough, first + size - enough, tilt)
    return rounds * (log(float(weights.sum())) + tilt * (top - enough / rounds)) + log(found)


def _length(least: int) -> int:
    """The next length of which a Fourier transform is fast: an even number with small factors."""
    shift = max(0, least.bit_length() - 4)
    return min(length for factor in (8, 9, 10, 12, 15, 16) if (length := 2 * factor << shift) >= least)


def _weighed(transform: Any, rounds: int, size: int, enough: int, places: int, tilt: float) -> float:
    """The chances of so many places from `enough` on, each weighed by exp(-tilt * steps beyond it), added up.

    The weights are a geometric series, whose transform is known, so the sum is taken over frequencies: nothing is
    transformed back, and frequencies that many rounds wipe out are left alone.
    """
    kept = np.flatnonzero(transform.real**2 + transform.imag**2 > NEGLIGIBLE ** (2 / rounds))
    turn = 2j * pi / size
    weights = np.expm1(-tilt * places - turn * (kept * places % size)) / np.expm1(-tilt - turn * kept)
    weights *= np.exp(-turn * (kept * (enough % size) % size))
    terms = (_power(transform[kept], rounds) * np.conj(weights)).real
    terms[(kept > 0) & (kept < size // 2)] *= 2  # the other half of the frequencies mirrors these
    return float(terms.sum()) / size


def _power(base: Any, exponent: int) -> Any:
    """Complex numbers to a whole power, by squaring in place: much faster than NumPy's general power."""
    found = np.ones_like(base)
    while exponent:
        if exponent & 1:
            found *= base
        exponent >>= 1
        if exponent:
            base *= base
    return found


def _tilt_to(rungs: Steps, chances: Reals, mean: float) -> float:
    """The tilt under which one round has this mean, by bisection; any tilt near it serves as well."""
    top = int(rungs.max())

    def tilted_mean(tilt: float) -> float:
        weights = chances * np.exp(tilt * (rungs - top))
        return float(rungs @ weights / weights.sum())

    low, high = 0.0, 1 / top
    while tilted_mean(high) < mean:
        low, high = high, 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if tilted_mean(middle) < mean else (low, middle)
    return high


def _common_step(heights: Sequence[Fraction]) -> Fraction:
    """The largest step of which every height is a multiple."""
    below = lcm(*(height.denominator for height in heights))
    return Fraction(gcd(*(int(height * below) for height in heights)), below)
