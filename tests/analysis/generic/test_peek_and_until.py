"""Games from files in which the dealer looks under a card, and that draw until enough has come: priced by hand too."""

from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

from gallery_games import written
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.errors import Refused

HEAD = """
from typing import NamedTuple

from pairhouse.kit import *


class Rules(NamedTuple):
    decks: int


class Ended(NamedTuple):
    how: int
    doubled: bool
"""
PEEKS = (
    HEAD
    + '''
STAND, DOUBLE = 1, 2


@rule
def play(table, rules):
    """The dealer looks for an ace under a card; without one the seat may double."""
    me = spot(1, 0)
    own = rank(draw(table, me))
    draw_down(table, 0)
    down = draw_down(table, 0)
    if peek(table, 0, down, 0, 0):
        settle(table, me, Ended(0, False))
    else:
        doubled = choose(table, me, STAND | DOUBLE, own) == DOUBLE
        dealer = rank(turn_up(table, 0, down))
        settle(table, me, Ended(3 if own > dealer else 2 if own == dealer else 1, doubled))


def pays(name):
    return Paytable(name, "", (row("higher", 1, lambda e: e.how == 3), row("tie", PUSH, lambda e: e.how == 2)))


GAME = Game(
    id="looks", name="Looks", cites="L", summary="A look.", play=play, module=__name__, seats_max=1, seats_per_player=1,
    options=(Option("decks", 1, (1,), "deck"),), places=("dealer",), rules=lambda o: Rules(1), pack=lambda o: (1, 0),
    wagers=lambda o: (
        Wager("ante", "Ante", pays("Ante"), Ended, opens=True),
        Wager("double", "Double", pays("Double"), Ended, base="ante", times=lambda e: int(e.doubled)),
    ),
    actions=(Action("stand", "s"), Action("double", "d", wager="double", base="ante")), units_max=lambda r: 2,
)
'''
)
UNTIL = (
    HEAD
    + '''
@rule
def play(table, rules):
    """Cards are drawn until two faces have come."""
    faces, cards = 0, 0
    while faces < 2:
        cards += 1
        faces += int(rank(draw(table, 0)) >= 10)
    settle(table, EVERY_SEAT, Ended(cards, False))


GAME = Game(
    id="until", name="Until", cites="U", summary="Until.", play=play, module=__name__, seats_max=7, seats_per_player=1,
    options=(Option("decks", 1, (1,), "deck"),), places=("line",), rules=lambda o: Rules(1), pack=lambda o: (1, 0),
    wagers=lambda o: (
        Wager("long", "Long", Paytable("Long", "", (row("over 20", 30, lambda e: e.how > 20),)), Ended, opens=True),
    ),
    SHORTCUTS
)
'''
)


def test_a_dealer_who_looks_under_a_card(tmp_path: Path) -> None:
    """The card is looked at and turned up later; another stays face down. What is chosen never depends on it."""
    worth: dict[int, int] = {}
    for own, down in permutations(range(52), 2):
        won = (own % 13 > down % 13) - (own % 13 < down % 13)
        worth[own] = worth.get(own, 0) + (won if down % 13 else 0)
    aces = sum(1 for own, down in permutations(range(52), 2) if down % 13 == 0)
    by_hand = Fraction(sum(max(one, 2 * one) for one in worth.values()) - aces, 52 * 51)
    with written(tmp_path, "looks", PEEKS) as game:
        method = method_of(game.variant())
        assert method.exact_price("ante").ev == by_hand
        assert method.small().agree
        assert method.advise([12]).best == "double"


def test_many_cards_that_are_few_to_the_rules(tmp_path: Path) -> None:
    with written(
        tmp_path, "until", UNTIL.replace("SHORTCUTS", "shortcuts=Shortcuts(same=lambda c: rank(c) >= 10),")
    ) as game:
        method = method_of(game.variant())
        none, one = Fraction(1), Fraction(0)  # no face yet, and one, after so many cards
        for dealt in range(20):
            left = 52 - dealt
            none, one = none * Fraction(left - 12, left), one * Fraction(left - 11, left) + none * Fraction(12, left)
        assert method.exact_price("long").ev == 31 * (none + one) - 1


def test_what_cannot_be_counted_says_what_to_declare(tmp_path: Path) -> None:
    with (
        written(tmp_path, "until_52", UNTIL.replace("SHORTCUTS", "")) as game,
        pytest.raises(Refused, match="too many to be counted so; declare in the file"),
    ):
        method_of(game.variant()).exact_price("long")
