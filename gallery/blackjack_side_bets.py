"""Six side bets on blackjack's first cards, on the standard game."""

from fractions import Fraction
from typing import NamedTuple

from pairhouse.core.hands import is_flush, is_straight, is_three_of_a_kind, pair_kind
from pairhouse.games import blackjack, standard_blackjack
from pairhouse.kit import Paytable, Wager, rank, row, rule, settle, suit, with_side_bets


class Look(NamedTuple):
    """What the bets need of the first two cards and the up card."""

    poker: bool  # flush, straight, three of a kind, straight flush
    pair: int  # 0 none, 1 mixed, 2 one colour, 3 identical
    royal: bool
    suited: bool
    matches: int  # own cards of the up card's rank, of another suit
    exact: int  # and of the same suit
    sum: int  # 0 under 13, 1 thirteen, 2 over


@rule
def points(card):
    """Ace 1, faces 10."""
    return min(rank(card) + 1, 10)


@rule
def look(table, place, first, second, up):
    """Everything is decided by the first two cards and the up card."""
    poker = is_flush(first, second, up) or is_straight(first, second, up) or is_three_of_a_kind(first, second, up)
    suited = suit(first) == suit(second)
    royal = suited and min(rank(first), rank(second)) == 11 and max(rank(first), rank(second)) == 12
    exact = int(first == up) + int(second == up)
    matches = int(rank(first) == rank(up)) + int(rank(second) == rank(up)) - exact
    total = points(first) + points(second)
    over = 2 if total > 13 else 1 if total == 13 else 0
    settle(table, place, Look(poker, pair_kind(first, second), royal, suited, matches, exact, over))


def bet(name, *rows):
    wager_id = name.lower().replace(" ", "-")
    return Wager(wager_id, name, Paytable(name, "", tuple(row(words, pays, when) for words, pays, when in rows)), Look)


def matched(exact, others):
    """A row of Match the Dealer: 11 for each exact match and 4 for each other."""
    words = f"{exact} suited and {others} other"
    return words, 11 * exact + 4 * others, lambda look: (look.exact, look.matches) == (exact, others)


WAGERS = (
    bet("21+3", ("poker hand", 9, lambda look: look.poker)),
    bet("Perfect Pairs", ("identical", 25, lambda look: look.pair == 3),
        ("one colour", 12, lambda look: look.pair == 2), ("other pair", 6, lambda look: look.pair == 1)),
    bet("Royal Match", ("king and queen", 25, lambda look: look.royal),
        ("one suit", Fraction(5, 2), lambda look: look.suited)),
    bet("Match the Dealer", *(matched(*both) for both in ((2, 0), (1, 1), (1, 0), (0, 2), (0, 1)))),
    bet("Over 13", ("over", 1, lambda look: look.sum == 2)),
    bet("Under 13", ("under", 1, lambda look: look.sum == 0)),
)  # fmt: skip
GAME = with_side_bets(
    standard_blackjack.GAME, id="blackjack-side-bets", name="Blackjack with side bets", module=__name__,
    summary="The standard game with six bets on the first cards.", at={blackjack.first_cards: look}, wagers=WAGERS,
)  # fmt: skip
