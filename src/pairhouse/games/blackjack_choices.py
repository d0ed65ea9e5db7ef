"""What a hand may do at a blackjack table: the rules that tables differ in, and the choices that follow from them."""

from typing import NamedTuple

from pairhouse.core.cards import Card
from pairhouse.core.game import Action
from pairhouse.core.rule import rule
from pairhouse.games.blackjack_hand import HAND_BITS, WORDS, is_bust, is_soft, is_value_pair, size, total, value

STAND, HIT, DOUBLE, SPLIT, SURRENDER, INSURANCE, NO_INSURANCE = 1, 2, 4, 8, 16, 32, 64
ACTIONS = (
    Action("stand", "s", automatic=True),
    Action("hit", "h"),
    Action("double", "d", wager="main", base="main"),
    Action("split", "p", wager="main", base="main"),
    Action("surrender", "r"),
    Action("insurance", "i", wager="insurance", base="main"),
    Action("no-insurance", "n", automatic=True),
)

DOUBLE_ANY, DOUBLE_9_TO_11, DOUBLE_10_TO_11 = 0, 1, 2


class Rules(NamedTuple):
    """What one blackjack table may do differently from another."""

    hits_soft_17: bool
    double: int
    double_after_split: bool
    hands_max: int
    splits_max: int
    resplit_aces: bool
    hit_split_aces: bool
    surrender: bool
    hole_card: bool
    charlie: int
    insurance: bool
    side_bets_from_right: bool


@rule
def is_charlie(rules: Rules, hand: int) -> bool:
    """So many cards without a bust win by themselves. [BPP-36] [BJ-25]"""
    return rules.charlie > 0 and size(hand) >= rules.charlie and not is_bust(hand)


@rule
def dealer_draws(rules: Rules, dealer: int) -> bool:
    """The dealer draws to 16 and stands on 17; a soft 17 is hit only where the table says so. [BPP-37] [BJ-26]"""
    return total(dealer) < 17 or (rules.hits_soft_17 and total(dealer) == 17 and is_soft(dealer))


@rule
def may_double(rules: Rules, hand: int, times_split: int) -> bool:
    """Doubling is open on the first two cards, within the totals and after splits as the table says.

    [BPP-34] [BJ-18]
    """
    if size(hand) != 2 or (times_split > 0 and not rules.double_after_split):
        return False
    if rules.double == DOUBLE_ANY:
        return True
    lowest = 9 if rules.double == DOUBLE_9_TO_11 else 10
    return lowest <= total(hand) <= 11


@rule
def may_split(rules: Rules, hand: int, times_split: int, hand_count: int) -> bool:
    """Two cards of one value may be split, until the seat has enough hands or the hand has been split enough.

    [BPP-31] [BJ-19]
    """
    if not is_value_pair(hand) or hand_count >= rules.hands_max or times_split >= rules.splits_max:
        return False
    return times_split == 0 or hand != 2 * WORDS[1] or rules.resplit_aces  # [BPP-32] [BJ-21]


@rule
def legal_actions(rules: Rules, hand: int, times_split: int, hand_count: int, from_aces: bool) -> int:
    """What the seat may choose now; nothing when the hand stands by itself. [BPP-28] [BJ-15]"""
    if total(hand) >= 21 or is_charlie(rules, hand):
        return 0  # [BPP-29] [BJ-16]
    splittable = SPLIT if may_split(rules, hand, times_split, hand_count) else 0
    if times_split > 0 and from_aces and not rules.hit_split_aces:
        return STAND | SPLIT if splittable else 0  # [BPP-32] [BJ-20] [BJ-21] [BJ-22]
    legal = STAND | HIT | splittable
    if may_double(rules, hand, times_split):
        legal |= DOUBLE
    if rules.surrender and size(hand) == 2 and times_split == 0:
        legal |= SURRENDER  # [BJ-24]
    return legal


@rule
def situation(hand: int, up: Card, times_split: int, first: Card) -> int:
    """All a choice may rest on: the hand, the value of the up card, and, once split, how often and from which value."""
    pair = value(first) if times_split > 0 else 0
    return hand | value(up) << HAND_BITS | times_split << (HAND_BITS + 4) | pair << (HAND_BITS + 7)


def offers(action: str, rules: Rules) -> bool:
    """Whether a table under these rules can ever offer a choice. [BJ-24] [BJ-9] [BPP-46]"""
    if action == "surrender":
        return rules.surrender
    return rules.insurance or action not in ("insurance", "no-insurance")
