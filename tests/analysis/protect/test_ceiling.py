"""What a perfect counter could win: known figures, the same shoes cut earlier, and limits."""

from functools import lru_cache

import numpy as np
import pytest

from pairhouse.analysis.protect.ceiling import BetLimits, DealtShoes, ceiling, counter_stakes, table_limits
from pairhouse.analysis.protect.rule_book import fresh_prices
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find

BACCARAT = find("nepal-super-baccarat").variant()
LIMITS = table_limits(BACCARAT, 50_000, round_most=1_000_000, waiting=100)


@lru_cache(maxsize=1)
def shoes() -> DealtShoes:
    return DealtShoes(BACCARAT, 14, 60, 5)


@pytest.mark.slow
def test_a_deep_shoe_at_high_limits_can_be_emptied() -> None:
    """14 cards behind the cut card, 34 wagers at 500.00: a third of all rounds has a bet for the player."""
    found = shoes().ceiling(LIMITS)
    assert 80 < found.rounds_a_shoe < 85
    assert 0.30 < found.bet_share < 0.39
    assert abs(found.money_a_round - 11_900) < 4 * found.error
    assert found.wagers["tie-on-0"].money_a_round > 20 * found.wagers["player"].money_a_round
    assert found.an_hour(70) == 70 * found.money_a_round
    assert found.at_most_an_hour(70) == 70 * (found.money_a_round + 3 * found.error)


def test_a_cut_card_read_off_deeper_shoes_is_the_same_as_dealt() -> None:
    few = DealtShoes(BACCARAT, 14, 15, 5)
    read = few.ceiling(LIMITS, 200)
    assert read == ceiling(BACCARAT, LIMITS, 200, 15, 5)
    assert 0 < read.money_a_round < few.ceiling(LIMITS).money_a_round / 30
    with pytest.raises(Refused, match="dealt down to 14 cards"):
        few.ceiling(LIMITS, 13)


@pytest.mark.slow
def test_on_average_every_round_of_a_shoe_has_the_price_of_a_fresh_one() -> None:
    """Cards not yet seen are in random order: expectations move, but neither up nor down on average."""
    fresh = [float(price.ev) for price in fresh_prices(BACCARAT).values()]
    tenth, fiftieth = (np.array([evs[at] for evs in shoes().evs]) for at in (9, 49))
    for sample in (tenth, fiftieth):
        z = (sample.mean(axis=0) - fresh) / (sample.std(axis=0, ddof=1) / np.sqrt(len(sample)))
        assert np.abs(z).max() < 5
    assert np.allclose(shoes().evs[0][0], fresh, rtol=0, atol=1e-12)


def test_stakes_of_the_counter() -> None:
    """The most on what is worth more than 0, best first up to the round's limit; else the least bad wager, to wait."""
    evs = np.array([[0.1, 0.3, -0.1], [-0.2, -0.3, -0.1]])
    most = np.array([500.0, 500.0, 500.0])
    limits = BetLimits({}, round_most=700, waiting=10)
    assert counter_stakes(evs, most, limits).tolist() == [[200, 500, 0], [0, 0, 10]]
    assert counter_stakes(evs, most, BetLimits({})).tolist() == [[500, 500, 0], [0, 0, 0]]


@pytest.mark.slow
def test_side_bets_of_a_game_with_choices_from_a_shoe() -> None:
    """Rounds of six cards each; from a shoe cut in the middle almost nothing is left to win."""
    variant = find("blackjack-poker-pairs").variant()
    deep = ceiling(variant, table_limits(variant, 50_000), 20, 30, 1, round_cards=6)
    shallow = ceiling(variant, table_limits(variant, 50_000), variant.pack[0] * 26, 30, 1, round_cards=6)
    assert deep.money_a_round > shallow.money_a_round >= 0
    assert set(deep.wagers) == {"poker", "pairs"}


@pytest.mark.parametrize(
    ("game", "limits", "cut", "number", "sentence"),
    [
        ("la-paire", {}, 14, 5, "shuffled for every round, so there is nothing to count"),
        ("nepal-super-baccarat", {"main": 5}, 14, 5, "wager 'main' is unknown"),
        ("nepal-super-baccarat", {}, 5, 5, "give 11 to 415"),
        ("nepal-super-baccarat", {}, 14, 1, "give 2 or more"),
    ],
)
def test_bad_questions_are_refused(game: str, limits: dict[str, int], cut: int, number: int, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        ceiling(find(game).variant(), BetLimits(limits), cut, number, 1)
