"""Three-card hands: what they are called and which is higher, for every game that plays poker with three cards."""

from collections.abc import Sequence

from pairhouse.core.cards import ACE, RANK_WORDS, Card, Rank, is_red, rank, suit
from pairhouse.core.rule import rule

NO_PAIR, MIXED_PAIR, COLOURED_PAIR, SUITED_PAIR = 0, 1, 2, 3
HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH = 0, 1, 2, 3, 4, 5


@rule
def height(card_rank: Rank) -> int:
    """A rank's height with the ace high: two 2, ... king 13, ace 14."""
    return 14 if card_rank == ACE else card_rank + 1


@rule
def is_flush(a: Card, b: Card, c: Card) -> bool:
    """Three cards of one suit."""
    return suit(a) == suit(b) and suit(b) == suit(c)


@rule
def is_three_of_a_kind(a: Card, b: Card, c: Card) -> bool:
    """Three cards of one rank."""
    return rank(a) == rank(b) and rank(b) == rank(c)


@rule
def is_pair(a: Card, b: Card) -> bool:
    """Two cards of one rank, suits ignored."""
    return rank(a) == rank(b)


@rule
def pair_kind(a: Card, b: Card) -> int:
    """How two cards pair: not at all, in two colours, in one colour, or as the same card twice."""
    if not is_pair(a, b):
        return NO_PAIR
    if a == b:
        return SUITED_PAIR
    return COLOURED_PAIR if is_red(a) == is_red(b) else MIXED_PAIR


@rule
def holds_pair(a: Card, b: Card, c: Card) -> bool:
    """Two or more cards of one rank among three."""
    return is_pair(a, b) or is_pair(b, c) or is_pair(a, c)


@rule
def in_order(a: Card, b: Card, c: Card) -> tuple[int, int, int]:
    """The three heights, highest first."""
    x, y, z = height(rank(a)), height(rank(b)), height(rank(c))
    top = max(x, y, z)
    low = min(x, y, z)
    return top, x + y + z - top - low, low


@rule
def is_straight(a: Card, b: Card, c: Card) -> bool:
    """Three ranks in a row; the ace ends a row above the king or below the two, and never stands inside one.

    [TCP-3] [LP-29] [BPP-44]
    """
    top, middle, low = in_order(a, b, c)
    return (top == middle + 1 and middle == low + 1) or (top == 14 and middle == 3 and low == 2)


@rule
def is_mini_royal(a: Card, b: Card, c: Card) -> bool:
    """Ace, king and queen of one suit."""
    top, middle, low = in_order(a, b, c)
    return is_flush(a, b, c) and top == 14 and middle == 13 and low == 12


@rule
def category(a: Card, b: Card, c: Card) -> int:
    """What three cards make, from high card to straight flush; a straight is worth more than a flush. [TCP-2]"""
    if is_three_of_a_kind(a, b, c):
        return THREE_OF_A_KIND
    if is_straight(a, b, c):
        return STRAIGHT_FLUSH if is_flush(a, b, c) else STRAIGHT
    if is_flush(a, b, c):
        return FLUSH
    return PAIR if holds_pair(a, b, c) else HIGH_CARD


@rule
def strength(a: Card, b: Card, c: Card) -> int:
    """A number that orders all three-card hands: first the category, then the ranks that decide within it.

    [TCP-3] [TCP-4] [TCP-5]
    """
    kind = category(a, b, c)
    top, middle, low = in_order(a, b, c)
    if middle == low:  # the pair comes before the card beside it
        top, low = low, top
    if top == 14 and middle == 3 and low == 2:  # always a straight, and the lowest
        top, middle, low = 3, 2, 1
    return ((kind * 16 + top) * 16 + middle) * 16 + low


def hand_words(cards: Sequence[Card]) -> str:
    """`pair of nines`, `ace-high flush`, `queen high`: how a dealer calls a three-card hand."""
    a, b, c = cards
    kind = category(a, b, c)
    word = RANK_WORDS[strength(a, b, c) // 256 % 16 % 13 - 1]
    plural = word + ("es" if word == "six" else "s")
    return {
        HIGH_CARD: f"{word} high",
        PAIR: f"pair of {plural}",
        FLUSH: f"{word}-high flush",
        STRAIGHT: f"{word}-high straight",
        THREE_OF_A_KIND: f"three {plural}",
        STRAIGHT_FLUSH: "mini royal" if is_mini_royal(a, b, c) else f"{word}-high straight flush",
    }[kind]
