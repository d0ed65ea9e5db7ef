"""The ceiling of a wager that is played, where solving every round would take hours: a sample of its rounds is solved.

First-order prices are there for every round. In a sample of the rounds the wager is solved again for the cards that
are left, and what that changes of the ceiling is added, so the figure is that of exact prices, with the error of the
sample. Rounds deep in a shoe are drawn more often (as one over the cards left, and weighed the other way): there prices
differ most. The first round of a shoe needs no solving: its price is that of the whole pack.
"""

from collections.abc import Sequence
from math import hypot, sqrt

import msgspec
import numpy as np

from pairhouse.analysis.generic.budget import progress
from pairhouse.analysis.protect.ceiling import rounds_until
from pairhouse.analysis.protect.followed_shoes import BLOCK, LINEAR, Following, Numbers
from pairhouse.analysis.protect.measures import HUNDRED, CutWins, SolvedCeiling
from pairhouse.analysis.protect.parts import part_of
from pairhouse.analysis.protect.shoe_prices import Decimals

STREAM = 1 << 40  # random numbers of their own, whatever block of shoes


class SolvedSample(msgspec.Struct, frozen=True):
    """Rounds that were solved: the exact price, the first-order price, the cards left, and one over the chance."""

    exact: list[float]
    first_order: list[float]
    reached: list[list[bool]]  # by cut card, whether the round is dealt with it
    weights: list[float]
    population: list[int]  # by cut card, of how many rounds
    is_whole: list[bool]  # by cut card, whether every round could be solved


def sample_rounds(following: Following, wager: str, shoes: int, seed: int) -> SolvedSample | None:
    """Solve a sample of the rounds of the first shoes; None for wagers that are priced exactly in every round."""
    if following.prices.how[wager] != LINEAR:
        return None
    method = part_of(following.variant, wager).method
    orders, ends = following.dealt(seed, 0, min(shoes, BLOCK))
    size, cuts = following.fresh.size, np.array(following.cuts)
    places = [(shoe, number) for shoe, each in enumerate(ends) for number in range(len(each))]
    starts = [np.concatenate(([0], each[:-1])) for each in ends]
    left = np.array([size - starts[shoe][number] for shoe, number in places])
    chances = np.where((left >= method.solved_least) & (left < size), 1 / left, 0.0)
    if not chances.any():
        return None
    chances /= chances.sum()
    random = np.random.default_rng([seed, STREAM])
    picked = random.choice(len(places), method.solved_rounds, p=chances).tolist()
    linear = following.prices.first_order(orders, starts, wager)
    until = np.array([rounds_until(each, size, cuts) for each in ends])
    exact, told = dict[int, float](), progress.get()
    for at in dict.fromkeys(picked):
        told(f"round {len(exact) + 1} of {len(set(picked))} solved for the cards that are left")
        shoe, number = places[at]
        found = method.solved_left(wager, orders[shoe][starts[shoe][number] :].tolist())
        if found is None:
            return None
        exact[at] = found
    return SolvedSample(
        exact=[exact[at] for at in picked],
        first_order=[float(linear[at]) for at in picked],
        reached=[(until[places[at][0]] > places[at][1]).tolist() for at in picked],
        weights=[1 / float(chances[at]) for at in picked],
        population=until.sum(axis=0).tolist(),
        is_whole=[bool(least >= method.solved_least) for least in _fewest_left(size, starts, until)],
    )


def _fewest_left(size: int, starts: Sequence[Numbers], until: Numbers) -> list[int]:
    """By cut card, the cards left at the last round of any shoe."""
    last = [[int(each[reached - 1]) for reached in row] for each, row in zip(starts, until, strict=True)]
    return [size - max(column) for column in zip(*last, strict=True)]


def solved_ceiling(sample: SolvedSample, place: int, wins: CutWins) -> SolvedCeiling | None:
    """The ceiling with the cut card in one of the places: first order, and what solving changes of it.

    None where some rounds begin with too few cards to be solved.
    """
    if not sample.is_whole[place]:
        return None
    dealt = np.array([reached[place] for reached in sample.reached])
    exact, linear = np.array(sample.exact), np.array(sample.first_order)
    gains: Decimals = np.where(dealt, np.maximum(exact, 0) - np.maximum(linear, 0), 0.0)
    each = HUNDRED * gains * np.array(sample.weights) / sample.population[place]
    error = hypot(wins.ceiling.error, float(each.std(ddof=1)) / sqrt(len(each)))
    win = max(wins.ceiling.win + float(each.mean()), 0.0)
    return SolvedCeiling(win, error, int(dealt.sum()), int((dealt & (exact > 0)).sum()))
