"""What a stored count of a file's game is named after: what is dealt and settled, not what it pays."""

import re
from pathlib import Path

import pytest

from gallery_games import GALLERY, written
from pairhouse.analysis.exact.counts import dealt_key
from pairhouse.analysis.generic.hosted import HostedMethod
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.methods.registry import method_of
from pairhouse.core.cards import pack
from pairhouse.machines.cache import rules_source

PAGE = (Path(__file__).parents[3] / "docs" / "kit.md").read_text(encoding="utf-8")
COMPARES = dict(re.findall(r"```python (\w+)\n(.*?)```", PAGE, re.DOTALL))["high_card_wins"]
SIDE_BETS = (GALLERY / "blackjack_side_bets.py").read_text(encoding="utf-8")


def keys(folder: Path, text: str) -> tuple[str, str]:
    """Of the stored count, and of the compiled loop."""
    with written(folder, "keyed", text) as game:
        method = method_of(game.variant({"decks": 6}))
        method = method.side if isinstance(method, HostedMethod) else method
        assert isinstance(method, GenericMethod)
        variant = method.dealt_as
        key = dealt_key(variant, pack(*variant.pack), method.found.kinds)
        return key, rules_source(variant.game.play, method.found.kinds)


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (COMPARES, '"tie", 11,', '"tie", 10,'),
        (COMPARES, 'name="High Card Wins"', 'name="Highest"'),
        (COMPARES, '"""A card to each side;', '"""One card a side;'),
        (SIDE_BETS, '("over", 1,', '("over", 2,'),
    ],
)
def test_a_new_pay_or_name_asks_for_no_new_count(text: str, before: str, after: str, tmp_path: Path) -> None:
    assert before in text
    assert keys(tmp_path, text) == keys(tmp_path, text.replace(before, after))


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (COMPARES, "left > right else", "left < right else"),
        (COMPARES, "LEFT, RIGHT, TIE = 0, 1, 2", "LEFT, RIGHT, TIE = 0, 1, 3"),
        (COMPARES, "    winner: int", "    winner: int\n    spare: int = 0"),
        (COMPARES, "    winner: int", "    first: int"),
        (SIDE_BETS, "rank(card) + 1, 10", "rank(card) + 1, 11"),
    ],
)
def test_another_rule_or_happening_does(text: str, before: str, after: str, tmp_path: Path) -> None:
    assert before in text
    changed = text.replace(before, after)
    changed = changed.replace("c.winner", "c.first") if "first: int" in after else changed
    one, other = keys(tmp_path, text), keys(tmp_path, changed)
    assert one[0] != other[0]
    assert one[1] != other[1]


def test_another_declaration_does(tmp_path: Path) -> None:
    """A stored count is not found under a declaration that was never tried."""
    one = keys(tmp_path, COMPARES)[0]
    assert one != keys(tmp_path, COMPARES.replace("shortcuts=Shortcuts(same=rank),\n", ""))[0]
