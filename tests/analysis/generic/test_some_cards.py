"""Best play from some cards of a deck: suits that are still alike change nothing, and plain sums say the same."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from gallery_games import gallery
from pairhouse.analysis.generic.card_sets import all_hands, hands_from, suit_patterns
from pairhouse.analysis.generic.deals import Deals
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.generic.walker import renamings_of
from pairhouse.analysis.generic.working_back import solve
from pairhouse.core.cards import pack, parse
from pairhouse.core.shortcuts import NO_SHORTCUTS
from pairhouse.kit import PAIR, poker_kind, poker_leading, poker_strength

SUIT_GONE = {"no card": "", "a club": "5c", "a heart": "Kh", "two of one rank": "Kh Ks", "two more": "2c 3d"}
ALIKE = {"no card": 4, "a club": 3, "a heart": 3, "two of one rank": 2, "two more": 2}


def without(faces: str) -> tuple[int, ...]:
    gone = parse(faces.split())
    return tuple(card for card in pack(1) if card not in gone)


@pytest.mark.parametrize("gone", SUIT_GONE)
def test_suits_are_alike_that_hold_the_same_cards(gone: str) -> None:
    deals: Deals = GenericMethod(gallery("let_it_ride").variant()).deals(without(SUIT_GONE[gone]))
    assert len(deals.alike) == ALIKE[gone]
    assert len({card // 13 for card in parse(SUIT_GONE[gone].split())} & set(deals.alike)) in (0, 2)
    changes = renamings_of(deals.alike).tolist()
    held = set(deals.faces.tolist())
    assert all({change[card // 13] * 13 + card % 13 for card in held} == held for change in changes)


def test_no_suits_are_alike_in_cards_of_four_kinds() -> None:
    deals: Deals = GenericMethod(gallery("let_it_ride").variant()).deals(without("2c 3d 4h 5s"))
    assert deals.alike == ()
    assert not deals.suits_alike


@pytest.mark.parametrize("gone", SUIT_GONE)
def test_patterns_of_suits_stand_for_every_hand(gone: str) -> None:
    cards = without(SUIT_GONE[gone])
    deals: Deals = GenericMethod(gallery("let_it_ride").variant()).deals(cards)
    hands = all_hands(3)[hands_from(all_hands(3), cards)]
    assert len(hands) == comb(len(cards), 3)
    first, ways = suit_patterns(hands, deals.alike)
    patterns = {
        min(tuple(sorted(change[c // 13] * 13 + c % 13 for c in hand)) for change in renamings_of(deals.alike).tolist())
        for hand in hands.tolist()
    }
    assert len(first) == len(patterns)
    assert ways.sum() == len(hands)


def jacks(cards: Sequence[int]) -> Fraction:
    """Jacks or Better: every hand, every way to keep, every draw."""
    pays = {9: 800, 8: 50, 7: 25, 6: 9, 5: 6, 4: 4, 3: 3, 2: 2}

    def worth(hand: Sequence[int]) -> int:
        strength = poker_strength(*hand)
        kind = poker_kind(strength)
        return pays.get(kind, 1 if kind == PAIR and poker_leading(strength) >= 11 else 0)

    values: dict[tuple[int, ...], int] = {hand: worth(hand) for hand in combinations(cards, 5)}
    total = Fraction(0)
    for hand in values:
        rest = [card for card in cards if card not in hand]
        total += max(
            Fraction(
                sum(values[tuple(sorted((*kept, *drawn)))] for drawn in combinations(rest, 5 - size)),
                comb(len(rest), 5 - size),
            )
            for size in range(6)
            for kept in combinations(hand, size)
        )
    return total / len(values) - 1


def caribbean(cards: Sequence[int]) -> Fraction:
    """Caribbean Stud: every hand and up card against every hand of the dealer's."""
    pays = {9: 100, 8: 50, 7: 20, 6: 7, 5: 5, 4: 4, 3: 3, 2: 2}
    strengths: dict[tuple[int, ...], int] = {hand: poker_strength(*hand) for hand in combinations(cards, 5)}

    def called(own: int, dealer: int) -> int:
        if dealer < 14 << 16 | 13 << 12:
            return 1
        return 0 if own == dealer else 1 + 2 * pays.get(poker_kind(own), 1) if own > dealer else -3

    total = deals = 0
    for hand, own in strengths.items():
        rest = [card for card in cards if card not in hand]
        for up in rest:
            others = [strengths[tuple(sorted((up, *o)))] for o in combinations([c for c in rest if c != up], 4)]
            total += max(-len(others), sum(called(own, dealer) for dealer in others))
            deals += len(others)
    return Fraction(total, deals)


PLAIN: dict[str, Callable[[Sequence[int]], Fraction]] = {"jacks_or_better": jacks, "caribbean_stud": caribbean}
PACKS = (
    "10c Jc Qc Kc Ac 10d Jd 9h 9s 2s Ah",  # no suits alike
    "10c Jc Kc Ac 10d Jd Kd Ad 10h Jh Kh",  # clubs and diamonds
    "10c Kc Ac 10d Kd Ad 10h Kh Ah 10s Ks",  # three
)


@pytest.mark.slow
@pytest.mark.parametrize("faces", PACKS)
@pytest.mark.parametrize("name", PLAIN)
def test_final_hands_from_some_cards(name: str, faces: str) -> None:
    method = GenericMethod(gallery(name).variant())
    cards = tuple(sorted(parse(faces.split())))
    found = method._solve(cards)
    assert found.ev == PLAIN[name](cards)
    net = sum((ways * method.net(story) for story, ways in found.tally.items()), Fraction(0))
    assert net / sum(found.tally.values()) == found.ev


@pytest.mark.slow
@pytest.mark.parametrize("name", ["let_it_ride", "mississippi_stud"])
@pytest.mark.parametrize("faces", PACKS)
def test_walks_with_some_suits_alike(name: str, faces: str) -> None:
    method = GenericMethod(gallery(name).variant())
    deals = method.deals(tuple(sorted(parse(faces.split()))))
    found, plain = (solve(each, method.net) for each in (deals, replace(deals, shortcuts=NO_SHORTCUTS)))
    assert found.ev == plain.ev
    assert found.states < plain.states
