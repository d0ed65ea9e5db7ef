"""Three Card Poker."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from pairhouse.core.cards import Card
from pairhouse.core.game import Action, Game
from pairhouse.core.hands import (
    FLUSH,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    category,
    hand_words,
    is_mini_royal,
    strength,
)
from pairhouse.core.meter import Meter
from pairhouse.core.options import Option, Options, switch
from pairhouse.core.paytable import LOSES, PUSH, Paytable, Wager, row, share
from pairhouse.core.rule import rule
from pairhouse.core.verbs import (
    Table,
    choose,
    draw_down,
    draw_private,
    felt,
    say,
    seats,
    settle,
    show,
    spot,
    turn_up,
)

DEALER = 0
PLAY, FOLD = 1, 2
LOST, TIED, BEAT = 0, 1, 2
MINI_ROYAL = 6  # the highest straight flush, told apart only by the progressive
QUEEN_HEIGHT = 12

STRENGTH, KIND, PLAYED = 0, 1, 2  # rows of the felt

SAY_QUALIFIES, SAY_DOES_NOT_QUALIFY = 0, 1
PHRASES = ("The dealer qualifies.", "The dealer does not qualify.")

ACTIONS = (Action("play", "p", wager="play", base="ante"), Action("fold", "f", automatic=True))  # [TCP-16] [TCP-17]


class Rules(NamedTuple):
    """The rank with which the dealer's high card qualifies. [TCP-20]"""

    qualifying_height: int


class Showdown(NamedTuple):
    """All that the wagers of one seat need to know."""

    hand: int
    played: bool
    dealer_qualifies: bool
    versus: int


@rule
def qualifies(rules: Rules, dealer: int) -> bool:
    """The dealer plays with queen high or anything better. [TCP-20]"""
    return dealer >= rules.qualifying_height * 256


@rule
def compare(hand: int, dealer: int) -> int:
    """The stronger hand wins; equal hands tie. [TCP-22] [TCP-23] [TCP-24]"""
    if hand == dealer:
        return TIED
    return BEAT if hand > dealer else LOST


@rule
def deal_seat(table: Table, seat: int) -> None:
    """Three cards for the eyes of that seat alone. [TCP-14] [TCP-15]"""
    place = spot(seat, 0)
    a, b, c = draw_private(table, place), draw_private(table, place), draw_private(table, place)
    felt(table, STRENGTH)[place] = strength(a, b, c)
    felt(table, KIND)[place] = MINI_ROYAL if is_mini_royal(a, b, c) else category(a, b, c)


@rule
def play(table: Table, rules: Rules) -> None:
    """Deal, each seat plays or folds, the dealer shows, and every hand still in is compared. [TCP-16] [TCP-19]"""
    for seat in range(1, seats(table) + 1):
        deal_seat(table, seat)
    x, y, z = draw_down(table, DEALER), draw_down(table, DEALER), draw_down(table, DEALER)
    hands, kinds, played = felt(table, STRENGTH), felt(table, KIND), felt(table, PLAYED)
    for seat in range(1, seats(table) + 1):
        place = spot(seat, 0)
        played[place] = choose(table, place, PLAY | FOLD, hands[place])
        if played[place] == FOLD:
            settle(table, place, Showdown(kinds[place], False, False, LOST))
    a, b, c = turn_up(table, DEALER, x), turn_up(table, DEALER, y), turn_up(table, DEALER, z)
    dealer = strength(a, b, c)
    say(table, DEALER, SAY_QUALIFIES if qualifies(rules, dealer) else SAY_DOES_NOT_QUALIFY, 0, 0)
    for seat in range(1, seats(table) + 1):
        place = spot(seat, 0)
        if played[place] == PLAY:
            show(table, place)
            versus = compare(hands[place], dealer)
            settle(table, place, Showdown(kinds[place], True, qualifies(rules, dealer), versus))


FOLDED = row("folded", LOSES, lambda seat: not seat.played)
ANTE_PAYS = Paytable("Ante", "[TCP-18] [TCP-21] [TCP-22] [TCP-23] [TCP-24]", (
    FOLDED,
    row("dealer does not qualify", 1, lambda seat: not seat.dealer_qualifies),
    row("beats the dealer", 1, lambda seat: seat.versus == BEAT),
    row("tie", PUSH, lambda seat: seat.versus == TIED),
), otherwise="dealer wins")  # fmt: skip
PLAY_PAYS = Paytable("Play", "[TCP-21] [TCP-22] [TCP-23] [TCP-24]", (
    row("dealer does not qualify", PUSH, lambda seat: not seat.dealer_qualifies),
    row("beats the dealer", 1, lambda seat: seat.versus == BEAT),
    row("tie", PUSH, lambda seat: seat.versus == TIED),
), otherwise="dealer wins")  # fmt: skip
BONUS_PAYS = Paytable("Ante Bonus", "[TCP-25] [TCP-27]", (
    FOLDED,
    row("straight flush", 5, lambda seat: seat.hand >= STRAIGHT_FLUSH),
    row("three of a kind", 4, lambda seat: seat.hand == THREE_OF_A_KIND),
    row("straight", 1, lambda seat: seat.hand == STRAIGHT),
), otherwise="no bonus")  # fmt: skip


PAIRPLUS_PRICES = ("40-30-6-3-1", "40-30-6-4-1", "40-30-5-4-1")


def pairplus_pays(prices: str) -> Paytable:
    """A Pairplus table from its prices, straight flush first, as in `40-30-6-3-1`. [TCP-28]"""
    straight_flush, three, straight, flush, pair = map(int, prices.split("-"))
    return Paytable("Pairplus", "[TCP-26] [TCP-28] [TCP-18]", (
        FOLDED,
        row("straight flush", straight_flush, lambda seat: seat.hand >= STRAIGHT_FLUSH),
        row("three of a kind", three, lambda seat: seat.hand == THREE_OF_A_KIND),
        row("straight", straight, lambda seat: seat.hand == STRAIGHT),
        row("flush", flush, lambda seat: seat.hand == FLUSH),
        row("pair", pair, lambda seat: seat.hand == PAIR),
    ), otherwise="less than a pair")  # fmt: skip


# [TCP-30] [TCP-31] [TCP-32]
PROGRESSIVE_STAKE, METER_SEED, METER_CEILING = 100, 200_000, 1_000_000
PROGRESSIVE_PAYS = Paytable("Progressive", "[TCP-33] [TCP-37]", (
    FOLDED,
    share("mini royal", Fraction(1), lambda seat: seat.hand == MINI_ROYAL),
    share("straight flush", Fraction(1, 10), lambda seat: seat.hand == STRAIGHT_FLUSH),
    share("three of a kind", Fraction(1, 100), lambda seat: seat.hand == THREE_OF_A_KIND),
))  # fmt: skip


def meter(options: Options) -> Meter | None:
    """Our example of a meter: a fifth of each ticket goes on it. [TCP-31] [TCP-32]"""
    if not options["progressive"]:
        return None
    return Meter(METER_SEED, seed=METER_SEED, contribution=Fraction(1, 5), ceiling=METER_CEILING)


def wagers(options: Options) -> tuple[Wager, ...]:
    """Ante first; Play and the Ante Bonus follow from choosing to play. [TCP-9] [TCP-10] [TCP-11]"""
    offered = [
        Wager("ante", "Ante", ANTE_PAYS, Showdown, opens=True),
        Wager("pairplus", "Pairplus", pairplus_pays(options["pairplus"]), Showdown),
        Wager("play", "Play", PLAY_PAYS, Showdown, base="ante", times=lambda seat: int(seat.played)),
        Wager("ante-bonus", "Ante Bonus", BONUS_PAYS, Showdown, base="ante", bonus=True),
    ]
    if options["progressive"]:
        offered.append(Wager("progressive", "Progressive", PROGRESSIVE_PAYS, Showdown, fixed=PROGRESSIVE_STAKE))
    return tuple(offered)


def name_hand(cards: Sequence[Card]) -> str:
    """A full hand is called as a dealer would."""
    return hand_words(cards) if len(cards) == 3 else ""


GAME = Game(
    id="three-card-poker",
    name="Three Card Poker",
    cites="TCP",
    summary="Ante, look at three cards, then play or fold against the dealer; Pairplus pays on your own hand.",
    play=play,
    module=__name__,
    options=(
        Option("decks", 1, (1,), "one deck, shuffled every round [TCP-1]"),
        Option("pairplus", PAIRPLUS_PRICES[0], PAIRPLUS_PRICES, "Pairplus prices, straight flush to pair [TCP-28]"),
        switch("progressive", False, "offer the progressive wager, with our example schedule [TCP-29]"),
    ),
    seats_max=7,  # [TCP-6]
    seats_per_player=1,  # [TCP-7]
    places=("dealer",),
    rules=lambda _options: Rules(QUEEN_HEIGHT),
    wagers=wagers,
    pack=lambda _options: (1, 0),
    actions=ACTIONS,
    phrases=PHRASES,
    name_hand=name_hand,
    meter=meter,
)
