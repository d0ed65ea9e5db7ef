"""Hands of three counted as sets: every hand once, on decks with Jokers too."""

from fractions import Fraction
from math import comb

import pytest

from pairhouse.core.cards import pack, parse
from pairhouse.games.catalogue import find
from pairhouse.games.three_card_poker import PLAY, Showdown
from pairhouse.machines.count_hands import count_hands
from pairhouse.machines.enumerate import enumerate_rounds
from pairhouse.machines.stories import unpack

VARIANT = find("three-card-poker").variant()


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_every_pair_of_hands_is_counted_once(jokers: int) -> None:
    deck = [card for card in pack(1, jokers) if card >= 52 or card % 13 < 4]
    found = count_hands(VARIANT.game.play, VARIANT.rules, (Showdown,), deck, PLAY)
    assert sum(found.values()) == comb(len(deck), 3) * comb(len(deck) - 3, 3)


@pytest.mark.parametrize("deck", ["Ac Kc Qc 2d 3h 4s 4h Jd", "Ac Kc Qc 2d 3h 4s X1", "Ac Ad 2c 2d X1 X2 Ah"])
def test_chances_are_those_of_the_oracle(deck: str) -> None:
    cards = parse(deck.split())
    found = count_hands(VARIANT.game.play, VARIANT.rules, (Showdown,), cards, PLAY)
    fast: dict[Showdown, Fraction] = {}
    for (_, packed), ways in found.items():
        ((_, shown),) = unpack(packed, (Showdown,))
        fast[shown] = fast.get(shown, Fraction(0)) + Fraction(ways, sum(found.values()))
    slow = enumerate_rounds(VARIANT.game.play, VARIANT.rules, cards, strategy=lambda _legal, _situation: PLAY)
    assert fast == {shown: weight for ((_, shown),), weight in slow.weights.items()}
