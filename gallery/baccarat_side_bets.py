"""Side bets on baccarat: Dragon 7, Panda 8, a banker without commission, the dragon bonuses, big and small."""

from fractions import Fraction
from typing import NamedTuple

from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.games.nepal_super_baccarat import NO_CARD, points, worth
from pairhouse.kit import EVERY_SEAT, PUSH, Paytable, Shortcuts, Wager, rank, row, rule, settle, with_side_bets

BONUS = ((9, 30), (8, 10), (7, 6), (6, 4), (5, 2), (4, 1))


class Ended(NamedTuple):
    """Totals, cards of each side, and whether a natural ended the coup."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    natural: bool


@rule
def total(hand):
    """The points of a side, its third card where it drew one."""
    two = points(hand[0]) + points(hand[1])
    return worth(two) if hand[2] == NO_CARD else worth(two + points(hand[2]))


@rule
def look(table, player, banker):
    """Everything is decided when the coup is over."""
    cards = 3 - int(player[2] == NO_CARD), 3 - int(banker[2] == NO_CARD)
    one, other = total(player), total(banker)
    settle(table, EVERY_SEAT, Ended(one, other, cards[0], cards[1], cards == (2, 2) and max(one, other) >= 8))


def bet(name, *rows):
    wager_id = name.lower().replace(" ", "-")
    paytable = Paytable(name, "", tuple(row(*each) for each in rows))
    return Wager(wager_id, name, paytable, Ended, opens=True, group="Side bets")


def bonus(name, margin):
    """A natural that wins pays 1 and one that ties pushes; else by how much the side wins."""
    by_margin = [(f"by {n}", pays, lambda e, n=n: not e.natural and margin(e) == n) for n, pays in BONUS]
    natural = "natural win", 1, lambda e: e.natural and margin(e) > 0
    return bet(name, natural, ("natural tie", PUSH, lambda e: e.natural and margin(e) == 0), *by_margin)


def is_dragon(e):
    """The banker wins with a three-card 7."""
    return e.banker == 7 > e.player and e.banker_cards == 3


WAGERS = (
    bet("Dragon 7", ("three-card 7", 40, is_dragon)),
    bet("Panda 8", ("three-card 8", 25, lambda e: e.player == 8 > e.banker and e.player_cards == 3)),
    bet("EZ Banker", ("three-card 7", PUSH, is_dragon), ("Banker wins", 1, lambda e: e.banker > e.player),
        ("tie", PUSH, lambda e: e.banker == e.player)),
    bonus("Dragon Bonus Player", lambda e: e.player - e.banker),
    bonus("Dragon Bonus Banker", lambda e: e.banker - e.player),
    bet("Small", ("four cards", Fraction(3, 2), lambda e: e.player_cards + e.banker_cards == 4)),
    bet("Big", ("five or six cards", Fraction(54, 100), lambda e: e.player_cards + e.banker_cards > 4)),
)  # fmt: skip
GAME = with_side_bets(
    baccarat.GAME, id="baccarat-side-bets", name="Baccarat with side bets", module=__name__,
    summary="Nepal Super Baccarat with seven bets more.", at={baccarat.coup_over: look}, wagers=WAGERS,
    shortcuts=Shortcuts(same=rank),
)  # fmt: skip
