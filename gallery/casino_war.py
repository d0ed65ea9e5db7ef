"""Casino War: one card each, the higher wins, ace high. A tie is surrendered or goes to war."""

from fractions import Fraction
from typing import NamedTuple

from pairhouse.kit import (
    Action, Game, Option, Paytable, Shortcuts, Wager, choose, draw, draw_down, height, rank, row, rule, settle, spot,
)  # fmt: skip

DEALER = 0
SURRENDER, WAR = 1, 2
LOWER, SURRENDERED, WAR_LOST, WAR_WON, WAR_TIED, HIGHER = 0, 1, 2, 3, 4, 5


class Rules(NamedTuple):
    decks: int


class First(NamedTuple):
    """The first two cards are compared."""

    tied: bool


class Duel(NamedTuple):
    """How a seat has ended, and whether it went to war."""

    ended: int
    war: bool


@rule
def compare(own, dealer):
    """The higher card wins, ace high, suits ignored; equal ranks tie."""
    return int(height(rank(own)) > height(rank(dealer))) - int(height(rank(own)) < height(rank(dealer)))


@rule
def go_to_war(table, place):
    """Three cards are burnt unseen, then one card each; the seat wins when it is equal or higher."""
    for _ in range(3):
        draw_down(table, DEALER)
    own = draw(table, place)
    found = compare(own, draw(table, DEALER))
    return WAR_WON if found > 0 else WAR_TIED if found == 0 else WAR_LOST


@rule
def play(table, rules):
    """One card to the seat and one to the dealer; on a tie the seat surrenders half, or raises and goes to war."""
    place = spot(1, 0)
    own = draw(table, place)
    found = compare(own, draw(table, DEALER))
    settle(table, place, First(found == 0))
    if found != 0:
        settle(table, place, Duel(HIGHER if found > 0 else LOWER, False))
    elif choose(table, place, SURRENDER | WAR, rank(own)) == SURRENDER:
        settle(table, place, Duel(SURRENDERED, False))
    else:
        settle(table, place, Duel(go_to_war(table, place), True))


def wagers(options):
    bonus = int(options["tie_bonus"])
    won = row("won at war", 0, lambda duel: duel.ended == WAR_WON)
    tied = row("tied at war", bonus, lambda duel: duel.ended == WAR_TIED)
    half = row("surrendered", Fraction(-1, 2), lambda duel: duel.ended == SURRENDERED)
    ante = Paytable("Ante", "", (row("higher", 1, lambda duel: duel.ended == HIGHER), tied, won, half))
    raised = Paytable("War", "", (row("equal or higher", 1, lambda duel: duel.ended in (WAR_WON, WAR_TIED)),))
    return (
        Wager("ante", "Ante", ante, Duel, opens=True),
        Wager("war", "War", raised, Duel, base="ante", times=lambda duel: int(duel.war)),
        Wager("tie", "Tie", Paytable("Tie", "", (row("tie", 10, lambda first: first.tied),)), First),
    )


GAME = Game(
    id="casino-war", name="Casino War", cites="CW", summary="One card each; on a tie, surrender or go to war.",
    play=play, module=__name__, seats_max=1, seats_per_player=1, places=("dealer",),
    options=(
        Option("decks", 6, (6,), "decks, shuffled every round"),
        Option("tie_bonus", False, (False, True), "a tie in the war pays ante and raise 1 each"),
    ),
    rules=lambda options: Rules(options["decks"]), pack=lambda options: (options["decks"], 0), wagers=wagers,
    actions=(Action("surrender", "s"), Action("war", "w", wager="war", base="ante")),
    shortcuts=Shortcuts(same=rank),
)  # fmt: skip
