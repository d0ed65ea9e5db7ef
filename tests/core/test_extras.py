"""A light install, without numba and numpy: it deals, settles, plays and verifies; all else names what it needs."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from random import Random

import pytest

from fair_rounds import random_rounds
from pairhouse.core.extras import PACKAGES
from pairhouse.games.catalogue import GAMES

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]

WITHOUT = """
import sys
missing = set(sys.argv.pop(1).split(","))
class Missing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing)
"""
COMMAND = WITHOUT + "from pairhouse.cli.main import main\nmain()\n"
FAST = "llvmlite,numba,numpy"
SERVER = "sqlalchemy,litestar,uvicorn,alembic,argon2,cryptography"


def without(missing: str, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """A command where some packages cannot be imported."""
    command = [sys.executable, "-c", COMMAND, missing, *words]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=False)


ROUND = json.dumps(
    {"game": "pair-v3", "cards": ["10h", "6d", "7d", "10s", "9c"], "seats": [{"main": 1000}], "choices": ["stand"]}
)
CLOSED = json.dumps(random_rounds(GAMES["blackjack"], 1, Random(3))[0])


@pytest.mark.parametrize(
    ("words", "given", "says"),
    [
        (["--version"], "", "."),
        (["--help"], "", "simulate"),
        (["games"], "", "three-card-poker"),
        (["games", "la-paire", "--json"], "", "card-A"),
        (["rules", "blackjack"], "", "Blackjack"),
        (["settle", "-"], ROUND, '"returned":2000'),
        (["settle", "-", "--text"], ROUND, "busts"),
        (["deal", "three-card-poker"], "", "ante"),
        (["deal", "nepal-super-baccarat", "--json"], "", "cards"),
        (["play", "la-paire"], "card-A 10\n\nquit\n", "Goodbye."),
        (["verify", "-"], CLOSED, "The round is the one its seeds deal."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_core_needs_neither(words: list[str], given: str, says: str) -> None:
    done = without(f"{FAST},{SERVER}", *words, given=given)
    assert done.returncode == 0, done.stderr
    assert says in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["par", "la-paire"],
        ["price", "la-paire", "--row", "poker: flush=5"],
        ["solve", "blackjack"],
        ["certify", "la-paire"],
        ["simulate", "la-paire", "--rounds", "10"],
        ["simulate", "la-paire", "--device", "cuda"],
        ["agree", "la-paire"],
        ["shoes", "nepal-super-baccarat"],
        ["bankroll", "la-paire", "--stake", "card-A=1"],
    ],
    ids=lambda words: words[0],
)
def test_prices_and_simulations_name_the_extra(words: list[str]) -> None:
    done = without(FAST, *words)
    assert done.returncode == 2
    assert "pip install pairhouse[fast]" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "words", [["serve"], ["key", "me"], ["audit"], ["export", "rounds", "--out", "x.csv"], ["hold"]], ids=lambda w: w[0]
)
def test_the_house_names_its_extra(words: list[str]) -> None:
    done = without(SERVER, *words)
    assert done.returncode == 2
    assert "pip install pairhouse[server]" in done.stderr
    assert "Traceback" not in done.stderr


def test_with_json_the_sentence_is_json_too() -> None:
    done = without(FAST, "par", "la-paire", "--json")
    assert json.loads(done.stdout)["code"] == "missing-extra"


def test_importing_the_package_and_the_core_imports_neither() -> None:
    modules = ["pairhouse", "pairhouse.cli.main", "pairhouse.terminal.play", "pairhouse.rounds.verify"]
    program = f"import sys\nimport {', '.join(modules)}\nprint([n for n in ('numba', 'numpy') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_extra_brings_what_it_needs() -> None:
    """Whatever prices or simulates brings `fast` along; what is asked for is in the extra."""
    extras = PROJECT["optional-dependencies"]
    for name in ("server", "reports", "cluster", "gpu"):
        assert "pairhouse[fast]" in extras[name]
    for extra, packages in PACKAGES.items():
        listed = " ".join(extras[extra])
        assert [package for package in packages if package not in listed] == []
    assert not any(line.startswith(("numba", "numpy")) for line in PROJECT["dependencies"])
