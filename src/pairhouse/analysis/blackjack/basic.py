"""Basic strategy: one action for each total against each up card, and what it costs against composition-dependent play.

A cell of the chart is the action that is best on average over the two-card hands of its total, weighed by how often
they are dealt. Longer hands of the total follow the same cell; where it says double they draw or stand, as is better.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pairhouse.analysis.blackjack.hands import VALUES, HandTree
from pairhouse.analysis.blackjack.solve import SplitPlan, UpCard, hands_with
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.games.blackjack_choices import DOUBLE, HIT, SPLIT, STAND, SURRENDER, may_double
from pairhouse.games.blackjack_hand import WORDS, is_blackjack, is_soft, total

Cell = tuple[bool, int]  # soft, total


@dataclass(frozen=True)
class ChartEntry:
    """A cell of the chart: what to do with two cards, and what with more."""

    first: int
    later: int


@dataclass(frozen=True, eq=False)
class BasicStrategy:
    """The total-dependent chart of a solved game."""

    solution: Solution

    @cached_property
    def cells(self) -> dict[tuple[int, bool, int], ChartEntry]:
        """(up card, soft, total) -> choice, for hands that are not split."""
        return {
            (up, *cell): choice
            for up, solved in self.solution.ups.items()
            for cell, choice in self._cells(solved).items()
        }

    def _cells(self, solved: UpCard) -> dict[Cell, ChartEntry]:
        worth: dict[Cell, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        only_pairs: dict[Cell, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for first, second in two_cards():
            word = WORDS[first] + WORDS[second]
            chance = self.solution.deal_chance(solved.up, first, second)
            if chance <= 0 or is_blackjack(word):
                continue
            into = only_pairs if first == second else worth
            for action, value in solved.actions_of(word).items():
                into[is_soft(word), total(word)][action] += chance * value
        for cell, values in only_pairs.items():
            worth.setdefault(cell, values)
        return {cell: self._choice(values) for cell, values in worth.items()}

    @staticmethod
    def _choice(values: dict[int, float]) -> ChartEntry:
        unsplit = {action: value for action, value in values.items() if action != SPLIT}
        first = max(unsplit, key=lambda action: unsplit[action])
        later = HIT if values.get(HIT, -np.inf) > values[STAND] else STAND
        return ChartEntry(first, later)

    @cached_property
    def pairs(self) -> dict[tuple[int, int], bool]:
        """(up card, pair) -> whether it is split."""
        return {
            (up, pair): value > max(v for a, v in solved.actions(pair, pair).items() if a != SPLIT)
            for up, solved in self.solution.ups.items()
            for pair, value in solved.splits.items()
        }

    def plan(self, up: int, hands: HandTree, times_split: int) -> SplitPlan:
        """How a list of hands is played by the chart."""
        stands, doubles = np.zeros((2, 32), bool), np.zeros((2, 32), bool)
        for (at, soft, points), choice in self.cells.items():
            if at == up:
                stands[int(soft), points] = choice.later == STAND
                doubles[int(soft), points] = choice.first == DOUBLE
        soft_rows = hands.soft.astype(np.int64)
        may = (hands.counts.sum(axis=1) == 2) & ~hands.ends & doubles[soft_rows, hands.totals]
        may[may] = [may_double(self.solution.rules, int(word), times_split) for word in hands.words[may]]
        return SplitPlan(hands.ends | stands[soft_rows, hands.totals], may)

    @cached_property
    def expectation(self) -> float:
        """Net result per unit when every hand is played by the chart; insurance never taken."""
        return sum(self._given(up) for up in self.solution.ups)

    def _given(self, up: int) -> float:
        solved = self.solution.ups[up]
        rules = self.solution.rules
        values = self.plan(up, solved.hands, 0).values(solved.hands, solved.table)
        net = 0.0
        for first, second in two_cards():
            chance = self.solution.deal_chance(up, first, second)
            if chance <= 0:
                continue
            word = WORDS[first] + WORDS[second]
            lost = solved.dealer_blackjack(first, second)
            if is_blackjack(word):
                net += chance * (1 - lost) * self.solution.blackjack_pays
                continue
            value = float(values[solved.hands.index[word]])
            choice = self.cells[up, is_soft(word), total(word)]
            if first == second and self.pairs[up, first]:
                value = self._split(up, first)
            elif choice.first == SURRENDER:
                value = solved.actions_of(word)[SURRENDER]
            net += chance * ((1 - lost) * value - lost if rules.hole_card else value)
        return net

    def _split(self, up: int, pair: int) -> float:
        rules = self.solution.rules
        hands = hands_with(rules.charlie, pair)
        locked = pair == 1 and not rules.hit_split_aces
        plan = self.solution.ups[up].plans[pair] if locked else self.plan(up, hands, 1)
        return self.solution.ups[up].split_under(pair, plan)

    @cached_property
    def cost(self) -> float:
        """What the chart gives up against composition-dependent play, per unit of the first stake."""
        return self.solution.expectation - self.expectation


def two_cards() -> list[tuple[int, int]]:
    """Every pair of values, the lower first."""
    return [(first, second) for first in VALUES for second in range(first, 11)]
