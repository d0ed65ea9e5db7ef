"""`pairhouse free-bet`: grants and withdraws, and says in a sentence what it cannot do."""

import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from direct_house import Guest, new_database
from pairhouse.cli.main import app
from pairhouse.core.errors import Refused
from pairhouse.house.house import House


def test_a_free_bet_is_granted_and_withdrawn(tmp_path: Path) -> None:
    url = new_database("sqlite", tmp_path)
    house = House(url)
    player = Guest(house, random.Random(1)).id
    house.close()
    words = ["free-bet", player, "12.50", "--game", "la-paire", "--days", "3", "--db", url, "--key", "spring-1"]
    for _ in range(2):
        printed = CliRunner().invoke(app, [*words, "--json"])
        assert printed.exit_code == 0, printed.output
    granted = json.loads(printed.output)
    assert (granted["granted"], granted["remaining"]) == (1_250, 1_250)
    report = CliRunner().invoke(app, ["report", "free-bets", "--db", url, "--format", "json"]).output
    (line,) = json.loads(report)["lines"]
    assert (line["granted_minor"], line["good_for"], line["ended_minor"]) == (1_250, "game la-paire", 0)
    printed = CliRunner().invoke(app, ["free-bet", "--withdraw", granted["id"], "--db", url])
    assert "nothing remains" in printed.output
    (line,) = json.loads(CliRunner().invoke(app, ["report", "free-bets", "--db", url, "--format", "json"]).output)[
        "lines"
    ]
    assert (line["remaining_minor"], line["ended_minor"]) == (0, 1_250)
    for bad, code in (
        (["free-bet", player, "much"], "bad-amount"),
        (["free-bet", player, "0.001"], "bad-amount"),
        (["free-bet", player], "bad-amount"),
        (["free-bet", "nobody", "5"], "unknown-player"),
        (["free-bet", player, "5", "--days", "900"], "bad-days"),
        (["free-bet", "--withdraw", "nothing"], "unknown-free-bet"),
    ):
        printed = CliRunner().invoke(app, [*bad, "--db", url])
        assert isinstance(printed.exception, Refused), printed.output
        assert printed.exception.code == code
    exported = tmp_path / "free.csv"
    assert CliRunner().invoke(app, ["export", "free-bets", "--out", str(exported), "--db", url]).exit_code == 0
    assert exported.read_text().count("\n") == 2
    assert CliRunner().invoke(app, ["audit", "--db", url]).exit_code == 0


def test_help_says_what_it_is() -> None:
    assert "free bet" in CliRunner().invoke(app, ["free-bet", "--help"]).output


@pytest.mark.parametrize("text", ["1e400", "nan", "-5", ""])
def test_amounts_that_are_none(text: str) -> None:
    printed = CliRunner().invoke(app, ["free-bet", "ada", "--", text])
    assert isinstance(printed.exception, Refused)
    assert printed.exception.code == "bad-amount"
