"""The deal itself: whole packs, every order equally likely, nothing remembered."""

from collections import Counter
from itertools import permutations

import pytest

from pairhouse.core.cards import pack
from pairhouse.games.catalogue import GAMES, find
from pairhouse.rounds.shuffle import fresh_cards, fresh_shoe, shuffle


@pytest.mark.parametrize("game", list(GAMES))
def test_every_round_has_the_whole_pack_shuffled_anew(game: str) -> None:
    """[TCP-1] [NSB-4] [LP-1] [BPP-1] [BJ-1]"""
    variant = find(game).variant()
    cards = fresh_cards(variant)
    assert Counter(cards) == Counter(pack(*variant.pack))
    assert cards != fresh_cards(variant)


def test_the_packs_are_those_of_the_documents() -> None:
    """[TCP-1] [NSB-1] [LP-1] [BPP-1] [BJ-1]"""
    sizes = {name: len(pack(*game.variant().pack)) for name, game in GAMES.items()}
    assert sizes["three-card-poker"] == 52
    assert sizes["la-paire"] == 54
    assert sizes["blackjack-poker-pairs"] == sizes["nepal-super-baccarat"] == 416


def test_every_order_is_equally_likely() -> None:
    """All 24 orders of four cards, by chi-square at one in a million; the last deal says nothing. [BPP-2]"""
    rounds = 48_000
    found: Counter[tuple[int, ...]] = Counter()
    follows: Counter[tuple[int, int]] = Counter()
    last = 0
    for _ in range(rounds):
        cards = [0, 1, 2, 3]
        shuffle(cards)
        found[tuple(cards)] += 1
        follows[last, cards[0]] += 1
        last = cards[0]
    assert set(found) == set(permutations(range(4)))
    assert chi_square(found, rounds / 24) < 72  # 23 degrees of freedom
    assert chi_square(follows, rounds / 16) < 58  # 15 degrees of freedom


def chi_square(found: Counter[tuple[int, ...]] | Counter[tuple[int, int]], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in found.values())


def test_a_shoe_is_dealt_down_to_the_cut_card() -> None:
    """[NSB-4] [NSB-5]"""
    shoe = fresh_shoe(find("nepal-super-baccarat").variant({"decks": 5, "cut_card": 20}))
    assert len(shoe.cards) == 260
    coups = 0
    while not shoe.finished:
        assert len(shoe.rest) >= 6
        was_last = shoe.last_round
        shoe = shoe.after(5)
        coups += 1
        assert shoe.finished == was_last
    assert coups == 49  # 48 coups of five cards leave 20; one more is dealt
