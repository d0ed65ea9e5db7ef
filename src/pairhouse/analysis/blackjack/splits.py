"""What a split is worth when its hands may be split again.

All hands of a split share one value by symmetry, but how many there are depends on the second cards. The hands are
therefore sorted by what is known of second cards: a card that pairs (and splits again) or one that does not. Knowing
that another hand's second card does not pair tells a little about the shoe, and is weighed exactly:

    F(k, j) = P(p) F(k + 1, j) + (1 - P(p)) F(k, j + 1)

where F is any expectation with k pair cards and j other cards "not a pair card" out of the shoe, and P(p) the chance
that one more unseen card is a pair card. It gives F(k, j + 1) from values with fewer such cards.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from pairhouse.analysis.blackjack.hands import Reals
from pairhouse.games.blackjack_choices import Rules

Start = Callable[[int], tuple[float, float, float]]


def falling(top: float, count: int) -> float:
    """top * (top - 1) * ... over so many factors."""
    product = 1.0
    for step in range(count):
        product *= top - step
    return product


@dataclass(frozen=True, eq=False)
class SplitShoe:
    """The shoe of a split: the up card and some pair cards are gone; a peek may have ruled out a value for the hole."""

    shoe: Reals
    up: int
    pair: int
    ruled_out: int

    def left_of_pair(self, known: int) -> float:
        """Pair cards left when so many are known to be out."""
        return float(self.shoe[self.pair]) - known - (self.up == self.pair)

    def pairs_next(self, known: int, others: int) -> float:
        """The chance that one more unseen card (not the hole card) is a pair card, with `others` known not to be."""
        pairs = self.left_of_pair(known)
        cards = float(self.shoe.sum()) - 1 - known
        if pairs <= 0:
            return 0.0
        if self.ruled_out == 0:
            return pairs / (cards - others)
        if self.ruled_out == self.pair:
            return pairs / (cards - 1 - others)
        holes = cards - float(self.shoe[self.ruled_out]) + (self.up == self.ruled_out)
        hole_is_pair = pairs / holes * falling(cards - pairs, others)
        hole_is_other = (holes - pairs) / holes * falling(cards - 1 - pairs, others)
        weighted = hole_is_pair * (pairs - 1) + hole_is_other * pairs
        return weighted / (hole_is_pair + hole_is_other) / (cards - 1 - others)


def split_expectation(rules: Rules, shoe: SplitShoe, start: Start, again: bool) -> float:
    """The value of a split. `start(k)` gives, with k pair cards out, what second cards that do not pair are worth, what
    one that does is worth unsplit, and its chance."""
    if not again or rules.hands_max == 2:
        other, paired, _ = start(2)
        return 2 * (other + paired)
    if rules.splits_max < rules.hands_max:
        return _once_more_each(start)
    return _up_to_hands(rules.hands_max, shoe, start)


def _once_more_each(start: Start) -> float:
    """Each of the two hands may be split once more: neither depends on what the other does."""
    other, _, chance = start(2)
    deep_other, deep_paired, _ = start(3)
    return 2 * (other + chance * 2 * (deep_other + deep_paired))


def _up_to_hands(most: int, shoe: SplitShoe, start: Start) -> float:
    """Any hand may be split until there are `most`: walk through the second cards in turn."""
    start = cache(start)

    @cache
    def known(which: int, pairs: int, others: int) -> float:
        """An expectation (0: second card does not pair; 1: any second card; 2: the chance of the former), see above."""
        if others == 0:
            other, paired, chance = start(pairs)
            return (other, other + paired, 1 - chance)[which]
        chance = shoe.pairs_next(pairs, others - 1)
        with_pair = chance * known(which, pairs + 1, others - 1) if chance > 0 else 0.0
        return (known(which, pairs, others - 1) - with_pair) / (1 - chance)

    def walk(hands: int, waiting: int, done: int) -> float:
        """The value of all hands, with `waiting` second cards to come and `done` that did not pair."""
        if waiting == 0 or hands == most:
            total = 0.0
            if done:
                total += done * known(0, hands, done - 1) / known(2, hands, done - 1)
            return total + (waiting * known(1, hands, done) if waiting else 0.0)
        chance = shoe.pairs_next(hands, done)
        value = (1 - chance) * walk(hands, waiting - 1, done + 1)
        return value + (chance * walk(hands + 1, waiting + 1, done) if chance > 0 else 0.0)

    return walk(2, 2, 0)


def hand_counts(rules: Rules, shoe: SplitShoe, again: bool) -> dict[tuple[int, int], float]:
    """How many hands a split comes to, with their chances: those whose second card does not pair, and those where any
    second card is kept."""
    if not again or rules.hands_max == 2:
        return {(0, 2): 1.0}
    if rules.splits_max < rules.hands_max:
        one, both = shoe.pairs_next(2, 0), shoe.pairs_next(3, 0)
        return {(2, 0): 1 - 2 * one + one * both, (1, 2): 2 * one * (1 - both), (0, 4): one * both}
    found: dict[tuple[int, int], float] = {}

    def walk(hands: int, waiting: int, done: int, chance: float) -> None:
        if waiting == 0 or hands == rules.hands_max:
            found[done, waiting] = found.get((done, waiting), 0.0) + chance
            return
        pairs = shoe.pairs_next(hands, done)
        walk(hands, waiting - 1, done + 1, chance * (1 - pairs))
        if pairs > 0:
            walk(hands + 1, waiting + 1, done, chance * pairs)

    walk(2, 2, 0, 1.0)
    return found
