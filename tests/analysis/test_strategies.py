"""Ways to play: named, from a file, and the solver's own as tables; each priced by the solver and met by simulation."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pairhouse.analysis.blackjack import cache, own_chart
from pairhouse.analysis.blackjack.basic import BasicStrategy
from pairhouse.analysis.blackjack.hands import VALUES
from pairhouse.analysis.blackjack.own_chart import chart_record, never_bust
from pairhouse.analysis.blackjack.solution_records import solution
from pairhouse.analysis.blackjack.solve import hands_with
from pairhouse.analysis.blackjack.strategy import CompositionPlay
from pairhouse.analysis.blackjack.tables import best_strategy
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.core.errors import Refused
from pairhouse.games.blackjack_choices import legal_actions
from pairhouse.games.blackjack_hand import HAND_BITS
from pairhouse.games.catalogue import find
from pairhouse.machines import stored
from pairhouse.machines.simulate.interpreted import plain_block
from pairhouse.machines.stored import stored_tallies

BLACKJACK = find("blackjack").variant({"decks": 6})


def test_the_table_of_best_play_says_what_the_solver_says() -> None:
    """Every hand that was not split, and every hand of a split pair, against every up card."""
    solved = solution(BLACKJACK)
    strategy, plain = best_strategy(solved, insures=False), CompositionPlay(solved)
    asked = 0
    for up in VALUES:
        for pair in (0, 1, 8, 10):
            hands = hands_with(0, pair) if pair else solved.ups[up].hands
            for word in hands.words[~hands.ends & (hands.counts.sum(axis=1) >= 2)].tolist()[:: 1 if pair == 0 else 7]:
                legal = legal_actions(solved.rules, word, int(pair > 0), 1 + (pair > 0), pair == 1)
                if legal and (pair == 0 or not legal & 8):
                    number = word | up << HAND_BITS | int(pair > 0) << HAND_BITS + 4 | pair << HAND_BITS + 7
                    with np.errstate(over="ignore"):
                        assert strategy.answer(strategy.tables, legal, number) & legal == plain(legal, number)
                    asked += 1
    assert asked > 20_000


@pytest.mark.parametrize("is_compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["mimic-dealer", "never-bust"])
def test_named_ways_cost_what_the_solver_says(name: str, is_compiled: bool) -> None:
    """The known costs of playing like the dealer and of never busting, and rounds of it: two million, compiled."""
    sampling = Sampling.of(find("blackjack").variant({"decks": 8}), name, ["main"])
    exact = sampling.exact["main"].ev
    assert -0.07 < exact < -0.035
    rounds = sampling.simulation
    tally = rounds.block(2, 0) + rounds.block(2, 1) if is_compiled else plain_block(rounds, 2, 0, 3_000)
    assert abs(sampling.estimates(tally)["main"].z or 9) < 5


def test_a_chart_from_a_file_is_played_and_priced(tmp_path: Path) -> None:
    """The solver's own chart, written out and read back, is the solver's own chart."""
    chart = BasicStrategy(solution(BLACKJACK))
    file = tmp_path / "chart.json"
    file.write_text(json.dumps(chart_record(chart)))
    way, basic = method_of(BLACKJACK).play(str(file)), method_of(BLACKJACK).play("basic")
    assert way.exact()["main"].ev == pytest.approx(chart.expectation, abs=1e-15)
    assert way.strategy is not None
    assert basic.strategy is not None
    played = way.strategy.tables[0] != 0
    assert (way.strategy.tables[0] == basic.strategy.tables[0])[played].mean() > 0.999


def changed(part: str, row: str, value: Any) -> dict[str, Any]:
    record: dict[str, Any] = chart_record(never_bust(solution(BLACKJACK)))
    if value is None:
        del record[part][row]
    else:
        record[part][row] = value
    return record


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (changed("hard", "12", None), "no row hard 12"),
        (changed("soft", "18", ["hit"] * 9), "no action for soft 18 against A"),
        (changed("pairs", "8", ["split"] * 4), "no action for pairs 8 against 6"),
        (changed("hard", "11", ["jump"] * 10), "hard 11 says 'jump'"),
        (changed("hard", "16", ["surrender"] * 10), "does not offer"),
        ({"hard": {}}, "parts hard, soft and pairs"),
        ([1, 2], "parts hard, soft and pairs"),
    ],
)
def test_a_chart_with_a_hole_is_refused(tmp_path: Path, content: Any, sentence: str) -> None:
    file = tmp_path / "chart.json"
    file.write_text(json.dumps(content))
    with pytest.raises(Refused, match=sentence):
        method_of(BLACKJACK).play(str(file))


def test_unknown_strategies_are_named_with_those_that_are_known(tmp_path: Path) -> None:
    for game in ("blackjack", "three-card-poker"):
        variant = find(game).variant()
        with pytest.raises(Refused, match="choose best, basic"):
            method_of(variant).play("hope")
        assert "best" in method_of(variant).strategies()
    with pytest.raises(Refused, match="no decision"):
        method_of(find("la-paire").variant()).play("basic")
    file = tmp_path / "bad.json"
    file.write_text("{")
    with pytest.raises(Refused, match="cannot be read as JSON"):
        method_of(BLACKJACK).play(str(file))


def test_three_card_poker_by_threshold(tmp_path: Path) -> None:
    """Q-6-4 from a file is best play; a weaker threshold costs more; nonsense is refused."""
    variant = find("three-card-poker").variant()
    file = tmp_path / "play.json"
    file.write_text('{"play": "Q-6-4"}')
    best = method_of(variant).play().exact()["ante"].ev
    assert (
        method_of(variant).play(str(file)).exact()["ante"].ev
        == best
        == method_of(variant).play("basic").exact()["ante"].ev
    )
    assert method_of(variant).play("always-play").exact()["ante"].ev < best
    for wrong in ('{"play": "6-Q-4"}', '{"play": "Q-6"}', '{"fold": 1}', '{"play": "Q-6-Z"}'):
        file.write_text(wrong)
        with pytest.raises(Refused, match="weakest hand"):
            method_of(variant).play(str(file))


def test_the_names_that_are_stored_are_those_the_solver_knows() -> None:
    assert ("best", "basic", *own_chart.NAMED) == cache.NAMES


@pytest.mark.parametrize("game", ["nepal-super-baccarat", "la-paire", "blackjack-poker-pairs", "pair-v3"])
def test_in_a_hurry_the_prices_are_the_same(game: str) -> None:
    """The second derivation in place of the count: equal as fractions, so equal as decimals."""
    variant = find(game).variant()
    assert method_of(variant).play(hurried=True).exact() == method_of(variant).play().exact()


def test_solved_play_is_read_back_as_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(stored, "cache_root", lambda: tmp_path)
    with stored_tallies():
        first = method_of(BLACKJACK).play("best")
        monkeypatch.delattr("pairhouse.analysis.blackjack.cache._solved")
        again = method_of(BLACKJACK).play("best")
        with pytest.raises(NameError):
            method_of(BLACKJACK).play("basic")
    assert first.strategy is not None
    assert again.strategy is not None
    assert again.exact() == first.exact()
    for one, other in zip(first.strategy.tables, again.strategy.tables, strict=True):
        assert one.dtype == other.dtype
        assert other.flags.writeable  # as the compiled loop knows them; others would be compiled for anew
        assert (one == other).all()
