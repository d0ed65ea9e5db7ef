"""The solver's class is CDP1: our figures equal those of another analyser run for that class (decision 7)."""

import pytest

from pairhouse.analysis.blackjack.solution_records import solution
from pairhouse.games.catalogue import find

# decks -> expectation by the other analyser: splits to four hands, class CDP1, in per cent of the first stake
CDP1 = {1: "+0.183073339", 2: "-0.178481700", 5: "-0.380690399", 6: "-0.402864343", 8: "-0.430580629"}


@pytest.mark.parametrize("decks", list(CDP1))
def test_best_play_equals_another_analyser_in_every_digit(decks: int) -> None:
    ours = solution(find("blackjack").variant({"decks": decks})).expectation
    assert f"{100 * ours:+.9f}" == CDP1[decks]


def test_a_trillion_simulated_rounds_agree_with_one_deck() -> None:
    simulated, error = 0.00183114, 1.1e-6
    assert abs(solution(find("blackjack").variant({"decks": 1})).expectation - simulated) < 2 * error
