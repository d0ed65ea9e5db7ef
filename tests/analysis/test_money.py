"""Money over time: sessions of a plan against what theory says, reproducible, and refused when they make no sense."""

from math import sqrt
from pathlib import Path

import pytest

from counting import counted
from pairhouse.analysis.blackjack.mixed_wagers import side_bets
from pairhouse.analysis.blackjack.report import solution
from pairhouse.analysis.blackjack.scoring import HandScore
from pairhouse.analysis.blackjack.spread import Spread
from pairhouse.analysis.exact.prices import combined, price
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.simulation.bankroll import Plan, ladder_of, money_report, picture
from pairhouse.analysis.simulation.sampling import Sampling
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
        ("blackjack-poker-pairs", Plan({"insurance": 1, "pairs": 1}, 10, 10), "put a stake on main"),
    ],
)
def test_plans_that_make_no_sense_are_refused(game: str, plan: Plan, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        money_report(find(game).variant(), plan, 10)


PAIRS_AND_POKER = find("blackjack-poker-pairs").variant()


def test_a_mixed_plan_of_blackjack_keeps_the_price_of_every_wager() -> None:
    """Its mean is the sum of the wagers' own; each alone, in a mix, is what it is by itself."""
    stakes = {"main": 4, "insurance": 2, "pairs": 1, "poker": 3}
    exact = method_of(PAIRS_AND_POKER).play().exact()
    spread = Spread(solution(PAIRS_AND_POKER))
    offered = sum(chance for (up, *_), nets in spread.by_deal.items() if up == 1 for chance in nets.values())
    ladder = ladder_of(PAIRS_AND_POKER, stakes)
    mean = 4 * spread.mean + exact["pairs"].ev + 3 * exact["poker"].ev + 2 * offered * exact["insurance"].ev
    assert offered == pytest.approx(1 / 13, abs=1e-12)
    assert sum(ladder.chances) == pytest.approx(1, abs=1e-12)
    assert ladder.mean == pytest.approx(mean, abs=1e-12)
    apart = ladder_of(PAIRS_AND_POKER, {"pairs": 1, "poker": 3})
    side = side_bets(PAIRS_AND_POKER, {"pairs": 1, "poker": 3})
    together = sum(
        chance * share * float(net)
        for deal, nets in spread.by_deal.items()
        for net, share in side[deal].items()
        for chance in nets.values()
    )
    assert together == pytest.approx(apart.mean, abs=1e-12)


def test_a_mixed_plan_spreads_as_simulated_rounds_do() -> None:
    """All four wagers settled on the same rounds: mean and deviation of what they win together."""
    stakes = {"main": 1, "insurance": 1, "pairs": 1, "poker": 1}
    ladder = ladder_of(PAIRS_AND_POKER, stakes)
    sampling = Sampling.of(PAIRS_AND_POKER)
    assert isinstance(sampling.score, HandScore)
    rounds, nets = 0, []
    for net, number in sampling.score.together(sampling.simulation.block(3, 0), stakes).items():
        rounds += number
        nets.append((float(net), number))
    mean = sum(net * number for net, number in nets) / rounds
    square = sum(net * net * number for net, number in nets) / rounds
    assert abs(mean - ladder.mean) < 5 * ladder.deviation / sqrt(rounds)
    assert sqrt(square - mean * mean) == pytest.approx(ladder.deviation, rel=0.02)
