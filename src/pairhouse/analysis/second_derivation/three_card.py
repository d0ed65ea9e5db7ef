"""Three Card Poker again: every hand against every hand as arrays, each hand played or folded by its own value."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.second_derivation import Distribution, Second, pays_of
from pairhouse.core.game import Variant

METHOD = "every one of 22,100 hands against every hand without its cards, as arrays; each played only if that is better"

Numbers = npt.NDArray[np.int64]
Hand = tuple[int, int, int]
LOSES = Fraction(-1)
HIGH, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH = range(6)
MINI_ROYAL = [14, 13, 12]
NAMES = ("", "pair", "flush", "straight", "three of a kind", "straight flush")


def ranking(cards: Hand) -> tuple[int, list[int]]:
    """A hand's kind, and the heights that order hands of that kind: the more frequent first, then the higher."""
    heights = [(card - 1) % 13 + 2 if card % 13 else 14 for card in cards]
    heights.sort(key=lambda height: (-heights.count(height), -height))
    suited = len({card // 13 for card in cards}) == 1
    if len(set(heights)) == 1:
        return TRIPS, heights
    if len(set(heights)) == 2:
        return PAIR, heights
    if heights == [14, 3, 2]:
        heights = [3, 2, 1]
    if heights[0] - heights[2] == 2:
        return (STRAIGHT_FLUSH if suited else STRAIGHT), heights
    return (FLUSH if suited else HIGH), heights


class Dealers:
    """Dealer's hands below each strength: all of them, those with one given card, those with two given cards.

    The hands that avoid a player's three cards follow by inclusion and exclusion.
    """

    def __init__(self, hands: list[Hand], strength: list[int]) -> None:
        self.top = max(strength) + 1
        at = np.array(strength)
        cards = np.array(hands)
        self.all = self._below(np.zeros(len(hands), np.int64), at, 1)[0]
        self.with_one = np.sum([self._below(cards[:, i], at, 52) for i in range(3)], axis=0)
        pairs = [cards[:, i] * 52 + cards[:, j] for i, j in ((0, 1), (0, 2), (1, 2))]
        self.with_two = np.sum([self._below(pair, at, 52 * 52) for pair in pairs], axis=0)

    def _below(self, key: Numbers, strength: Numbers, keys: int) -> Numbers:
        counts = np.bincount(key * self.top + strength, minlength=keys * self.top).reshape(keys, self.top)
        return np.concatenate([np.zeros((keys, 1), np.int64), counts.cumsum(axis=1)], axis=1)

    def against(self, hand: Hand, own: int) -> Numbers:
        """Dealer's hands below each strength that hold none of these cards."""
        a, b, c = hand
        below: Numbers = self.all - self.with_one[[a, b, c]].sum(axis=0)
        below = below + self.with_two[[a * 52 + b, a * 52 + c, b * 52 + c]].sum(axis=0)
        return below - (np.arange(self.top + 1) > own)


def derive(variant: Variant) -> Second:
    hands = list(combinations(range(52), 3))
    ranked = [ranking(hand) for hand in hands]
    order = {key: place for place, key in enumerate(sorted({(kind, *heights) for kind, heights in ranked}))}
    strength = [order[kind, *heights] for kind, heights in ranked]
    qualifying = min(order[kind, *heights] for kind, heights in ranked if kind > HIGH or heights[0] >= 12)
    dealers = Dealers(hands, strength)
    bonus = {name: pays for name, pays in pays_of(variant, "ante-bonus").items() if pays > 0}
    pairplus = pays_of(variant, "pairplus")
    progressive = pays_of(variant, "progressive") if "progressive" in variant.wagers else None
    ante: Counter[Fraction] = Counter()
    plus: Counter[Fraction] = Counter()
    shares: Counter[Fraction] = Counter()
    for hand, own, (kind, heights) in zip(hands, strength, ranked, strict=True):
        endings = showdown(dealers.against(hand, own), own, qualifying)
        deals, extra = sum(endings.values()), bonus.get(NAMES[kind], Fraction(0))
        played = sum(net * ways for net, ways in endings.items()) + extra * deals > -deals
        for net, ways in endings.items() if played else [(-1, deals)]:
            ante[Fraction(net) + (extra if played else 0)] += ways
        plus[pairplus.get(NAMES[kind], LOSES) if played else LOSES] += deals
        if progressive is not None:
            name = "mini royal" if kind == STRAIGHT_FLUSH and heights == MINI_ROYAL else NAMES[kind]
            shares[progressive.get(name, LOSES) if played else LOSES] += deals
    found = {"ante": ante, "pairplus": plus} | ({} if progressive is None else {"progressive": shares})
    return Second(METHOD, {wager: _chances(ways) for wager, ways in found.items()})


def showdown(below: Numbers, own: int, qualifying: int) -> dict[int, int]:
    """What playing wins on Ante and Play together, in antes, with the number of dealer's hands."""
    weak, good = int(below[qualifying]), max(own, qualifying)
    better = int(below[-1] - below[max(own + 1, qualifying)])
    beaten = int(below[good]) - weak
    return {1: weak, 2: beaten, 0: int(below[-1]) - weak - beaten - better, -2: better}


def _chances(ways: Counter[Fraction]) -> Distribution:
    total = sum(ways.values())
    return {Fraction(net): Fraction(number, total) for net, number in ways.items() if number}
