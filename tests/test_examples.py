"""The examples run from beginning to end, as a newcomer would run them."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
HERE = sorted(file.name for file in EXAMPLES.glob("*.py") if file.name != "integrator.py")


def run(*words: str) -> str:
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, cwd=EXAMPLES)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", HERE)
def test_an_example_runs(name: str) -> None:
    assert run(name)


def test_every_example_is_in_the_index() -> None:
    index = (EXAMPLES / "README.md").read_text()
    for name in [*HERE, "integrator.py"]:
        assert f"`{name}`" in index
