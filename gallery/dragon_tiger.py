"""Dragon Tiger: one card each, the higher wins, the ace is low. Eight decks."""

from fractions import Fraction
from typing import NamedTuple

from pairhouse.kit import EVERY_SEAT, Game, Option, Paytable, Shortcuts, Wager, draw, rank, row, rule, settle

DRAGON, TIGER, TIE, SUITED_TIE = 0, 1, 2, 3


class Rules(NamedTuple):
    decks: int


class Duel(NamedTuple):
    winner: int


@rule
def winner_of(dragon, tiger):
    """The higher rank wins, the king is highest. Equal ranks tie; the same card twice is a suited tie."""
    if rank(dragon) != rank(tiger):
        return DRAGON if rank(dragon) > rank(tiger) else TIGER
    return SUITED_TIE if dragon == tiger else TIE


@rule
def play(table, rules):
    """A card to Dragon, a card to Tiger."""
    dragon = draw(table, DRAGON)
    tiger = draw(table, TIGER)
    settle(table, EVERY_SEAT, Duel(winner_of(dragon, tiger)))


def side(name, number):
    """A side wins even money, and loses half on a tie."""
    wins = row(f"{name} wins", 1, lambda duel: duel.winner == number)
    return Paytable(name, "", (wins, row("tie", Fraction(-1, 2), lambda duel: duel.winner >= TIE)))


def wagers(_options):
    suited = Paytable("Suited Tie", "", (row("suited tie", 50, lambda duel: duel.winner == SUITED_TIE),))
    return (
        Wager("dragon", "Dragon", side("Dragon", DRAGON), Duel, opens=True),
        Wager("tiger", "Tiger", side("Tiger", TIGER), Duel, opens=True),
        Wager("tie", "Tie", Paytable("Tie", "", (row("tie", 8, lambda duel: duel.winner >= TIE),)), Duel, opens=True),
        Wager("suited-tie", "Suited Tie", suited, Duel, opens=True),
    )


GAME = Game(
    id="dragon-tiger",
    name="Dragon Tiger",
    cites="DT",
    summary="One card to Dragon and one to Tiger; the higher wins.",
    play=play,
    module=__name__,
    options=(Option("decks", 8, (8,), "decks, shuffled every round"),),
    seats_max=7,
    seats_per_player=1,
    places=("Dragon", "Tiger"),
    rules=lambda options: Rules(options["decks"]),
    wagers=wagers,
    pack=lambda options: (options["decks"], 0),
    shortcuts=Shortcuts(suits_alike=True),
)
