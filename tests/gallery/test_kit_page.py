"""The worked examples of docs/kit.md: each is loaded, checked and priced as it is printed."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from gallery_games import written
from pairhouse.analysis.generic.game_check import BROKEN, check_game
from pairhouse.analysis.methods.registry import method_of

PAGE = (Path(__file__).parents[2] / "docs" / "kit.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"```python (\w+)\n(.*?)```", PAGE, re.DOTALL))
PRICES = {
    "royal_match": (
        "royal-match",
        Fraction(25 * 24 + 5 * (2002 - 24) // 2 - (8086 - 2002), 8086),
    ),  # six decks, by hand
    "high_card_wins": ("left", Fraction(0)),
    "raise_or_fold": ("ante", Fraction(-20, 221)),
}


def test_the_page_has_three_examples() -> None:
    assert EXAMPLES.keys() == PRICES.keys()


@pytest.mark.parametrize("name", [pytest.param("royal_match", marks=pytest.mark.slow), *[*PRICES][1:]])
def test_an_example_is_priced_as_it_is_printed(name: str, tmp_path: Path) -> None:
    wager, ev = PRICES[name]
    with written(tmp_path, name, EXAMPLES[name]) as game:
        assert method_of(game.variant()).exact_price(wager).ev == ev
        broken = [finding for finding in check_game(game.variant())[1] if finding.grade == BROKEN]
    assert broken == []
