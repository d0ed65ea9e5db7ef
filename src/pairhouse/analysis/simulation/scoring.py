"""How simulated rounds of each game are counted, and what the counts say of every wager.

Where a game settles each kind of happening once, whole stories are counted. Blackjack settles one happening a hand, so
there it counts what the hands won and risked together, beside the insurance and the class of the side bets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.exact.counts import COUNTINGS, Counted
from pairhouse.analysis.exact.prices import nets
from pairhouse.core.errors import Refused, unknown
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Wager
from pairhouse.core.tally import Story, net_of
from pairhouse.games import blackjack, three_card_poker
from pairhouse.machines.simulate.score import Scoring, code_bits, every_happening, happening, side_by_side

Numbers = npt.NDArray[np.int64]
Spread = dict[Fraction, int]  # what a unit on a wager won or lost -> in how many rounds

SAMPLED = "simulated rounds of the game's own play, compiled"
INSURANCE = "insurance"


class Score(Protocol):
    """The cells of a game's tally, and how to read them."""

    @property
    def scoring(self) -> Scoring: ...
    @property
    def wagers(self) -> tuple[str, ...]: ...
    def spreads(self, counts: Numbers) -> dict[str, Spread]: ...


def priced_wagers(variant: Variant) -> list[str]:
    """The wagers a simulation can measure: those placed before the cards, and insurance; not a share of a meter."""
    placed = [w for w in variant.wagers.values() if w.base is None or w.id == INSURANCE]
    return [wager.id for wager in placed if not any(line.share for line in wager.paytable.rows)]


def chosen_wagers(variant: Variant, wanted: Sequence[str] | None) -> tuple[str, ...]:
    """The wagers that are measured: those wanted, or all."""
    offered = priced_wagers(variant)
    for name in wanted or ():
        if name in variant.wagers and any(line.share for line in variant.wagers[name].paytable.rows):
            given = f"{name} pays shares of a meter, which moves from round to round"
            priced = f"`pairhouse simulate {variant.game.id} -o progressive=true --meter READING`"
            raise Refused("meter-wager", f"{given}; {priced} prices it at a reading")
        if name not in offered:
            raise unknown("wager", name, offered)
    return tuple(name for name in offered if wanted is None or name in wanted)


def score_of(variant: Variant, wanted: Sequence[str] | None = None) -> "StoryScore | HandScore":
    """The way the rounds of a variant are counted."""
    wagers = chosen_wagers(variant, wanted)
    return HandScore(variant, wagers) if variant.game.play is blackjack.play else StoryScore(variant, wagers)


@dataclass(frozen=True)
class StoryScore:
    """Whole stories: each kind of happening once, in the order it is settled."""

    variant: Variant
    wagers: tuple[str, ...]

    @property
    def kinds(self) -> tuple[type, ...]:
        play = self.variant.game.play
        return (three_card_poker.Showdown,) if play is three_card_poker.play else COUNTINGS[play].kinds

    @property
    def draws(self) -> int:
        """The most cards a round takes."""
        play = self.variant.game.play
        return 6 if play is three_card_poker.play else COUNTINGS[play].classes.draws

    @property
    def scoring(self) -> Scoring:
        return side_by_side(self.kinds)

    def story(self, cell: int) -> Story:
        """The story of a cell."""
        told = []
        for kind in self.kinds:
            told.append((1, happening(kind, cell & (1 << code_bits(kind)) - 1)))
            cell >>= code_bits(kind)
        return tuple(told)

    def counted(self, counts: Numbers) -> Counted:
        """The tally as the exact prices read it."""
        stories = {self.story(int(cell)): int(counts[cell]) for cell in np.flatnonzero(counts)}
        return Counted(self.variant, stories, int(counts.sum()), SAMPLED)

    def spreads(self, counts: Numbers) -> dict[str, Spread]:
        """What each wager won or lost, and how often."""
        tally = self.counted(counts)
        found: dict[str, Spread] = {}
        for wager in self.wagers:
            spread: Spread = {}
            for story, net in nets(tally, wager).items():
                spread[net] = spread.get(net, 0) + tally.stories[story]
            found[wager] = spread
        return found


HANDS_MAX = 4
UNITS_MAX = 2 * HANDS_MAX  # every hand doubled


@dataclass(frozen=True)
class HandScore:
    """Blackjack: cell = net of all hands + (units at risk + (insurance + class of the first cards * 3) * 9) * nets."""

    variant: Variant
    wagers: tuple[str, ...]

    @property
    def main(self) -> Wager:
        return self.variant.wagers["main"]

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
        if "main" in self.wagers:
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
            if wager == "main":
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
            net = Fraction(int(at) - middle, self.steps) * stakes.get("main", 0)
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

    def by_class(self, counts: Numbers) -> dict[tuple[Fraction, ...], int]:
        """What the first cards paid on all side bets together, and how often."""
        found = self._axes(counts).sum(axis=(1, 2, 3))
        return {pays: int(n) for pays, n in zip(self.classes(), found, strict=True) if n}

    def staked(self, counts: Numbers) -> int:
        """The units at risk on the main wager over all rounds."""
        by_units = self._axes(counts).sum(axis=(0, 1, 3))
        return int(by_units @ np.arange(UNITS_MAX + 1))


def moments(spread: Mapping[Fraction, int]) -> tuple[int, Fraction, Fraction]:
    """How many rounds, their mean and their variance, exactly."""
    rounds = sum(spread.values())
    if rounds == 0:
        return 0, Fraction(0), Fraction(0)
    mean = sum((net * n for net, n in spread.items()), Fraction(0)) / rounds
    square = sum((net * net * n for net, n in spread.items()), Fraction(0)) / rounds
    return rounds, mean, square - mean * mean
