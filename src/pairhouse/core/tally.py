"""Count first, price later: a tally maps what happened to weights, and prices are read from it."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from pairhouse.core.paytable import Wager
from pairhouse.core.settlement import settlement_per_unit

# A happening is what a rule book settles: a small named tuple that wagers are decided by, such as `HandDone`. A story
# is all that was settled in one round, in order: rounds with the same story are paid the same.
Happening: TypeAlias = tuple[int, Any]  # the seat (0 for every seat), and what happened there
Story: TypeAlias = tuple[Happening, ...]


@dataclass(slots=True)
class Tally:
    """Stories with their weights: exact probabilities, or counts of rounds."""

    weights: dict[Story, Fraction] = field(default_factory=dict)

    def add(self, story: Story, weight: Fraction) -> None:
        self.weights[story] = self.weights.get(story, Fraction(0)) + weight

    @property
    def total(self) -> Fraction:
        return sum(self.weights.values(), Fraction(0))

    def expectation(self, wager: Wager, seat: int = 1) -> Fraction:
        """The mean net result of a wager per unit staked on its base at a seat.

        From the tally of a fresh shoe this is the published price. [NSB-7]
        """
        net = Fraction(0)
        for story, weight in self.weights.items():
            net += weight * sum(net_of(wager, happened) for at, happened in story if at in (0, seat))
        return net / self.total


def net_of(wager: Wager, happened: Any) -> Fraction:
    """What a unit on the wager (or on its base) wins or loses in one happening; the meter is priced elsewhere."""
    found = settlement_per_unit(wager, happened)
    return found.net if found is not None else Fraction(0)
