"""The commands as people and programs use them: real processes, real pipes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import pairhouse
from pairhouse.games.catalogue import GAMES

GOLDEN = Path(__file__).parents[1] / "golden"
SPLIT_ROUND: dict[str, Any] = {
    "game": "blackjack-poker-pairs",
    "cards": ["8h", "6d", "8d", "10s", "3c", "10c", "9d", "7s"],
    "seats": [{"main": 1000, "pairs": 500}],
    "choices": ["split", "double", "stand"],
}


def answer(*words: str, given: str = "") -> Any:
    done = pairhouse(*words, given=given)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_settle_answers_a_scripted_round() -> None:
    """Doubles and splits are staked in `main`; `returned` includes the stake; `net` is over the seat."""
    settled = answer("settle", "-", given=json.dumps(SPLIT_ROUND))
    assert settled["awaiting"] is None
    assert settled["seats"] == [
        {
            "wagers": {
                "main": {"stake": 3000, "returned": 6000, "row": "win, win"},
                "pairs": {"stake": 500, "returned": 5500, "row": "coloured pair"},
            },
            "net": 8000,
        }
    ]
    kinds = [event["event"] for event in settled["events"]]
    assert kinds[:5] == ["dealt"] * 4 + ["settled"]
    assert kinds[-4:] == ["dealt", "said", "settled", "settled"]


def test_settle_says_what_it_waits_for() -> None:
    waiting = answer("settle", "-", given=json.dumps({**SPLIT_ROUND, "choices": ["split"]}))
    assert waiting["awaiting"] == {
        "seat": 1,
        "hand": 1,
        "options": ["stand", "hit", "double"],
        "costs": {"double": 1000},
    }
    assert waiting["seats"][0]["net"] is None
    assert waiting["seats"][0]["wagers"]["main"] == {"stake": 2000, "returned": None, "row": None}


def test_settle_reads_a_file_and_tells_a_story(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(SPLIT_ROUND))
    assert answer("settle", str(file))["seats"][0]["net"] == 8000
    assert "Seat 1 staked 35.00 and gets 115.00 back." in pairhouse("settle", str(file), "--text").stdout


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "bingo"}, "game 'bingo' is unknown; choose three-card-poker"),
        ({"cards": ["8h", "6d"]}, "needs more than the 2 cards given"),
        ({"cards": ["8h", "6d", "8d", "1z"]}, "card 4 is '1z'"),
        ({"cards": ["8h"] * 9}, "8h appears 9 times, but 8 decks hold only 8"),
        ({"cards": ["8h", "6d", "X1", "10s"]}, "X1 is not in the pack"),
        ({"choices": ["split", "surrender"]}, "cannot choose on hand 1 now; choose stand, hit or double"),
        ({"choices": ["split", "double", "stand", "hit"]}, "hit was not asked for"),
        ({"choices": "split"}, "Expected `array`, got `str`"),
        ({"seats": [{"pairs": 500}]}, "seat 1 needs a wager on main"),
        ({"seats": [{"main": 1000, "pears": 5}]}, "wager 'pears' is unknown"),
        ({"seats": [{"main": 1000, "insurance": 500}]}, "follows from a choice"),
        ({"seats": [{"main": 1001}]}, "give an even number, or name a rounding rule"),
        ({"seats": [{"main": 0}]}, "a stake of 0 on main is not possible"),
        ({"seats": [{"main": 10.5}]}, "a stake of 10.5 on main is not possible"),
        ({"seats": [{"main": 1000}] * 4}, "4 seats were given; Blackjack Poker & Pairs takes 1 to 3"),
        ({"options": {"deck": 8}}, "option 'deck' is unknown; choose decks, insurance or rounding"),
        ({"options": {"decks": 6}}, "decks 6 is not possible; it can be 8"),
        (
            {"options": {"rounding": "sideways"}},
            "rounding 'sideways' is not possible; it can be exact, down, up or nearest",
        ),
        ({"rules": "0" * 64}, "dealt under rules 000000000000; the rules in force are"),
        ({"meter": {"amount": 5}}, "plays no progressive here"),
        ({"void": "misdeal", "choices": ["split", "double", "stand", "hit"]}, "hit was not asked for"),
        ({"void": "bad luck"}, "'bad luck' does not void a round; it can be misdeal, malfunction or cancelled"),
        ({"bet": 5}, "unknown field `bet`; a round has game, cards, seats"),
    ],
)
def test_what_cannot_be_settled_is_said_in_a_sentence(change: dict[str, Any], says: str) -> None:
    """On standard error with a non-zero exit; with --json as an error with a stable code too."""
    given = json.dumps({**SPLIT_ROUND, **change})
    done = pairhouse("settle", "-", given=given)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pairhouse: ")
    assert done.stderr.count("\n") == 1
    assert says in done.stderr
    told = json.loads(pairhouse("settle", "-", "--json", given=given).stdout)
    assert says in told["error"]
    assert told["code"]


def test_lines_answer_each_line_in_its_place() -> None:
    good = json.dumps(SPLIT_ROUND)
    deep = f'{{"game": "la-paire", "cards": {"[" * 5000}{"]" * 5000}, "seats": []}}'
    many = "\n".join([good, "{", json.dumps({**SPLIT_ROUND, "cards": []}), "", good, deep, good]) + "\n"
    done = pairhouse("settle", "-", "--lines", given=many)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert ["error" in line for line in answers] == [False, True, True, True, False, True, False]
    assert answers[0] == answers[4] == answers[6]


def test_lines_answer_while_the_pipe_is_open() -> None:
    """A program can hold a conversation: each line is answered before the next is sent."""
    command = [sys.executable, "-m", "pairhouse", "settle", "-", "--lines"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps(SPLIT_ROUND) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["seats"][0]["net"] == 8000
        process.stdin.close()
    assert process.returncode == 0


@pytest.mark.parametrize("game", list(GAMES))
def test_a_dealt_round_settles_again(game: str) -> None:
    """`deal` ends every round, and its log is what `settle` reads."""
    log = pairhouse("deal", game, "--json").stdout
    settled = answer("settle", "-", given=log)
    assert settled["awaiting"] is None
    assert json.loads(log)["rules"] == GAMES[game].variant().rules_hash


def test_deal_takes_seats_options_and_choices() -> None:
    words = ["--seat", "main=1000,pair=500", "--seat", "main=200", "-o", "decks=2", "-o", "insurance=never", "--stop"]
    log = json.loads(pairhouse("deal", "pair-v3", *words, "--json").stdout)
    assert log["seats"] == [{"main": 1000, "pair": 500}, {"main": 200}]
    assert (log["options"]["paytable"], log["options"]["insurance"]) == ("2-deck-a", "never")
    story = pairhouse("deal", "la-paire", "--seat", "card-7=500,poker=100").stdout
    assert "Seat 1 bets card-7 5.00, poker 1.00." in story
    for wrong in (["--seat", "main"], ["--seat", "main=x"], ["-o", "decks"], ["--choice", "jump"]):
        assert pairhouse("deal", "blackjack", *wrong).returncode == 2
    assert "--seat '' is not a wager; write it as WAGER=STAKE" in pairhouse("deal", "blackjack", "--seat", "").stderr
    for twice in (["games", "blackjack"], ["par", "blackjack", "--decks", "8"]):
        done = pairhouse(*twice, "-o", "decks=6", *(["-o", "decks=8"] if twice[0] == "games" else []))
        assert done.stderr == "pairhouse: option 'decks' was given twice, as '6' and as '8'; give it once.\n"


def test_games_lists_everything_a_program_needs() -> None:
    catalogue = answer("games", "--json")["games"]
    assert [game["id"] for game in catalogue] == list(GAMES)
    one = answer("games", "pair-v3", "-o", "paytable=shoe-c", "--json")
    assert one["wagers"][-1]["rows"][0] == {"name": "royal flush", "pays": "100"}
    assert {option["name"]: option["value"] for option in one["options"]}["decks"] == 6
    main = one["wagers"][0]
    assert (main["stake_step"], main["rows"][0]) == (2, {"name": "blackjack", "pays": "3/2"})
    assert "surrender" not in one["choices"]
    assert "surrender" in answer("games", "blackjack", "-o", "surrender=late", "--json")["choices"]
    assert "nepal-super-baccarat" in pairhouse("games").stdout
    assert "40 to 1" in pairhouse("games", "three-card-poker").stdout


@pytest.mark.parametrize("game", list(GAMES))
def test_rules_are_readable_in_a_terminal(game: str) -> None:
    assert f"[{GAMES[game].cites}-1]" in pairhouse("rules", game).stdout
    rules = answer("rules", game, "--json")["rules"]
    assert rules[0]["id"] == f"{GAMES[game].cites}-1"


def test_mistakes_in_commands_are_named() -> None:
    for words in (["rules", "bingo"], ["games", "bingo"], ["play", "bingo"], ["deal", "bingo"]):
        done = pairhouse(*words)
        assert done.returncode == 2
        assert "game 'bingo' is unknown" in done.stderr
    assert "cannot be read" in pairhouse("settle", "no-such-file.json").stderr


def test_settling_and_playing_never_load_the_compiler() -> None:
    """numba is for the compiled machines only; a settled round or a terminal game does not pay its import."""
    for words, given in ((["settle", str(GOLDEN / "blackjack.json")], ""), (["play", "la-paire"], "card-A 10\n\n")):
        code = (
            "import sys; from pairhouse.cli.main import main\ntry: main()\nfinally: assert 'numba' not in sys.modules"
        )
        command = [sys.executable, "-c", code, *words]
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", [["rules", "la-paire"], ["games"], ["deal", "la-paire"]])
def test_every_console_can_show_it(words: list[str]) -> None:
    command = [sys.executable, "-m", "pairhouse", *words]
    environment = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, timeout=60, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("redirect", ["settle - <&-", "games --json >/dev/full", "play <&-"])
def test_closed_and_full_streams_are_no_traceback(redirect: str) -> None:
    command = f"{sys.executable} -m pairhouse {redirect}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr
