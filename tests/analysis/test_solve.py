"""`pairhouse solve`, as people and programs use it."""

import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest


def solve(*words: str) -> Any:
    command = [sys.executable, "-m", "pairhouse", "solve", *words, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return json.loads(done.stdout)


def test_three_card_poker_is_solved_not_told() -> None:
    """[TCP-16] [TCP-20]"""
    record = solve("three-card-poker")
    assert (record["play"], record["ev"]) == ("Q-6-4 or better", "-686689/20358520")


@pytest.mark.parametrize(
    ("hand", "value", "best"),
    [
        ("Qh 6d 4c", Fraction(-9151, 9212), "play"),
        ("Qh 6d 3c", Fraction(-393, 392), "fold"),
        ("Ah Kh Qh", None, "play"),
    ],
)
def test_one_hand_of_three_card_poker(hand: str, value: Fraction | None, best: str) -> None:
    """The published values of raising Q-6-4 and Q-6-3 in three suits, as fractions. [TCP-16]"""
    record = solve("three-card-poker", "--hand", hand)
    assert record["best"] == best
    assert record["actions"]["fold"] == "-1"
    assert value is None or Fraction(record["actions"]["play"]) == value


def test_one_hand_of_blackjack() -> None:
    record = solve("blackjack", "-o", "decks=6", "--hand", "8s 8d", "--up", "10h", "--seen", "10c 10d Ah")
    assert (record["best"], set(record["actions"])) == ("split", {"stand", "hit", "double", "split"})


def test_a_whole_game_of_blackjack() -> None:
    record = solve("blackjack-poker-pairs")
    assert round(record["ev"], 6) == -0.004363
    assert record["chart"]["hard"]["16"] == ["stand"] * 5 + ["hit"] * 5
    assert record["strategy_class"].startswith("composition-dependent")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["la-paire"], "has no decision to solve"),
        (["blackjack", "--hand", "8s 8d"], "give the dealer's up card too"),
        (["blackjack", "--hand", "8s 8d", "--up", "1h"], "card 1 is '1h'"),
        (["blackjack", "-o", "decks=1", "--hand", "8s 8s", "--up", "9h"], "8s appears 2 times"),
        (["three-card-poker", "--hand", "Qh 6d"], "a hand has three"),
        (["three-card-poker", "--hand", "Qh Qh 6d"], "Qh appears 2 times"),
    ],
)
def test_what_cannot_be_solved_is_said_in_a_sentence(words: list[str], says: str) -> None:
    assert says in solve(*words)["error"]
