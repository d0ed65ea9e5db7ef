"""The solver's play as a function of a situation, for every machine that plays."""

from dataclasses import dataclass

from pairhouse.analysis.blackjack.solve import hands_with
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.games.blackjack_choices import DOUBLE, HIT, NO_INSURANCE, SPLIT, STAND
from pairhouse.games.blackjack_hand import HAND_BITS


@dataclass(frozen=True)
class Situation:
    """What a choice rests on, taken apart again."""

    hand: int
    up: int
    times_split: int
    pair: int

    @classmethod
    def of(cls, number: int) -> "Situation":
        """The situation behind the number that the rule book gives."""
        rest = number >> HAND_BITS
        return cls(number & (1 << HAND_BITS) - 1, rest & 15, rest >> 4 & 7, rest >> 7)


@dataclass(frozen=True, eq=False)
class CompositionPlay:
    """Composition-dependent best play: a strategy for any machine. Insurance is never taken."""

    solution: Solution

    def __call__(self, legal: int, number: int) -> int:
        """The action for one situation."""
        if legal & NO_INSURANCE:
            return NO_INSURANCE
        at = Situation.of(number)
        if at.pair == 0:
            return self._unsplit(legal, at.hand, at.up)
        if legal & SPLIT:
            return SPLIT
        plan = self.solution.ups[at.up].plans[at.pair]
        hand = hands_with(self.solution.rules.charlie, at.pair).index[at.hand]
        if legal & DOUBLE and plan.doubles[hand]:
            return DOUBLE
        return STAND if plan.stands[hand] else HIT

    def _unsplit(self, legal: int, hand: int, up: int) -> int:
        values = {a: v for a, v in self.solution.ups[up].actions_of(hand).items() if a & legal}
        return max(values, key=lambda action: values[action])
