"""The examples run from beginning to end, as a newcomer would run them."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from servers import Server

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


def test_the_integrator_bets_at_a_running_house(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/house.db", tmp_path).start()
    try:
        asyncio.run(server.ready())
        assert "round" in run("integrator.py", server.base)
    finally:
        server.stop()
