"""`pairhouse report` at the command line."""

import csv
import io
import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from direct_house import Guest, new_database
from pairhouse.cli.main import app
from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.reports.writing import REPORTS


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    address = new_database("sqlite", tmp_path_factory.mktemp("books"))
    house = House(address)
    guest = Guest(house, random.Random(1))
    guest.sit("la-paire")
    guest.play("la-paire", [{"card-2": 500}])
    house.close()
    return address


def test_a_report_is_printed_as_csv_or_json(url: str) -> None:
    printed = CliRunner().invoke(app, ["report", "tables", "--db", url])
    assert printed.exit_code == 0, printed.output
    (row,) = csv.DictReader(io.StringIO(printed.output))
    assert (row["table"], row["staked"], row["staked_minor"]) == ("la-paire", "5.00", "500")
    printed = CliRunner().invoke(app, ["report", "tables", "--db", url, "--format", "json"])
    assert json.loads(printed.output)["lines"][0]["rounds"] == 1


def test_a_report_goes_to_a_file_and_says_when_nothing_happened(url: str, tmp_path: Path) -> None:
    file = tmp_path / "players.csv"
    command = ["report", "players", "--db", url, "--from", "2020-01-01", "--to", "2020-01-31", "--out", str(file)]
    printed = CliRunner().invoke(app, command)
    assert printed.output.strip() == f"0 lines in {file}"
    assert file.read_text().splitlines()[1].startswith("no activity,")


def test_the_help_names_every_report() -> None:
    said = CliRunner().invoke(app, ["report", "--help"], env={"COLUMNS": "200"}).output
    assert [kind for kind in REPORTS if kind not in said] == []


def test_a_period_that_has_not_begun_is_told_in_words(url: str) -> None:
    printed = CliRunner().invoke(app, ["report", "tables", "--db", url, "--from", "2999-01-01"])
    assert str(printed.exception) == "the period ends before it begins: from '2999-01-01' to now"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["weather"], "unknown-report"),
        (["tables", "--from", "soon"], "bad-period"),
        (["tables", "--format", "pdf"], "bad-format"),
        (["tables", "--out", "/nowhere/at/all.csv"], "bad-file"),
    ],
)
def test_what_cannot_be_is_one_sentence(url: str, words: list[str], code: str) -> None:
    printed = CliRunner().invoke(app, ["report", *words, "--db", url])
    assert isinstance(printed.exception, Refused)
    assert printed.exception.code == code
