"""What the README shows is what happens."""

import doctest
import json
import re
import shlex
from pathlib import Path

import pytest

from command_line import pairhouse
from pairhouse.rounds.round_log import read_round

README = Path(__file__).parents[1] / "README.md"


def test_the_python_example_runs_as_printed() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted >= 3
    assert result.failed == 0


def test_the_settle_example_answers_as_printed() -> None:
    text = README.read_text()
    shown = re.search(r"echo '(\{.*?\})' \| pairhouse settle -\n(\{.*?)\"events\":", text, re.DOTALL)
    assert shown is not None
    given, printed = shown.groups()
    answer = read_round(given).replay().record()
    answer.pop("events")
    assert json.loads(printed.rstrip(", ") + "}") == answer


@pytest.mark.parametrize("command", ["protect", "design"])
def test_what_a_command_prints_is_shown_letter_by_letter(command: str) -> None:
    shown = re.search(
        rf"^\$ pairhouse ({command} .*?) \| (head|tail) -(\d+) .*\n((?:[^$`].*\n)+)", README.read_text(), re.M
    )
    assert shown is not None
    words, end, number, printed = shown.groups()
    done = pairhouse(*shlex.split(words), env={"COLUMNS": "80"})
    assert done.returncode == 0, done.stderr
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    kept = lines[: int(number)] if end == "head" else lines[-int(number) :]
    assert kept == printed.splitlines()
    assert len(kept) == int(number)


def test_it_fits_a_page() -> None:
    assert README.read_text().count("\n") < 100
