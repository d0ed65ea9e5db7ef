"""Let It Ride: three bets on a five-card hand; two of them can be pulled back as the cards come."""

from typing import NamedTuple

from pairhouse.kit import (
    FLUSH, FOUR, FULL_HOUSE, PAIR, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH, THREE, TWO_PAIR, Action, Game, Option,
    Paytable, Shortcuts, Wager, choose, draw, draw_private, poker_kind, poker_leading, poker_strength, row, rule,
    settle, show, spot,
)  # fmt: skip

COMMUNITY = 0
PULL, RIDE = 1, 2
TEN = 10
PRICES = (("royal flush", ROYAL_FLUSH, 1000), ("straight flush", STRAIGHT_FLUSH, 200), ("four of a kind", FOUR, 50),
          ("full house", FULL_HOUSE, 11), ("flush", FLUSH, 8), ("straight", STRAIGHT, 5), ("three of a kind", THREE, 3),
          ("two pair", TWO_PAIR, 2))  # fmt: skip


class Rules(NamedTuple):
    decks: int


class Hand(NamedTuple):
    """What the five cards are, whether a pair is of tens or better, and how many of the two bets were left to ride."""

    kind: int
    high: bool
    rides: int


@rule
def play(table, rules):
    """Three own cards; pull or ride; a community card; pull or ride; the last card."""
    place = spot(1, 0)
    a, b, c = draw_private(table, place), draw_private(table, place), draw_private(table, place)
    seen = 1 << a | 1 << b | 1 << c
    rides = int(choose(table, place, PULL | RIDE, seen) == RIDE)
    d = draw(table, COMMUNITY)
    rides += int(choose(table, place, PULL | RIDE, seen | 1 << d) == RIDE)
    e = draw(table, COMMUNITY)
    show(table, place)
    found = poker_strength(a, b, c, d, e)
    settle(table, place, Hand(poker_kind(found), poker_leading(found) >= TEN, rides))


def pays(name):
    rows = [row(words, price, lambda hand, kind=kind: hand.kind == kind) for words, kind, price in PRICES]
    return Paytable(name, "", (*rows, row("tens or better", 1, lambda hand: hand.kind == PAIR and hand.high)))


GAME = Game(
    id="let-it-ride", name="Let It Ride", cites="LIR",
    summary="Three bets on five cards; pull two back, or let them ride.",
    play=play, module=__name__, seats_max=1, seats_per_player=1, places=("community",),
    options=(Option("decks", 1, (1,), "one deck, shuffled every round"),),
    rules=lambda options: Rules(options["decks"]), pack=lambda options: (options["decks"], 0),
    wagers=lambda _options: (
        Wager("bet", "Bet", pays("Bet"), Hand, opens=True),
        Wager("ride", "Ride", pays("Ride"), Hand, base="bet", times=lambda hand: hand.rides),
    ),
    actions=(Action("pull", "p"), Action("ride", "r", wager="ride", base="bet")),
    units_max=lambda _rules: 3,
    shortcuts=Shortcuts(suits_alike=True, any_order=True, one_hand=True),
)  # fmt: skip
