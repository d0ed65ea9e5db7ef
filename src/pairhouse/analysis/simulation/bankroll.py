"""Money over time: a betting plan and a bankroll, played session by session, beside what theory says of them.

A round of the plan is drawn from the exact tally of the game: all wagers of the plan are settled on the same story, so
wagers that move together do. (A wager that is solved takes the solver's distribution, deal by deal where it is planned
with others.) Sessions end after so many rounds, at ruin, or at a stop rule; a session is a function of the seed and its
number.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import erfc, exp, lcm, sqrt
from typing import Any

import msgspec
import numba
import numpy as np
import numpy.typing as npt

from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.simulation.sampling import check_seed
from pairhouse.analysis.simulation.scoring import chosen_wagers
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.machines.simulate.philox import SESSIONS, key_of, philox

Reals = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]
SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
next_words = numba.njit(philox)


class Plan(msgspec.Struct, frozen=True):
    """So many units on each wager in every round; a session ends with its rounds, at ruin, or at a win or loss."""

    stakes: dict[str, int]
    bankroll: int
    rounds: int
    stop_win: int | None = None
    stop_loss: int | None = None


class MoneyReport(msgspec.Struct, frozen=True):
    """What sessions came to, in units; quantiles at 1, 5, 25, 50, 75, 95 and 99 percent."""

    game: str
    plan: Plan
    sessions: int
    seed: int
    ev_per_round: float
    deviation_per_round: float
    mean: float
    quantiles: list[float]
    drawdown_quantiles: list[float]
    ruined: float
    ruined_diffusion: float | None
    rounds_to_ruin_median: float | None
    ahead: float
    finals: list[float] = []


@dataclass(frozen=True)
class Ladder:
    """The net results of one round of a plan, in whole steps, with their chances."""

    steps: int
    nets: tuple[int, ...]
    chances: tuple[float, ...]

    @cached_property
    def mean(self) -> float:
        return sum(net * p for net, p in zip(self.nets, self.chances, strict=True)) / self.steps

    @cached_property
    def deviation(self) -> float:
        square = sum(net * net * p for net, p in zip(self.nets, self.chances, strict=True)) / self.steps**2
        return sqrt(square - self.mean**2)


def ladder_of(variant: Variant, stakes: Mapping[str, int]) -> Ladder:
    """One round of a plan, exactly."""
    names = chosen_wagers(variant, list(stakes))
    spread = method_of(variant).net_chances({name: stakes[name] for name in names})
    steps = lcm(*(net.denominator for net in spread))
    ordered = sorted(spread.items(), key=lambda item: -item[1])
    return Ladder(steps, tuple(int(net * steps) for net, _ in ordered), tuple(chance for _, chance in ordered))


@numba.njit(nogil=True)
def play_sessions(
    key: Any, first: int, limits: Any, nets_of: Numbers, below: Reals, results: Numbers
) -> None:  # pragma: no cover (compiled)
    """Sessions from a number on: final money, deepest drawdown, rounds until ruin (0 for never)."""
    bankroll, rounds, win, loss = limits
    for session in range(results.shape[0]):
        money, peak, deepest, ruin = bankroll, bankroll, 0, 0
        for at in range(rounds):
            words = next_words(
                np.uint64(at), np.uint64(first + session), np.uint64(SESSIONS), np.uint64(0), key[0], key[1]
            )
            drawn = ((words[0] << np.uint64(21)) ^ (words[1] & np.uint64(0x1FFFFF))) * (1.0 / (1 << 53))
            row = 0
            while row < below.size - 1 and drawn >= below[row]:
                row += 1
            money += nets_of[row]
            peak = max(peak, money)
            deepest = max(deepest, peak - money)
            if money <= 0:
                ruin = at + 1
                break
            if money >= win or money <= loss:
                break
        results[session, 0], results[session, 1], results[session, 2] = money - bankroll, deepest, ruin


def money_report(
    variant: Variant, plan: Plan, sessions: int, seed: int = 1, *, with_finals: bool = False
) -> MoneyReport:
    """Play so many sessions of a plan."""
    if plan.bankroll < 1 or plan.rounds < 1 or any(stake < 1 for stake in plan.stakes.values()):
        raise Refused("bad-plan", "a plan has a bankroll, rounds and stakes of at least 1")
    ladder = ladder_of(variant, plan.stakes)
    steps = ladder.steps
    results = np.zeros((sessions, 3), np.int64)
    far = plan.bankroll * steps + (1 << 60)
    win = far if plan.stop_win is None else (plan.bankroll + plan.stop_win) * steps
    loss = -far if plan.stop_loss is None else (plan.bankroll - plan.stop_loss) * steps
    limits = plan.bankroll * steps, plan.rounds, win, loss
    below = np.cumsum(np.array(ladder.chances))
    play_sessions(key_of(check_seed(seed)), 0, limits, np.array(ladder.nets, np.int64), below, results)
    final, deepest, ruin = results[:, 0] / steps, results[:, 1] / steps, results[:, 2]
    lost = ruin[ruin > 0]
    plain = plan.stop_win is None and plan.stop_loss is None
    return MoneyReport(
        game=variant.game.id,
        plan=plan,
        sessions=sessions,
        seed=seed,
        ev_per_round=ladder.mean,
        deviation_per_round=ladder.deviation,
        mean=float(final.mean()),
        quantiles=[float(q) for q in np.quantile(final, SHARES)],
        drawdown_quantiles=[float(q) for q in np.quantile(deepest, SHARES)],
        ruined=float((ruin > 0).mean()),
        ruined_diffusion=ruin_by_diffusion(ladder, plan.bankroll, plan.rounds) if plain else None,
        rounds_to_ruin_median=float(np.median(lost)) if lost.size else None,
        ahead=float((final > 0).mean()),
        finals=final.tolist() if with_finals else [],
    )


def ruin_by_diffusion(ladder: Ladder, bankroll: int, rounds: int) -> float:
    """The chance that Brownian motion of the same drift and spread falls to zero within so many rounds."""
    drift, spread = ladder.mean, ladder.deviation * sqrt(rounds)

    def normal(z: float) -> float:
        return erfc(-z / sqrt(2)) / 2

    total = drift * rounds
    back = exp(min(-2 * drift * bankroll / ladder.deviation**2, 700.0))
    return min(1.0, normal((-bankroll - total) / spread) + back * normal((-bankroll + total) / spread))


def picture(report: MoneyReport, file: str) -> None:
    """The distribution of results as a picture, with the normal curve of the same drift and spread."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)
    except ImportError:
        raise Refused("no-reports", "pictures need `pip install pairhouse[reports]`") from None
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.hist(report.finals, bins=80, density=True, color="#4477aa", label=f"{report.sessions:,} sessions")
    spread = report.deviation_per_round * sqrt(report.plan.rounds)
    middle = report.ev_per_round * report.plan.rounds
    at = np.linspace(middle - 4 * spread, middle + 4 * spread, 300)
    curve = np.exp(-(((at - middle) / spread) ** 2) / 2) / (spread * sqrt(2 * np.pi))
    axes.plot(at, curve, color="#cc3311", label="normal, without ruin or stops")
    axes.set_xlabel("result in units")
    axes.legend()
    figure.savefig(file)
