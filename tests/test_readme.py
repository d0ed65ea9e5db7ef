"""What the README shows is what happens."""

import doctest
import json
import re
from pathlib import Path

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


def test_it_fits_a_page() -> None:
    assert README.read_text().count("\n") < 100
