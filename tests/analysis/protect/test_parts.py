"""Other people's games and side bets: priced from the cards left as their own method prices them."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from gallery_games import changed, written
from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.effects import effects
from pairhouse.analysis.protect.followed_shoes import RoundPrices, cards_a_round, has_shoe
from pairhouse.analysis.protect.known_cards import next_card
from pairhouse.analysis.protect.parts import parts_of
from pairhouse.core.cards import pack
from pairhouse.games.catalogue import given

GALLERY = Path(__file__).parents[3] / "gallery"


def test_a_game_from_a_file() -> None:
    variant, wagers = analyst(given(str(GALLERY / "dragon_tiger.py")).id), ["dragon", "tie", "suited-tie"]
    found = effects(variant, wagers)
    assert all(each.mean == 0 for each in found.values())
    prices = RoundPrices(variant, found)
    order = np.random.default_rng(2).permutation(np.array(pack(*variant.pack)))
    evs, _, _ = prices.of([order], [np.array([0, 300])])
    for at, wager in enumerate(prices.wagers):
        assert evs[0, at] == pytest.approx(float(found[wager].price), abs=1e-12)
        left = method_of(variant).price(wager, order[300:].tolist()).ev
        assert evs[1, at] == pytest.approx(float(left), abs=1e-12)
    for wager, each in next_card(variant, wagers).items():
        assert sum(each.prices.values(), Fraction(0)) / 13 == found[wager].price
    assert cards_a_round(variant, 1) is None


def test_side_bets_are_a_part_of_their_own() -> None:
    variant = analyst(given(str(GALLERY / "baccarat_side_bets.py")).id)
    host, side = parts_of(variant, ["player", "dragon-7"])
    assert (host.wagers, side.wagers) == (("player",), ("dragon-7",))
    assert side.class_of(9) == side.class_of(22)  # ten of clubs, ten of diamonds
    dragon = side.method.exact_price("dragon-7")
    assert round(100 * float(-dragon.ev), 4) == 7.6113  # published, with the deviation and the chance of a win
    assert round(float(dragon.variance) ** 0.5, 4) == 6.0849
    assert round(100 * float(dragon.hit), 4) == 2.2534


def test_a_round_that_takes_most_of_the_pack_leaves_no_shoe() -> None:
    assert not has_shoe(analyst(given(str(GALLERY / "andar_bahar.py")).id), 1)
    assert has_shoe(analyst("la-paire"), 1)


@pytest.mark.parametrize("most", [15, 16])
def test_numbers_that_cannot_be_packed_are_priced_another_way(most: int, tmp_path: Path) -> None:
    """A story of the machines has a digit for each number: what has more is not counted there, nor taken for less."""
    text = changed(
        "dragon_tiger", ("    winner: int", "    winner: int\n    more: int"),
        ("Duel(winner_of(dragon, tiger))", f"Duel(winner_of(dragon, tiger), {most})"),
    )  # fmt: skip
    with written(tmp_path, f"dragon_{most}", text) as game:
        variant = game.variant()
        assert [part.counting is not None for part in parts_of(variant, ["tie"])] == [most < 16]
        order = np.random.default_rng(2).permutation(np.array(pack(*variant.pack)))
        evs, _, _ = RoundPrices(variant, effects(variant, ["tie"])).of([order], [np.array([0, 300])])
        left = method_of(variant).price("tie", order[300:].tolist()).ev
    assert evs[0, 0] == pytest.approx(-136 / 415, abs=1e-12)
    assert evs[1, 0] == pytest.approx(float(left), abs=1e-12 if most < 16 else 0.1)
