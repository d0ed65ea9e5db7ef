"""A small game with a decision that lives outside the package: its rules, its wagers, and the method that prices it.

One card each. A seat looks at its own and raises or folds; the higher rank wins, aces are low.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.oracle_check import OracleCheck, oracle_check
from pairhouse.analysis.exact.prices import nets
from pairhouse.analysis.methods.counted import story_chances
from pairhouse.analysis.methods.method import Method
from pairhouse.analysis.methods.records import Advice, SolvedGame
from pairhouse.analysis.reports.charts import Cell, Chart
from pairhouse.analysis.second_derivation import Second
from pairhouse.analysis.simulation.scoring import StoryScore, chosen_wagers
from pairhouse.analysis.simulation.strategies import Way, exact_in, read_strategy
from pairhouse.analysis.simulation.strategy_lookup import by_situation
from pairhouse.core.cards import RANK_NAMES, Card, check_from, pack, parse, rank
from pairhouse.core.errors import Refused
from pairhouse.core.game import Action, Game
from pairhouse.core.options import Option, Options
from pairhouse.core.paytable import LOSES, PUSH, Paytable, Wager, row
from pairhouse.core.rule import rule
from pairhouse.core.tally import Story
from pairhouse.core.verbs import Table, choose, draw_down, draw_private, felt, seats, settle, show, spot, turn_up
from pairhouse.machines.enumerate import enumerate_rounds
from pairhouse.machines.simulate.shoes import Dealing
from pairhouse.machines.simulate.simulation import Strategy

DEALER = 0
HALF = Fraction(1, 2)
RAISE, FOLD = 1, 2
LOST, TIED, BEAT = 0, 1, 2
HELD, CHOSEN = 0, 1  # rows of the felt
NAMES = {"fold": FOLD, "raise": RAISE}


class Rules(NamedTuple):
    """Nothing can be chosen."""

    decks: int


class Duel(NamedTuple):
    """What the wagers of one seat need to know."""

    raised: bool
    versus: int


@rule
def compare(own: int, dealer: int) -> int:
    """The higher rank wins; equal ranks tie."""
    if own == dealer:
        return TIED
    return BEAT if own > dealer else LOST


@rule
def play(table: Table, rules: Rules) -> None:
    """Each seat gets a card for its own eyes and raises or folds; then the dealer's card is turned up."""
    held, chosen = felt(table, HELD), felt(table, CHOSEN)
    for seat in range(1, seats(table) + 1):
        held[spot(seat, 0)] = rank(draw_private(table, spot(seat, 0)))
    hidden = draw_down(table, DEALER)
    for seat in range(1, seats(table) + 1):
        place = spot(seat, 0)
        chosen[place] = choose(table, place, RAISE | FOLD, held[place])
        if chosen[place] == FOLD:
            settle(table, place, Duel(False, LOST))
    dealer = rank(turn_up(table, DEALER, hidden))
    for seat in range(1, seats(table) + 1):
        place = spot(seat, 0)
        if chosen[place] == RAISE:
            show(table, place)
            settle(table, place, Duel(True, compare(held[place], dealer)))


def pays(name: str, wins: Fraction) -> Paytable:
    """The higher card wins, and ties push."""
    rows = (
        row("folded", LOSES, lambda duel: not duel.raised),
        row("higher card", wins, lambda duel: duel.versus == BEAT),
        row("tie", PUSH, lambda duel: duel.versus == TIED),
    )
    return Paytable(name, "", rows, otherwise="lower card")


def wagers(_options: Options) -> tuple[Wager, ...]:
    return (
        Wager("ante", "Ante", pays("Ante", Fraction(1)), Duel, opens=True),
        Wager("raise", "Raise", pays("Raise", HALF), Duel, base="ante", times=lambda duel: int(duel.raised)),
    )


GAME = Game(
    id="high-card",
    name="High Card",
    cites="HC",
    summary="One card each: raise, or fold.",
    play=play,
    module=__name__,
    options=(Option("decks", 1, (1,), "one deck, shuffled every round"),),
    seats_max=7,
    seats_per_player=1,
    places=("dealer",),
    rules=lambda options: Rules(options["decks"]),
    wagers=wagers,
    pack=lambda options: (options["decks"], 0),
    actions=(Action("raise", "r", wager="raise", base="ante"), Action("fold", "f")),
)


class HighCardMethod(Method):
    """Every pair of cards, each rank played as is better."""

    def _story(self, own: Card, dealer: Card, action: int) -> Story:
        return ((1, Duel(action == RAISE, compare(rank(own), rank(dealer)) if action == RAISE else LOST)),)

    def _deals(self, cards: Sequence[Card], actions: Mapping[int, int]) -> dict[Story, int]:
        found: Counter[Story] = Counter()
        for place, own in enumerate(cards):
            for dealer in [*cards[:place], *cards[place + 1 :]]:
                found[self._story(own, dealer, actions[rank(own)])] += 1
        return dict(found)

    def value(self, action: int, own: Card, seen: Sequence[Card] = ()) -> Fraction:
        left = [card for card in pack(1) if card not in (own, *seen)]
        stories = Counter(self._story(own, dealer, action) for dealer in left)
        net = nets(Counted(self.variant, stories, len(left), ""), "ante")
        return sum((number * net[story] for story, number in stories.items()), Fraction(0)) / len(left)

    def _best(self) -> dict[int, int]:
        return {r: RAISE if self.value(RAISE, r) > self.value(FOLD, r) else FOLD for r in range(13)}

    def _under(self, actions: Mapping[int, int], cards: Sequence[Card] = pack(1)) -> Counted:
        stories = self._deals(cards, actions)
        return Counted(self.variant, stories, sum(stories.values()), "count of every two cards")

    def tally(self, shoe: Sequence[Card] | None = None) -> Counted:
        return self._under(self._best(), pack(1) if shoe is None else shoe)

    def strategies(self) -> list[str]:
        return ["best", "always-raise"]

    def play(self, name: str = "best", *, wagers: Sequence[str] = (), hurried: bool = False) -> Way:
        if name not in self.strategies():
            read_strategy(self.strategies(), name)
            raise Refused("bad-strategy", "High Card takes no strategy files")
        actions = self._best() if name == "best" else dict.fromkeys(range(13), RAISE)
        table = np.array([actions[r] for r in range(13)], np.uint8)
        tally = self._under(actions)
        return Way(name, Strategy(name, by_situation, (table,)), lambda: exact_in(tally), lambda: tally)

    def best(self) -> SolvedGame:
        ev = self.exact_price("ante").ev
        weakest = min(r for r, action in self._best().items() if action == RAISE)
        says = [f"Raise with {RANK_NAMES[weakest]} or better; fold the rest."]
        record = {"game": self.variant.game.id, "raise": f"{RANK_NAMES[weakest]} or better", "ev": ev}
        return SolvedGame(ev=ev, strategy_class="best play", says=says, charts=self.charts(), record=record)

    def advise(self, hand: Sequence[Card], up: Card | None = None, seen: Sequence[Card] = ()) -> Advice:
        if len(hand) != 1 or up is not None:
            raise Refused("bad-hand", "a hand of High Card is one card, and the dealer shows none")
        check_from([*hand, *seen], *self.variant.pack)
        values = {name: self.value(action, hand[0], seen) for name, action in NAMES.items()}
        ordered = dict(sorted(values.items(), key=lambda item: -item[1]))
        return Advice(dict(ordered), next(iter(ordered)), "best play")

    def charts(self) -> list[Chart]:
        letters = ["R" if action == RAISE else "F" for action in self._best().values()]
        legend = {"R": "raise", "F": "fold"}
        return [Chart("card", "Every card", "card", ["do"], [*RANK_NAMES], [[Cell(one)] for one in letters], legend)]

    def score(self, wagers: Sequence[str] | None = None) -> StoryScore:
        return StoryScore(self.variant, chosen_wagers(self.variant, wagers), (Duel,), 2)

    def shoe_dealing(self, behind_cut: int | None) -> Dealing:
        raise Refused("bad-shoe", "High Card is shuffled for every round; it is not dealt from a shoe")

    def net_chances(self, stakes: Mapping[str, int]) -> dict[Fraction, float]:
        return story_chances(self.tally(), stakes)

    def second(self) -> Second:
        """Four of every rank: 4r cards lie below a card of rank r, 3 are as high, the others above."""
        folds = [r for r in range(13) if 6 * r - 8 * (12 - r) <= -51]
        chances: dict[Fraction, Fraction] = {Fraction(-1): Fraction(len(folds), 13)}
        for r in set(range(13)) - {*folds}:
            for net, ways in ((1 + HALF, 4 * r), (0, 3), (-2, 4 * (12 - r))):
                chances[Fraction(net)] = chances.get(Fraction(net), Fraction(0)) + Fraction(ways, 13 * 51)
        return Second("by hand: how many cards lie below each rank", {"ante": chances})

    def small(self) -> OracleCheck:
        deck = "Ac 3d 3h 9s Kd"
        cards = parse(deck.split())
        walked = [
            enumerate_rounds(play, self.variant.rules, cards, strategy=lambda _legal, _situation, a=action: a)  # type: ignore[misc]
            for action in (RAISE, FOLD)
        ]
        counted = [self._deals(cards, dict.fromkeys(range(13), action)) for action in (RAISE, FOLD)]
        return oracle_check(deck, *zip(walked, counted, strict=True))


METHOD = HighCardMethod  # found by the name of the module, in whatever process
