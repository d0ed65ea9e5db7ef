"""`simulate`, `agree` and `shoes` as people and programs use them: real processes, Ctrl-C, resumed runs, bad input."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from command_line import pairhouse
from pairhouse.analysis.simulation.sampling import Sampling
from pairhouse.games.catalogue import find

COMMAND = [sys.executable, "-m", "pairhouse"]


def answer(*words: str) -> Any:
    done = pairhouse(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_simulate_answers_as_programs_expect() -> None:
    found = answer("simulate", "nepal-super-baccarat", "--rounds", "3e6", "--seed", "5", "--workers", "2")
    assert {"game", "rounds", "seconds", "rounds_per_second", "workers", "wagers"} <= set(found)
    assert (found["rounds"], found["workers"], len(found["wagers"])) == (3_000_000, 2, 34)
    assert set(found["wagers"]["banker"]) >= {"ev", "stderr", "z"}
    assert all(abs(wager["z"]) < 6 for wager in found["wagers"].values())
    again = answer("simulate", "nepal-super-baccarat", "--rounds", "3000000", "--seed", "5", "--workers", "1")
    assert again["wagers"] == found["wagers"]
    some = answer("simulate", "nepal-super-baccarat", "--rounds", "3e6", "--seed", "5", "--wagers", "tie,banker")
    assert some["wagers"] == {name: found["wagers"][name] for name in ("banker", "tie")}


WITHOUT_THE_COMPILER = """
import sys
from pairhouse.cli.main import app
app({words}, standalone_mode=False)
assert "numba" not in sys.modules, "the compiler was loaded"
"""


def test_a_short_run_needs_no_compiler_and_begins_the_long_one(tmp_path: Path) -> None:
    """Its answer is that of the compiled loop, to the last digit; the exact prices are those of the count."""
    words = ["simulate", "nepal-super-baccarat", "--rounds", "1500", "--seed", "5", "--json"]
    environment = {**os.environ, "PAIRHOUSE_CACHE": str(tmp_path)}
    code = WITHOUT_THE_COMPILER.format(words=words)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    sampling = Sampling.of(find("nepal-super-baccarat").variant())
    estimates = sampling.estimates(sampling.simulation.block(5, 0, 1500))
    assert json.loads(done.stdout)["wagers"] == msgspec.to_builtins(estimates)
    in_threads = answer(*words[:-1], "--workers", "2")
    assert (in_threads["workers"], in_threads["wagers"]) == (2, msgspec.to_builtins(estimates))


def test_simulate_tells_people_too() -> None:
    told = pairhouse("simulate", "la-paire", "--rounds", "1e6", "--wagers", "red,any-paire").stdout
    assert "1,000,000 rounds" in told
    assert "any-paire" in told


def test_until_error_stops_when_the_error_is_small_enough() -> None:
    found = answer("simulate", "la-paire", "--wagers", "red", "--until-error", "5e-4", "--seed", "1")
    assert found["wagers"]["red"]["stderr"] <= 5e-4
    assert found["rounds"] % 2**20 == 0


def test_ctrl_c_reports_what_was_done_and_resume_goes_on(tmp_path: Path) -> None:
    """Stopped in mid-run and gone on with: the same tally as a run in one go."""
    state = str(tmp_path / "run.json")
    words = ["simulate", "nepal-super-baccarat", "--seed", "8", "--state", state, "--workers", "2", "--json"]
    process = subprocess.Popen(
        [*COMMAND, *words, "--seconds", "600", "--out", str(tmp_path / "signs.parquet")],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        for _ in range(600):  # the file grows once blocks are done
            time.sleep(0.2)
            if (tmp_path / "signs.parquet").exists() and (tmp_path / "signs.parquet").stat().st_size > 4000:
                break
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    stopped = json.loads(out)
    assert process.returncode == 0
    assert stopped["stopped"] == state
    assert 0 < stopped["rounds"] == json.loads(Path(state).read_text())["blocks"] * 2**20
    rounds = stopped["rounds"] + 1_500_000
    resumed = answer(*words[:-1], "--resume", "--rounds", str(rounds))
    assert resumed["rounds"] == rounds
    whole = answer("simulate", "nepal-super-baccarat", "--seed", "8", "--rounds", str(rounds))
    assert resumed["wagers"] == whole["wagers"]
    other = pairhouse("simulate", "la-paire", "--resume", "--state", state, "--rounds", "1e9")
    assert other.returncode == 2
    assert "start anew" in other.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["la-paire", "--rounds", "-5"], "whole number from 1"),
        (["la-paire", "--rounds", "many"], "is not a number"),
        (["la-paire", "--rounds", "1.5"], "whole number"),
        (["la-paire", "--seconds", "0"], "above 0"),
        (["la-paire", "--seconds", "5", "--rounds", "5"], "only one of"),
        (["la-paire", "--until-error", "-1"], "above 0"),
        (["la-paire", "--seed", "-1"], "seed -1"),
        (["la-paire", "--workers", "0"], "0 workers"),
        (["la-paire", "--device", "abacus"], "choose cpu or cuda"),
        (["la-paire", "--wagers", "reds"], "wager 'reds' is unknown"),
        (["la-paire", "--strategy", "basic"], "no decision"),
        (["bingo"], "game 'bingo' is unknown"),
        (["la-paire", "--resume", "--state", "nowhere.json"], "cannot be read"),
        (["la-paire", "--rounds", "10", "--cluster", "tcp://127.0.0.1:9"], "no scheduler answers"),
        (["la-paire", "--rounds", "10", "--cluster", "nonsense"], "no scheduler answers"),
        (["la-paire", "--rounds", "1e400"], "is not a number"),
        (["la-paire", "--rounds", "nan"], "is not a number"),
        (["la-paire", "--rounds", "10", "--out", "/nowhere/x.parquet"], "cannot be written: No such file or directory"),
        (["la-paire", "--rounds", "10", "--out", "/nowhere/x.csv"], "cannot be written: No such file or directory"),
        (["la-paire", "--rounds", "10", "--state", "/nowhere/x.json"], "cannot be written: No such file or directory"),
        (["la-paire", "--rounds", "10", "--out", "x.txt"], "neither CSV nor Parquet; let its name end in .csv or"),
        (["la-paire", "--rounds", "10", "--out", "x"], "neither CSV nor Parquet"),
        (["la-paire", "--rounds", "10", "--out", "."], "neither CSV nor Parquet"),
        (["la-paire", "--rounds", "10", "--wagers", ""], "has an empty name"),
        (["la-paire", "--rounds", "10", "--wagers", "red,"], "has an empty name"),
    ],
)
def test_bad_input_is_answered_by_a_sentence(words: list[str], sentence: str) -> None:
    refused(sentence, "simulate", *words)


def refused(sentence: str, *words: str) -> None:
    """Exit status 2, nothing on standard output, one sentence."""
    done = pairhouse(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_every_block_as_columns(tmp_path: Path) -> None:
    """The Parquet file holds every block and adds up to the answer."""
    from pyarrow import parquet  # noqa: PLC0415

    file = tmp_path / "blocks.parquet"
    found = answer("simulate", "la-paire", "--rounds", "2500000", "--wagers", "red,poker", "--out", str(file))
    rows = parquet.read_table(file).to_pylist()
    red = [row for row in rows if row["wager"] == "red"]
    assert sorted({row["block"] for row in rows}) == [0, 1, 2]
    assert sum(row["count"] for row in red) == 2_500_000
    assert sum(row["net"] * row["count"] for row in red) / 2_500_000 == pytest.approx(found["wagers"]["red"]["ev"])


def test_every_block_as_comma_separated_values(tmp_path: Path) -> None:
    """The name says CSV, so it is CSV; no library beyond Python's own is loaded for it."""
    file = tmp_path / "blocks.CSV"
    code = f"""
import sys
sys.modules["pyarrow"] = None
from pairhouse.cli.main import app
app(["simulate", "la-paire", "--rounds", "1500", "--wagers", "red, poker", "--out", {str(file)!r}, "--json"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert list(rows[0]) == ["block", "rounds", "wager", "net", "net_exact", "count"]
    assert {row["wager"] for row in rows} == {"red", "poker"}
    red = [row for row in rows if row["wager"] == "red"]
    assert sum(int(row["count"]) for row in red) == 1500
    total = sum(Fraction(row["net_exact"]) * int(row["count"]) for row in red)
    assert float(total / 1500) == found["wagers"]["red"]["ev"]


def test_the_blocks_of_a_stopped_run_are_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "blocks.csv"
    file.write_text("the blocks so far")
    refused("a resumed run has only the further blocks", "simulate", "la-paire", "--resume", "--out", str(file))
    assert file.read_text() == "the blocks so far"


def test_a_wager_that_was_never_at_stake_has_no_price() -> None:
    """Three rounds of this seed have no ace up: insurance has no figure, not a price of 0."""
    words = ["simulate", "blackjack", "--rounds", "3", "--seed", "1", "--wagers", "insurance"]
    found = answer(*words)["wagers"]["insurance"]
    assert (found["ev"], found["stderr"], found["z"], found["rounds"]) == (None, None, None, 0)
    assert "never at stake" in pairhouse(*words).stdout


def test_agree_gives_a_verdict() -> None:
    found = answer("agree", "la-paire", "--rounds", "2e6", "--dealt", "300")
    assert found["agrees"] is True
    assert len(found["wagers"]) == 59
    assert len(found["tests"]) == 2 * 59 + 3
    told = pairhouse("agree", "la-paire", "--rounds", "1e6", "--dealt", "200")
    assert told.returncode == 0
    assert "AGREES" in told.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--workers", "-3"], "-3 workers are not possible"),
        (["--rounds", "1"], "--rounds 1 is too few for a verdict; give 1000 or more"),
        (["--rounds", "1e4", "--dealt", "1"], "--dealt 1 is too few for a verdict; give 100 or more"),
        (["--rounds", "0"], "whole number from 1"),
        (["--seed", "-1"], "seed -1 is not possible"),
    ],
)
def test_a_verdict_that_cannot_be_given_is_refused(words: list[str], sentence: str) -> None:
    refused(sentence, "agree", "la-paire", *words)


def test_shoes_say_what_they_sort_by_and_what_the_outer_rows_hold() -> None:
    words = ["shoes", "nepal-super-baccarat", "--shoes", "300", "--by", "true"]
    told = " ".join(pairhouse(*words).stdout.split())
    assert "<= -10" in told
    assert ">= +10" in told
    assert "true count: the running count (the sum of the tags of all cards dealt in this shoe" in told
    assert "divided by the decks left" in told
    assert "tags: A -1, 2 +1" in told
    assert "of 34 wagers are shown" in told
    assert "…" not in told
    found = answer(*words)
    assert "rounded down" in found["definition"]
    assert (found["bins"][0]["label"], found["bins"][0]["least"], found["bins"][0]["most"]) == ("<= -10", None, -10)
    assert "true count is the running count" in " ".join(pairhouse("shoes", "--help").stdout.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--by", "trues"], "choose depth, running or true"),
        (["--tags", "A=1"], "tags are for a count"),
        (["--by", "true", "--tags", ""], "'' is not a tag"),
        (["--by", "true", "--tags", "A=--1"], "'A=--1' is not a tag"),
        (["--by", "true", "--tags", "A=100"], "a whole number from -99 to 99"),
        (["--by", "true", "--tags", "A=1,A=2"], "A has two tags"),
        (["--shoes", "1e15"], "shoes are not possible; give 1 to 100000000"),
        (["--cut", "-1"], "-1 cards behind the cut card are not possible"),
        (["--seed", "-1"], "seed -1 is not possible"),
    ],
)
def test_shoes_that_cannot_be_dealt_are_refused(words: list[str], sentence: str) -> None:
    refused(sentence, "shoes", "nepal-super-baccarat", *words)
