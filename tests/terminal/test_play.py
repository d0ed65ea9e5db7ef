"""The terminal table, piped and at a real keyboard."""

import json
import re
import subprocess
import sys
from io import StringIO

import pexpect
import pytest
from rich.console import Console

from pairhouse.core.money import amount_text
from pairhouse.games.catalogue import GAMES, find
from pairhouse.rounds.round_log import read_round
from pairhouse.terminal.play import TerminalTable, parse_amount

OPENERS = {
    "three-card-poker": "ante 10",
    "nepal-super-baccarat": "player 10",
    "la-paire": "card-A 10",
    "blackjack-poker-pairs": "main 10",
    "pair-v3": "main 10",
    "blackjack": "main 10",
}


def piped(*lines: str, game: str | None = None, encoding: str = "utf-8") -> str:
    command = [sys.executable, "-m", "pairhouse", "play", *([game] if game else [])]
    environment = {"PYTHONIOENCODING": encoding, "PATH": "/usr/bin:/bin", "COLUMNS": "100"}
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, encoding=encoding, timeout=60, env=environment, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("game", list(GAMES))
def test_a_piped_round_of_every_game(game: str) -> None:
    """Answers of every kind follow, so that whatever is asked is answered; the table ends in order."""
    out = piped(OPENERS[game], "", *["n", "p", "s", "f"] * 4, "log", "quit", game=game)
    assert "This round" in out
    assert "Goodbye." in out
    log = json.loads(next(line for line in out.splitlines() if line.startswith("{")))
    assert log["game"] == game


def test_the_lobby_leads_to_every_table() -> None:
    """By number and by name, with the balance carried along."""
    out = piped("9", "nonsense", *[word for n in range(1, 7) for word in (str(n), "lobby")], "la-paire", "quit")
    assert "There is no table '9'." in out
    titles = re.findall(r"^─+ (.+?) ─+$", out, re.MULTILINE)
    assert [title for title in titles if title != "Pairhouse"] == [*(g.name for g in GAMES.values()), "La Pair'e"]


def test_bets_can_be_placed_taken_back_and_repeated() -> None:
    """The commands of the table in words. [BPP-11] [BPP-13] [BPP-14] [BPP-15] [BPP-16] [BPP-17] [BPP-18] [BPP-19]"""
    out = piped(
        "tie", "chip 25", "tie-on-4", "undo", "double", "clear", "player 10", "new", "player 10", "deal",
        "rebet", "double", "clear", "double rebet", "rebet deal", "quit", game="nepal-super-baccarat",
    )  # fmt: skip
    bets = [match.group(1) for match in re.finditer(r"\[(.*?)\] > ", out)]
    assert bets == [
        "tie 5.00",
        "tie 5.00",
        "tie 5.00, tie-on-4 25.00",
        "tie 5.00",
        "tie 10.00",
        "player 10.00",
        "player 10.00",
        "player 10.00",
        "player 20.00",
        "player 20.00",
    ]
    assert out.count("This round") == 2


def test_mistakes_are_answered_in_a_sentence() -> None:
    out = piped(
        "dance", "main 10 20", "insurance 5", "9" * 5000, "main 1e999999", "main 0.001", "main -5", "main 1000", "4 main 10", "chip 7", "set speed fast", "set decks 6",
        "set", "undo", "rebet", "double", "deal", "log", "pairs 5", "deal", "quit", game="blackjack-poker-pairs",
    )  # fmt: skip
    for sentence in (
        "'dance' is neither a command nor a wager",
        "'main 10 20' is not a bet; write it as `main 10`",
        "insurance follows from a choice",
        "'1e999999' is not an amount",
        "'0.001' is not an amount",
        "1,000.00 on main is not possible at this table; it takes 1.00 to 500.00",
        "seat 4 is not open to you",
        "choose a chip of 1, 5, 25, 100 or 500",
        "speed 'fast' is not possible; it can be normal or turbo",
        "decks '6' is not possible; it can be 8",
        "there is nothing to take back",
        "no game has been played yet",
        "there is no bet to double",
        "place a bet first",
        "no round has been played yet",
        "seat 1 needs a wager on main",
    ):
        assert sentence in out


def test_plain_text_where_symbols_cannot_be_printed() -> None:
    out = piped("card-A 1", "", "quit", game="la-paire", encoding="ascii")
    assert re.search(r"\[(10|X?[1-9AJQK])[cdhs]?\]", out)


def test_leaving_in_mid_round_withdraws_nothing() -> None:
    """The hand is folded, and the ante is gone. [TCP-16]"""
    out = piped("ante 10", "deal", game="three-card-poker")
    assert "You leave, and your bets stay. Decided for you: fold." in out
    assert "Your balance is 990.00." in out


def test_decisions_by_key_at_a_real_terminal() -> None:
    """One key press, no Enter; speed and sound change nothing else. [BPP-45]"""
    child = pexpect.spawn(sys.executable, ["-m", "pairhouse", "play", "three-card-poker"], timeout=20, encoding="utf-8")
    child.expect("> ")
    for line in ("set speed turbo", "set sound on", "ante 10"):
        child.sendline(line)
        child.expect("> ")
    child.sendline("")
    child.expect(r"\[p\] play \(\+10.00\)  \[f\] fold > ")
    for key in ("x", "\x1b[D", "\x1b[F", "\x1bOH"):  # a letter, Left, End and Home are no answers
        child.send(key)
        child.expect(r"Press p \(play\) or f \(fold\)")
    child.send("p")
    child.expect("This round")
    child.expect("> ")
    child.sendline("quit")
    child.expect("Goodbye")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


HARD_17 = {"game": "blackjack-poker-pairs", "cards": ["10h", "6d", "7d", "10s", "9c"], "seats": [{"main": 1000}]}


@pytest.mark.parametrize(
    ("safety", "keys", "choice"),
    [("on", "hns", "stand"), ("on", "hy", "hit"), ("off", "h", "hit"), ("on", "zs", "stand")],
)
def test_the_safety_net_warns_and_lets_the_player_decide(
    monkeypatch: pytest.MonkeyPatch, safety: str, keys: str, choice: str
) -> None:
    """[BPP-47]"""
    screen = Console(file=StringIO(), width=100)
    terminal = TerminalTable(screen, find("blackjack-poker-pairs"), {})
    terminal.table.round = read_round(json.dumps(HARD_17))
    terminal.table.state = terminal.table.round.replay()
    terminal.settings["safety"] = safety
    pressed, asked = iter(keys), []

    def press(_console: Console, prompt: str) -> str:
        asked.append(prompt)
        return next(pressed)

    monkeypatch.setattr("pairhouse.terminal.play.ask_key", press)
    assert terminal.decide() == choice
    assert next(pressed, None) is None
    warned = [prompt for prompt in asked if "Careful: this is a hard 17. Really hit?" in prompt]
    assert len(warned) == (safety == "on" and "h" in keys)


def test_amounts() -> None:
    assert (parse_amount("10"), parse_amount("2.50"), amount_text(-123450)) == (1000, 250, "-1,234.50")
    for wrong in ("ten", "", "nan", "inf", "0", "-1", "0.005"):
        with pytest.raises(ValueError, match="is not an amount"):
            parse_amount(wrong)
