"""The rules hash: what could change a result changes it, and nothing else does."""

import sys
from pathlib import Path

import pytest

from pairhouse.core import fingerprint
from pairhouse.core.syntax import syntax_text
from pairhouse.games.catalogue import GAMES, find

RULE = '''
"""A module."""
from pairhouse.core.rule import rule

@rule
def draws(total):
    """Draws."""
    if total < 17:  # a comment
        total += 1
        total += 2
    return total, "name"
'''


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ('"""Draws."""', '"""Draws to sixteen."""', True),
        ("# a comment", "# another", True),
        ("total < 17", "(total\n        < 17)", True),
        ('"""A module."""', "", True),
        ("total < 17", "total < 18", False),
        ("total < 17", "total <= 17", False),
        ("        total += 2", "    total += 2", False),
        ('"name"', '"other name"', False),
        ("@rule\n", "", False),
    ],
)
def test_syntax_counts_and_layout_does_not(before: str, after: str, same: bool) -> None:
    changed = RULE.replace(before, after)
    assert changed != RULE
    assert (syntax_text(changed) == syntax_text(RULE)) == same


def test_options_are_part_of_it() -> None:
    hashes = {find("blackjack").variant({"decks": decks}).rules_hash for decks in range(1, 9)}
    assert len(hashes) == 8
    assert find("blackjack").variant({"rounding": "down"}).rules_hash not in hashes
    assert find("blackjack").variant({"decks": 6}).rules_hash == find("blackjack").variant().rules_hash


@pytest.mark.parametrize("module", ["pairhouse.core.hands", "pairhouse.games.blackjack", "pairhouse.machines.replay"])
def test_every_module_that_decides_is_part_of_it(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Also one that is imported only through another, and the one that moves the money."""
    plain = fingerprint._text_digest.__wrapped__(frozenset(["pairhouse.games.pair_v3"]))
    source = fingerprint._source

    def altered(name: str) -> str:
        return source(name) + ("\nextra = 1\n" if name == module else "")

    monkeypatch.setattr(fingerprint, "_source", altered)
    assert fingerprint._text_digest.__wrapped__(frozenset(["pairhouse.games.pair_v3"])) != plain


@pytest.mark.parametrize(
    "line",
    [
        "from .cards_of_mine import two",
        "from . import cards_of_mine",
        "import outsider.cards_of_mine as c",
        "import besides",
    ],
)
def test_a_game_outside_the_package_is_named_with_what_it_imports(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Modules of its own package, modules beside it, and ours; not the libraries it uses."""
    package = tmp_path / "outsider"
    package.mkdir()
    (package / "__init__.py").touch()
    for file in (package / "cards_of_mine.py", tmp_path / "besides.py"):
        file.write_text("two = 2\n")
    (package / "game.py").write_text(
        f"import json\nimport msgspec\nfrom pairhouse.core.hands import category\n{line}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    try:
        found = fingerprint._with_imports("outsider.game")
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] in ("outsider", "besides")]:
            del sys.modules[name]
    mine = "besides" if "besides" in line else "outsider.cards_of_mine"
    assert {"outsider.game", mine, "pairhouse.core.hands", "pairhouse.core.cards"} <= found
    assert all(name.partition(".")[0] in ("outsider", "besides", "pairhouse") for name in found)


def test_games_have_hashes_of_their_own() -> None:
    assert len({game.variant().rules_hash for game in GAMES.values()}) == len(GAMES)


def test_it_is_the_same_under_every_python() -> None:
    """A tree printed once by hand: no field that only some versions have."""
    printed = "(Module body= (Expr value= (Call func= (Name id= 'f' ctx= (Load ) ) args= (Constant value= 1 ) ) ) )"
    assert syntax_text("f(1)") == printed
