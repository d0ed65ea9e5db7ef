"""Side bets on another game: the host's wagers by the host's own method, the bets beside it counted by running."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.methods.counted import story_chances
from pairhouse.analysis.methods.method import COUNTED, Method
from pairhouse.analysis.methods.records import Advice, Priced, SolvedGame
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.cards import Card
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game, Variant
from pairhouse.core.rule import with_rules
from pairhouse.core.tally import Story
from pairhouse.machines.events import View

if TYPE_CHECKING:
    from pairhouse.analysis.exact.oracle_check import OracleCheck
    from pairhouse.analysis.reports.charts import Chart
    from pairhouse.analysis.reports.par import ParSheet
    from pairhouse.analysis.reports.render.document import Section
    from pairhouse.analysis.second_derivation import Second
    from pairhouse.analysis.simulation.scoring import Score
    from pairhouse.analysis.simulation.strategies import Way
    from pairhouse.machines.simulate.shoes import Dealing


class HostedMethod(Method):
    """Wagers of the host are asked of its method; the others are decided by what the host deals before any choice."""

    @cached_property
    def host(self) -> Method:
        """The method of the host under the same options."""
        game = self.given.game.host
        assert game is not None
        return method_of(_under(game, self.given))

    @cached_property
    def opening(self) -> Variant:
        """The part of the host that is counted before any choice, with the side bets at their moments, as a game."""
        counting = self.host.counting
        if counting is None:
            raise Refused("not-priced", f"{self.host.variant.game.name} has no part that is counted before a choice")
        game = self.dealt_as.game
        counted = tuple(self.host.variant.wagers[wager] for wager in self.host.wagers_from(COUNTED))
        play = with_rules(counting.play, dict(game.at), game.module)
        wagers = (*counted, *self._own(self.variant))
        return Variant(replace(game, play=play, actions=(), host=None, wagers=lambda _o: wagers), self.dealt_as.options)

    def _own(self, variant: Variant) -> tuple[Any, ...]:
        return tuple(wager for wager in variant.wagers.values() if wager.id not in self.host.variant.wagers)

    @cached_property
    def side(self) -> GenericMethod:
        """The side bets alone, counted."""
        return _SideMethod(self.opening)

    @property
    def own(self) -> list[str]:
        """The wagers that the host does not have."""
        return [wager.id for wager in self._own(self.variant)]

    # Prices

    def source(self, wager: str) -> str | None:
        if wager in self.own:
            return COUNTED if self._is_counted(wager) else None
        return self.host.source(wager)

    def _is_counted(self, wager: str) -> bool:
        kind = self.wager(wager).decided_by
        return any(type(happened) is kind for story in self.side.found.stories for _, happened in story)

    def reason(self, wager: str) -> str:
        if wager not in self.own:
            return self.host.reason(wager)
        return "it is decided after a choice, so its price depends on how the hand is played"

    def tally(self, shoe: Sequence[Card] | None = None) -> Counted:
        return replace(self.side.tally(shoe), variant=self.variant)

    def price(self, wager: str, shoe: Sequence[Card] | None = None) -> Priced:
        if wager in self.own:
            return super().price(wager, shoe)
        return self.host.price(wager, shoe)

    def priced_apart(self, wager: str) -> Priced:
        return self.host.priced_apart(wager)

    def wagers_from(self, *sources: str) -> list[str]:
        return [wager for wager in self.variant.wagers if self.source(wager) in sources]

    # Play: that of the host

    @property
    def decides(self) -> bool:
        return self.host.decides

    def strategies(self) -> list[str]:
        return self.host.strategies()

    def play(self, name: str = "best", *, wagers: Sequence[str] = (), hurried: bool = False) -> "Way":
        from pairhouse.analysis.simulation.strategies import Way, exact_in

        theirs = [wager for wager in wagers if wager not in self.own]
        way = self.host.play(name, wagers=theirs, hurried=hurried)
        return Way(way.name, way.strategy, lambda: way.exact() | exact_in(self.side.tally()), self.side.tally)

    def best(self) -> SolvedGame:
        return self.host.best()

    def advise(self, hand: Sequence[Card], up: Card | None = None, seen: Sequence[Card] = ()) -> Advice:
        return self.host.advise(hand, up, seen)

    def advise_at(self, view: View) -> Advice:
        return self.host.advise_at(view)

    def charts(self) -> "list[Chart]":
        return self.host.charts()

    # Simulation

    def score(self, wagers: Sequence[str] | None = None) -> "Score":
        from pairhouse.analysis.generic.scoring import BesideScore, ClassScore
        from pairhouse.analysis.simulation.scoring import chosen_wagers

        chosen = chosen_wagers(self.variant, wagers)
        theirs = [wager for wager in chosen if wager not in self.own]
        mine = tuple(wager for wager in chosen if wager in self.own)
        kinds = tuple(dict.fromkeys(self.variant.wagers[wager].decided_by for wager in mine))
        every = replace(self.side.tally(), variant=self.variant)
        side = ClassScore.of(every, mine, 0, kinds)
        if not theirs:
            return replace(side, draws=self.host.score().draws)
        host = self.host.score(theirs)
        return BesideScore(host, side) if mine else host

    def shoe_dealing(self, behind_cut: int | None) -> "Dealing":
        return self.host.shoe_dealing(behind_cut)

    def net_chances(self, stakes: Mapping[str, int]) -> dict[Fraction, float]:
        if set(stakes) <= set(self.own):
            return story_chances(self.tally(), stakes)
        if not set(stakes) & set(self.own):
            return self.host.net_chances(stakes)
        raise Refused(
            "not-together", "wagers of the host and side bets are not counted together; give one or the other"
        )

    # Checks and reports

    def second(self) -> "Second":
        from pairhouse.analysis.second_derivation import Second

        theirs, mine = self.host.second(), self.side.second()
        return Second(f"{theirs.method}; side bets: {mine.method}", {**theirs.wagers, **mine.wagers}, mine.covers_all)

    def small(self) -> "OracleCheck":
        return self.side.small()

    def solved_again(self) -> Any | None:
        return self.host.solved_again()

    def details(self) -> dict[str, Any]:
        return self.host.details()

    def sections(self, sheet: "ParSheet") -> "list[Section]":
        return self.host.sections(sheet)


class _SideMethod(GenericMethod):
    """What is dealt before any choice: the side bets, and those wagers of the host that are counted."""

    @property
    def decides(self) -> bool:
        return False

    def net(self, _story: Story) -> Fraction:
        """Nothing is decided here, so no play has to be compared; the side bets need not open a seat."""
        return Fraction(0)


def _under(game: Game, variant: Variant) -> Variant:
    """The host under the options of a variant of the game with side bets."""
    from pairhouse.analysis.exact.variants import widened

    return widened(game).variant(variant.options)
