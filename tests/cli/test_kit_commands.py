"""Games from files at the command line: what is wrong with a file is said with its line; `new` begins one."""

import json
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from gallery_games import GALLERY, gallery
from pairhouse.analysis.reports import simulated_check
from pairhouse.analysis.reports.certificate import as_text, certify
from pairhouse.core.errors import Refused

COMMAND = "from pairhouse.cli.main import main; main()"


def run(*words: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", COMMAND, *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=os.environ, timeout=120, check=False)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = = 1", "my_game.py, line 1: invalid syntax"),
        ("\nx = 1 / 0", "my_game.py, line 2: ZeroDivisionError: division by zero"),
        ("x = 1", "my_game.py holds no game; a file of a game defines GAME = Game(...)"),
        ("import sys\nsys.exit(3)", "my_game.py, line 2: the file ends the program"),
    ],
)
def test_a_bad_file_is_told_with_its_line(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "my_game.py").write_text(text)
    done = run("deal", "my_game.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_is_dealt_and_priced(tmp_path: Path) -> None:
    done = run("par", str(GALLERY / "dragon_tiger.py"), "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["wagers"]["tie"]["ev"] == "-136/415"
    assert "wins" in run("deal", str(GALLERY / "dragon_tiger.py"), cwd=tmp_path).stdout.lower() or done.returncode == 0


def test_a_missing_file_and_a_taken_name(tmp_path: Path) -> None:
    assert "is not there" in run("deal", "nowhere.py", cwd=tmp_path).stderr
    (tmp_path / "random.py").write_text("GAME = 1")
    assert "has the name of another module" in run("deal", "./random.py", cwd=tmp_path).stderr


def test_new_writes_a_game_that_keeps_the_laws(tmp_path: Path) -> None:
    assert run("new", "my_bet.py", "--like", "compare", cwd=tmp_path).returncode == 0
    done = run("check", "my_bet.py", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "My bet: no broken laws, no notes.")
    again = run("new", "my_bet.py", cwd=tmp_path)
    assert again.returncode == 2
    assert "is there already" in again.stderr
    for name in ("class.py", "1x.py", ""):  # no name a module may have
        assert f"{name!r} is no name for it" in run("new", name, cwd=tmp_path).stderr


def test_what_goes_wrong_only_later_is_told_with_its_line_too(tmp_path: Path) -> None:
    """A fault with two aces alone: a few rounds do not meet it, a count of every deal does."""
    assert run("new", "my_bet.py", "--like", "compare", cwd=tmp_path).returncode == 0
    before, _, after = (tmp_path / "my_bet.py").read_text().partition("    settle(table")
    (tmp_path / "my_bet.py").write_text(f"{before}    [0][int(left == right == 0)]\n    settle(table{after}")
    line = before.count("\n") + 1
    done = run("par", "my_bet.py", cwd=tmp_path)
    assert done.returncode == 2
    assert f"my_bet.py, line {line}: IndexError" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_the_compiler_refuses_is_told_with_its_line(tmp_path: Path) -> None:
    """A list is sorted in Python, and cannot be in a rule that is compiled."""
    assert run("new", "my_bet.py", "--like", "choose", cwd=tmp_path).returncode == 0
    before, chooses, after = (tmp_path / "my_bet.py").read_text().partition("    if choose(")
    (tmp_path / "my_bet.py").write_text(f"{before}    some = [2, 1]\n    some.sort()\n{chooses}{after}")
    done = run("par", "my_bet.py", "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert f"my_bet.py, line {before.count(chr(10)) + 2}: this cannot be compiled" in done.stderr
    assert "Traceback" not in done.stderr
    assert "this cannot be compiled" in json.loads(done.stdout)["error"]


@pytest.mark.parametrize("times", [0, 2])
def test_a_stake_that_is_not_decided_once_is_told_with_its_line(times: int, tmp_path: Path) -> None:
    assert run("new", "my_bet.py", "--like", "compare", cwd=tmp_path).returncode == 0
    before, settles, after = (tmp_path / "my_bet.py").read_text().partition("    settle(table")
    line, _, rest = after.partition("\n")
    (tmp_path / "my_bet.py").write_text(before + f"{settles}{line}\n" * times + rest)
    done = run("deal", "my_bet.py", cwd=tmp_path)
    assert done.returncode == 2
    assert "my_bet.py, line " in done.stderr
    assert "settle each wager's happening once in every round" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_may_be_copied_under_another_name(tmp_path: Path) -> None:
    """What was compiled for the one is no use for the other: it names the file it was made of."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    assert run("new", "my_bet.py", "--like", "choose", cwd=tmp_path).returncode == 0
    assert run("par", "my_bet.py", cwd=tmp_path).returncode == 0
    (folder / "other_bet.py").write_text((tmp_path / "my_bet.py").read_text())
    done = run("check", "other_bet.py", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_certificate_of_a_file_says_what_it_has_and_is_checked_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "casino_war.py").write_text((GALLERY / "casino_war.py").read_text())
    assert run("certify", "casino_war.py", "--out", "proof", cwd=tmp_path).returncode == 0
    told = (tmp_path / "proof" / "certificate.md").read_text()
    assert "derived once on the whole pack and held to a plain walk of a small deck" in told
    assert "derived twice" not in told
    assert "pairhouse certify casino_war.py --out DIR" in told
    assert "pairhouse certify casino_war.py --check DIR" in told
    assert run("certify", "casino_war.py", "--check", "proof", cwd=tmp_path).stdout == "same\n"
    alone = run("certify", "--check", "proof", cwd=tmp_path)
    assert (alone.returncode, "name its file too" in alone.stderr) == (2, True)


def test_a_play_too_large_to_look_up_is_certified_without_simulated_rounds() -> None:
    many = Refused("too-many-situations", "best play has too many situations")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulated_check, "agreement", Mock(side_effect=many))
        made = certify(gallery("casino_war").variant())
    told = as_text(made)
    assert made.agrees
    assert "Not simulated: best play has too many situations." in told
    assert "simulated rounds" not in told


def test_a_round_of_a_file_is_settled_with_the_file(tmp_path: Path) -> None:
    assert run("new", "my_bet.py", cwd=tmp_path).returncode == 0
    dealt = run("deal", "my_bet.py", cwd=tmp_path).stdout.splitlines()
    assert dealt[-2] == f"The round, for `pairhouse settle - --game {tmp_path / 'my_bet.py'}`:"
    (tmp_path / "round.json").write_text(dealt[-1])
    settled = run("settle", "round.json", "--game", "my_bet.py", cwd=tmp_path)
    assert json.loads(settled.stdout)["seats"]
    alone = run("settle", "round.json", cwd=tmp_path)
    assert (alone.returncode, "Traceback" in alone.stderr) == (2, False)


PACKAGE = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "dragon-tiger-table"
version = "1.0"
[project.entry-points."pairhouse.games"]
dragon-tiger = "dragon_tiger_table"
[tool.hatch.build.targets.wheel]
include = ["dragon_tiger_table.py"]
"""


def test_a_game_of_an_installed_package_is_found_by_its_name(tmp_path: Path) -> None:
    """A wheel is built and installed as pip does it."""
    (tmp_path / "pyproject.toml").write_text(PACKAGE)
    (tmp_path / "dragon_tiger_table.py").write_text((GALLERY / "dragon_tiger.py").read_text())
    words = ["install", "--no-deps", "--no-build-isolation", "--no-index", "--target", "site", "."]
    pip = [sys.executable, "-m", "pip", *words]
    subprocess.run(pip, cwd=tmp_path, check=True, capture_output=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    installed = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}

    def ask(*words: str) -> str:
        command = [sys.executable, "-c", COMMAND, *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=elsewhere, env=installed, check=False)
        return done.stdout + done.stderr

    assert json.loads(ask("par", "dragon-tiger", "--json"))["wagers"]["tie"]["ev"] == "-136/415"
    assert "Dragon" in ask("deal", "dragon-tiger")
    assert "dragon-tiger" in ask("games")
    assert "dragon-tiger" in ask("par", "dragon-tigger")
