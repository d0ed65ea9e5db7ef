"""A perfect card counter that plays through any `bet` function: greedy, slow, or a team of six.

The bot knows what a player knows: the rules, the limits and every card it was shown. Before each round it prices every
wager exactly from the cards it has not seen. `bet` takes stakes (wager id -> minor units) and answers with a `Shown`; it
may be an HTTP client at a real house, a private table, or the `LocalTable` here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pairhouse.analysis.protect.ceiling import BetLimits, counter_stakes
from pairhouse.analysis.protect.rule_book import counting_of, net_in
from pairhouse.analysis.protect.shoe_prices import Decimals, shoe_prices
from pairhouse.core.cards import Card, pack
from pairhouse.core.game import Variant
from pairhouse.machines.dealt_shoe import deal_shoe
from pairhouse.machines.stories import unpack


@dataclass(frozen=True)
class Shown:
    """What a player sees of a round: the cards that were dealt, the net result, whether the next shuffle is a new one."""

    cards: Sequence[Card]
    net: int
    shoe_ended: bool


Bet = Callable[[Mapping[str, int]], Shown]
Chooser = Callable[[Decimals, Decimals, BetLimits], Decimals]  # evs and most by wager -> stakes, all for one round


def greedy(evs: Decimals, most: Decimals, limits: BetLimits) -> Decimals:
    """The largest stake on everything that is worth more than 0."""
    stakes: Decimals = counter_stakes(evs[None, :], most, limits)[0]
    return stakes


def slow(evs: Decimals, most: Decimals, limits: BetLimits) -> Decimals:
    """A tenth of the limit, only with an edge of 5 % or more; else what has to be staked to see the next round."""
    stakes: Decimals = np.where(evs > 0.05, most // 10 // 100 * 100, 0.0)
    if not stakes.any():
        stakes[int(np.where(most > 0, evs, -np.inf).argmax())] = limits.waiting
    return stakes


@dataclass
class CountingBot:
    """One counter at one table. `expected` adds up what its stakes were worth; `net` what they brought."""

    variant: Variant
    limits: BetLimits
    bet: Bet
    choose: Chooser = greedy
    rounds: int = 0
    bet_rounds: int = 0
    staked: int = 0
    net: int = 0
    expected: float = 0.0
    unseen: list[Card] = field(default_factory=list)

    def play_round(self) -> tuple[dict[str, int], Shown, float]:
        """One round: its stakes, what was shown, and what the stakes were worth before the cards."""
        prices = shoe_prices(self.variant)
        if not self.unseen:
            self.unseen = list(pack(*self.variant.pack))
        evs = prices.evs(prices.left_of(self.unseen)[None, :])[0]
        most = np.array([self.limits.most.get(name, 0) for name in prices.wagers], np.float64)
        chosen = self.choose(evs, most, self.limits)
        stakes = {name: int(stake) for name, stake in zip(prices.wagers, chosen, strict=True) if stake}
        shown = self.bet(stakes)
        worth = float(chosen @ evs)
        self.rounds += 1
        self.bet_rounds += bool((chosen * (evs > 0)).any())
        self.staked += sum(stakes.values())
        self.net += shown.net
        self.expected += worth
        for card in shown.cards:
            self.unseen.remove(card)
        if shown.shoe_ended:
            self.unseen = []
        return stakes, shown, worth

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            self.play_round()


def team(variant: Variant, limits: BetLimits, tables: Sequence[Bet], choose: Chooser = greedy) -> list[CountingBot]:
    """One bot at each of several tables; what they win is counted together."""
    return [CountingBot(variant, limits, bet, choose) for bet in tables]


class LocalTable:
    """A shoe dealt down by the rule book here, or (with `fresh`) a new shuffle for every round; pays without limits."""

    def __init__(self, variant: Variant, behind_cut: int, seed: int, *, fresh: bool = False) -> None:
        self.variant, self.behind_cut, self.fresh = variant, behind_cut, fresh
        self.random = np.random.default_rng(seed)
        self.counting = counting_of(variant)
        self.rounds: list[tuple[list[Card], int]] = []
        self.shoe = -1

    def bet(self, stakes: Mapping[str, int]) -> Shown:
        if not self.rounds:
            self._shuffle()
        cards, story = self.rounds.pop(0)
        told = [unpack(story, self.counting.kinds)]
        net = sum(stake * net_in(self.variant, name, told)[0] for name, stake in stakes.items())
        return Shown(cards, int(net), not self.rounds)

    def _shuffle(self) -> None:
        order = self.random.permutation(np.array(pack(*self.variant.pack), np.int64))
        counting = self.counting
        ends, stories = deal_shoe(counting.play, self.variant.rules, counting.kinds, order, self.behind_cut)
        starts = [0, *ends[:-1].tolist()]
        dealt = zip(starts, ends.tolist(), stories.tolist(), strict=True)
        self.rounds = [(order[start:end].tolist(), story) for start, end, story in dealt]
        self.rounds = self.rounds[:1] if self.fresh else self.rounds
        self.shoe += 1
