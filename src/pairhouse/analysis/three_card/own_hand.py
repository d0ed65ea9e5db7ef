"""Three Card Poker's bets on the seat's own hand (Pairplus, the progressive), from a deck with one card gone."""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb

from pairhouse.analysis.methods.records import Removal
from pairhouse.analysis.three_card.known_hands import DECK, HAND, kind_of
from pairhouse.core.cards import rank
from pairhouse.core.paytable import Wager
from pairhouse.core.tally import net_of
from pairhouse.games.three_card_poker import BEAT, Showdown


@lru_cache(maxsize=1)
def kinds_by_rank() -> tuple[dict[int, int], list[dict[int, int]]]:
    """How many hands there are of each kind, and how many of them hold a card of each rank (counted once a card)."""
    every: dict[int, int] = {}
    holding: list[dict[int, int]] = [{} for _ in range(13)]
    for hand in combinations(range(DECK), HAND):
        kind = kind_of(hand)
        every[kind] = every.get(kind, 0) + 1
        for card in hand:
            holding[rank(card)][kind] = holding[rank(card)].get(kind, 0) + 1
    return every, holding


def own_hand_removal(bet: Wager) -> Removal:
    """The price from a whole deck, and with a card of each rank gone; a hand that is folded loses the bet.

    Every hand that pays is better played than folded, whatever card is gone, so only losing hands are ever folded.
    """
    every, holding = kinds_by_rank()
    net = {kind: net_of(bet, Showdown(kind, True, True, BEAT)) for kind in every}
    whole = sum((ways * net[kind] for kind, ways in every.items()), Fraction(0))
    gone = []
    for held in holding:
        lost = sum((ways * net[kind] for kind, ways in held.items()), Fraction(0)) / 4
        gone.append((whole - lost) / comb(DECK - 1, HAND))
    return Removal(whole / comb(DECK, HAND), [*gone])
