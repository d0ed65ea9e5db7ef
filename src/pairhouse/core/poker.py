"""Five-card poker hands: what they are called and which is higher. The ace is high, and low in 5-4-3-2-A."""

from typing import NamedTuple

from pairhouse.core.cards import Card, rank, suit
from pairhouse.core.hands import height
from pairhouse.core.rule import rule

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)


class Heights(NamedTuple):
    """Five heights, from the highest down."""

    a: int
    b: int
    c: int
    d: int
    e: int


@rule
def in_order(a: Card, b: Card, c: Card, d: Card, e: Card) -> Heights:
    """The heights of five cards, sorted by comparing pairs."""
    v, w, x, y, z = height(rank(a)), height(rank(b)), height(rank(c)), height(rank(d)), height(rank(e))
    v, w = max(v, w), min(v, w)
    y, z = max(y, z), min(y, z)
    x, z = max(x, z), min(x, z)
    x, y = max(x, y), min(x, y)
    v, y = max(v, y), min(v, y)
    v, x = max(v, x), min(v, x)
    w, z = max(w, z), min(w, z)
    w, y = max(w, y), min(w, y)
    w, x = max(w, x), min(w, x)
    return Heights(v, w, x, y, z)


@rule
def packed(a: int, b: int, c: int, d: int, e: int) -> int:
    """Five heights as one number, the first weighs most."""
    return (((a * 16 + b) * 16 + c) * 16 + d) * 16 + e


@rule
def pair_strength(h: Heights) -> int:
    """The strength of one pair: the pair, then the other three."""
    if h.a == h.b:
        return PAIR << 20 | packed(h.a, h.b, h.c, h.d, h.e)
    if h.b == h.c:
        return PAIR << 20 | packed(h.b, h.c, h.a, h.d, h.e)
    if h.c == h.d:
        return PAIR << 20 | packed(h.c, h.d, h.a, h.b, h.e)
    return PAIR << 20 | packed(h.d, h.e, h.a, h.b, h.c)


@rule
def paired_strength(h: Heights) -> int:
    """The strength of a hand in which some cards have one rank."""
    ab, bc, cd, de = h.a == h.b, h.b == h.c, h.c == h.d, h.d == h.e
    equal = int(ab) + int(bc) + int(cd) + int(de)
    if equal == 1:
        return pair_strength(h)
    if equal == 3:
        if ab and bc and cd:
            return FOUR << 20 | packed(h.a, h.a, h.a, h.a, h.e)
        if bc and cd and de:
            return FOUR << 20 | packed(h.b, h.b, h.b, h.b, h.a)
        return FULL_HOUSE << 20 | packed(h.c, h.c, h.c, h.e if bc else h.a, h.e if bc else h.a)
    if ab and bc:
        return THREE << 20 | packed(h.a, h.a, h.a, h.d, h.e)
    if bc and cd:
        return THREE << 20 | packed(h.b, h.b, h.b, h.a, h.e)
    if cd and de:
        return THREE << 20 | packed(h.c, h.c, h.c, h.a, h.b)
    kicker = h.c if ab and de else h.e if ab else h.a
    return TWO_PAIR << 20 | packed(h.b, h.b, h.d, h.d, kicker)


@rule
def strength(a: Card, b: Card, c: Card, d: Card, e: Card) -> int:
    """A number that orders all hands: first what they are, then the ranks that decide. `kind` reads the former."""
    h = in_order(a, b, c, d, e)
    if h.a == h.b or h.b == h.c or h.c == h.d or h.d == h.e:
        return paired_strength(h)
    is_wheel = h.a == 14 and h.b == 5
    is_straight = h.a - h.e == 4 or is_wheel
    is_flush = suit(a) == suit(b) and suit(b) == suit(c) and suit(c) == suit(d) and suit(d) == suit(e)
    order = packed(5, 4, 3, 2, 1) if is_wheel else packed(h.a, h.b, h.c, h.d, h.e)
    if is_flush and is_straight:
        return (ROYAL_FLUSH if h.a == 14 and not is_wheel else STRAIGHT_FLUSH) << 20 | order
    if is_flush:
        return FLUSH << 20 | order
    return (STRAIGHT if is_straight else HIGH_CARD) << 20 | order


@rule
def kind(hand_strength: int) -> int:
    """What a hand is, from `HIGH_CARD` to `ROYAL_FLUSH`."""
    return hand_strength >> 20


@rule
def leading(hand_strength: int) -> int:
    """The height of the cards that weigh most, such as those of the pair."""
    return hand_strength >> 16 & 15
