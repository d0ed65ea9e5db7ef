"""No rule is written twice: one rule altered, and live play, the exact oracle and the compiled run all change."""

from fractions import Fraction

import pytest

from compiled_tape import VERBS, jit, run
from pairhouse.core.cards import parse
from pairhouse.core.rule import rule
from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.games.catalogue import GAMES
from pairhouse.machines.enumerate import enumerate_rounds
from pairhouse.machines.link import link
from pairhouse.machines.replay import replay

VARIANT = GAMES["nepal-super-baccarat"].variant()

# Player 2-A draws a 4 for 7; the Banker has 5 and, by the book, draws a 3 and wins with 8.
COUP = parse(["2c", "2d", "Ah", "3s", "4h", "3c"])

# A shoe small enough for the oracle, in which that coup and others can happen.
SMALL_SHOE = parse(["2c", "2d", "Ah", "3s", "4h", "3c", "9d"])


@rule
def banker_draws_but_5_stands_on_4(banker: int, third: int) -> bool:
    """The altered rule; everything else by the book. [NSB-21]"""
    if banker <= 2:
        return True
    if banker == 3:
        return third != 8
    if banker == 4:
        return 2 <= third <= 7
    if banker == 5:
        return 5 <= third <= 7
    return banker == 6 and 6 <= third <= 7


def live() -> str | None:
    return replay(VARIANT, COUP, [{"banker": 100}]).bets[0]["banker"].row


def exact() -> Fraction:
    tally = enumerate_rounds(VARIANT.game.play, VARIANT.rules, SMALL_SHOE)
    assert tally.total == 1
    return tally.expectation(VARIANT.wagers["banker"])


def compiled() -> list[int]:
    return run(link(baccarat.play, VERBS, jit), VARIANT.rules, COUP, 1, [0])


def test_one_rule_altered_changes_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    by_the_book = live(), exact(), compiled()
    monkeypatch.setattr(baccarat, "banker_draws", banker_draws_but_5_stands_on_4)
    altered = live(), exact(), compiled()
    assert (by_the_book[0], altered[0]) == ("Banker wins", "no win")
    assert by_the_book[1] > altered[1]
    assert (by_the_book[2][-5], altered[2][-5]) == (baccarat.BANKER, baccarat.PLAYER)
    monkeypatch.undo()
    assert (live(), exact(), compiled()) == by_the_book
