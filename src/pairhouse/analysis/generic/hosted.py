"""Side bets on another game: the host's wagers by the host's own method, the bets beside it counted by running."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import Price
from pairhouse.analysis.generic.late_bets import Rule, happenings, late_price, late_section
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.generic.trial_rounds import found_of
from pairhouse.analysis.methods.counted import story_chances
from pairhouse.analysis.methods.method import COUNTED, SOLVED, Method, Moment
from pairhouse.analysis.methods.records import Advice, Priced, SolvedFigures, SolvedGame
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.cards import Card
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game, Variant
from pairhouse.core.paytable import Wager
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
    """Wagers of the host are asked of its method; the others are counted over what it deals before any choice.

    Those that are decided later are priced over the hands that the host ends with.
    """

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
        theirs = tuple(self.host.variant.wagers[wager] for wager in self.host.wagers_from(COUNTED))
        play = with_rules(counting.play, dict(game.at), game.module)

        def offering(*wagers: Wager) -> Variant:
            changed = replace(game, play=play, actions=(), host=None, wagers=lambda _options: wagers)
            return Variant(changed, self.dealt_as.options)

        whole = offering(*theirs, *self._own)
        settled = {type(happened) for story in found_of(whole).stories for _, happened in story}
        counted = [wager for wager in self._own if wager.decided_by in settled]
        return whole if len(counted) == len(self._own) else offering(*theirs, *counted)

    @property
    def _own(self) -> tuple[Wager, ...]:
        return tuple(wager for wager in self.variant.wagers.values() if wager.id not in self.host.variant.wagers)

    @cached_property
    def late(self) -> dict[str, tuple[Moment, Rule]]:
        """The bets that are decided after choices and priced: each with its moment and the rule that looks."""
        found: dict[str, tuple[Moment, Rule]] = {}
        if len(self.opening.wagers) == len(self.host.wagers_from(COUNTED)) + len(self._own):
            return found  # all are counted before
        moments = self.host.late_moments()
        for moment, look in self.dealt_as.game.at:
            kinds = self._settled_at(look, moments[moment]) if moment in moments else set()
            found |= {wager.id: (moment, look) for wager in self._own if wager.decided_by in kinds}
        return {wager: at for wager, at in found.items() if wager not in self.opening.wagers}

    def _settled_at(self, look: Rule, every: list[tuple[int, ...]]) -> set[type]:
        """The kinds of happening that a rule settles at its moment; none where it looks at more than it is given."""
        try:
            return {type(happened) for happened in happenings(look, every)}
        except Refused as refused:
            if refused.code != "looks-further":
                raise
            return set()

    def late_prices(self, strategy: str = "best") -> dict[str, Priced]:
        """The bets that are decided after choices, under a way to play."""
        return {wager: self.late_price(wager, strategy) for wager in self.late}

    def late_price(self, wager: str, strategy: str = "best") -> Priced:
        """One of them."""
        moment, look = self.late[wager]
        known = self.__dict__.setdefault("calls", {})
        if (moment, strategy) not in known:
            known[moment, strategy] = self.host.calls_at(moment, strategy)
        return late_price(self.variant.wagers[wager], look, known[moment, strategy])

    @cached_property
    def side(self) -> GenericMethod:
        """The side bets alone, counted."""
        return _SideMethod(self.opening)

    @property
    def own(self) -> list[str]:
        """The wagers that the host does not have."""
        return [wager.id for wager in self._own]

    # Prices

    def source(self, wager: str) -> str | None:
        if wager not in self.own:
            return self.host.source(wager)
        if wager in self.opening.wagers:
            return COUNTED
        return SOLVED if wager in self.late else None

    def reason(self, wager: str) -> str:
        if wager not in self.own:
            return self.host.reason(wager)
        return "it is decided after a choice by more than the one hand it could be given, so it is only dealt"

    def tally(self, shoe: Sequence[Card] | None = None) -> Counted:
        return replace(self.side.tally(shoe), variant=self.variant)

    def price(self, wager: str, shoe: Sequence[Card] | None = None) -> Priced:
        if wager in self.own:
            return super().price(wager, shoe)
        return self.host.price(wager, shoe)

    def how_played(self, wager: str) -> str:
        return "one seat with best play" if wager in self.own and wager in self.late else self.host.how_played(wager)

    def priced_apart(self, wager: str) -> Priced:
        return self.late_price(wager) if wager in self.own else self.host.priced_apart(wager)

    def wagers_from(self, *sources: str) -> list[str]:
        return [wager for wager in self.variant.wagers if self.source(wager) in sources]

    def unfollowed(self, wager: str) -> str | None:
        if wager in self.own and wager in self.late:
            return "it is decided after choices, and its price is worked out for the whole pack only"
        return super().unfollowed(wager)

    # Play: that of the host

    @property
    def decides(self) -> bool:
        return self.host.decides

    def strategies(self) -> list[str]:
        return self.host.strategies()

    def play(self, name: str = "best", *, wagers: Sequence[str] = (), hurried: bool = False) -> "Way":
        from pairhouse.analysis.simulation.strategies import ExactFigures, Way, exact_in

        theirs = [wager for wager in wagers if wager not in self.own]
        way = self.host.play(name, wagers=theirs, hurried=hurried)
        late = [wager for wager in (wagers or self.own) if wager in self.late]

        def exact() -> dict[str, ExactFigures]:
            prices = {wager: self.late_price(wager, name) for wager in late}
            found = {wager: ExactFigures(float(price.ev), float(price.variance)) for wager, price in prices.items()}
            return way.exact() | exact_in(self.side.tally()) | found

        return Way(way.name, way.strategy, exact, self.side.tally)

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
        stories = dict(self.side.tally().stories)
        late = {wager: self.late[wager] for wager in mine if wager in self.late}
        for wager in mine:
            if self.source(wager) is None:
                raise Refused("not-measured", f"{wager} cannot be measured: {self.reason(wager)}")
        moments = self.host.late_moments() if late else {}
        for moment, look in dict.fromkeys(late.values()):
            stories |= {((1, happened),): 1 for happened in happenings(look, moments[moment])}
        every = Counted(self.variant, stories, 1, "")
        side = replace(ClassScore.of(every, mine, 0, kinds), counted_together=not late)
        if not theirs:
            return replace(side, draws=self.host.score().draws)
        host = self.host.score(theirs)
        return BesideScore(host, side) if mine else host

    def shoe_dealing(self, behind_cut: int | None) -> "Dealing":
        return self.host.shoe_dealing(behind_cut)

    def net_chances(self, stakes: Mapping[str, int]) -> dict[Fraction, float]:
        late = [wager for wager in stakes if wager in self.late]
        if late:
            raise Refused("not-together", f"{late[0]} depends on how the hand is played; simulate it instead")
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
        found = self.host.solved_again()
        if not isinstance(found, SolvedFigures) or not self.late:
            return found
        told = {
            wager: str(each.ev) if isinstance(each, Price) else f"{each.ev:.9f}, error below {each.error:.0e}"
            for wager, each in self.late_prices().items()
        }
        return msgspec.structs.replace(found, side_bets=told)

    def details(self) -> dict[str, Any]:
        return self.host.details()

    def sections(self, sheet: "ParSheet") -> "list[Section]":
        late = [late_section(sheet.names[wager], sheet.solved[wager]) for wager in self.late if wager in sheet.solved]
        return [*self.host.sections(sheet), *late]


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
