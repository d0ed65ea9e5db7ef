"""Three Card Poker from any cards that are left, exactly, in under a millisecond.

Hands are added in rising strength, each counted for itself, for its cards and for its pairs of cards. Before and after
the hands of one strength are added, the dealer's hands that are weaker than a seat's hand and share no card with it
follow by adding and taking away. So each hand costs a few additions, not a walk over the dealer's hands.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from pairhouse.analysis.three_card.known_hands import DECK, HAND, Numbers, ShowdownTables, deals_of, kind_of
from pairhouse.core.cards import Card
from pairhouse.core.game import Variant
from pairhouse.core.hands import strength
from pairhouse.core.paytable import Wager
from pairhouse.core.tally import net_of
from pairhouse.games.three_card_poker import BEAT, Showdown
from pairhouse.machines.cache import cached_jit
from pairhouse.machines.count import JIT

LeftPrice = Callable[[Sequence[Card]], tuple[float, float]]


class RankedHands(NamedTuple):
    """Every hand of three cards in rising strength, where each strength ends, and the kind of each hand."""

    cards: Numbers
    ends: Numbers
    kinds: Numbers


class Added(NamedTuple):
    """How many hands were added: in all, by card, by two cards."""

    of_all: Numbers
    with_card: Numbers
    with_two: Numbers


_jit = cached_jit("three-card-left", __name__, nogil=True, **{**JIT, "_nrt": True})


@_jit
def add_hand(added: Added, a: int, b: int, c: int) -> None:
    added.of_all[0] += 1
    added.with_card[a] += 1
    added.with_card[b] += 1
    added.with_card[c] += 1
    added.with_two[a, b] += 1
    added.with_two[a, c] += 1
    added.with_two[b, c] += 1


@_jit
def sharing_none(added: Added, a: int, b: int, c: int, itself: int) -> int:
    """How many of the added hands share no card with this one; `itself` is 1 where it was added too."""
    found: int = added.of_all[0] - added.with_card[a] - added.with_card[b] - added.with_card[c] - itself
    found += added.with_two[a, b] + added.with_two[a, c] + added.with_two[b, c]
    return found


@_jit
def add_better(game: ShowdownTables, kind: int, ways: tuple[int, int, int, int], sums: Numbers) -> None:
    """Add what one hand wins, played or folded as is better, given how many of the dealer's hands end each way."""
    dealers, won, square = 0, 0, 0
    for case in range(4):
        dealers += ways[case]
        won += ways[case] * game.nets[kind, case]
        square += ways[case] * game.nets[kind, case] ** 2
    if won <= game.fold * dealers:
        won, square = game.fold * dealers, game.fold**2 * dealers
    sums[0] += won
    sums[1] += square
    sums[2] += dealers


@_jit
def play_or_fold(
    hands: RankedHands, game: ShowdownTables, weak: Added, added: Added, dealers: int, sums: Numbers
) -> None:
    """Add up every hand against every hand of the dealer, strength by strength."""
    weaker = np.zeros(hands.cards.shape[0], np.int64)
    for row in range(hands.cards.shape[0]):
        a, b, c = hands.cards[row]
        if game.qualifies[a, b, c] == 0:
            add_hand(weak, a, b, c)
    first = 0
    for end in hands.ends:
        for row in range(first, end):
            a, b, c = hands.cards[row]
            weaker[row] = sharing_none(added, a, b, c, 0)
        for row in range(first, end):
            a, b, c = hands.cards[row]
            add_hand(added, a, b, c)
        for row in range(first, end):
            a, b, c = hands.cards[row]
            qualified = game.qualifies[a, b, c]
            out = sharing_none(weak, a, b, c, 1 - qualified)
            below = weaker[row] if qualified else out
            equal = sharing_none(added, a, b, c, 1) - below if qualified else 0
            add_better(game, hands.kinds[row], (out, dealers - below - equal, equal, below - out), sums)
        first = end


@lru_cache(maxsize=1)
def hands_in_order() -> RankedHands:
    """Every hand of a deck, weakest first."""
    every = sorted((strength(*hand), hand) for hand in combinations(range(DECK), HAND))
    strengths = np.array([found for found, _ in every])
    ends = np.append(np.flatnonzero(np.diff(strengths)) + 1, len(every))
    cards = np.array([hand for _, hand in every], np.int64)
    return RankedHands(cards, ends.astype(np.int64), np.array([kind_of(hand) for _, hand in every], np.int64))


def _none_added() -> Added:
    return Added(np.zeros(1, np.int64), np.zeros(DECK, np.int64), np.zeros((DECK, DECK), np.int64))


def _are_left(cards: Sequence[Card]) -> Numbers:
    left = np.zeros(DECK, np.int64)
    left[np.array(cards, np.int64)] = 1
    return left


def hands_of(cards: Sequence[Card]) -> RankedHands:
    """The hands that these cards can make, weakest first."""
    every = hands_in_order()
    held = _are_left(cards)[every.cards].all(axis=1)
    ends = np.unique(np.cumsum(held, dtype=np.int64)[every.ends - 1])
    return RankedHands(every.cards[held], ends[ends > 0], every.kinds[held])


def ante_sums(variant: Variant, cards: Sequence[Card]) -> tuple[int, int, int]:
    """What the Ante wins over every deal of these cards, played best: in steps, its squares, and how many deals."""
    sums = np.zeros(3, np.int64)
    dealers = comb(len(cards) - HAND, HAND)
    play_or_fold(hands_of(cards), deals_of(variant).game, _none_added(), _none_added(), dealers, sums)
    return int(sums[0]), int(sums[1]), int(sums[2])


def ante_left(variant: Variant) -> LeftPrice:
    """Prices the Ante from any cards of one deck: its expectation and mean square."""
    steps = deals_of(variant).steps

    def price(cards: Sequence[Card]) -> tuple[float, float]:
        won, square, deals = ante_sums(variant, cards)
        return won / (deals * steps), square / (deals * steps**2)

    return price


def own_hand_left(bet: Wager) -> LeftPrice:
    """Prices a bet on the seat's own hand from any cards of one deck."""
    hands = hands_in_order()
    by_kind = [float(net_of(bet, Showdown(kind, True, True, BEAT))) for kind in range(int(hands.kinds.max()) + 1)]
    nets = np.array(by_kind)[hands.kinds]

    def price(cards: Sequence[Card]) -> tuple[float, float]:
        held = _are_left(cards)[hands.cards].all(axis=1)
        return float(nets[held].mean()), float((nets[held] ** 2).mean())

    return price
