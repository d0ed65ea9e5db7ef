"""Jacks or Better: five cards, keep any, draw the others. Prices include the stake."""

from typing import NamedTuple

from pairhouse.kit import (
    FLUSH, FOUR, FULL_HOUSE, PAIR, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH, THREE, TWO_PAIR, Action, Game, Option,
    Paytable, Shortcuts, Wager, choose, draw_private, poker_kind, poker_leading, poker_strength, row, rule, settle,
    show, spot,
)  # fmt: skip

JACK = 11
ANY = (1 << 32) - 1  # 32 actions: keep-0 to keep-31
PRICES = (("royal flush", ROYAL_FLUSH, 800), ("straight flush", STRAIGHT_FLUSH, 50), ("four of a kind", FOUR, 25),
          ("full house", FULL_HOUSE, 9), ("flush", FLUSH, 6), ("straight", STRAIGHT, 4), ("three of a kind", THREE, 3),
          ("two pair", TWO_PAIR, 2))  # fmt: skip


class Rules(NamedTuple):
    decks: int


class Hand(NamedTuple):
    """What the five cards are at the end, and whether a pair is of jacks or better."""

    kind: int
    high: bool


@rule
def kept(action, card):
    """Whether an action keeps the card of that number: keep-5, which is bit 5, keeps the first and the third."""
    return action & KEEPING[card] != 0


@rule
def drawn(table, place, action, number, card):
    """The card, or another one for it."""
    return card if kept(action, number) else draw_private(table, place)


@rule
def play(table, rules):
    """Five cards; keep any of them; the others are replaced."""
    place = spot(1, 0)
    a, b, c = draw_private(table, place), draw_private(table, place), draw_private(table, place)
    d, e = draw_private(table, place), draw_private(table, place)
    held = (((a * 52 + b) * 52 + c) * 52 + d) * 52 + e
    action = choose(table, place, ANY, held)
    a, b = drawn(table, place, action, 0, a), drawn(table, place, action, 1, b)
    c, d = drawn(table, place, action, 2, c), drawn(table, place, action, 3, d)
    e = drawn(table, place, action, 4, e)
    show(table, place)
    found = poker_strength(a, b, c, d, e)
    settle(table, place, Hand(poker_kind(found), poker_leading(found) >= JACK))


KEEPING = tuple(sum(1 << mask for mask in range(32) if mask >> card & 1) for card in range(5))
ROWS = [row(words, price - 1, lambda hand, kind=kind: hand.kind == kind) for words, kind, price in PRICES]
PAYS = Paytable("Bet", "", (*ROWS, row("jacks or better", 0, lambda hand: hand.kind == PAIR and hand.high)))
GAME = Game(
    id="jacks-or-better", name="Jacks or Better", cites="JOB", summary="Five cards, keep any, draw the others.",
    play=play, module=__name__, seats_max=1, seats_per_player=1, places=("machine",),
    options=(Option("decks", 1, (1,), "one deck, shuffled every round"),),
    rules=lambda options: Rules(options["decks"]), pack=lambda options: (options["decks"], 0),
    wagers=lambda _options: (Wager("bet", "Bet", PAYS, Hand, opens=True),),
    actions=tuple(Action(f"keep-{mask}", str(mask)) for mask in range(32)),
    shortcuts=Shortcuts(
        suits_alike=True, keeps=lambda action: tuple(card for card in range(5) if action.bit_length() - 1 >> card & 1)
    ),
)  # fmt: skip
