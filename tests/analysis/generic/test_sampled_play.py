"""Play found by sampling: near the exact value within its error, never called exact."""

from collections.abc import Iterator

import pytest

from gallery_games import gallery
from pairhouse.analysis.generic.budget import budget_s
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.generic.sampled_play import sampled_play

SECONDS = 1.5


def test_what_is_found_is_worth_no_more_than_best_play_and_not_much_less() -> None:
    """Going to war is half a unit better with every rank, so it is found, and its value is around the exact one."""
    method = GenericMethod(gallery("casino_war").variant())
    found = sampled_play(method.variant, method.net, SECONDS)
    exact = float(method.exact_price("ante").ev)
    assert found.rounds > 100
    assert 0 < found.error < 0.2
    assert abs(found.ev - exact) < 4.5 * found.error
    assert found.situations > 5


@pytest.fixture
def no_time() -> Iterator[None]:
    """A budget in which no exact answer can come."""
    token = budget_s.set(1e-3)
    yield
    budget_s.reset(token)


def test_an_answer_that_does_not_come_in_time_is_sampled_and_says_so(no_time: None) -> None:
    best = GenericMethod(gallery("casino_war").variant()).best()
    assert best.sampling_error is not None
    assert best.record["sampled"] is True
    assert best.record["error"] == best.record["wagers"]["ante"]["error"] == best.sampling_error > 0
    assert best.says[0].startswith("Sampled, not exact: ")
    assert "play" not in best.record
    assert "sampling" in best.strategy_class
