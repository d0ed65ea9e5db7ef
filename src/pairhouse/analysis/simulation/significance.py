"""How surprising a sample is: chances of a chi-square and of a normal deviation, and when many of them are too many."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import erfc, exp, lgamma, log, sqrt
from typing import TypeVar

POOLED_BELOW = 10.0  # cells expected less often than this are taken together
K = TypeVar("K", bound=Hashable)


P_SMALLEST = 1e-300  # smaller chances are lost in a float


@dataclass(frozen=True)
class ChiSquare:
    """The statistic, its degrees of freedom, and the chance of one at least as large."""

    chi_square: float
    degrees: int
    p: float


def normal_p(z: float) -> float:
    """The chance of a deviation at least as large, to either side."""
    return erfc(abs(z) / sqrt(2))


def p_text(p: float) -> str:
    """A chance for people; what a float cannot hold is said to be below a bound."""
    return f"p = {p:.3g}" if p >= P_SMALLEST else f"p < {P_SMALLEST:g}"


def without_skew(z: float, skewness: float, rounds: int) -> float:
    """A deviation as a normal one: rare large wins make a mean lean to one side until there are many rounds."""
    if rounds <= 0:
        return z
    lean = skewness / (6 * sqrt(rounds))
    return z - lean * (z * z - 1) if abs(lean * z) < 0.5 else z / (1 + abs(lean * z))


def upper_gamma(shape: float, at: float) -> float:
    """The regularised upper incomplete gamma function, by series or continued fraction, to about twelve digits."""
    if at <= 0:
        return 1.0
    scale = exp(shape * log(at) - at - lgamma(shape))
    if at < shape + 1:
        term = total = 1 / shape
        count = shape
        while term > total * 1e-16:
            count += 1
            term *= at / count
            total += term
        return max(0.0, 1 - scale * total)
    below = at + 1 - shape
    ratio, inverse = 1e300, 1 / below
    fraction = inverse
    for step in range(1, 10_000):
        factor = -step * (step - shape)
        below += 2
        inverse = 1 / (factor * inverse + below)
        ratio = below + factor / ratio
        change = inverse * ratio
        fraction *= change
        if abs(change - 1) < 1e-15:
            break
    return scale * fraction


def against_exact(found: Mapping[K, int], chances: Mapping[K, float]) -> ChiSquare:
    """Counts against exact chances; anything that cannot happen counts for everything."""
    rounds = sum(found.values())
    if any(number and not chances.get(key, 0) for key, number in found.items()):
        return ChiSquare(float("inf"), 1, 0.0)
    rest_found = rest_expected = statistic = 0.0
    cells = 0
    for key, chance in chances.items():
        expected, number = rounds * chance, found.get(key, 0)
        if expected < POOLED_BELOW:
            rest_found += number
            rest_expected += expected
        else:
            statistic += (number - expected) ** 2 / expected
            cells += 1
    if rest_expected >= POOLED_BELOW / 2:
        statistic += (rest_found - rest_expected) ** 2 / rest_expected
        cells += 1
    return _judged(statistic, max(1, cells - 1))


def two_samples(one: Mapping[K, int], other: Mapping[K, int]) -> ChiSquare:
    """Whether two samples can come from the same game."""
    first, second = sum(one.values()), sum(other.values())
    share = second / (first + second)
    rest = [0.0, 0.0]
    statistic, cells = 0.0, 0
    for key in {**one, **other}:
        pair = one.get(key, 0), other.get(key, 0)
        if sum(pair) * min(share, 1 - share) < POOLED_BELOW:
            rest = [rest[0] + pair[0], rest[1] + pair[1]]
        else:
            statistic += _apart(*pair, share)
            cells += 1
    if sum(rest) * min(share, 1 - share) >= POOLED_BELOW / 2:
        statistic += _apart(rest[0], rest[1], share)
        cells += 1
    return _judged(statistic, max(1, cells - 1))


def _apart(one: float, other: float, share: float) -> float:
    both = one + other
    return (one - both * (1 - share)) ** 2 / (both * (1 - share)) + (other - both * share) ** 2 / (both * share)


def _judged(statistic: float, degrees: int) -> ChiSquare:
    return ChiSquare(statistic, degrees, upper_gamma(degrees / 2, statistic / 2))
