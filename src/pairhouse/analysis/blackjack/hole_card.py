"""Blackjack when the dealer's hole card is seen before the first choice: the best play against both cards, its value.

The same class of strategies as the solver's, with one card more known: each hand is played best given its own cards
and both of the dealer's. Decimals, with the solver's error.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pairhouse.analysis.blackjack import MAIN
from pairhouse.analysis.blackjack.basic import two_cards
from pairhouse.analysis.blackjack.hands import VALUES
from pairhouse.analysis.blackjack.solution_records import ERROR, action_names, blackjack_pays, solution, value_name
from pairhouse.analysis.blackjack.solve import UpCard, fresh_shoe
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.analysis.methods.records import SeenCard
from pairhouse.core.cards import Card, rank
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.blackjack_hand import WORDS, is_blackjack, total, value

CHART_TOTALS = range(12, 20)
STANDS = "stand from this hard total on, by the dealer's two cards"


class HoleCard(NamedTuple):
    """The value of the main wager with the hole card known, what that gains, and how stiff totals are played.

    `stands_from` says for each two cards of the dealer's from which hard total on it is best to stand.
    """

    ev: float
    gain: float
    error: float
    stands_from: dict[str, int]


def dealer_pairs() -> list[tuple[int, int]]:
    """The dealer's two cards, whichever of them is up: decisions do not depend on it."""
    return [(low, high) for low in VALUES for high in VALUES if low <= high]


@lru_cache(maxsize=8)
def hole_card_known(variant: Variant) -> HoleCard:
    """Solve the main wager against every pair of cards the dealer can hold."""
    if not variant.rules.hole_card:
        given = f"the dealer of {variant.game.name} takes no hole card under these options"
        raise Refused("no-hole-card", f"{given}, so none can be seen")
    shoe, pays = fresh_shoe(variant.pack[0]), float(blackjack_pays(variant))
    cards = float(shoe.sum())
    ev, stands_from = 0.0, {}
    for low, high in dealer_pairs():
        chance = shoe[low] * (shoe[high] - (low == high)) / cards / (cards - 1) * (1 if low == high else 2)
        if chance <= 0:
            continue
        without = shoe.copy()
        without[high] -= 1
        table = UpCard(variant.rules, without, low, hole=high)
        blackjack = is_blackjack(WORDS[low] + WORDS[high])
        ev += float(chance) * against(table, pays, dealer_blackjack=blackjack)
        if not blackjack:  # else nothing is left to choose
            stands_from[f"{value_name(low)}-{value_name(high)}"] = stands_on(variant, table)
    return HoleCard(ev, ev - solution(variant).expectation, ERROR, stands_from)


def against(table: UpCard, pays: float, *, dealer_blackjack: bool) -> float:
    """The expectation against one pair of the dealer's cards, over every two cards of the player."""
    left = table.shoe.copy()
    left[table.up] -= 1
    cards, found = float(left.sum()), 0.0
    for first, second in two_cards():
        same = first == second
        chance = left[first] * (left[second] - same) / cards / (cards - 1) * (1 if same else 2)
        if chance <= 0:
            continue
        natural = is_blackjack(WORDS[first] + WORDS[second])
        if dealer_blackjack:
            worth = 0.0 if natural else -1.0
        else:
            worth = pays if natural else max(table.actions(first, second).values())
        found += float(chance) * worth
    return found


def stands_on(variant: Variant, table: UpCard) -> int:
    """The lowest hard total, ten with another card, from which on it is best to stand; 20 where even 19 is hit."""
    for points in CHART_TOTALS:
        word = WORDS[10] + WORDS[points - 10]
        if total(word) != points:
            continue
        values = action_names(variant, {**table.actions_of(word, splits=False)})
        if next(iter(values)) in ("stand", "surrender"):
            return points
    return CHART_TOTALS.stop


def hole_card_seen(variant: Variant) -> SeenCard:
    """The same as a record."""
    found = hole_card_known(variant)
    return SeenCard(MAIN, found.ev, found.gain, None, None, found.error, None, {STANDS: found.stands_from})


def main_left(variant: Variant, cards: Sequence[Card]) -> float:
    """The main wager solved for the cards that are left: best play for them."""
    shoe = fresh_shoe(variant.pack[0])
    shoe[:] = np.bincount([value(rank(card)) for card in cards], minlength=len(shoe))
    return Solution(variant.rules, shoe, float(blackjack_pays(variant))).expectation
