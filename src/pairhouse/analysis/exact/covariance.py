"""How the wagers of one round move together: exact covariances, and correlations as decimals."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, sqrt

import msgspec
import numpy as np

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import nets
from pairhouse.core.tally import Story


class Covariances(msgspec.Struct, frozen=True):
    """Covariance per unit on each (exact) and correlation of every wager with itself and those before it."""

    wagers: list[str]
    covariance: list[list[Fraction]]
    correlation: list[list[float]]

    def between(self, one: int, other: int) -> float:
        """The correlation of two wagers, by their places."""
        return self.correlation[max(one, other)][min(one, other)]


def whole_nets(counted: Counted, wagers: Sequence[str]) -> tuple[int, dict[str, dict[Story, int]]]:
    """What each wager wins in each story as whole numbers, in steps of one over the first number."""
    net = {wager: nets(counted, wager) for wager in wagers}
    steps = lcm(*{value.denominator for each in net.values() for value in each.values()})
    return steps, {
        wager: {story: value.numerator * (steps // value.denominator) for story, value in each.items()}
        for wager, each in net.items()
    }


def covariances(counted: Counted, wagers: Sequence[str]) -> Covariances:
    """The matrix of all wagers, in whole numbers: nets are scaled to a common denominator, sums are exact."""
    steps, net = whole_nets(counted, wagers)
    scaled = np.array([list(net[wager].values()) for wager in wagers], dtype=object)
    ways = np.array(list(counted.stories.values()), dtype=object)
    weighted = scaled * ways
    means, products = weighted.sum(axis=1), weighted @ scaled.T
    below = counted.total * counted.total * steps * steps
    covariance = [
        [Fraction(counted.total * products[i][j] - means[i] * means[j], below) for j in range(i + 1)]
        for i in range(len(wagers))
    ]
    deviations = [sqrt(row[-1]) for row in covariance]
    correlation = [
        [_ratio(float(value), deviations[i] * deviations[j]) for j, value in enumerate(row)]
        for i, row in enumerate(covariance)
    ]
    return Covariances(list(wagers), covariance, correlation)


def _ratio(value: float, by: float) -> float:
    return value / by if by else 0.0
