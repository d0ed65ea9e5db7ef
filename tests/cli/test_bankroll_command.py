"""`pairhouse bankroll` as people and programs use it: what it says, and what it refuses before anything is played."""

import json
import subprocess
from pathlib import Path

import pytest

from command_line import pairhouse


def bankroll(*words: str) -> subprocess.CompletedProcess[str]:
    return pairhouse("bankroll", *words)


def test_it_says_what_ruin_is_and_what_the_formula_assumes(tmp_path: Path) -> None:
    words = ["nepal-super-baccarat", "--stake", "player=7", "--bankroll", "10", "--rounds", "5e1", "--sessions", "1e3"]
    told = " ".join(bankroll(*words).stdout.split())
    assert "ruin is to have less left than a round can need: 7 units (player 7)" in told
    assert "by diffusion" in told
    assert "Brownian motion with the mean and deviation of a round" in told
    plot = tmp_path / "money.png"
    found = json.loads(bankroll(*words, "--json", "--plot", str(plot)).stdout)
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert (found["round_needs"], found["sessions"]) == ({"player": 7}, 1000)
    assert found["ruined_sessions"] == round(found["ruined"] * 1000)
    assert min(found["quantiles"]) >= -10
    assert "finals" not in found


@pytest.mark.parametrize(
    ("bankroll_units", "sessions", "says"),
    [
        ("500", "600", "ruined: none of 600 sessions: the chance is below 0.50%, with 95% confidence"),
        ("1", "12", "ruined: all 12 sessions: the chance is above 75.00%, with 95% confidence"),
        ("500", "1", "ruined: 0 of 1, too few to say more"),
    ],
)
def test_a_sample_without_ruin_claims_no_certainty(bankroll_units: str, sessions: str, says: str) -> None:
    words = ["nepal-super-baccarat", "--stake", "tie=1", "--bankroll", bankroll_units, "--sessions", sessions]
    told = " ".join(bankroll(*words, "--rounds", "100").stdout.split())
    assert says in told
    assert "± 0.00%" not in told
    assert "by diffusion: 0.00%" not in told


BACCARAT = ["nepal-super-baccarat", "--stake", "player=1"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([*BACCARAT, "--plot", "x.bmp"], "x.bmp is not the name of a picture; let it end in ."),
        ([*BACCARAT, "--plot", "x"], "x is not the name of a picture"),
        ([*BACCARAT, "--plot", "x.pgf"], "x.pgf is not the name of a picture"),
        ([*BACCARAT, "--plot", "/nowhere/x.png"], "/nowhere/x.png cannot be written: No such file or directory"),
        ([*BACCARAT, "--plot", "."], "is not the name of a picture"),
        ([*BACCARAT, "--rounds", "1e400"], "'1e400' is not a number"),
        ([*BACCARAT, "--rounds", "nan"], "'nan' is not a number"),
        ([*BACCARAT, "--rounds", "1e9"], "rounds of 1000000000 cannot be planned; give 1 to 10000000"),
        ([*BACCARAT, "--sessions", "0"], "--sessions 0 is not possible"),
        ([*BACCARAT, "--bankroll", "-5"], "a bankroll of -5 cannot be planned"),
        ([*BACCARAT, "--bankroll", "9" * 30], "cannot be planned; give 1 to 1000000000000"),
        ([*BACCARAT, "--stop-win", "9" * 30], "a win to stop at of"),
        ([*BACCARAT, "--stop-win", "-5"], "a win to stop at of -5"),
        ([*BACCARAT, "--seed", "-1"], "seed -1 is not possible"),
        (["nepal-super-baccarat", "--stake", ""], "'' is not a stake; write WAGER=UNITS"),
        (["nepal-super-baccarat", "--stake", "player=1,player=2"], "player has two stakes"),
        (["nepal-super-baccarat", "--stake", "player=1.5"], "'player=1.5' is not a stake"),
        (["blackjack", "--stake", "main=1", "--bankroll", "3"], "cannot carry one round, which may need 8 units"),
    ],
)
def test_bad_input_is_answered_by_a_sentence(words: list[str], sentence: str) -> None:
    done = bankroll(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
