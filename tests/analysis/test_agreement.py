"""Three witnesses agree, and a rule or a price that is wrong is caught."""

from collections.abc import Callable
from dataclasses import replace
from math import erfc, sqrt
from typing import Any

import numba
import numpy as np
import pytest

from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.simulation.agreement import Agreement, agreement, deal_rounds, judge
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.analysis.simulation.significance import against_exact, normal_p, two_samples, upper_gamma, without_skew
from pairhouse.core.paytable import Paytable, row
from pairhouse.core.rule import rule
from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.games.catalogue import GAMES, find
from pairhouse.machines.simulate import kernel
from pairhouse.rounds.shuffle import fresh_cards

ROUNDS = 10**7


@pytest.mark.parametrize(
    ("game", "strategy", "dealt"),
    [
        ("three-card-poker", "best", 1500),
        ("three-card-poker", "queen-or-better", 0),
        ("nepal-super-baccarat", "best", 1500),
        ("la-paire", "best", 1500),
        ("blackjack-poker-pairs", "best", 600),
        pytest.param("pair-v3", "best", 0, marks=pytest.mark.slow),
        ("blackjack", "best", 0),
    ],
)
def test_exact_simulated_and_dealt_agree(game: str, strategy: str, dealt: int) -> None:
    """Ten million simulated rounds, and some dealt with real shuffles and played live."""
    found = agreement(find(game).variant(), ROUNDS, 3, strategy=strategy, dealt_rounds=dealt, shuffled=fresh_cards)
    assert found.agrees, [test for test in found.tests if test.p < 0.001]
    assert (found.rounds, found.dealt_rounds) == (ROUNDS, dealt)
    assert all(three.exact is not None for three in found.wagers.values())


@pytest.mark.slow
@pytest.mark.parametrize("game", list(GAMES))
def test_a_thousand_million_rounds_agree(game: str) -> None:
    found = agreement(find(game).variant(), 10**9, 4)
    assert found.agrees, [test for test in found.tests if test.p < 0.001]


@rule
def banker_stands_on_a_four(banker: int, third: int) -> bool:
    """Wrong on purpose: with five the Banker stands on a four."""
    if banker <= 2:
        return True
    if banker == 3:
        return third != 8
    if banker == 4:
        return 2 <= third <= 7
    if banker == 5:
        return 5 <= third <= 7
    return banker == 6 and 6 <= third <= 7


def uncached(_name: str, *_modules: str, **options: Any) -> Callable[..., Any]:
    return numba.njit(**options)  # type: ignore[no-any-return]


def test_a_wrong_rule_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulation plays a rule that the exact prices do not know."""
    monkeypatch.setattr(baccarat, "banker_draws", banker_stands_on_a_four)
    monkeypatch.setattr(kernel, "cached_jit", uncached)
    monkeypatch.setattr(kernel, "_loops", {})
    found = agreement(find("nepal-super-baccarat").variant(), ROUNDS, 5)
    assert not found.agrees
    joint = next(test for test in found.tests if test.degrees is not None)
    assert joint.p < 1e-9


def test_a_wrong_rule_at_the_table_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Live play follows a rule that the simulation does not know: a banker who never draws."""
    sampling = Sampling.of(find("nepal-super-baccarat").variant())
    simulated = sampling.simulation.block(1, 0)
    monkeypatch.setattr(baccarat, "banker_draws", lambda _banker, _third: False)
    dealt = deal_rounds(sampling, 3000, fresh_cards)
    found = judge(sampling, simulated, dealt, 1)
    assert not found.agrees
    assert [test.what for test in found.tests if test.p < found.allowed_p][-1].startswith("simulated against dealt")


def test_a_wrong_price_is_caught() -> None:
    """The par sheet says nine to one for a tie, the table pays eight."""
    game = find("nepal-super-baccarat")
    nine = Paytable("Tie", "[NSB-32]", (row("tie", 9, lambda coup: coup.winner == baccarat.TIE),))
    wrong = replace(
        game,
        wagers=lambda options: tuple(
            replace(wager, paytable=nine) if wager.id == "tie" else wager for wager in game.wagers(options)
        ),
    )
    sampling = Sampling.of(game.variant())
    tally = sampling.simulation.block(1, 0)
    assert judge(sampling, tally, None, 1).agrees
    found = judge(sampling, tally, None, 1, exact=method_of(wrong.variant()).play().exact())
    assert [test.what for test in found.tests if test.p < found.allowed_p] == ["simulated against exact, tie"]
    assert not found.agrees


def test_true_rounds_raise_no_false_alarm() -> None:
    """Forty samples that are right: no verdict against any, and chances spread as they should."""
    sampling = Sampling.of(find("three-card-poker").variant())
    found: list[Agreement] = [judge(sampling, sampling.simulation.block(9, b, 200_000), None, 9) for b in range(40)]
    assert all(one.agrees for one in found)
    chances = [test.p for one in found for test in one.tests]
    assert 0.35 < float(np.mean(chances)) < 0.65


def test_chances_are_those_of_the_books() -> None:
    """Chi-square and normal tables: 3.841 at one degree is 5 %, 18.307 at ten, 124.342 at a hundred."""
    for statistic, degrees, p in (
        (3.841459, 1, 0.05),
        (18.307038, 10, 0.05),
        (124.342113, 100, 0.05),
        (2.558, 10, 0.99),
    ):
        assert upper_gamma(degrees / 2, statistic / 2) == pytest.approx(p, abs=1e-5)
    assert normal_p(1.959964) == pytest.approx(0.05, abs=1e-6)
    assert normal_p(-3) == pytest.approx(erfc(3 / sqrt(2)))
    assert abs(without_skew(3.0, 20.0, 10**4)) < 3.0
    assert without_skew(3.0, 0.0, 100) == 3.0


def test_results_that_cannot_happen_are_never_agreed_to() -> None:
    assert against_exact({"a": 90, "b": 10}, {"a": 1.0}).p == 0.0
    assert against_exact({"a": 510, "b": 490}, {"a": 0.5, "b": 0.5}).p > 0.1
    assert two_samples({"a": 1000, "b": 1000}, {"a": 400, "b": 600}).p < 1e-6
    assert two_samples({"a": 1000, "b": 1000}, {"a": 500, "b": 510}).p > 0.1
