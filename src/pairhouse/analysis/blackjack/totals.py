"""The whole game: expectation, value by up card, and the chart."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

from pairhouse.analysis.blackjack.hands import VALUES, Reals
from pairhouse.analysis.blackjack.solve import UpCard
from pairhouse.games.blackjack_choices import Rules


@dataclass(frozen=True, eq=False)
class Solution:
    """Blackjack solved for a shoe."""

    rules: Rules
    shoe: Reals
    blackjack_pays: float
    hit_21: bool = False
    split_21_is_blackjack: bool = False

    @cached_property
    def ups(self) -> dict[int, UpCard]:
        split_21 = self.blackjack_pays if self.split_21_is_blackjack else None
        return {up: UpCard(self.rules, self.shoe, up, self.hit_21, split_21) for up in VALUES if self.shoe[up] > 0}

    def deal_chance(self, up: int, first: int, second: int) -> float:
        """The chance of an up card and two cards in either order."""
        left, total, chance = self.shoe.copy(), float(self.shoe.sum()), 1.0
        for value in (up, first, second):
            chance *= max(left[value], 0) / total
            left[value] -= 1
            total -= 1
        return float(chance) * (1 if first == second else 2)

    @cached_property
    def by_up_card(self) -> dict[int, float]:
        """The expectation given each up card."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return dict(zip(self.ups, pool.map(self._given, self.ups), strict=True))

    def _given(self, up: int) -> float:
        deals = [(a, b, self.deal_chance(up, a, b)) for a in VALUES for b in range(a, 11)]
        net = sum(p * self.ups[up].value(a, b, self.blackjack_pays) for a, b, p in deals if p > 0)
        return net / (float(self.shoe[up]) / float(self.shoe.sum()))

    @cached_property
    def expectation(self) -> float:
        """Net result per unit of the first stake, insurance never taken."""
        return sum(float(self.shoe[up]) / float(self.shoe.sum()) * value for up, value in self.by_up_card.items())
