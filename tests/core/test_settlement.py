"""One function settles a wager: money and exact units by the same code, and no other line multiplies."""

import ast
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import NamedTuple

import pytest

from pairhouse.core.game import Game
from pairhouse.core.meter import Meter
from pairhouse.core.money import ROUNDINGS
from pairhouse.core.paytable import REMEMBERED_MAX, Paytable, Wager, row, share
from pairhouse.core.settlement import (
    UNIT,
    exact_step,
    largest_return,
    settle_row,
    settlement,
    settlement_per_unit,
    stake_of,
)
from pairhouse.games.catalogue import GAMES
from pairhouse.machines.simulate.score import every_happening

SOURCE = Path(__file__).parents[2] / "src" / "pairhouse"


class Spin(NamedTuple):
    """What the wagers below are decided by."""

    number: int
    times: int


class Other(NamedTuple):
    """The same numbers under another name."""

    number: int
    times: int


PAYS = Paytable(
    "Spin",
    "",
    (
        row("three to two", Fraction(3, 2), lambda spin: spin.number == 1),
        row("back", 0, lambda spin: spin.number == 2),
        row("half lost", Fraction(-1, 2), lambda spin: spin.number == 3),
        share("a tenth", Fraction(1, 10), lambda spin: spin.number == 4),
    ),
)
PLAIN = Wager("plain", "Plain", PAYS, Spin, times=lambda spin: spin.times)
HALF = Wager("half", "Half", PAYS, Spin, base="plain", multiple=Fraction(1, 2))
BONUS = Wager("bonus", "Bonus", PAYS, Spin, base="plain", bonus=True)
METER = Meter(1234, seed=100, contribution=Fraction(1, 5), ceiling=10_000)


@pytest.mark.parametrize(
    ("wager", "spin", "base", "rounding", "stake", "returned"),
    [
        (PLAIN, Spin(1, 1), 100, "exact", 100, 250),
        (PLAIN, Spin(1, 2), 100, "exact", 200, 500),
        (PLAIN, Spin(2, 1), 100, "exact", 100, 100),
        (PLAIN, Spin(3, 1), 100, "exact", 100, 50),
        (PLAIN, Spin(9, 1), 100, "exact", 100, 0),
        (PLAIN, Spin(4, 1), 100, "exact", 100, 0),
        (PLAIN, Spin(1, 1), 25, "down", 25, 62),
        (PLAIN, Spin(1, 1), 25, "up", 25, 63),
        (PLAIN, Spin(1, 1), 25, "nearest", 25, 63),
        (HALF, Spin(1, 1), 100, "exact", 50, 125),
        (HALF, Spin(2, 1), 25, "down", 12, 12),
        (HALF, Spin(2, 1), 25, "up", 13, 13),
        (BONUS, Spin(1, 1), 100, "exact", 0, 150),
        (BONUS, Spin(1, 1), 25, "down", 0, 37),
    ],
)
def test_money_is_whole_and_rounded_by_the_named_rule(
    wager: Wager, spin: Spin, base: int, rounding: str, stake: int, returned: int
) -> None:
    found = settlement(wager, spin, base, rounding)
    assert found is not None
    assert (found.stake, found.returned, found.net) == (stake, returned, returned - stake)
    assert all(type(amount) is int for amount in (found.stake, found.returned))
    assert found.row is wager.paytable.paid(spin)


@pytest.mark.parametrize(
    ("wager", "happened"),
    [(PLAIN, Spin(1, 0)), (BONUS, Spin(2, 1)), (BONUS, Spin(9, 1)), (PLAIN, Other(1, 1)), (PLAIN, "a word")],
)
def test_what_is_not_at_risk_is_not_settled(wager: Wager, happened: object) -> None:
    assert settlement(wager, happened, 100) is None
    assert settlement_per_unit(wager, happened) is None


def test_another_kind_with_equal_fields_decides_nothing() -> None:
    """Named tuples of different kinds compare as equal; what is remembered must not mix them up."""
    assert Spin(1, 1) == Other(1, 1)  # type: ignore[comparison-overlap]
    assert settlement_per_unit(PLAIN, Spin(1, 1)) is not None
    assert settlement_per_unit(PLAIN, Other(1, 1)) is None


def test_a_share_of_the_meter_comes_back_and_leaves_the_meter() -> None:
    found = settlement(PLAIN, Spin(4, 1), 100, "exact", METER)
    assert found is not None
    assert (found.stake, found.returned, found.row.share) == (100, 123, Fraction(1, 10))
    assert found.meter is not None
    assert found.meter.amount == 1234 - 123
    bonus = settlement(BONUS, Spin(4, 1), 100, "exact", METER)
    assert bonus is not None
    assert (bonus.stake, bonus.returned) == (0, 123)
    kept = settlement(PLAIN, Spin(1, 1), 100, "exact", METER)
    assert kept is not None
    assert kept.meter is METER


@pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
def test_money_is_the_unit_times_the_stake_in_every_game(game: Game) -> None:
    """Every wager, and what can happen (of thousands every seventh): exact money is the Fraction, scaled."""
    has_meter = any(option.name == "progressive" for option in game.options)
    variant = game.variant({"progressive": True} if has_meter else {})
    for wager in variant.wagers.values():
        base, most = 7 * exact_step(wager), largest_return(wager)
        happenings = list(every_happening(wager.decided_by))
        for happened in happenings[:: 7 if len(happenings) > 1000 else 1]:
            unit, money = settlement_per_unit(wager, happened), settlement(wager, happened, base)
            assert (unit is None) == (money is None)
            if unit is not None and money is not None:
                assert (unit.stake * base, unit.returned * base) == (Fraction(money.stake), Fraction(money.returned))
                assert unit.row is money.row
            if unit is not None and wager.decide(happened)[1] <= 1:
                assert unit.returned <= most


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_a_fraction_is_never_rounded(rounding: str) -> None:
    found = settlement(HALF, Spin(1, 1), Fraction(1, 3), rounding)
    assert found is not None
    assert (found.stake, found.returned) == (Fraction(1, 6), Fraction(5, 12))


def test_the_exact_step_is_the_least() -> None:
    assert [exact_step(wager) for wager in (PLAIN, HALF, BONUS)] == [2, 4, 2]
    for wager in (PLAIN, HALF, BONUS):
        amounts = [stake_of(wager, UNIT), *(r.pays * stake_of(wager, UNIT) for r in wager.paytable.rows)]
        assert exact_step(wager) % lcm(*(amount.denominator for amount in amounts)) == 0


def test_a_row_that_is_never_won_returns_nothing_at_most() -> None:
    never = Wager("never", "Never", Paytable("Never", "", (row("lost", -1),)), Spin, base="plain", bonus=True)
    assert largest_return(never) == 0
    assert settle_row(never, never.paytable.rows[0], 1, 100) is None


def test_what_is_remembered_is_bounded() -> None:
    wager = Wager("many", "Many", PAYS, Spin)
    for number in range(3 * REMEMBERED_MAX):
        wager.decide(Spin(number, 1))
    assert len(wager.rows_found) <= REMEMBERED_MAX


def test_no_other_line_multiplies_what_a_wager_comes_to() -> None:
    """`times * multiple * pays` is written once, in core/settlement.py."""
    found = []
    for file in SOURCE.rglob("*.py"):
        if file.name == "settlement.py" and file.parent.name == "core":
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
                parts = [part for side in (node.left, node.right) for part in ast.walk(side)]
                names = {part.attr for part in parts if isinstance(part, ast.Attribute)}
                if names & {"multiple", "times"}:
                    found.append(f"{file.relative_to(SOURCE)}:{node.lineno}")
    assert found == []
