"""Blackjack: the main wager is solved, insurance has a formula, and side bets on the first cards are counted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any

from pairhouse.analysis.blackjack import INSURANCE, MAIN
from pairhouse.analysis.blackjack.insurance import given_tens, insurance_price, insurance_removal, insured_card
from pairhouse.analysis.exact.counts import Counted, Counting, counted
from pairhouse.analysis.methods.counted import story_chances
from pairhouse.analysis.methods.method import BURNT, COUNTED, FORMULA, SOLVED, Method, Moment, seen_cards
from pairhouse.analysis.methods.records import (
    Advice,
    BetOnNextCard,
    Calls,
    Drill,
    KnownPlay,
    Priced,
    Removal,
    SolvedFigures,
    SolvedGame,
    SolvedPrice,
)
from pairhouse.analysis.reports.charts import Chart
from pairhouse.core.cards import Card, parse
from pairhouse.core.errors import Refused
from pairhouse.core.verbs import spot
from pairhouse.games import blackjack
from pairhouse.machines.classes import Classes
from pairhouse.machines.events import View
from pairhouse.machines.stored import stored_as

if TYPE_CHECKING:
    from pairhouse.analysis.blackjack.scoring import HandScore
    from pairhouse.analysis.exact.oracle_check import OracleCheck
    from pairhouse.analysis.reports.par import ParSheet
    from pairhouse.analysis.reports.readings import Reading
    from pairhouse.analysis.reports.render.document import Section
    from pairhouse.analysis.second_derivation import Second
    from pairhouse.analysis.simulation.strategies import ExactFigures, Way
    from pairhouse.machines.simulate.shoes import Dealing

OPENING = Counting(blackjack.opening, (blackjack.InitialDeal,), Classes(draws=3, swaps=((0, 2),)))
SMALL_DECK = "Ac Ac Ac Ad Ah Kc Qc 2c 2c 3c 3d 10h 10s"
CARDS_A_HAND = 2.7  # on average; the dealer's hand counts as one
ROUND_CARDS, CUT, ROUNDS_AFTER = 40, 78, 0  # of a shoe that is dealt down; a deck and a half is cut off


class BlackjackMethod(Method):
    """The tally is that of the first cards; the solver's modules are loaded by what needs them."""

    counting = OPENING
    solved_least = ROUND_CARDS

    # Prices

    def tally(self, shoe: Sequence[Card] | None = None) -> Counted:
        return replace(counted(self.dealt_as, OPENING, shoe), variant=self.variant)

    def source(self, wager: str) -> str | None:
        decided_by = self.wager(wager).decided_by
        return {blackjack.HandDone: SOLVED, blackjack.Insured: FORMULA, blackjack.InitialDeal: COUNTED}.get(decided_by)

    def reason(self, wager: str) -> str:
        return f"it is decided by {self.wager(wager).decided_by.__name__}, which blackjack is not counted by"

    def priced_apart(self, wager: str) -> Priced:
        if self.source(wager) == FORMULA:
            return insurance_price(self.variant)
        if self.dealt_as is not self.given:
            sentence = f"{wager} depends on how it is played, so it is not read anew from a tally"
            raise Refused("not-priced", f"{sentence}; choose the price as an option of the game")
        return stored_as(SolvedPrice, f"main wager {self.given.rules_hash}", self._main_wager)

    def _main_wager(self) -> SolvedPrice:
        from pairhouse.analysis.blackjack.solution_records import main_wager

        return main_wager(self.given)

    # Moments of side bets

    def late_moments(self) -> Mapping[Moment, list[tuple[int, ...]]]:
        from pairhouse.analysis.blackjack.final_hands import every_final_hand

        hands = every_final_hand()
        place = spot(1, 0)
        return {
            blackjack.seat_over: [(place, hand) for hand in hands],
            blackjack.dealer_over: [(hand,) for hand in hands],
        }

    def calls_at(self, moment: Moment, strategy: str = "best") -> Calls:
        from pairhouse.analysis.blackjack.final_hands import calls_at

        play = self.play(strategy).strategy
        assert play is not None
        return calls_at(self.given, moment, play)

    # What a clever player could win

    def removal(self, wager: str) -> Removal | None:
        source = self.source(wager)
        if source == FORMULA:
            return insurance_removal(self.variant)
        if source != SOLVED:
            return None
        from pairhouse.analysis.blackjack.exact_main import main_removal

        return main_removal(self.given)

    def bet_on_next_card(self, wager: str) -> BetOnNextCard | None:
        return insured_card(self.variant) if self.source(wager) == FORMULA else None

    def solved_left(self, wager: str, cards: Sequence[Card]) -> float | None:
        if self.source(wager) != SOLVED:
            return None
        from pairhouse.analysis.blackjack.hole_card import main_left

        return main_left(self.given, cards)

    def cards_a_round(self, seats: int) -> int:
        return floor(CARDS_A_HAND * (seats + 1) + 0.5)

    def known_play(self, seed: int) -> KnownPlay | None:
        if not self.given.rules.hole_card:
            return None
        from pairhouse.analysis.blackjack.hole_card import hole_card_seen

        return KnownPlay(seen=hole_card_seen(self.given))

    # Play

    def strategies(self) -> list[str]:
        from pairhouse.analysis.blackjack.cache import NAMES

        return [*NAMES]

    def play(self, name: str = "best", *, wagers: Sequence[str] = (), hurried: bool = False) -> "Way":
        from pairhouse.analysis.blackjack.cache import NAMES, read_play, stored_play
        from pairhouse.analysis.simulation.strategies import Way, read_strategy

        insures = INSURANCE in wagers  # it is measured by taking it whenever it is offered
        if name in NAMES:
            found = stored_play(self.given, name, insures)
        else:
            found = read_play(self.given, name, read_strategy(self.strategies(), name), insures)
        return Way(name, found.strategy(name), lambda: self._exact(found.expectation, hurried), self.tally)

    def _exact(self, main: float, hurried: bool) -> "dict[str, ExactFigures]":
        """The main wager under a way to play, the counted side bets and insurance, where they are offered."""
        from pairhouse.analysis.simulation.strategies import ExactFigures, counted_exact

        found = {MAIN: ExactFigures(main, None)}
        if self.wagers_from(COUNTED):
            found |= counted_exact(self, hurried)
        return found | {wager: ExactFigures.of(insurance_price(self.variant)) for wager in self.wagers_from(FORMULA)}

    def best(self) -> SolvedGame:
        from pairhouse.analysis.blackjack.solution_records import solved_game

        return solved_game(self.given)

    def advise(self, hand: Sequence[Card], up: Card | None = None, seen: Sequence[Card] = ()) -> Advice:
        from pairhouse.analysis.blackjack.advice import advise

        if up is None:
            raise Refused("no-up-card", "give the dealer's up card too, such as 10h")
        return advise(self.given, hand, up, seen)

    def advise_at(self, view: View) -> Advice:
        """As for a hand, but of the actions that are offered; insurance is a question of its own."""
        from pairhouse.analysis.blackjack.advice import square

        held, up, seen = seen_cards(view)
        found = self.advise(held, up, seen)
        assert view.awaiting is not None
        assert up is not None
        offered = view.awaiting["options"]
        if INSURANCE in offered:
            values: dict[str, Any] = {**found.offers, "no-insurance": 0.0}
        else:
            values = {name: value for name, value in found.actions.items() if name in offered}
        ordered = dict(sorted(values.items(), key=lambda item: -item[1]))
        on_chart = None if INSURANCE in offered else square(held, up, "split" in offered)
        return Advice(ordered, next(iter(ordered)), found.strategy_class, found.error, square=on_chart)

    def drills(self) -> list[Drill]:
        from pairhouse.analysis.blackjack.drills import drills

        return drills(self.given)

    def charts(self) -> list[Chart]:
        return stored_as(list[Chart], f"charts {self.given.rules_hash}", self._charts)

    def _charts(self) -> list[Chart]:
        from pairhouse.analysis.blackjack.solution_records import charts

        return charts(self.given)

    # Simulation

    def score(self, wagers: Sequence[str] | None = None) -> "HandScore":
        from pairhouse.analysis.blackjack.scoring import HandScore
        from pairhouse.analysis.simulation.scoring import chosen_wagers

        return HandScore(self.variant, chosen_wagers(self.variant, wagers))

    def shoe_dealing(self, behind_cut: int | None) -> "Dealing":
        """The rule books shuffle for every round; a card counter asks what a shoe dealt down would do."""
        from pairhouse.machines.simulate.shoes import Dealing

        decks, jokers = self.variant.pack
        cut = min(CUT, decks * (52 + jokers) // 4) if behind_cut is None else behind_cut
        return Dealing(BURNT, cut, ROUNDS_AFTER, ROUND_CARDS)

    def net_chances(self, stakes: Mapping[str, int]) -> dict[Fraction, float]:
        if not {MAIN, INSURANCE} & set(stakes):
            return story_chances(self.tally(), stakes)
        from pairhouse.analysis.blackjack.mixed_wagers import main_round, mixed_round

        return main_round(self.given, stakes[MAIN]) if [*stakes] == [MAIN] else mixed_round(self.given, stakes)

    # Checks and reports

    def second(self) -> "Second":
        from pairhouse.analysis.second_derivation.side_bets import derive

        return derive(self.variant)

    def small(self) -> "OracleCheck":
        from pairhouse.analysis.exact.oracle_check import oracle_check
        from pairhouse.machines.enumerate import enumerate_rounds

        cards = parse(SMALL_DECK.split())
        walked = enumerate_rounds(OPENING.play, self.variant.rules, cards)
        return oracle_check(SMALL_DECK, (walked, self.tally(cards).stories))

    def solved_again(self) -> SolvedFigures:
        from pairhouse.analysis.blackjack.certified import solved_figures

        return solved_figures(self.given)

    def readings(self) -> "list[Reading]":
        from pairhouse.analysis.blackjack.readings import solved_readings
        from pairhouse.analysis.blackjack.side_bet_readings import side_bet_readings

        return [*side_bet_readings(self.variant, self.tally), *solved_readings(self.given)]

    def details(self) -> dict[str, Any]:
        return {"insurance_by_hand": given_tens(self.variant)} if INSURANCE in self.variant.wagers else {}

    def sections(self, sheet: "ParSheet") -> "list[Section]":
        from pairhouse.analysis.blackjack.document import main_sections

        return main_sections(sheet.solved[MAIN], self.charts())

    def sections_after(self, wager: str, sheet: "ParSheet") -> "list[Section]":
        from pairhouse.analysis.blackjack.document import insurance_sections

        return insurance_sections(sheet.details["insurance_by_hand"]) if wager == INSURANCE else []
