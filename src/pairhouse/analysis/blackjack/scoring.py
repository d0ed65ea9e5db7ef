"""How simulated rounds of blackjack are counted.

Blackjack settles one happening a hand, so a cell holds what the hands won and risked together, beside the insurance and
the class of the side bets.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from pairhouse.analysis.blackjack import INSURANCE, MAIN
from pairhouse.analysis.simulation.scoring import Numbers, Spread
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Wager
from pairhouse.core.tally import net_of
from pairhouse.games import blackjack
from pairhouse.machines.simulate.score import Scoring, every_happening

if TYPE_CHECKING:
    from pairhouse.analysis.simulation.strategies import Way

HANDS_MAX = 4
UNITS_MAX = 2 * HANDS_MAX  # every hand doubled


@dataclass(frozen=True)
class HandScore:
    """cell = net of all hands + (units at risk + (insurance + class of the first cards * 3) * 9) * nets."""

    variant: Variant
    wagers: tuple[str, ...]
    draws: int = 0

    @property
    def main(self) -> Wager:
        return self.variant.wagers[MAIN]

    @property
    def steps(self) -> int:
        """Results are whole numbers of one over this."""
        return lcm(*(price.denominator for price in self.main.paytable.prices))

    @property
    def nets(self) -> int:
        """How many different results there is room for: every hand doubled and lost, to every hand doubled and won."""
        return 2 * UNITS_MAX * self.steps + 1

    @property
    def side_bets(self) -> list[str]:
        return [name for name in self.wagers if self.variant.wagers[name].decided_by is blackjack.InitialDeal]

    @property
    def takes_insurance(self) -> bool:
        """Insurance is measured by taking it whenever it is offered; that changes no other wager."""
        return INSURANCE in self.wagers

    def classes(self) -> list[tuple[Fraction, ...]]:
        """What the first cards can pay on the side bets: deals that pay alike are one class."""
        bets = [self.variant.wagers[name] for name in self.side_bets]
        deals = every_happening(blackjack.InitialDeal)
        return sorted({tuple(net_of(bet, deal) for bet in bets) for deal in deals}) if bets else [()]

    @property
    def scoring(self) -> Scoring:
        kinds: list[type] = []
        parts: list[list[int]] = []
        wide = self.nets * (UNITS_MAX + 1)
        if MAIN in self.wagers:
            kinds.append(blackjack.HandDone)
            parts.append([self._hand(hand) for hand in every_happening(blackjack.HandDone)])
        if self.takes_insurance:
            kinds.append(blackjack.Insured)
            parts.append([wide, 2 * wide])  # lost, won
        if self.side_bets:
            kinds.append(blackjack.InitialDeal)
            parts.append(self._classes_of_deals(3 * wide))
        starts = [sum(map(len, parts[:number])) for number in range(len(parts))]
        offsets = np.array([*chain.from_iterable(parts)] or [0], np.int64)
        cells = 3 * wide * len(self.classes())
        return Scoring(tuple(kinds), (-1,) * len(kinds), tuple(starts), offsets, cells, self.nets // 2)

    def _hand(self, hand: blackjack.HandDone) -> int:
        """What one hand adds: its net in steps, and its units times the room for nets."""
        if not 1 <= hand.units <= 2 or hand.outcome > blackjack.DEALER_BLACKJACK:
            return 0
        return int(net_of(self.main, hand) * self.steps) + hand.units * self.nets

    def _classes_of_deals(self, wide: int) -> list[int]:
        bets = [self.variant.wagers[name] for name in self.side_bets]
        number = {pays: at for at, pays in enumerate(self.classes())}
        return [number[tuple(net_of(b, d) for b in bets)] * wide for d in every_happening(blackjack.InitialDeal)]

    def _axes(self, counts: Numbers) -> Numbers:
        """The tally as a box: class of the first cards, insurance, units at risk, net."""
        return counts.reshape(len(self.classes()), 3, UNITS_MAX + 1, self.nets)

    def spreads(self, counts: Numbers) -> dict[str, Spread]:
        """What each wager won or lost, and how often; insurance in the rounds where it was offered."""
        box = self._axes(counts)
        found: dict[str, Spread] = {}
        for wager in self.wagers:
            if wager == MAIN:
                by_net = box.sum(axis=(0, 1, 2))
                middle = self.nets // 2
                nets_found = {Fraction(at - middle, self.steps): int(n) for at, n in enumerate(by_net) if n}
                found[wager] = nets_found
            elif wager == INSURANCE:
                pays = self.variant.wagers[INSURANCE].paytable
                by_end = box.sum(axis=(0, 2, 3))
                ends = ((blackjack.Insured(False), by_end[1]), (blackjack.Insured(True), by_end[2]))
                found[wager] = {pays.paid(end).pays: int(n) for end, n in ends if n}
            else:
                found[wager] = self._side_spread(box.sum(axis=(1, 2, 3)), self.side_bets.index(wager))
        return found

    def together(self, counts: Numbers, stakes: Mapping[str, int]) -> Spread:
        """What stakes on the wagers that were measured won together, and how often."""
        insurance = self.variant.wagers[INSURANCE].paytable if self.takes_insurance else None
        ended = [blackjack.Insured(False), blackjack.Insured(True)]
        insured = [Fraction(0), *(insurance.paid(end).pays if insurance else Fraction(0) for end in ended)]
        classes, middle = self.classes(), self.nets // 2
        spread: Spread = {}
        for deal, end, _units, at in np.argwhere(box := self._axes(counts)):
            net = Fraction(int(at) - middle, self.steps) * stakes.get(MAIN, 0)
            net += insured[end] * stakes.get(INSURANCE, 0)
            net += sum((p * stakes.get(b, 0) for b, p in zip(self.side_bets, classes[deal], strict=True)), Fraction(0))
            spread[net] = spread.get(net, 0) + int(box[deal, end, _units, at])
        return spread

    def _side_spread(self, by_class: Numbers, bet: int) -> Spread:
        spread: Spread = {}
        for pays, number in zip(self.classes(), by_class, strict=True):
            if number:
                spread[pays[bet]] = spread.get(pays[bet], 0) + int(number)
        return spread

    def joint_counts(self, counts: Numbers) -> dict[Hashable, int]:
        """What the first cards paid on all side bets together, and how often."""
        found = self._axes(counts).sum(axis=(1, 2, 3))
        return {pays: int(n) for pays, n in zip(self.classes(), found, strict=True) if n}

    def joint_chances(self, way: "Way") -> dict[Hashable, float] | None:
        """What the first cards pay on all side bets together, exactly, where there are side bets."""
        exact = way.tally() if self.side_bets else None
        if exact is None:
            return None
        bets = [self.variant.wagers[name] for name in self.side_bets]
        chances: dict[Hashable, float] = {}
        for ((_, deal),), ways in exact.stories.items():
            pays = tuple(net_of(bet, deal) for bet in bets)
            chances[pays] = chances.get(pays, 0.0) + ways / exact.total
        return chances

    def staked(self, counts: Numbers) -> int:
        """The units at risk on the main wager over all rounds."""
        by_units = self._axes(counts).sum(axis=(0, 1, 3))
        return int(by_units @ np.arange(UNITS_MAX + 1))
