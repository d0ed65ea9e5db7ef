"""Methods by rule book: a game from outside the package is priced, solved, simulated, certified and played."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import outside_game
from outside_game import FOLD, GAME, HighCardMethod, play
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.methods import registry
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.reports.certificate import certify, save
from pairhouse.analysis.reports.certificate_check import check
from pairhouse.analysis.reports.par import par_sheet
from pairhouse.analysis.reports.render.compose import compose
from pairhouse.analysis.simulation.agreement import agreement
from pairhouse.analysis.simulation.bankroll import ladder_of
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.games import catalogue
from pairhouse.games.catalogue import GAMES, find
from pairhouse.rounds.private_table import PrivateTable
from pairhouse.rounds.round_log import read_round
from pairhouse.rounds.rulebook import read_book
from pairhouse.rounds.shuffle import fresh_cards

EV = Fraction(-20, 221)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    with catalogue.register(GAME):
        yield


def test_it_is_priced() -> None:
    method = method_of(find("high-card").variant())
    assert isinstance(method, HighCardMethod)
    assert method.exact_price("ante").ev == EV
    prices = method.prices()
    assert list(prices) == ["ante", "raise"]
    sheet = par_sheet(find("high-card").variant(), with_readings=True).record()
    assert (sheet["wagers"]["ante"].ev, sheet["not_priced"]) == (
        EV,
        {"raise": "it follows from ante and is part of the price of ante"},
    )


def test_it_is_printed() -> None:
    document = compose(par_sheet(find("high-card").variant()), ["In brief."], [])
    assert [section.id for section in document.sections][:4] == ["glance", "rules", "strategy", "wagers"]


def test_it_is_solved_and_advised() -> None:
    method = method_of(find("high-card").variant())
    assert method.best().record["raise"] == "5 or better"
    advice = method.advise(parse(["5c"]), seen=parse(["Ac", "Ad", "Ah", "As", "2c", "2d", "2h", "2s"]))
    assert (advice.best, advice.actions["fold"]) == ("fold", -1)
    assert method.advise(parse(["5c"])).best == "raise"


def test_it_is_simulated_and_agrees_with_really_dealt_rounds() -> None:
    sampling = Sampling.of(find("high-card").variant())
    assert abs(sampling.estimates(sampling.simulation.block(1, 0))["ante"].z or 0) < 5
    found = agreement(find("high-card").variant(), 1 << 20, dealt_rounds=500, shuffled=fresh_cards)
    assert found.agrees
    assert ladder_of(find("high-card").variant(), {"ante": 1}).mean == pytest.approx(float(EV))


def test_it_is_certified(tmp_path: Path) -> None:
    made = certify(find("high-card").variant())
    assert made.agrees
    assert made.derivations.agree == {"ante": True}
    save(made, tmp_path)
    assert check(tmp_path) == []


def test_it_is_played_and_settled() -> None:
    session = PrivateTable(GAME, {}, 10_000)
    session.slip.place(1, "ante", 1000, session.balance)
    state = session.deal()
    assert state.awaiting is not None
    state = session.choose("raise")
    assert state.is_over
    assert session.balance == 10_000 + (state.net(1) or 0)
    log = {"game": "high-card", "cards": ["Kc", "2d"], "seats": [{"ante": 1000}], "choices": ["raise"]}
    assert read_round(json.dumps(log)).replay().net(1) == 1500


def test_its_rules_are_told_by_its_own_source() -> None:
    book = read_book("high-card")
    assert book.startswith("# High Card\n\nOne card each: raise, or fold.\n\nDealt from 1 deck of 52 cards, ")
    assert "-1]** Each seat gets a card for its own eyes" in book
    assert "- Ante (`ante`)\n" in book
    assert "- Raise (`raise`), as much as the stake on Ante, by a choice in the round\n" in book
    assert "| higher card | 1 to 1 |\n" in book
    assert "| lower card | loses |\n" in book


@pytest.mark.parametrize(
    "words",
    [
        ["par", "high-card", "--json"],
        ["solve", "high-card", "--json"],
        ["solve", "high-card", "--hand", "4c", "--json"],
        ["simulate", "high-card", "--rounds", "1000", "--seed", "1", "--json"],
        ["rules", "high-card", "--json"],
        ["games", "high-card", "--json"],
    ],
    ids=" ".join,
)
def test_another_process_loads_it_from_its_module(words: list[str]) -> None:
    paths = os.pathsep.join([str(Path(outside_game.__file__).parent), *filter(None, sys.path)])
    env = {**os.environ, "PAIRHOUSE_GAMES": "outside_game", "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-m", "pairhouse", *words], capture_output=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


def test_registering_can_be_undone_and_refuses_what_is_there() -> None:
    with pytest.raises(Refused, match="already"):
        catalogue.register(GAME)
    assert catalogue.outside_modules() == ["outside_game"]
    with registry.register(play, HighCardMethod):
        assert play in registry.METHODS
        with pytest.raises(Refused, match="has a method already"):
            registry.register(play, HighCardMethod)
    assert play not in registry.METHODS
    with pytest.raises(Refused, match="no game"):
        catalogue.load("json")
    with pytest.raises(Refused, match="cannot be imported"):
        catalogue.load("no_such_module")


def test_a_game_without_a_method_gets_the_one_for_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(outside_game, "METHOD")
    method_of.cache_clear()
    assert type(method_of(find("high-card").variant())) is GenericMethod
    method_of.cache_clear()
    assert GAMES["high-card"].variant().wagers
    assert FOLD == 2
