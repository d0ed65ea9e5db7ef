"""The exact price of every counted wager from the cards that are left in a shoe, in about 0.1 ms for all of them.

The wagers of a game are sorted by the cards they can tell apart (a pair needs ranks, a total only points: this is found
by comparing counts, not declared), and each group adds up only the terms it needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm, perm

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.exact.counts import Counting
from pairhouse.analysis.protect.rule_book import counted_wagers, counting_of, net_in
from pairhouse.core.cards import Card, pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.machines.composition import Book, Evaluator, Numbers, interchangeable, terms_of
from pairhouse.machines.stories import unpack

Decimals = npt.NDArray[np.float64]
LARGEST = 2**63


@dataclass(frozen=True, eq=False)
class Group:
    """Wagers that tell the same cards apart: where they stand in the layout, and what each cell of deals gives back.

    `returns` holds, by cell and wager, stake and winnings per unit in steps of 1/`steps`; what no cell counts is lost.
    """

    places: list[int]
    evaluator: Evaluator
    returns: Numbers


class ShoePrices:
    """Prices every counted wager of a variant from any cards that are left."""

    def __init__(self, variant: Variant, given: Counting | None = None) -> None:
        """`given` is what is counted, where the variant's own method does not say it."""
        counting = given or counting_of(variant)
        self.variant, self.wagers, self.draws = variant, counted_wagers(variant, counting), counting.classes.draws
        decks, jokers = variant.pack
        one_deck = pack(1, jokers)
        kinds_of_card = sorted({counting.classes.of(face) for face in one_deck})
        self.class_of = np.array([kinds_of_card.index(counting.classes.of(face)) for face in one_deck])
        stand_in = [one_deck[int((self.class_of == at).argmax())] for at in range(len(kinds_of_card))]
        terms = terms_of(Book(counting.play, variant.rules, counting.kinds, tuple(stand_in), self.draws))
        stories = [unpack(story, counting.kinds) for story in terms.stories]
        net = {wager: net_in(variant, wager, stories) for wager in self.wagers}
        self.steps = lcm(*(value.denominator for values in net.values() for value in values))
        returns = np.array([[int((value + 1) * self.steps) for value in net[wager]] for wager in self.wagers]).T
        if int(np.abs(returns).max()) * perm(decks * len(one_deck), self.draws) >= LARGEST:
            raise Refused("too-large", f"{variant.game.name} from {decks} decks has too many deals to be counted here")
        if returns.min() < 0:
            raise Refused("not-counted", f"a wager of {variant.game.name} can lose more than its stake")
        alike = interchangeable(terms, [np.unique(column, return_inverse=True)[1] for column in returns.T])
        self.groups = []
        for together in sorted(set(alike)):
            places = [at for at, found in enumerate(alike) if found == together]
            rows, cell_of = np.unique(returns[:, places], axis=0, return_inverse=True)
            lost = int((~rows.any(axis=1)).argmax()) if (~rows.any(axis=1)).any() else -1
            cell_of = cell_of.ravel() - (cell_of.ravel() > lost if lost >= 0 else 0)
            if lost >= 0:
                cell_of[(returns[:, places] == 0).all(axis=1)] = -1
                rows = np.delete(rows, lost, axis=0)
            self.groups.append(Group(places, Evaluator(terms, cell_of, together), rows))

    def left_of(self, cards: Sequence[Card]) -> Numbers:
        """Cards counted by class, as one row."""
        return np.bincount(self.class_of[np.array(cards, np.int64)], minlength=self.class_of.max() + 1)

    def returned(self, left: Numbers) -> Numbers:
        """For each row of cards left by class: what all ordered deals together return on a unit, in steps."""
        if left.size and left.sum(axis=1).min() < self.draws:
            given = f"{int(left.sum(axis=1).min())} cards are not enough"
            raise Refused("too-few-cards", f"{given}; a round can take {self.draws}")
        found = np.zeros((left.shape[0], len(self.wagers)), np.int64)
        for group in self.groups:
            found[:, group.places] = group.evaluator.ways(left) @ group.returns
        return found

    def exact(self, cards: Sequence[Card]) -> dict[str, Fraction]:
        """What each wager is expected to win per unit when the next round is dealt from these cards in any order."""
        below = perm(len(cards), self.draws) * self.steps
        (row,) = self.returned(self.left_of(cards)[None, :]).tolist()
        return {wager: Fraction(number, below) - 1 for wager, number in zip(self.wagers, row, strict=True)}

    def evs(self, left: Numbers) -> Decimals:
        """The same as decimals, a row for each row of cards left by class; correct to 15 digits of 1 + ev."""
        total = np.ones(left.shape[0])
        for drawn in range(self.draws):
            total *= left.sum(axis=1) - drawn
        found: Decimals = self.returned(left) / (total * self.steps)[:, None] - 1
        return found


@lru_cache(maxsize=16)
def shoe_prices(variant: Variant) -> ShoePrices:
    """The prices of a variant, built once (two seconds for baccarat)."""
    return ShoePrices(variant)
