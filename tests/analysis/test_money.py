"""Money over time: sessions of a plan against what theory says, reproducible, and refused when they make no sense."""

from math import sqrt
from pathlib import Path

import pytest

from pairhouse.analysis.counts import counted
from pairhouse.analysis.money import Plan, ladder_of, money_report, picture
from pairhouse.analysis.prices import combined, price
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find

BACCARAT = find("nepal-super-baccarat").variant()


def test_a_round_of_a_plan_is_the_wagers_together() -> None:
    """Two wagers that move against each other: mean and spread are those of the exact tally."""
    ladder = ladder_of(BACCARAT, {"player": 2, "banker": 1})
    mean, variance = combined(counted(BACCARAT), {"player": 2, "banker": 1})
    assert ladder.mean == pytest.approx(float(mean), abs=1e-12)
    assert ladder.deviation == pytest.approx(sqrt(variance), abs=1e-12)


def test_sessions_come_to_what_theory_says() -> None:
    """A bankroll that cannot be lost: the mean is the edge; one that can: ruin is near the diffusion's."""
    safe = money_report(BACCARAT, Plan({"player": 1}, 1000, 200), 20_000)
    ev = float(price(counted(BACCARAT), "player").ev)
    assert safe.ruined == 0
    assert abs(safe.mean - 200 * ev) < 5 * safe.deviation_per_round * sqrt(200 / 20_000)
    risky = money_report(BACCARAT, Plan({"player": 1}, 30, 1000), 10_000)
    assert risky.ruined_diffusion is not None
    assert abs(risky.ruined - risky.ruined_diffusion) < 0.03
    assert risky.rounds_to_ruin_median is not None
    assert 0 < risky.rounds_to_ruin_median <= 1000


def test_stop_rules_stop_and_seeds_repeat(tmp_path: Path) -> None:
    plan = Plan({"player": 1}, 100, 500, stop_win=10, stop_loss=20)
    found = money_report(BACCARAT, plan, 2000, 3, with_finals=True)
    assert (max(found.finals), min(found.finals)) == (10.0, -20.0)
    assert found == money_report(BACCARAT, plan, 2000, 3, with_finals=True)
    assert found != money_report(BACCARAT, plan, 2000, 4, with_finals=True)
    picture(found, str(tmp_path / "money.svg"))
    assert "<svg" in (tmp_path / "money.svg").read_text()


@pytest.mark.parametrize(
    ("game", "plan", "sentence"),
    [
        ("nepal-super-baccarat", Plan({"player": 1}, 0, 10), "at least 1"),
        ("nepal-super-baccarat", Plan({"nobody": 1}, 10, 10), "unknown"),
        ("blackjack-poker-pairs", Plan({"main": 1, "pairs": 1}, 10, 10), "planned alone"),
    ],
)
def test_plans_that_make_no_sense_are_refused(game: str, plan: Plan, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        money_report(find(game).variant(), plan, 10)
