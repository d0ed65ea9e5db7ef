"""Money over time: sessions of a plan against what theory says, reproducible, and refused when they make no sense."""

from math import sqrt
from pathlib import Path

import pytest

from counting import counted
from pairhouse.analysis.blackjack.mixed_wagers import side_bets
from pairhouse.analysis.blackjack.scoring import HandScore
from pairhouse.analysis.blackjack.solution_records import solution
from pairhouse.analysis.blackjack.spread import Spread
from pairhouse.analysis.exact.prices import combined, price
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.simulation.bankroll import Plan, Sessions, ladder_of, picture, play_plan, round_needs
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
    safe = play_plan(BACCARAT, Plan({"player": 1}, 1000, 200), 20_000).report()
    ev = float(price(counted(BACCARAT), "player").ev)
    assert (safe.ruined, safe.ruined_sessions) == (0, 0)
    assert safe.deviation_per_round is not None
    assert safe.mean_stderr is not None
    assert safe.mean_stderr == pytest.approx(safe.deviation_per_round * sqrt(200 / 20_000), rel=0.05)
    assert safe.mean_stderr is not None
    assert abs(safe.mean - 200 * ev) < 5 * safe.mean_stderr
    risky = play_plan(BACCARAT, Plan({"player": 1}, 30, 1000), 10_000).report()
    assert risky.ruined_diffusion is not None
    assert abs(risky.ruined - risky.ruined_diffusion) < 0.03
    assert risky.rounds_to_ruin_median is not None
    assert 0 < risky.rounds_to_ruin_median <= 1000


@pytest.mark.parametrize(
    ("game", "stakes", "needs"),
    [
        ("nepal-super-baccarat", {"player": 7}, {"player": 7}),
        ("nepal-super-baccarat", {"player": 2, "banker": 1}, {"player": 2, "banker": 1}),
        ("three-card-poker", {"ante": 3, "pairplus": 2}, {"ante": 6, "pairplus": 2}),
        ("blackjack", {"main": 1}, {"main": 8}),
        ("blackjack", {"main": 4, "insurance": 2}, {"main": 32, "insurance": 2}),
        ("blackjack-poker-pairs", {"main": 2, "pairs": 5}, {"main": 16, "pairs": 5}),
    ],
)
def test_a_round_needs_its_stakes_and_all_that_may_follow(
    game: str, stakes: dict[str, int], needs: dict[str, int]
) -> None:
    """Play doubles an ante; four hands, each doubled, are eight times the main wager; both wagers lie on the felt."""
    assert round_needs(find(game).variant(), stakes) == needs


@pytest.mark.parametrize(
    ("game", "stakes", "bankroll"),
    [("nepal-super-baccarat", {"player": 7}, 10), ("three-card-poker", {"ante": 1}, 6), ("blackjack", {"main": 1}, 12)],
)
def test_only_money_that_is_there_is_bet(game: str, stakes: dict[str, int], bankroll: int) -> None:
    """No session ends below nothing, and nobody goes on with less than a round can need."""
    played = play_plan(find(game).variant(), Plan(stakes, bankroll, 60), 5000)
    left = bankroll + played.results
    assert left.min() >= 0
    assert ((left < sum(played.needs.values())) == (played.ruins > 0)).all()
    assert played.ruins.max() <= 60


def exact_ruin(played: Sessions) -> float:
    """The chance of ruin by walking through the distribution of the money, round by round."""
    steps, plan = played.ladder.steps, played.plan
    needed, ruined = sum(played.needs.values()) * steps, 0.0
    money = {plan.bankroll * steps: 1.0}
    for _ in range(plan.rounds):
        after: dict[int, float] = {}
        for at, chance in money.items():
            for net, likely in zip(played.ladder.nets, played.ladder.chances, strict=True):
                after[at + net] = after.get(at + net, 0.0) + chance * likely
        ruined += sum(chance for at, chance in after.items() if at < needed)
        money = {at: chance for at, chance in after.items() if at >= needed}
    return ruined


@pytest.mark.parametrize(
    ("game", "stakes", "bankroll"), [("nepal-super-baccarat", {"banker": 3}, 10), ("three-card-poker", {"ante": 1}, 6)]
)
def test_ruin_is_as_likely_as_the_distribution_says(game: str, stakes: dict[str, int], bankroll: int) -> None:
    played = play_plan(find(game).variant(), Plan(stakes, bankroll, 12), 40_000)
    found = played.report()
    assert found.ruined_stderr is not None
    assert abs(found.ruined - exact_ruin(played)) < 5 * found.ruined_stderr


def test_stop_rules_stop_and_seeds_repeat(tmp_path: Path) -> None:
    plan = Plan({"player": 1}, 100, 500, stop_win=10, stop_loss=20)
    played = play_plan(BACCARAT, plan, 2000, 3)
    assert (played.results.max(), played.results.min()) == (10.0, -20.0)
    assert (played.results == play_plan(BACCARAT, plan, 2000, 3).results).all()
    assert (played.results != play_plan(BACCARAT, plan, 2000, 4).results).any()
    assert played.report().ruined_diffusion is None
    picture(played, tmp_path / "money.svg")
    assert "<svg" in (tmp_path / "money.svg").read_text()


@pytest.mark.parametrize(
    ("game", "plan", "sentence"),
    [
        ("nepal-super-baccarat", Plan({"player": 1}, 0, 10), "a bankroll of 0 cannot be planned; give 1 to"),
        ("nepal-super-baccarat", Plan({"player": 1}, 10**30, 10), "a bankroll of 1000"),
        ("nepal-super-baccarat", Plan({"player": 1}, 10, 10**30), "rounds of 1000"),
        ("nepal-super-baccarat", Plan({"player": 0}, 10, 10), "a stake on player of 0"),
        ("nepal-super-baccarat", Plan({"player": 1}, 10, 10, stop_win=0), "a win to stop at of 0"),
        ("nepal-super-baccarat", Plan({"player": 1}, 10, 10, stop_loss=11), "a loss to stop at of 11 .* give 1 to 10"),
        ("nepal-super-baccarat", Plan({}, 10, 10), "no stakes"),
        ("nepal-super-baccarat", Plan({"nobody": 1}, 10, 10), "unknown"),
        ("nepal-super-baccarat", Plan({"player": 7}, 6, 10), r"cannot carry one round, which may need 7 .*player 7"),
        ("three-card-poker", Plan({"ante": 5}, 9, 10), r"may need 10 units \(ante 10\)"),
        ("blackjack", Plan({"main": 1}, 7, 10), r"may need 8 units \(main 8\)"),
        ("blackjack", Plan({"main": 2, "insurance": 2}, 100, 10), "always 1/2 of the stake on main"),
        ("blackjack-poker-pairs", Plan({"insurance": 1, "pairs": 1}, 10, 10), "put a stake on main"),
    ],
)
def test_plans_that_cannot_be_played_are_refused(game: str, plan: Plan, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        play_plan(find(game).variant(), plan, 10)


@pytest.mark.parametrize("sessions", [0, -1, 10**9])
def test_a_number_of_sessions_has_limits(sessions: int) -> None:
    with pytest.raises(Refused, match="sessions are not possible; give 1 to 10000000"):
        play_plan(BACCARAT, Plan({"player": 1}, 10, 10), sessions)


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
