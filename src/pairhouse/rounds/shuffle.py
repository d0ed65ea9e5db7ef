"""A fair shuffle, from the operating system's randomness."""

import secrets
from collections.abc import MutableSequence

from pairhouse.core.cards import Card, pack
from pairhouse.core.game import Variant
from pairhouse.core.shoe import Shoe


def shuffle(cards: MutableSequence[Card]) -> None:
    """Shuffle in place: Fisher-Yates with unbiased draws, so every order is equally likely.

    [BPP-2]
    """
    for last in range(len(cards) - 1, 0, -1):
        other = secrets.randbelow(last + 1)
        cards[last], cards[other] = cards[other], cards[last]


def fresh_cards(variant: Variant) -> list[Card]:
    """A whole, freshly shuffled pack of a variant. [TCP-1] [NSB-4] [LP-1] [BPP-1] [BJ-1]"""
    cards = list(pack(*variant.pack))
    shuffle(cards)
    return cards


def fresh_shoe(variant: Variant) -> Shoe:
    """A new, shuffled shoe with its cut card in place. [NSB-4] [NSB-5]"""
    return Shoe(tuple(fresh_cards(variant)), variant.options["cut_card"])
