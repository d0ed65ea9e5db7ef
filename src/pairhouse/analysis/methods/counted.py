"""Rule books without a choice: everything is counted, every ordered deal of a few cards."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from pairhouse.analysis.exact.counts import Counted, Counting, counted
from pairhouse.analysis.exact.prices import nets
from pairhouse.analysis.methods.method import BURNT, COUNTED, Method
from pairhouse.analysis.methods.records import Advice, SolvedGame
from pairhouse.core.cards import Card, parse
from pairhouse.core.errors import Refused

if TYPE_CHECKING:
    from pairhouse.analysis.exact.oracle_check import OracleCheck
    from pairhouse.analysis.second_derivation import Second
    from pairhouse.analysis.simulation.scoring import Score
    from pairhouse.analysis.simulation.strategies import Way
    from pairhouse.machines.simulate.shoes import Dealing


class CountedMethod(Method):
    """What a rule book without a choice needs: what is counted of it, and a small deck to check the count on."""

    counting: ClassVar[Counting]
    small_deck: ClassVar[str]

    @abstractmethod
    def second(self) -> "Second": ...

    def tally(self, shoe: Sequence[Card] | None = None) -> Counted:
        return replace(counted(self.dealt_as, self.counting, shoe), variant=self.variant)

    def play(self, name: str = "best", *, wagers: Sequence[str] = (), hurried: bool = False) -> "Way":
        from pairhouse.analysis.simulation.strategies import Way, counted_exact

        if name != "best":
            given = f"{self.variant.game.name} has no decision"
            raise Refused("no-decision", f"{given}, so there is no strategy to choose")
        return Way("best", None, lambda: counted_exact(self, hurried), self.tally)

    def best(self) -> SolvedGame:
        """Nothing is decided during a round, so the only choice is the bet: the wagers, cheapest first."""
        evs = {wager: self.exact_price(wager).ev for wager in self.wagers_from(COUNTED)}
        cheapest = sorted(evs, key=lambda wager: -evs[wager])
        name = self.variant.wagers[cheapest[0]].name
        says = [
            f"{self.variant.game.name} has no decision to solve: nothing is chosen after the cards are dealt.",
            f"Its cheapest wager is {name}, with a house edge of {-float(evs[cheapest[0]]):.4%}.",
        ]
        record = {
            "game": self.variant.game.id,
            "options": dict(self.variant.options),
            "rules_hash": self.variant.rules_hash,
            "ev": None,
            "says": says,
            "wagers": {wager: {"ev": evs[wager]} for wager in cheapest},
        }
        return SolvedGame(ev=None, strategy_class="", says=says, charts=[], record=record)

    def advise(self, hand: Sequence[Card], up: Card | None = None, seen: Sequence[Card] = ()) -> Advice:
        given = f"{self.variant.game.name} has no decision to solve"
        raise Refused("no-decision", f"{given}, so no hand of it can be advised")

    def score(self, wagers: Sequence[str] | None = None) -> "Score":
        from pairhouse.analysis.simulation.scoring import StoryScore, chosen_wagers

        draws = self.counting.classes.draws
        return StoryScore(self.variant, chosen_wagers(self.variant, wagers), self.counting.kinds, draws)

    def shoe_dealing(self, behind_cut: int | None) -> "Dealing":
        from pairhouse.machines.simulate.shoes import Dealing

        if not self.variant.game.shoe:
            given = f"{self.variant.game.name} is shuffled for every round"
            raise Refused("bad-shoe", f"{given}; it is not dealt from a shoe")
        cut = self.variant.options["cut_card"] if behind_cut is None else behind_cut
        return Dealing(BURNT, cut, 1, self.counting.classes.draws)

    def net_chances(self, stakes: Mapping[str, int]) -> dict[Fraction, float]:
        return story_chances(self.tally(), stakes)

    def small(self) -> "OracleCheck":
        from pairhouse.analysis.exact.oracle_check import oracle_check
        from pairhouse.machines.enumerate import enumerate_rounds

        cards = parse(self.small_deck.split())
        walked = enumerate_rounds(self.counting.play, self.variant.rules, cards)
        return oracle_check(self.small_deck, (walked, self.tally(cards).stories))


def story_chances(tally: Counted, stakes: Mapping[str, int]) -> dict[Fraction, float]:
    """What stakes win together over the stories of a tally, each net result with its chance."""
    each = {name: nets(tally, name) for name in stakes}
    found: dict[Fraction, float] = {}
    for story, ways in tally.stories.items():
        total = sum((stake * each[name][story] for name, stake in stakes.items()), Fraction(0))
        found[total] = found.get(total, 0.0) + ways / tally.total
    return found
