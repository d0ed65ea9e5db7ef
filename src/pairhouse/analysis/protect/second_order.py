"""What two cards gone together change of a price, beyond what each changes by itself: what no count of cards sees.

By kind of pair: the same card twice, two of a rank, two of a suit, two others; the mean over all such pairs of the
pack. For a pair bet, which no single card touches, this is all that can be followed.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, perm

import numpy as np

from pairhouse.analysis.methods.method import COUNTED
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.effects import Effects
from pairhouse.analysis.protect.parts import part_of, parts_of
from pairhouse.analysis.protect.shoe_prices import ShoePrices
from pairhouse.core.cards import JOKER, Card, pack, rank, suit
from pairhouse.core.game import Variant

TWICE, RANK, SUIT, NEITHER = "one card twice", "one rank", "one suit", "neither"
KINDS = (TWICE, RANK, SUIT, NEITHER)
SecondOrder = dict[str, Fraction]


def kind_of_pair(one: Card, other: Card) -> str:
    """How two cards of a pack go together; Jokers are a rank without suits."""
    if one == other:
        return TWICE
    if one >= JOKER or other >= JOKER:
        return RANK if one >= JOKER and other >= JOKER else NEITHER
    return RANK if rank(one) == rank(other) else SUIT if suit(one) == suit(other) else NEITHER


def second_orders(variant: Variant, effects: Iterable[Effects], every: bool = True) -> dict[str, SecondOrder]:
    """The second order of every wager that is counted, or only of those that no card touches; others are not in it.

    For every wager it needs exact prices from any cards, which take a second to prepare.
    """
    by_wager = {each.wager: each for each in effects}
    counted = [wager for wager in by_wager if method_of(variant).source(wager) == COUNTED]
    found: dict[str, SecondOrder] = {}
    for part in parts_of(variant, counted) if counted else ():
        if part.counting is not None and every:
            for prices, wagers in part.shoe_prices:
                found |= _over_all_pairs(prices, [by_wager[wager] for wager in wagers])
        else:
            untouched = [by_wager[wager] for wager in part.wagers if by_wager[wager].untouched]
            found |= {each.wager: of_an_untouched(variant, each) for each in untouched}
    return found


def of_an_untouched(variant: Variant, each: Effects) -> SecondOrder:
    """One pair of each kind, where all cards are alike to a wager: priced anew with both gone."""
    method, whole = part_of(variant, each.wager).method, pack(*variant.pack)
    found = {}
    for name, gone in ((TWICE, (0, 0)), (RANK, (0, 13)), (SUIT, (0, 12)), (NEITHER, (0, 25))):
        left = list(whole)
        if whole.count(gone[0]) >= gone.count(gone[0]):
            for card in gone:
                left.remove(card)
            found[name] = method.exact_price(each.wager, left).ev - Fraction(each.price)
    return found


def _over_all_pairs(prices: ShoePrices, effects: list[Effects]) -> dict[str, SecondOrder]:
    """The mean over every pair of cards of each kind, all wagers at once, in whole numbers until the end."""
    decks, jokers = prices.variant.pack
    faces = pack(1, jokers)
    pairs = [(a, b) for a, b in combinations_with_replacement(faces, 2) if a != b or decks > 1]
    ways = [comb(decks, 2) if a == b else decks * decks for a, b in pairs]
    left = np.tile(prices.left_of(pack(decks, jokers)), (len(pairs), 1))
    for column in (0, 1):
        np.subtract.at(left, (np.arange(len(pairs)), prices.class_of[[pair[column] for pair in pairs]]), 1)
    returned = prices.returned(left).tolist()
    below = perm(decks * len(faces) - 2, prices.draws) * prices.steps
    found: dict[str, SecondOrder] = {}
    for each in effects:
        column = prices.wagers.index(each.wager)
        numbers, wholes = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
        alone = dict.fromkeys(KINDS, Fraction(0))
        for (a, b), number, row in zip(pairs, ways, returned, strict=True):
            kind = kind_of_pair(a, b)
            numbers[kind] += number
            wholes[kind] += number * row[column]
            alone[kind] += number * (Fraction(each.by_face[a]) + Fraction(each.by_face[b]))
        found[each.wager] = {
            kind: Fraction(wholes[kind], number * below) - 1 - Fraction(each.price) - alone[kind] / number
            for kind, number in numbers.items()
            if number
        }
    return found
