"""La Pair'e again: the first card out of 54, ordered pairs, and every set of three, a Joker tried as each card."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from pairhouse.analysis.second_derivation import Distribution, Second, pays_of, settled
from pairhouse.core.game import Variant

NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DECK = range(54)
BEST_FIRST = ("mini royal", "straight flush", "three of a kind", "straight", "flush", "")
METHOD = "cards, ordered pairs and sets of three in plain loops, a Joker tried as every card that is not in the hand"


def derive(variant: Variant) -> Second:
    return Second(METHOD, {wager: distribution(variant, wager) for wager in variant.wagers})


def distribution(variant: Variant, wager: str) -> Distribution:
    """A wager's endings; its id says which values it covers."""
    pays = pays_of(variant, wager)
    kind, *covered = wager.split("-")
    if wager == "poker":
        return settled(poker_ways(), pays, 54 * 53 * 52 // 6)
    if wager == "any-paire":
        ways = {"pair": sum(pairs_of(name) for name in NAMES), "pair of Jokers": pairs_of("joker")}
        return settled(ways, pays, 54 * 53)
    (price,) = pays.values()
    if kind == "paire":
        chance = Fraction(pairs_of(covered[0]), 54 * 53)
    elif kind in ("red", "black"):
        chance = Fraction(sum(colour(card) == kind for card in DECK), 54)
    else:
        chance = Fraction(sum(name_of(card) in covered for card in DECK), 54)
    return {price: chance, Fraction(-1): 1 - chance}


def name_of(card: int) -> str:
    return NAMES[card % 13] if card < 52 else "joker"


def colour(card: int) -> str:
    if card >= 52:
        return "none"
    return "red" if card // 13 in (1, 2) else "black"


def pairs_of(name: str) -> int:
    """Ordered pairs of two cards of a value."""
    held = sum(name_of(card) == name for card in DECK)
    return held * (held - 1)


@lru_cache(maxsize=1)
def poker_ways() -> dict[str, int]:
    """What every set of three cards makes."""
    ways: dict[str, int] = {}
    for cards in combinations(DECK, 3):
        name = with_jokers(cards)
        if name:
            ways[name] = ways.get(name, 0) + 1
    return ways


def with_jokers(cards: Sequence[int]) -> str:
    plain = [card for card in cards if card < 52]
    if len(plain) == 1:
        return "two Jokers"
    if len(plain) == 3:
        return made_by(plain)
    best = min(BEST_FIRST.index(made_by([*plain, card])) for card in range(52) if card not in plain)
    return BEST_FIRST[best]


def made_by(cards: Sequence[int]) -> str:
    """The name of three plain cards, the best that holds."""
    suited = len({card // 13 for card in cards}) == 1
    low, middle, high = sorted(card % 13 for card in cards)
    straight = (middle - low, high - middle) == (1, 1) or (low, middle, high) == (0, 11, 12)
    if suited and straight:
        return "mini royal" if (low, middle, high) == (0, 11, 12) else "straight flush"
    if low == high:
        return "three of a kind"
    if straight:
        return "straight"
    return "flush" if suited else ""
