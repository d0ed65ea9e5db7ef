"""Caribbean Stud: five cards each, one of the dealer's up; fold, or call with twice the ante."""

from typing import NamedTuple

from pairhouse.kit import (
    FLUSH, FOUR, FULL_HOUSE, HIGH_CARD, LOSES, PUSH, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH, THREE, TWO_PAIR, Action,
    Game, Option, Paytable, Shortcuts, Wager, choose, draw, draw_down, draw_private, poker_kind, poker_strength, row,
    rule, settle, show, spot, turn_up,
)  # fmt: skip

DEALER = 0
FOLD, CALL = 1, 2
ACE_KING = 14 << 16 | 13 << 12  # the least strength that qualifies
FOLDED, NOT_QUALIFIED, LOST, TIED, WON = 0, 1, 2, 3, 4
PRICES = (("royal flush", ROYAL_FLUSH, 100), ("straight flush", STRAIGHT_FLUSH, 50), ("four of a kind", FOUR, 20),
          ("full house", FULL_HOUSE, 7), ("flush", FLUSH, 5), ("straight", STRAIGHT, 4), ("three of a kind", THREE, 3),
          ("two pair", TWO_PAIR, 2))  # fmt: skip


class Rules(NamedTuple):
    decks: int


class Showdown(NamedTuple):
    """How it ended, and what the seat held."""

    ended: int
    kind: int


@rule
def compare(own, dealer):
    """The dealer needs ace-king; then the higher hand wins."""
    if dealer < ACE_KING:
        return NOT_QUALIFIED
    return TIED if own == dealer else WON if own > dealer else LOST


@rule
def play(table, rules):
    """Five cards each; the seat sees its own and the dealer's first, and folds or calls."""
    place = spot(1, 0)
    a, b, c = draw_private(table, place), draw_private(table, place), draw_private(table, place)
    d, e = draw_private(table, place), draw_private(table, place)
    up = draw(table, DEALER)
    second, third = draw_down(table, DEALER), draw_down(table, DEALER)
    fourth, fifth = draw_down(table, DEALER), draw_down(table, DEALER)
    seen = 1 << a | 1 << b | 1 << c | 1 << d | 1 << e
    if choose(table, place, FOLD | CALL, seen << 6 | up) == FOLD:
        settle(table, place, Showdown(FOLDED, HIGH_CARD))
        return
    second, third = turn_up(table, DEALER, second), turn_up(table, DEALER, third)
    fourth, fifth = turn_up(table, DEALER, fourth), turn_up(table, DEALER, fifth)
    show(table, place)
    own = poker_strength(a, b, c, d, e)
    settle(table, place, Showdown(compare(own, poker_strength(up, second, third, fourth, fifth)), poker_kind(own)))


def call_pays():
    rows = [row(words, price, lambda s, kind=kind: s.ended == WON and s.kind == kind) for words, kind, price in PRICES]
    return Paytable("Call", "", (
        *rows, row("pair or less", 1, lambda s: s.ended == WON),
        row("not qualified", PUSH, lambda s: s.ended == NOT_QUALIFIED), row("tie", PUSH, lambda s: s.ended == TIED),
    ))  # fmt: skip


ANTE_PAYS = Paytable("Ante", "", (
    row("folded", LOSES, lambda s: s.ended == FOLDED), row("won", 1, lambda s: s.ended in (WON, NOT_QUALIFIED)),
    row("tie", PUSH, lambda s: s.ended == TIED),
))  # fmt: skip
GAME = Game(
    id="caribbean-stud", name="Caribbean Stud", cites="CS",
    summary="Five cards against the dealer's, who needs ace-king.",
    play=play, module=__name__, seats_max=1, seats_per_player=1, places=("dealer",),
    options=(Option("decks", 1, (1,), "one deck, shuffled every round"),),
    rules=lambda options: Rules(options["decks"]), pack=lambda options: (options["decks"], 0),
    wagers=lambda _options: (
        Wager("ante", "Ante", ANTE_PAYS, Showdown, opens=True),
        Wager("call", "Call", call_pays(), Showdown, base="ante", multiple=2, times=lambda s: int(s.ended != FOLDED)),
    ),
    actions=(Action("fold", "f"), Action("call", "c", wager="call", base="ante")),
    units_max=lambda _rules: 3,
    shortcuts=Shortcuts(suits_alike=True, any_order=True, compared=poker_strength),
)  # fmt: skip
