"""Three Card Poker: two hands of three cards compared, every hand of the seat against every hand of the dealer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.methods.counted import story_chances
from pairhouse.analysis.methods.method import Method
from pairhouse.analysis.methods.records import Advice, Drill, KnownPlay, Removal, SolvedGame
from pairhouse.analysis.reports.charts import Chart
from pairhouse.analysis.three_card.counts import KINDS, Strategy, ThreeCard, three_card, value_of_hand
from pairhouse.analysis.three_card.strategy import (
    NAMED,
    STRATEGY_CLASS,
    at_least,
    hand_name,
    queen_chart,
    queen_square,
    read_weakest,
    strategy_of,
)
from pairhouse.core.cards import Card, check_from, parse
from pairhouse.core.errors import Refused
from pairhouse.core.tally import Story, Tally
from pairhouse.games.three_card_poker import FOLD, PLAY

if TYPE_CHECKING:
    from pairhouse.analysis.exact.oracle_check import OracleCheck
    from pairhouse.analysis.reports.par import ParSheet
    from pairhouse.analysis.reports.readings import Reading
    from pairhouse.analysis.reports.render.document import Block, Section
    from pairhouse.analysis.second_derivation import Second
    from pairhouse.analysis.simulation.scoring import Score
    from pairhouse.analysis.simulation.strategies import Way
    from pairhouse.analysis.three_card.left_cards import LeftPrice
    from pairhouse.machines.simulate.shoes import Dealing

HAND_CARDS = 3
ACTIONS = {"fold": FOLD, "play": PLAY}  # a hand worth the same either way is folded
SMALL_DECK = "Ac Kc Qc 2d 3h 4s 4h Jd"
STRENGTHS = 1 << 15  # every strength of a hand is below this


class ThreeCardPokerMethod(Method):
    """Every hand is valued both ways and played as is better."""

    @cached_property
    def game(self) -> ThreeCard:
        """The deals, under the prices in force."""
        return replace(three_card(self.dealt_as), variant=self.variant)

    # Prices

    def tally(self, shoe: Sequence[Card] | None = None) -> Counted:
        if shoe is not None:
            given = f"{self.variant.game.name} is dealt from a whole deck"
            raise Refused("bad-shoe", f"{given}; it is not priced from other cards")
        return self._best_tally

    @cached_property
    def _best_tally(self) -> Counted:
        return self.game.under(self.game.best)

    def how_played(self, wager: str) -> str:
        if wager != "ante":
            return ""
        played = self.game.played
        return f"with best play, from {hand_name(played[0])} up" if played else "with best play, which never plays"

    # What a clever player could win

    def removal(self, wager: str) -> Removal:
        if wager == "ante":
            from pairhouse.analysis.three_card.known_hands import ante_removal

            return ante_removal(self.variant)
        from pairhouse.analysis.three_card.own_hand import own_hand_removal

        return own_hand_removal(self.wager(wager))

    def left_price(self, wager: str) -> "LeftPrice":
        from pairhouse.analysis.three_card.left_cards import ante_left, own_hand_left

        return ante_left(self.variant) if wager == "ante" else own_hand_left(self.wager(wager))

    def cards_a_round(self, seats: int) -> int:
        return HAND_CARDS * (seats + 1)

    def known_play(self, seed: int) -> KnownPlay:
        from pairhouse.analysis.three_card.known_hands import known_play

        return known_play(self.variant, seed)

    # Play

    def strategies(self) -> list[str]:
        return ["best", *NAMED]

    def play(self, name: str = "best", *, wagers: Sequence[str] = (), hurried: bool = False) -> "Way":
        import numpy as np

        from pairhouse.analysis.simulation.strategies import Way, exact_in, read_strategy
        from pairhouse.analysis.simulation.strategy_lookup import by_situation
        from pairhouse.machines.simulate import simulation

        if name == "best":
            decide: Strategy = self.game.best
        elif name in NAMED:
            decide = NAMED[name]
        else:
            decide = at_least(read_weakest(read_strategy(self.strategies(), name)))
        table = np.full(STRENGTHS, FOLD, np.uint8)
        for strength in self.game.worths:
            table[strength] = decide(strength)
        strategy = simulation.Strategy(name, by_situation, (table,))
        return Way(name, strategy, lambda: exact_in(self.game.under(decide)), lambda: self.game.under(decide))

    def best(self) -> SolvedGame:
        ante, weakest = self.exact_price("ante"), hand_name(self.game.played[0])
        says = [f"Play {weakest} or better; fold the rest. Exactly {ante.ev} per ante."]
        strategy_class = "best play given the three cards held; other seats' cards are not seen"
        record = {
            "game": self.variant.game.id,
            "options": dict(self.variant.options),
            "rules_hash": self.variant.rules_hash,
            "play": f"{weakest} or better",
            "ev": ante.ev,
            "element_of_risk": ante.element_of_risk,
            "strategy_class": strategy_class,
        }
        return SolvedGame(ev=ante.ev, strategy_class=strategy_class, says=says, charts=self.charts(), record=record)

    def advise(self, hand: Sequence[Card], up: Card | None = None, seen: Sequence[Card] = ()) -> Advice:
        if up is not None:
            given = f"{self.variant.game.name} has no up card"
            raise Refused("bad-card", f"{given}: the dealer shows after the choice; name other cards as seen")
        if len(hand) != HAND_CARDS:
            raise Refused("bad-hand", f"{len(hand)} cards were given; a hand has three")
        check_from([*hand, *seen], *self.variant.pack)
        left = 52 - HAND_CARDS - len(seen)
        if left < HAND_CARDS:
            raise Refused("too-few-cards", f"{left} cards are left for the dealer's hand, which takes three")
        values = {name: value_of_hand(self.variant, action, hand, seen) for name, action in ACTIONS.items()}
        ordered = dict(sorted(values.items(), key=lambda item: -item[1]))
        return Advice(dict(ordered), next(iter(ordered)), STRATEGY_CLASS, square=queen_square(hand))

    def drills(self) -> list[Drill]:
        from pairhouse.analysis.three_card.drills import drills

        return drills(self.variant)

    def charts(self) -> list[Chart]:
        return [queen_chart(self.game)]

    # Simulation

    def score(self, wagers: Sequence[str] | None = None) -> "Score":
        from pairhouse.analysis.simulation.scoring import StoryScore, chosen_wagers

        return StoryScore(self.variant, chosen_wagers(self.variant, wagers), KINDS, 2 * HAND_CARDS)

    def shoe_dealing(self, behind_cut: int | None) -> "Dealing":
        given = f"{self.variant.game.name} is shuffled for every round"
        raise Refused("bad-shoe", f"{given}; it is not dealt from a shoe")

    def net_chances(self, stakes: Mapping[str, int]) -> dict[Fraction, float]:
        return story_chances(self.tally(), stakes)

    # Checks and reports

    def second(self) -> "Second":
        from pairhouse.analysis.second_derivation.three_card import derive

        return derive(self.variant)

    def small(self) -> "OracleCheck":
        from pairhouse.analysis.exact.oracle_check import oracle_check

        cards = parse(SMALL_DECK.split())
        return oracle_check(SMALL_DECK, *(self._walked_and_counted(cards, answer) for answer in ACTIONS.values()))

    def _walked_and_counted(self, cards: list[Card], answer: int) -> tuple[Tally, Mapping[Story, int]]:
        """Every hand answered in one way, by the oracle and by the count."""
        from pairhouse.machines.count_hands import count_hands
        from pairhouse.machines.enumerate import enumerate_rounds
        from pairhouse.machines.stories import unpack

        play, rules = self.variant.game.play, self.variant.rules
        fast: Counter[Story] = Counter()
        for (_, packed), ways in count_hands(play, rules, KINDS, cards, answer).items():
            fast[unpack(packed, KINDS)] += ways
        return enumerate_rounds(play, rules, cards, strategy=lambda _legal, _situation: answer), fast

    def readings(self) -> "list[Reading]":
        from pairhouse.analysis.three_card.readings import three_card_poker_readings

        return list(three_card_poker_readings(self.dealt_as))

    def details(self) -> dict[str, Any]:
        return {"strategy": strategy_of(self.game)}

    def sections(self, sheet: "ParSheet") -> "list[Section]":
        from pairhouse.analysis.three_card.document import strategy_sections

        return strategy_sections(sheet.details["strategy"], queen_chart(self.game))

    def how_to_play(self, sheet: "ParSheet") -> "list[Block]":
        from pairhouse.analysis.three_card.document import strategy_brief

        return strategy_brief(sheet.details["strategy"])

    def workbook_pages(self, sheet: "ParSheet") -> dict[str, list[list[Any]]]:
        from pairhouse.analysis.three_card.document import strategy_page

        return {"Strategy": strategy_page(sheet.details["strategy"])}
