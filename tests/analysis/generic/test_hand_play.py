"""Best play looked up by the cards of a hand: in any order and any suits, and met by simulated rounds."""

from random import Random

import numpy as np
import pytest

from gallery_games import gallery
from pairhouse.analysis.generic.card_sets import all_hands, suit_patterns
from pairhouse.analysis.generic.hand_play import (
    by_hand,
    by_kept_cards,
    compared_strategy,
    kept_strategy,
    numbers_of,
    planes_of,
)
from pairhouse.analysis.simulation.agreement import agreement
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.core.errors import Refused
from pairhouse.machines.simulate.interpreted import packed, plain_block
from pairhouse.machines.simulate.shoes import ShoeSimulation

ACTIONS = [1, 4, 16]


def wanted(hand: tuple[int, ...], up: int) -> int:
    """Which of three actions: by suits that the hand and the up card share, and by their ranks."""
    shared = sum(card // 13 == up // 13 for card in hand)
    return (shared + sum(card % 13 > up % 13 for card in hand)) % 3


def test_a_hand_in_any_order_and_suits_finds_its_action() -> None:
    hands = all_hands(3)
    assert sorted(numbers_of(hands).tolist()) == [*range(len(hands))]
    first, _ = suit_patterns(hands, (0, 1, 2, 3))
    best = np.array([[wanted(tuple(hand), up) for up in range(52)] for hand in hands[first].tolist()])
    strategy = compared_strategy(3, True, planes_of(best, np.arange(52), 3), ACTIONS)
    random = Random(4)
    for _ in range(2000):
        *hand, up = random.sample(range(52), 4)
        cards = packed([*hand, up, *random.sample(range(52), 3)])
        assert by_hand(strategy.tables, 21, cards) == ACTIONS[wanted(tuple(hand), up)]


def test_kept_cards_are_those_of_the_deal() -> None:
    """Spades are kept, wherever they lie."""
    hands = all_hands(3)
    kept = np.zeros(len(hands), np.uint8)
    kept[numbers_of(hands)] = (hands // 13 == 3) @ np.array([1, 2, 4])
    strategy = kept_strategy(3, kept, {mask: 1 << mask for mask in range(8)})
    random = Random(5)
    for _ in range(500):
        hand = random.sample(range(52), 3)
        spades = sum(1 << at for at, card in enumerate(hand) if card // 13 == 3)
        assert by_kept_cards(strategy.tables, 255, packed(hand)) == 1 << spades


@pytest.mark.slow
@pytest.mark.parametrize(("name", "wager"), [("jacks_or_better", "bet"), ("caribbean_stud", "ante")])
def test_best_play_is_dealt_as_it_is_priced(name: str, wager: str) -> None:
    """Eight million rounds; the first of them alike without the compiler; some really shuffled; no shoe."""
    variant = gallery(name).variant()
    simulation = Sampling.of(variant, "best", (wager,)).simulation
    assert (simulation.block(3, 0, 300) == plain_block(simulation, 3, 0, 300)).all()
    found = agreement(variant, 1 << 23, 9, dealt_rounds=200)
    assert found.agrees
    assert found.wagers[wager].exact is not None
    with pytest.raises(Refused, match="fresh pack"):
        _ = ShoeSimulation(variant, simulation.scoring, None, None, (), simulation.strategy).loop  # type: ignore[arg-type]
