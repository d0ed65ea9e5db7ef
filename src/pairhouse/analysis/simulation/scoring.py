"""How simulated rounds are counted, and what the counts say of every wager.

Where a game settles each kind of happening once, whole stories are counted.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import nets, stands_alone
from pairhouse.core.errors import Refused, unknown
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story
from pairhouse.machines.simulate.score import Scoring, code_bits, happening, side_by_side

if TYPE_CHECKING:
    from pairhouse.analysis.simulation.strategies import Way

Numbers = npt.NDArray[np.int64]
Spread = dict[Fraction, int]  # what a unit on a wager won or lost -> in how many rounds

SAMPLED = "simulated rounds of the game's own play, compiled"


class Score(Protocol):
    """The cells of a game's tally, and how to read them. `draws` is the most cards a round takes; 0 for no limit."""

    @property
    def scoring(self) -> Scoring: ...
    @property
    def wagers(self) -> tuple[str, ...]: ...
    @property
    def draws(self) -> int: ...
    def spreads(self, counts: Numbers) -> dict[str, Spread]:
        """What each wager won or lost, and how often."""

    def joint_counts(self, counts: Numbers) -> dict[Hashable, int]:
        """How often each result that is counted exactly came, all wagers of it together."""

    def joint_chances(self, way: "Way") -> dict[Hashable, float] | None:
        """The exact chance of each of those results under a way to play; None where there is none."""


def measured_wagers(variant: Variant) -> list[str]:
    """The wagers a simulation can measure: those with a price of their own, but no share of a meter."""
    alone = [wager for wager in variant.wagers.values() if stands_alone(variant, wager)]
    return [wager.id for wager in alone if not any(line.share for line in wager.paytable.rows)]


def chosen_wagers(variant: Variant, wanted: Sequence[str] | None) -> tuple[str, ...]:
    """The wagers that are measured: those wanted, or all."""
    offered = measured_wagers(variant)
    for name in wanted or ():
        if name in variant.wagers and any(line.share for line in variant.wagers[name].paytable.rows):
            given = f"{name} pays shares of a meter, which moves from round to round"
            raise Refused("meter-wager", f"{given}; `pairhouse simulate --meter READING` prices it at a reading")
        if name not in offered:
            raise unknown("wager", name, offered)
    return tuple(name for name in offered if wanted is None or name in wanted)


@dataclass(frozen=True)
class StoryScore:
    """Whole stories: each kind of happening once, in the order it is settled."""

    variant: Variant
    wagers: tuple[str, ...]
    kinds: tuple[type, ...]
    draws: int

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

    def joint_counts(self, counts: Numbers) -> dict[Hashable, int]:
        return {_settled(story): number for story, number in self.counted(counts).stories.items()}

    def joint_chances(self, way: "Way") -> dict[Hashable, float] | None:
        exact = way.tally()
        if exact is None:
            return None
        chances: dict[Hashable, float] = {}
        for story, ways in exact.stories.items():
            chances[_settled(story)] = chances.get(_settled(story), 0.0) + ways / exact.total
        return chances


def _settled(story: Story) -> tuple[Any, ...]:
    """What a story settled, without the seats."""
    return tuple(happened for _, happened in story)


def moments(spread: Mapping[Fraction, int]) -> tuple[int, Fraction, Fraction]:
    """How many rounds, their mean and their variance, exactly."""
    rounds = sum(spread.values())
    if rounds == 0:
        return 0, Fraction(0), Fraction(0)
    mean = sum((net * n for net, n in spread.items()), Fraction(0)) / rounds
    square = sum((net * net * n for net, n in spread.items()), Fraction(0)) / rounds
    return rounds, mean, square - mean * mean
