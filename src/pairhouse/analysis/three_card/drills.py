"""The decision of Three Card Poker for practice: how often each hand comes up, and what play and fold are worth."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations

from pairhouse.analysis.methods.records import Drill
from pairhouse.analysis.three_card.counts import value_of_hand
from pairhouse.core.cards import FACES, Card, pack, rank, suit
from pairhouse.core.game import Variant
from pairhouse.games.three_card_poker import FOLD, PLAY


def drills(variant: Variant) -> list[Drill]:
    """Every hand once. Hands of the same ranks are worth the same only if their suits repeat in the same places."""
    alike: dict[tuple[tuple[int, ...], ...], list[tuple[Card, ...]]] = defaultdict(list)
    for hand in combinations(pack(1, 0), 3):
        alike[ranks_by_suit(hand)].append(hand)
    deals = sum(map(len, alike.values()))
    return [_drill(variant, hands[0], Fraction(len(hands), deals)) for hands in alike.values()]


def ranks_by_suit(hand: tuple[Card, ...]) -> tuple[tuple[int, ...], ...]:
    """The ranks that a hand holds in each of its suits, whichever suits these are."""
    held: dict[int, list[int]] = defaultdict(list)
    for card in hand:
        held[suit(card)].append(rank(card))
    return tuple(sorted(tuple(sorted(ranks)) for ranks in held.values()))


def _drill(variant: Variant, hand: tuple[Card, ...], frequency: Fraction) -> Drill:
    values = {"play": value_of_hand(variant, PLAY, hand), "fold": value_of_hand(variant, FOLD, hand)}
    ordered = dict(sorted(values.items(), key=lambda item: -item[1]))
    faces = [FACES[card] for card in sorted(hand, reverse=True)]
    return Drill(hand=faces, up=None, frequency=frequency, values=dict(ordered))
