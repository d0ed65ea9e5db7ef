"""A blackjack hand as one number, and what it is worth."""

from collections.abc import Sequence

from pairhouse.core.cards import Card, rank
from pairhouse.core.rule import rule

# A hand is one integer: hard total in 5 bits, number of cards in 5 bits, then how many of each value, ace first, in as
# many bits as a hand can ever need. Adding a card is one addition; composition-dependent play can read it back.
_VALUE_BITS = (5, 4, 3, 3, 3, 3, 2, 2, 2, 2)
WORDS = (0, *(v + (1 << 5) + (1 << (10 + sum(_VALUE_BITS[: v - 1]))) for v in range(1, 11)))
HAND_BITS = 10 + sum(_VALUE_BITS)


@rule
def value(card: Card) -> int:
    """Ace one (or eleven, see `total`), faces ten, the others their number. [BPP-3] [BJ-2]"""
    return min(rank(card) + 1, 10)


@rule
def add(hand: int, card: Card) -> int:
    """The hand with one more card."""
    return hand + WORDS[value(card)]


@rule
def hard(hand: int) -> int:
    """The total with every ace as one."""
    return hand & 31


@rule
def size(hand: int) -> int:
    """How many cards the hand holds."""
    return (hand >> 5) & 31


@rule
def is_soft(hand: int) -> bool:
    """An ace counts eleven unless that would bust the hand. [BPP-3] [BJ-2]"""
    return (hand >> 10) & 31 > 0 and hard(hand) <= 11


@rule
def total(hand: int) -> int:
    """The value of the hand."""
    return hard(hand) + 10 if is_soft(hand) else hard(hand)


@rule
def is_bust(hand: int) -> bool:
    """Over 21. [BPP-4] [BJ-17]"""
    return hard(hand) > 21


@rule
def is_blackjack(hand: int) -> bool:
    """21 with the first two cards. [BPP-5] [BJ-3]"""
    return size(hand) == 2 and total(hand) == 21


@rule
def is_value_pair(hand: int) -> bool:
    """Two cards of the same value: a ten and a king are such a pair. [BPP-30] [BJ-19]"""
    return size(hand) == 2 and hand == 2 * WORDS[hard(hand) // 2]


def name_hand(cards: Sequence[Card]) -> str:
    """A hand is called by its total: `soft 17`, `12`, `bust with 24`."""
    hand = 0
    for card in cards:
        hand = add(hand, card)
    if is_bust(hand):
        return f"bust with {total(hand)}"
    return f"soft {total(hand)}" if is_soft(hand) and total(hand) < 21 else str(total(hand))
