"""Exact against simulated against really dealt: every wager's distance, one chi-square over joint results, a verdict.

The verdict allows for the number of tests (Bonferroni): all of them together are to raise a false alarm once in a
thousand times, so each must be less likely than a thousandth divided by their number.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from pairhouse.analysis.simulation.sampling import Estimate, Sampling, estimate
from pairhouse.analysis.simulation.scoring import Numbers
from pairhouse.analysis.simulation.significance import ChiSquare, against_exact, normal_p, two_samples, without_skew
from pairhouse.analysis.simulation.strategies import ExactFigures
from pairhouse.core.cards import Card
from pairhouse.core.game import Variant
from pairhouse.machines.replay import replay
from pairhouse.machines.simulate.interpreted import packed, seen_before
from pairhouse.machines.simulate.run import go_on, threads
from pairhouse.machines.simulate.score import code_of

FALSE_ALARM = 1e-3
HOW = "Bonferroni: no test may be less likely than 1/1000 divided by the number of tests"
SIMULATED, DEALT = "simulated", "dealt"


class Comparison(msgspec.Struct, frozen=True):
    """One question: what was compared, how far apart it is, and how likely at least that would be by chance."""

    what: str
    statistic: float
    degrees: int | None
    p: float


class WagerAgreement(msgspec.Struct, frozen=True):
    """A wager three times."""

    exact: float | None
    simulated: Estimate
    dealt: Estimate | None


class Agreement(msgspec.Struct, frozen=True):
    """Whether exact, simulated and really dealt rounds agree."""

    game: str
    options: dict[str, Any]
    rules_hash: str
    strategy: str
    rounds: int
    dealt_rounds: int
    seed: int
    wagers: dict[str, WagerAgreement]
    tests: list[Comparison]
    least_p: float
    allowed_p: float
    agrees: bool
    how: str = HOW

    def __repr__(self) -> str:
        verdict = "agrees" if self.agrees else "does not agree"
        return f"<{self.game} {verdict}: least chance {self.least_p:.3g}, {self.allowed_p:.3g} allowed>"


def agreement(
    variant: Variant,
    rounds: int,
    seed: int = 1,
    *,
    strategy: str = "best",
    dealt_rounds: int = 0,
    shuffled: Callable[[Variant], Sequence[Card]] | None = None,
    workers: int | None = None,
) -> Agreement:
    """Simulate, deal with the shuffles given, and compare both with the exact prices and with each other.

    Wagers on a meter are compared at its seed.
    """
    sampling = Sampling.of(variant, strategy)
    with threads(sampling.simulation, workers) as crew:
        tally = go_on(crew, sampling.begin(seed), rounds).tally
    dealt = deal_rounds(sampling, dealt_rounds, shuffled) if shuffled is not None and dealt_rounds else None
    return judge(sampling, tally, dealt, seed)


def judge(
    sampling: Sampling,
    simulated: Numbers,
    dealt: Numbers | None,
    seed: int,
    exact: Mapping[str, ExactFigures] | None = None,
) -> Agreement:
    """The verdict over two tallies and the exact prices (those of the sampling, unless others are given)."""
    prices = sampling.exact if exact is None else exact
    samples = {SIMULATED: simulated} if dealt is None else {SIMULATED: simulated, DEALT: dealt}
    found = {name: _estimates(sampling, tally, prices) for name, tally in samples.items()}
    tests = [test for name in samples for test in _wager_tests(name, found[name], prices)]
    for name, tally in samples.items():
        joint = joint_test(sampling, tally)
        if joint is not None:
            tests.append(_chi(f"{name} against exact, all results together", joint))
    if dealt is not None:
        both = two_samples(_cells(simulated), _cells(dealt))
        tests.append(_chi("simulated against dealt, all results together", both))
    allowed = FALSE_ALARM / len(tests)
    least = min(test.p for test in tests)
    return Agreement(
        game=sampling.variant.game.id,
        options=dict(sampling.variant.options),
        rules_hash=sampling.variant.rules_hash,
        strategy=sampling.way.name,
        rounds=int(simulated.sum()),
        dealt_rounds=0 if dealt is None else int(dealt.sum()),
        seed=seed,
        wagers={
            wager: WagerAgreement(
                prices[wager].ev if wager in prices else None,
                found[SIMULATED][wager],
                found[DEALT][wager] if DEALT in found else None,
            )
            for wager in sampling.score.wagers
        },
        tests=tests,
        least_p=least,
        allowed_p=allowed,
        agrees=least >= allowed,
    )


def _estimates(sampling: Sampling, tally: Numbers, exact: Mapping[str, ExactFigures]) -> dict[str, Estimate]:
    spreads = sampling.score.spreads(tally)
    return {wager: estimate(spreads[wager], exact.get(wager)) for wager in sampling.score.wagers}


def _wager_tests(name: str, found: Mapping[str, Estimate], exact: Mapping[str, ExactFigures]) -> list[Comparison]:
    tests = []
    for wager, sample in found.items():
        if sample.z is not None:
            p = normal_p(without_skew(sample.z, exact[wager].skewness, sample.rounds))
            tests.append(Comparison(f"{name} against exact, {wager}", sample.z, None, p))
    return tests


def _chi(what: str, found: ChiSquare) -> Comparison:
    return Comparison(what, found.chi_square, found.degrees, found.p)


def _cells(tally: Numbers) -> dict[int, int]:
    return {int(cell): int(tally[cell]) for cell in np.flatnonzero(tally)}


def joint_test(sampling: Sampling, tally: Numbers) -> ChiSquare | None:
    """All results that are counted exactly against their chances."""
    chances = sampling.score.joint_chances(sampling.way)
    return None if chances is None else against_exact(sampling.score.joint_counts(tally), chances)


def deal_rounds(sampling: Sampling, rounds: int, shuffled: Callable[[Variant], Sequence[Card]]) -> Numbers:
    """Rounds as a table deals them: a real shuffle, live play, and choices by the strategy."""
    scoring = sampling.simulation.scoring
    counts: Counter[int] = Counter()
    for _ in range(rounds):
        cell = scoring.zero
        for _, happened in _live(sampling, shuffled(sampling.variant)):
            if type(happened) in scoring.kinds:
                kind = scoring.kinds.index(type(happened))
                code, shift = code_of(happened), scoring.shifts[kind]
                cell += code << shift if shift >= 0 else int(scoring.offsets[scoring.starts[kind] + code])
        counts[cell] += 1
    tally = np.zeros(scoring.cells, np.int64)
    for cell, number in counts.items():
        tally[cell] = number
    return tally


def _live(sampling: Sampling, cards: Sequence[Card]) -> list[tuple[int, Any]]:
    """One round of live play."""
    variant, strategy = sampling.variant, sampling.way.strategy
    bits = {action.name: 1 << bit for bit, action in enumerate(variant.game.actions)}
    names = {bit: name for name, bit in bits.items()}
    opener = next(wager.id for wager in variant.wagers.values() if wager.opens)
    stakes, choices = [{opener: variant.steps[opener] * 2}], list[str]()
    state = replay(variant, cards, stakes, choices)
    while state.awaiting is not None and strategy is not None:
        legal = sum(bits[name] for name in state.awaiting.options)
        with np.errstate(over="ignore"):
            asked = packed(seen_before(sampling.simulation, cards)) if strategy.by_cards else state.awaiting.situation
            action = int(strategy.answer(sampling.simulation.tables, legal, asked))
        choices.append(names[action])
        state = replay(variant, cards, stakes, choices)
    return state.happened
