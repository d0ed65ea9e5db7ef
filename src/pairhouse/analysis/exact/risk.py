"""What the price of a wager means over many rounds: bands, the chance to be ahead, and ruin."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import erfc, exp, floor, gcd, lcm, sqrt

import msgspec
import numpy as np

Ending = tuple[Fraction, Fraction]  # what is won per unit, and how likely that is

BAND_ROUNDS = tuple(10**power for power in range(3, 10))
AHEAD_ROUNDS = (100, 1_000, 10_000, 100_000)
BANKROLLS = (100, 1_000)
Z_99 = 2.5758293035489004  # 99 % of a normal distribution lies within so many deviations
Z_90 = 1.6448536269514722


class Band(msgspec.Struct, frozen=True):
    """Where the net result per round lies after so many rounds, with 99 % confidence."""

    rounds: int
    low: float
    high: float


class Ahead(msgspec.Struct, frozen=True):
    """The chance to have won more than lost after so many rounds with one unit each."""

    rounds: int
    chance: float
    normal_approximation: float


class Ruin(msgspec.Struct, frozen=True):
    """The chance that a bankroll, in units, is ever lost by betting one unit a round for ever."""

    bankroll: int
    chance: float


def bands(ev: Fraction | float, variance: Fraction | float) -> list[Band]:
    """The 99 % bands of the mean net result, from the normal distribution."""
    half = Z_99 * sqrt(variance)
    return [Band(n, float(ev) - half / sqrt(n), float(ev) + half / sqrt(n)) for n in BAND_ROUNDS]


def volatility_index(variance: Fraction) -> float:
    """Half the width of the 90 % band of a single round: the figure that par sheets of machines quote."""
    return Z_90 * sqrt(variance)


def ruin(ev: Fraction, variance: Fraction) -> list[Ruin]:
    """Without an edge of the player, ruin is certain; with one it is about exp(-2 * ev * bankroll / variance)."""
    if ev <= 0:
        return [Ruin(bankroll, 1.0) for bankroll in BANKROLLS]
    return [Ruin(bankroll, exp(-2 * float(ev / variance) * bankroll)) for bankroll in BANKROLLS]


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
        normal = erfc(-float(mean) * sqrt(rounds) / deviation / sqrt(2)) / 2
        found.append(Ahead(rounds, chance_ahead(ladder, rounds), normal))
    return found


@lru_cache(maxsize=1024)
def chance_ahead(ladder: tuple[tuple[Fraction, float], ...], rounds: int) -> float:
    """The chance that a sum of so many rounds is above zero, by a discrete Fourier transform of one round.

    Results are counted in steps above the lowest one, as coarse as they allow. The sum lives on a circle wide enough
    that what wraps around is below the rounding of a float: the whole range where that is small, 40 deviations and a
    few of the largest wins elsewhere.
    """
    lowest = ladder[0][0]
    step = _common_step([net - lowest for net, _ in ladder])
    rungs = np.array([int((net - lowest) / step) for net, _ in ladder])
    chances = np.array([chance for _, chance in ladder])
    mean = float(rungs @ chances)
    deviation = sqrt(float((rungs - mean) ** 2 @ chances))
    whole = rounds * int(rungs.max())
    reach = min(whole, int(40 * deviation * sqrt(rounds)) + 8 * int(rungs.max()))
    size = 1 << (reach + 1).bit_length()
    circle = np.zeros(size)
    np.add.at(circle, rungs % size, chances)
    summed = np.fft.irfft(np.fft.rfft(circle) ** rounds, size)
    first = 0 if reach == whole else max(0, int(mean * rounds) - size // 2)
    enough = floor(-rounds * lowest / step) + 1  # the least number of steps that is above zero in all
    places = np.arange(max(first, enough), first + size)
    return float(min(1.0, max(0.0, summed[places % size].sum())))


def _common_step(heights: Sequence[Fraction]) -> Fraction:
    """The largest step of which every height is a multiple."""
    below = lcm(*(height.denominator for height in heights))
    return Fraction(gcd(*(int(height * below) for height in heights)), below)
