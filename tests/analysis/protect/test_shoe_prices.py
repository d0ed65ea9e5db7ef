"""Prices from the remaining cards are those of the exact count, as fractions, for every counted wager."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counting import counted
from pairhouse.analysis.exact.prices import prices
from pairhouse.analysis.protect.shoe_prices import shoe_prices
from pairhouse.core.cards import Card, pack
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find

BACCARAT = find("nepal-super-baccarat").variant()


@settings(max_examples=12)
@given(st.lists(st.integers(0, 51), min_size=6, max_size=120).filter(lambda cards: max(Counter(cards).values()) <= 8))
def test_baccarat_from_any_cards(cards: list[Card]) -> None:
    expected = {name: price.ev for name, price in prices(counted(BACCARAT, cards)).items()}
    assert len(expected) == 34
    found = shoe_prices(BACCARAT)
    assert found.exact(cards) == expected
    decimals = found.evs(found.left_of(cards)[None, :])[0]
    assert np.allclose(decimals, [float(expected[name]) for name in found.wagers], rtol=0, atol=1e-12)


@pytest.mark.parametrize("game", ["la-paire", "blackjack-poker-pairs", "pair-v3"])
def test_other_games_from_a_fresh_pack_and_from_half_of_it(game: str) -> None:
    variant = find(game).variant()
    cards = np.random.default_rng(3).permutation(np.array(pack(*variant.pack))).tolist()
    for left in (cards, cards[: len(cards) // 2]):
        expected = {name: price.ev for name, price in prices(counted(variant, left)).items()}
        assert shoe_prices(variant).exact(left) == expected


def test_too_few_cards_are_refused() -> None:
    with pytest.raises(Refused, match="5 cards are not enough; a round can take 6"):
        shoe_prices(BACCARAT).exact([0, 1, 2, 3, 4])
    with pytest.raises(Refused, match="not counted"):
        shoe_prices(find("three-card-poker").variant())
