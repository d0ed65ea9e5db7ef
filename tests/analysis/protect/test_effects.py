"""Effects of removal: recounted in plain ways with the card gone, as fractions, and adding up to 0."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coups import PlainCoup, coups
from gallery_games import gallery
from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.effects import Effects, effects
from pairhouse.analysis.three_card.counts import KINDS, antes_won
from pairhouse.core.cards import FACES, RANK_NAMES, pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.hands import FLUSH, STRAIGHT, STRAIGHT_FLUSH, THREE_OF_A_KIND, category
from pairhouse.games import la_paire
from pairhouse.games.three_card_poker import PLAY
from pairhouse.machines.count_hands import count_hands
from pairhouse.machines.stored import stored_tallies
from pairhouse.machines.stories import unpack
from plain_poker import caribbean_stud

BACCARAT = analyst("nepal-super-baccarat")
TCP = analyst("three-card-poker")


def without(variant: Variant, face: str) -> list[int]:
    cards = list(pack(*variant.pack))
    cards.remove(FACES.index(face))
    return cards


def tie_price(cards: list[int]) -> Fraction:
    def net(coup: PlainCoup) -> int:
        return 8 if coup.player == coup.banker else -1

    found = coups(cards)
    return Fraction(sum(net(coup) * ways for coup, ways in found.items()), sum(found.values()))


def test_baccarat_against_coups_by_points() -> None:
    found = effects(BACCARAT, ["tie", "player-pair"])
    fresh = tie_price(list(pack(*BACCARAT.pack)))
    for name in ("A", "6", "9", "Q"):
        assert found["tie"].by_rank[name] == tie_price(without(BACCARAT, f"{name}h")) - fresh
    assert found["tie"].mean == 0
    assert found["player-pair"].untouched  # all ranks are alike to a pair


def test_every_wager_of_every_counted_game_adds_up_to_nothing() -> None:
    for game in ("nepal-super-baccarat", "la-paire"):
        found = effects(analyst(game))
        assert all(each.mean == 0 and each.error == 0 for each in found.values())
        assert all(isinstance(effect, Fraction) for each in found.values() for effect in each.by_face)
    assert len(found) == 59


def royal_pair_price(cards: list[int]) -> Fraction:
    """PAIR's table shoe-c by numpy: 100 royal, 50 suited three, 10 three, 3 flush, 2 pair."""
    held = np.bincount(np.array(cards), minlength=52)
    faces = np.arange(52)
    a, b, c = np.ix_(faces, faces, faces)
    ways = held[a] * (held[b] - (b == a)) * (held[c] - (c == a) - (c == b))
    rank_a, rank_b, rank_c = a % 13, b % 13, c % 13
    flush = (a // 13 == b // 13) & (b // 13 == c // 13)
    three = (rank_a == rank_b) & (rank_b == rank_c)
    pair = (rank_a == rank_b) | (rank_b == rank_c) | (rank_a == rank_c)
    royal = flush & ~pair & np.isin(rank_a, (0, 11, 12)) & np.isin(rank_b, (0, 11, 12)) & np.isin(rank_c, (0, 11, 12))
    pays = np.select([royal, three & flush, three, flush, pair], [100, 50, 10, 3, 2], -1)
    return Fraction(int((ways * pays).sum()), int(ways.sum()))


def test_pair_against_a_plain_sum() -> None:
    variant = analyst("pair-v3", {"paytable": "shoe-c"})
    found = effects(variant, ["pair"])["pair"]
    fresh = royal_pair_price(list(pack(6)))
    assert found.price == fresh
    for face in ("Qh", "7d"):
        assert found.by_card[face] == royal_pair_price(without(variant, face)) - fresh
    assert found.mean == 0
    assert not found.suits_matter
    assert effects(analyst("pair-v3", {"paytable": "shoe-d"}), ["pair"])["pair"].untouched


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 8), st.integers(0, 51))
def test_pair_at_any_number_of_decks_without_any_card(decks: int, face: int) -> None:
    variant = analyst("pair-v3", {"paytable": "shoe-c", "decks": str(decks)})
    found = effects(variant, ["pair"])["pair"]
    expected = royal_pair_price(without(variant, FACES[face])) - royal_pair_price(list(pack(decks)))
    assert found.by_face[face] == expected
    assert found.mean == 0


def test_la_paire_by_card_where_suits_matter() -> None:
    found = effects(analyst("la-paire"), ["red", "poker", "card-A"])
    assert found["red"].suits_matter
    assert found["red"].by_card["Ah"] == Fraction(25, 53) * 2 - 1 - (Fraction(26, 54) * 2 - 1)
    assert found["red"].by_card["X1"] == found["red"].by_card["Ac"] == Fraction(26, 53) * 2 - Fraction(26, 54) * 2
    assert found["card-A"].by_rank["A"] == Fraction(3, 53) * 13 - Fraction(4, 54) * 13

    def poker(cards: list[int]) -> Fraction:
        pays = {la_paire.TWO_JOKERS: 100, la_paire.MINI_ROYAL: 50, STRAIGHT_FLUSH: 20}
        pays |= {THREE_OF_A_KIND: 10, STRAIGHT: 3, FLUSH: 2}
        hands = [la_paire.poker_hand(*hand) for hand in combinations(cards, 3)]
        return Fraction(sum(pays.get(hand, -1) for hand in hands), len(hands))

    variant = analyst("la-paire")
    fresh = poker(list(pack(*variant.pack)))
    for face in ("X2", "Qs"):
        assert found["poker"].by_card[face] == poker(without(variant, face)) - fresh


def test_three_card_poker_is_recounted() -> None:
    found = effects(TCP)
    assert found["ante"].price == Fraction(-13733780, 407170400)

    def pairplus(cards: list[int]) -> Fraction:
        pays = {5: 40, 4: 30, 3: 6, 2: 3, 1: 1}
        hands = [category(*hand) for hand in combinations(cards, 3)]
        return Fraction(sum(pays.get(hand, -1) for hand in hands), len(hands))

    assert found["pairplus"].by_rank["K"] == pairplus(without(TCP, "Kd")) - pairplus(list(range(52)))
    assert found["pairplus"].mean == 0
    # The Ante by another machine: every hand played, with a queen gone, and the better of that and folding.
    deals: dict[int, Fraction] = {}
    ways: dict[int, int] = {}
    for (strength, packed), number in count_hands(TCP.game.play, TCP.rules, KINDS, without(TCP, "Qc"), PLAY).items():
        story = unpack(packed, KINDS)
        deals[strength] = deals.get(strength, Fraction(0)) + number * antes_won(TCP, [story])[story]
        ways[strength] = ways.get(strength, 0) + number
    by_strength = sum((max(deals[s], Fraction(-ways[s])) for s in deals), Fraction(0)) / sum(ways.values())
    by_hand = found["ante"].by_rank["Q"] + found["ante"].price
    assert sum(ways.values()) == comb(51, 3) * comb(48, 3)
    assert by_strength <= by_hand < by_strength + Fraction(1, 10**5)  # suits tell a little more than strength
    assert found["ante"].as_played is not None
    assert sum(found["ante"].as_played) == 0
    assert found["ante"].mean > 0


@pytest.mark.slow
def test_blackjack_is_solved_again() -> None:
    with stored_tallies():
        found = effects(analyst("pair-v3"))
    main, insurance = found["main"], found["insurance"]
    assert main.error == 0
    assert all(isinstance(effect, Fraction) for effect in main.by_face)
    assert 0 < main.mean < 2e-5  # what playing by the card that is gone gains
    assert main.as_played is not None
    assert sum(main.as_played) == 0
    assert max(effect - before for effect, before in zip(main.by_face, main.as_played, strict=True)) < 3e-5
    assert max(main.by_rank, key=lambda name: main.by_rank[name]) == "5"
    assert main.by_rank["10"] == main.by_rank["K"] < 0 < main.by_rank["2"]
    assert insurance.by_rank["10"] == Fraction(95, 310) * 3 - 1 - (Fraction(96, 311) * 3 - 1)
    assert insurance.mean == 0  # over the cards that can lie beneath the ace


@pytest.mark.slow
@pytest.mark.parametrize("face", ["Ac", "6h"])
def test_caribbean_stud_is_recounted_with_a_card_gone(face: str) -> None:
    """By a program that shares nothing with ours: hands in rising strength, dealers added and taken away by subsets."""
    variant = gallery("caribbean_stud").variant()
    solved = price(method_of(variant).tally(without(variant, face)), "ante").ev
    rank, suit = "23456789TJQKA".index(face[0]), "cdhs".index(face[1])
    assert solved == caribbean_stud(4 * rank + suit)


def test_unknown_wagers_are_refused() -> None:
    with pytest.raises(Refused, match="wager 'tied' is unknown"):
        effects(BACCARAT, ["tied"])
    with pytest.raises(Refused, match="play cannot be followed: it follows from ante"):
        effects(TCP, ["play"])


def test_ranks_are_named_in_order() -> None:
    assert list(Effects("w", 0, (Fraction(0),) * 52, (Fraction(1),) * 52).by_rank) == list(RANK_NAMES)
