"""Three Card Poker from any cards that are left: against every deal played out, as fractions."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.three_card import known_hands, left_cards
from pairhouse.core.hands import category, is_mini_royal, strength

TCP = analyst("three-card-poker")
BONUS = {5: 5, 4: 4, 3: 1}
PAIRPLUS = {5: 40, 4: 30, 3: 6, 2: 3, 1: 1}


def slow_ante(cards: list[int]) -> Fraction:
    """Every hand against every hand of the dealer in plain Python; played where that wins more than folding."""
    whole, deals = 0, 0
    for own in combinations(cards, 3):
        kind = category(*own)
        mine, won, number = strength(*own), 0, 0
        for dealer in combinations([card for card in cards if card not in own], 3):
            theirs = strength(*dealer)
            number += 1
            won += BONUS.get(kind, 0)
            if theirs < 12 * 256:
                won += 1
            elif mine != theirs:
                won += 2 if mine > theirs else -2
        whole += max(won, -number)
        deals += number
    return Fraction(whole, deals)


@settings(max_examples=15, deadline=None)
@given(st.sets(st.integers(0, 51), min_size=6, max_size=11))
def test_the_ante_from_any_cards(cards: set[int]) -> None:
    left = sorted(cards)
    won, _, deals = left_cards.ante_sums(TCP, left)
    assert Fraction(won, deals * known_hands.deals_of(TCP).steps) == slow_ante(left)


def test_the_whole_deck_and_one_card_gone() -> None:
    steps = known_hands.deals_of(TCP).steps
    won, square, deals = left_cards.ante_sums(TCP, range(52))
    exact = method_of(TCP).exact_price("ante")
    assert Fraction(won, deals * steps) == exact.ev
    assert Fraction(square, deals * steps**2) - exact.ev**2 == exact.variance
    gone = known_hands.with_rank_gone(TCP).played_best
    for card in (0, 24, 37):
        won, _, deals = left_cards.ante_sums(TCP, [other for other in range(52) if other != card])
        assert Fraction(won, deals * steps) == gone[card % 13]


def test_pairplus_from_any_cards() -> None:
    price = left_cards.own_hand_left(TCP.wagers["pairplus"])
    left = np.random.default_rng(1).permutation(52)[:17].tolist()
    nets = [PAIRPLUS.get(category(*hand), -1) for hand in combinations(left, 3)]
    ev, square = price(left)
    assert ev == pytest.approx(sum(nets) / len(nets), abs=1e-12)
    assert square == pytest.approx(sum(net * net for net in nets) / len(nets), abs=1e-12)
    assert not any(is_mini_royal(*hand) for hand in [(0, 1, 2)])
