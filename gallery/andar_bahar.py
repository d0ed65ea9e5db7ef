"""Andar Bahar: a middle card, then Andar, Bahar, Andar, ... until one has its rank."""

from fractions import Fraction
from typing import NamedTuple

from pairhouse.kit import EVERY_SEAT, Game, Option, Paytable, Shortcuts, Wager, draw, rank, row, rule, settle

MIDDLE, ANDAR, BAHAR = 0, 1, 2


class Rules(NamedTuple):
    decks: int


class Matched(NamedTuple):
    side: int


@rule
def play(table, rules):
    """The middle card is turned, then one card after the other goes to Andar and Bahar until its rank comes."""
    middle = draw(table, MIDDLE)
    side = ANDAR
    while rank(draw(table, side)) != rank(middle):
        side = BAHAR if side == ANDAR else ANDAR
    settle(table, EVERY_SEAT, Matched(side))


def pays(name, side, price):
    return Paytable(name, "", (row(name, price, lambda matched: matched.side == side),))


GAME = Game(
    id="andar-bahar", name="Andar Bahar", cites="AB", summary="Which side matches the middle card first?",
    play=play, module=__name__, seats_max=7, seats_per_player=1, places=("middle", "Andar", "Bahar"),
    options=(Option("decks", 1, (1,), "one deck, shuffled every round"),),
    rules=lambda options: Rules(options["decks"]), pack=lambda options: (options["decks"], 0),
    wagers=lambda _options: (
        Wager("andar", "Andar", pays("Andar", ANDAR, Fraction(9, 10)), Matched, opens=True),
        Wager("bahar", "Bahar", pays("Bahar", BAHAR, 1), Matched, opens=True),
    ),
    shortcuts=Shortcuts(same_after=lambda card, middle: int(rank(card) == rank(middle))),
)  # fmt: skip
