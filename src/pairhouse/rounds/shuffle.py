"""An honest order of the cards, from the randomness of the operating system."""

import secrets
from collections.abc import MutableSequence

from pairhouse.core.cards import Card, pack
from pairhouse.core.game import Variant
from pairhouse.core.shoe import Shoe


def shuffle(cards: MutableSequence[Card]) -> None:
    """Fisher-Yates with rejection-sampled indices: every order is equally likely, and nothing past plays a part.

    [BPP-2]
    """
    for last in range(len(cards) - 1, 0, -1):
        other = secrets.randbelow(last + 1)
        cards[last], cards[other] = cards[other], cards[last]


def fresh_cards(variant: Variant) -> list[Card]:
    """The whole pack of a variant, shuffled anew. [TCP-1] [NSB-4] [LP-1] [BPP-1] [BJ-1]"""
    cards = list(pack(*variant.pack))
    shuffle(cards)
    return cards


def fresh_shoe(variant: Variant) -> Shoe:
    """A new shoe with its cut card in place. [NSB-4] [NSB-5]"""
    return Shoe(tuple(fresh_cards(variant)), variant.options["cut_card"])
