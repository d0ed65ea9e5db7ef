"""Red Dog: two cards, and a third that wins when it falls between them. Ace high."""

from typing import NamedTuple

from pairhouse.kit import (
    PUSH, Action, Game, Option, Paytable, Shortcuts, Wager, choose, draw, height, rank, row, rule, settle, spot,
)  # fmt: skip

LAYOUT = 0
RAISE, CALL = 1, 2
EQUAL, NEIGHBOURS, APART = 0, 1, 2


class Rules(NamedTuple):
    decks: int


class Row(NamedTuple):
    """The first two cards and what the third made of them."""

    cards: int
    spread: int
    hit: bool
    raised: bool


@rule
def play(table, rules):
    """Two cards up. Equal: a third of the rank wins. Apart: raise or call, then a third card strictly between wins."""
    place = spot(1, 0)
    one = height(rank(draw(table, LAYOUT)))
    other = height(rank(draw(table, LAYOUT)))
    low, high = min(one, other), max(one, other)
    if low == high:
        settle(table, place, Row(EQUAL, 0, height(rank(draw(table, LAYOUT))) == low, False))
    elif high - low == 1:
        settle(table, place, Row(NEIGHBOURS, 0, False, False))
    else:
        raised = choose(table, place, RAISE | CALL, low * 16 + high) == RAISE
        third = height(rank(draw(table, LAYOUT)))
        settle(table, place, Row(APART, high - low - 1, low < third < high, raised))


def pays(name):
    """By the spread: 1 pays 5, 2 pays 4, 3 pays 2, 4 to 11 pay 1; three of a kind pays 11."""
    by_spread = [
        row(f"spread of {spread}", price, lambda r, spread=spread: r.hit and r.spread == spread)
        for spread, price in ((1, 5), (2, 4), (3, 2))
    ]
    return Paytable(name, "", (
        row("three of a kind", 11, lambda r: r.cards == EQUAL and r.hit),
        row("pair or neighbours", PUSH, lambda r: r.cards != APART),
        *by_spread,
        row("spread of 4 to 11", 1, lambda r: r.hit),
    ))  # fmt: skip


GAME = Game(
    id="red-dog", name="Red Dog", cites="RD", summary="Does the third card fall between the first two?",
    play=play, module=__name__, seats_max=1, seats_per_player=1, places=("layout",),
    options=(Option("decks", 6, (1, 2, 4, 6, 8), "decks, shuffled every round"),),
    rules=lambda options: Rules(options["decks"]), pack=lambda options: (options["decks"], 0),
    wagers=lambda _options: (
        Wager("ante", "Ante", pays("Ante"), Row, opens=True),
        Wager("raise", "Raise", pays("Raise"), Row, base="ante", times=lambda r: int(r.raised)),
    ),
    actions=(Action("raise", "r", wager="raise", base="ante"), Action("call", "c")),
    shortcuts=Shortcuts(same=rank),
)  # fmt: skip
