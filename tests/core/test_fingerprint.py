"""The rules hash: what could change a result changes it, and nothing else does."""

import pytest

from pairhouse.core import fingerprint
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
    assert (fingerprint.source_text(changed) == fingerprint.source_text(RULE)) == same


def test_options_are_part_of_it() -> None:
    hashes = {find("blackjack").variant({"decks": decks}).rules_hash for decks in range(1, 9)}
    assert len(hashes) == 8
    assert find("blackjack").variant({"rounding": "down"}).rules_hash not in hashes
    assert find("blackjack").variant({"decks": 6}).rules_hash == find("blackjack").variant().rules_hash


@pytest.mark.parametrize("module", ["pairhouse.core.hands", "pairhouse.games.blackjack", "pairhouse.machines.replay"])
def test_every_module_that_decides_is_part_of_it(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Also one that is imported only through another, and the one that moves the money."""
    plain = fingerprint._source_digest.__wrapped__("pairhouse.games.pair_v3")
    source = fingerprint._source

    def altered(name: str) -> str:
        return source(name) + ("\nextra = 1\n" if name == module else "")

    monkeypatch.setattr(fingerprint, "_source", altered)
    assert fingerprint._source_digest.__wrapped__("pairhouse.games.pair_v3") != plain


def test_games_have_hashes_of_their_own() -> None:
    assert len({game.variant().rules_hash for game in GAMES.values()}) == len(GAMES)


def test_it_is_the_same_under_every_python() -> None:
    """A tree printed once by hand: no field that only some versions have."""
    printed = "(Module body= (Expr value= (Call func= (Name id= 'f' ctx= (Load ) ) args= (Constant value= 1 ) ) ) )"
    assert fingerprint.source_text("f(1)") == printed
