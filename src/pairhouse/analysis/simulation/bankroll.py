"""Money over time: a betting plan and a bankroll, played session by session, beside what theory says of them.

A round of the plan is drawn from the exact tally of the game: all wagers of the plan are settled on the same story, so
wagers that move together do. (A wager that is solved takes the solver's distribution, deal by deal where it is planned
with others.) A session is a function of the seed and its number.

Only money that is there is bet. A round is begun when the money left covers the most that the plan can ask for in one
round: every stake with all that may follow it (Play after an ante; splits, doubles and insurance at blackjack). A
session ends after its rounds, at a stop rule, or when less than that is left, which is called ruin.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, erfc, exp, gcd, lcm, sqrt
from pathlib import Path
from typing import Any

import msgspec
import numba
import numpy as np
import numpy.typing as npt

from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.simulation.sampling import check_seed
from pairhouse.analysis.simulation.scoring import chosen_wagers
from pairhouse.core.errors import Refused, one_of
from pairhouse.core.game import Variant
from pairhouse.core.settlement import stake_of
from pairhouse.machines.simulate.philox import SESSIONS, key_of, philox

Reals = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]
UNITS_MAX, STAKE_MAX = 10**12, 10**6
ROUNDS_MAX = SESSIONS_MAX = 10**7
ROUNDS_A_PART = 10**7
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
    """What sessions came to, in units; quantiles at 1, 5, 25, 50, 75, 95 and 99 percent.

    `round_needs` is the most that each wager can ask for in one round; `ruined` is the share of sessions that ended
    because less than their sum was left. Where all sessions or none were ruined the sample knows no error of it, and a
    single session none of the mean. `ruined_diffusion` is the same for Brownian motion, see `diffusion_assumes`.
    """

    game: str
    plan: Plan
    sessions: int
    seed: int
    round_needs: dict[str, int]
    ev_per_round: float
    deviation_per_round: float
    mean: float
    mean_stderr: float | None
    quantiles: list[float]
    drawdown_quantiles: list[float]
    ruined_sessions: int
    ruined: float
    ruined_stderr: float | None
    ruined_diffusion: float | None
    rounds_to_ruin_median: float | None
    ahead: float
    diffusion_assumes: str = (
        "Brownian motion with the mean and deviation of a round, watched at every moment, that ends where the money "
        "first lies below what a round needs: no large single wins or losses, no stop rules"
    )


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


def round_needs(variant: Variant, stakes: Mapping[str, int]) -> dict[str, int]:
    """The most units that each wager of a plan can ask for in one round, with all that may follow its stake."""
    return {name: stake * _most_at_stake(variant, name) for name, stake in stakes.items()}


def _most_at_stake(variant: Variant, wager: str) -> int:
    """The most that a unit on a wager can put at stake: what it loses when everything is lost."""
    if variant.wagers[wager].base is not None:
        return 1  # it follows from another wager, and nothing follows from it
    ladder = ladder_of(variant, {wager: 1})
    return max(1, ceil(-min(ladder.nets) / ladder.steps))


def check_plan(variant: Variant, plan: Plan) -> dict[str, int]:
    """Refuse a plan that nobody could play; what its wagers need in one round comes back."""
    names = chosen_wagers(variant, list(plan.stakes))
    if not names:
        raise Refused("bad-plan", "the plan has no stakes; put units on at least one wager")
    numbers = [("a bankroll", plan.bankroll, UNITS_MAX), ("rounds", plan.rounds, ROUNDS_MAX)]
    numbers += [(f"a stake on {name}", stake, STAKE_MAX) for name, stake in plan.stakes.items()]
    numbers += [("a win to stop at", plan.stop_win, UNITS_MAX)] if plan.stop_win is not None else []
    numbers += [("a loss to stop at", plan.stop_loss, plan.bankroll)] if plan.stop_loss is not None else []
    for what, number, most in numbers:
        if not 1 <= number <= most:
            raise Refused("bad-plan", f"{what} of {number} cannot be planned; give 1 to {most}")
    for name in names:
        wager = variant.wagers[name]
        stake = plan.stakes[name]
        if wager.base in plan.stakes and stake != stake_of(wager, Fraction(plan.stakes[wager.base])):
            given = f"{name}={stake} with {wager.base}={plan.stakes[wager.base]} cannot be played"
            raise Refused("bad-plan", f"{given}; {name} is always {wager.multiple} of the stake on {wager.base}")
    needs = round_needs(variant, plan.stakes)
    needed = sum(needs.values())
    if needed > plan.bankroll:
        each = ", ".join(f"{name} {units}" for name, units in needs.items())
        given = f"a bankroll of {plan.bankroll} cannot carry one round, which may need {needed} units ({each})"
        raise Refused("bad-plan", f"{given}; give a larger bankroll or smaller stakes")
    return needs


@numba.njit(nogil=True)
def play_sessions(
    key: Any, first: int, limits: Any, nets_of: Numbers, below: Reals, results: Numbers
) -> None:  # pragma: no cover (compiled)
    """Sessions from a number on: final money, deepest drawdown, rounds until ruin (0 for never)."""
    bankroll, needed, rounds, win, loss = limits
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
            if money < needed:
                ruin = at + 1
                break
            if money >= win or money <= loss:
                break
        results[session, 0], results[session, 1], results[session, 2] = money - bankroll, deepest, ruin


@dataclass(frozen=True, eq=False)
class Sessions:
    """Played sessions of a plan: what each came to, its deepest drawdown, and the round of its ruin (0 for never)."""

    variant: Variant
    plan: Plan
    seed: int
    needs: Mapping[str, int]
    ladder: Ladder
    results: Reals
    drawdowns: Reals
    ruins: Numbers

    def report(self) -> MoneyReport:
        """What the sessions say together."""
        plan, sessions = self.plan, self.results.size
        ruined = self.ruins[self.ruins > 0]
        share = ruined.size / sessions
        plain = plan.stop_win is None and plan.stop_loss is None
        return MoneyReport(
            game=self.variant.game.id,
            plan=plan,
            sessions=sessions,
            seed=self.seed,
            round_needs=dict(self.needs),
            ev_per_round=self.ladder.mean,
            deviation_per_round=self.ladder.deviation,
            mean=float(self.results.mean()),
            mean_stderr=float(self.results.std() / sqrt(sessions)) if sessions > 1 else None,
            quantiles=[float(q) for q in np.quantile(self.results, SHARES)],
            drawdown_quantiles=[float(q) for q in np.quantile(self.drawdowns, SHARES)],
            ruined_sessions=ruined.size,
            ruined=share,
            ruined_stderr=sqrt(share * (1 - share) / sessions) if 0 < share < 1 else None,
            ruined_diffusion=ruin_by_diffusion(self.ladder, self.ruin_loss, plan.rounds) if plain else None,
            rounds_to_ruin_median=float(np.median(ruined)) if ruined.size else None,
            ahead=float((self.results > 0).mean()),
        )

    @property
    def ruin_loss(self) -> float:
        """The smallest loss in units that is ruin: the money moves by whole multiples of a step."""
        step = gcd(*self.ladder.nets)
        spare = (self.plan.bankroll - sum(self.needs.values())) * self.ladder.steps
        return (spare // step + 1) * step / self.ladder.steps


def play_plan(variant: Variant, plan: Plan, sessions: int, seed: int = 1) -> Sessions:
    """Play so many sessions of a plan."""
    if not 1 <= sessions <= SESSIONS_MAX:
        raise Refused("bad-number", f"{sessions} sessions are not possible; give 1 to {SESSIONS_MAX}")
    key = key_of(check_seed(seed))
    needs = check_plan(variant, plan)
    ladder = ladder_of(variant, plan.stakes)
    steps = ladder.steps
    far = plan.bankroll * steps + plan.rounds * max(abs(net) for net in ladder.nets) + 1
    if far >= 1 << 62:
        raise Refused("bad-plan", "the plan could win more than can be counted; give smaller stakes or fewer rounds")
    win = far if plan.stop_win is None else (plan.bankroll + plan.stop_win) * steps
    loss = -far if plan.stop_loss is None else (plan.bankroll - plan.stop_loss) * steps
    limits = plan.bankroll * steps, sum(needs.values()) * steps, plan.rounds, win, loss
    below, nets_of = np.cumsum(np.array(ladder.chances)), np.array(ladder.nets, np.int64)
    results = np.zeros((sessions, 3), np.int64)
    part = max(1, ROUNDS_A_PART // plan.rounds)  # between parts Ctrl-C is heard
    for first in range(0, sessions, part):
        play_sessions(key, first, limits, nets_of, below, results[first : first + part])
    return Sessions(variant, plan, seed, needs, ladder, results[:, 0] / steps, results[:, 1] / steps, results[:, 2])


def ruin_by_diffusion(ladder: Ladder, loss: float, rounds: int) -> float:
    """The chance that Brownian motion of the same drift and spread falls by this much within so many rounds."""
    drift, spread = ladder.mean, ladder.deviation * sqrt(rounds)

    def normal(z: float) -> float:
        return erfc(-z / sqrt(2)) / 2

    total = drift * rounds
    back = exp(min(-2 * drift * loss / ladder.deviation**2, 700.0))
    return min(1.0, normal((-loss - total) / spread) + back * normal((-loss + total) / spread))


def empty_figure() -> Any:
    """A figure to draw on, or a refusal that says how to get the library."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)
    except ImportError:
        raise Refused("no-reports", "pictures need `pip install pairhouse[reports]`") from None
    return Figure(figsize=(7, 4), layout="constrained")


def check_picture(file: Path) -> None:
    """Refuse a file name that is not that of a picture."""
    accepted = sorted(set(empty_figure().canvas.get_supported_filetypes()) - {"pgf"})  # pgf would need LaTeX
    if file.suffix.lower().removeprefix(".") not in accepted:
        raise Refused("bad-file", f"{file} is not the name of a picture; let it end in .{one_of(accepted)}")


def picture(played: Sessions, file: Path) -> None:
    """The distribution of results as a picture, with the normal curve of the same drift and spread."""
    check_picture(file)
    figure = empty_figure()
    axes = figure.add_subplot()
    axes.hist(played.results, bins=80, density=True, color="#4477aa", label=f"{played.results.size:,} sessions")
    rounds = played.plan.rounds
    middle, spread = played.ladder.mean * rounds, played.ladder.deviation * sqrt(rounds)
    at = np.linspace(middle - 4 * spread, middle + 4 * spread, 300)
    curve = np.exp(-(((at - middle) / spread) ** 2) / 2) / (spread * sqrt(2 * np.pi))
    axes.plot(at, curve, color="#cc3311", label="normal, without ruin or stops")
    axes.set_xlabel("result in units")
    axes.legend()
    try:
        figure.savefig(file)
    except OSError as error:
        raise Refused("bad-file", f"{file} cannot be written: {error.strerror or error}") from None
