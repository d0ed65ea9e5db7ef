"""`pairhouse solve`, as people and programs use it."""

import json
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from command_line import pairhouse
from pairhouse.core.cards import FACES, pack, parse
from pairhouse.core.hands import strength


def solve(*words: str) -> Any:
    return json.loads(pairhouse("solve", *words, "--json").stdout)


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
        (["la-paire", "--hand", "Ac"], "has no decision to solve"),
        (["nepal-super-baccarat", "--seen", "Ac"], "has no decision to solve"),
        (["blackjack", "--up", "6h"], "--up '6h' goes with a hand"),
        (["three-card-poker", "--seen", "6h"], "--seen '6h' goes with a hand"),
        (["blackjack", "--hand", "8s 8d", "--up", "6h 7h"], "--up '6h 7h' is not one card"),
        (["blackjack", "--hand", "8s 8d", "--up", "X1"], "X1 is not in the pack"),
        (["blackjack", "--hand", "", "--up", "6h"], "is not a hand to play"),
        (["blackjack", "--hand", "10d Qh 6s Qc", "--up", "7h"], "is not a hand to play"),
        (["three-card-poker", "--hand", "Qs 6d 4h", "--up", "2h"], "Three Card Poker has no up card"),
        (["three-card-poker", "--hand", "Qs 6d 4h", "--seen", "2h 2h"], "2h appears 2 times"),
        (["three-card-poker", "--hand", "Qs 6d 4h", "--seen", "Qs"], "Qs appears 2 times"),
        (["three-card-poker", "--hand", "Qs 6d 4h", "--seen", "X2"], "X2 is not in the pack"),
        (["blackjack", "--hand", "8s 8d"], "give the dealer's up card too"),
        (["blackjack", "--hand", "8s 8d", "--up", "1h"], "card 1 is '1h'"),
        (["blackjack", "-o", "decks=1", "--hand", "8s 8s", "--up", "9h"], "8s appears 2 times"),
        (["three-card-poker", "--hand", "Qh 6d"], "a hand has three"),
        (["three-card-poker", "--hand", "Qh Qh 6d"], "Qh appears 2 times"),
    ],
)
def test_what_cannot_be_solved_is_said_in_a_sentence(words: list[str], says: str) -> None:
    assert says in solve(*words)["error"]


@pytest.mark.parametrize(
    ("hand", "up", "left", "what"),
    [
        ("8s 8d", "10h", "8c 8h", "all hands of a split pair"),
        ("2c 2d", "6d", "5c 5h 9c 9h 10c 10h Jc", "all hands of a split pair"),
        ("9c 8s", "10h", "7s", "the dealer's hand"),
        ("As Kd", "Kh", "", "the dealer's hand"),
    ],
)
def test_a_shoe_that_may_run_out_is_refused(hand: str, up: str, left: str, what: str) -> None:
    there = {*parse(hand.split()), *parse([up]), *parse(left.split())}
    seen = " ".join(FACES[card] for card in pack(1) if card not in there)
    record = solve("blackjack", "-o", "decks=1", "--hand", hand, "--up", up, "--seen", seen)
    assert f"those left may not finish {what}" in record["error"]


def test_a_split_deep_in_a_deck_is_priced_as_long_as_no_hand_can_lack_a_card() -> None:
    seen = "2c 2d 3h 4s 5c 6d 7h 9s 10c Jd Qh Ks Ac 9d 10d 2h 3s Jc Qd Kc 5d 6h"
    record = solve("blackjack", "-o", "decks=1", "--hand", "8s 8d", "--up", "10h", "--seen", seen)
    assert -2 < record["actions"]["split"] < 0


def test_cards_seen_change_what_a_hand_of_three_card_poker_is_worth() -> None:
    """Q-6-4 is played, but not when a two and a three that the dealer could miss with are gone. [TCP-16]"""
    assert solve("three-card-poker", "--hand", "Qs 6d 4h")["best"] == "play"
    record = solve("three-card-poker", "--hand", "Qs 6d 4h", "--seen", "2h 3h")
    assert record["best"] == "fold"
    assert float(Fraction(record["actions"]["play"])) == pytest.approx(-1.044095, abs=5e-7)
    assert Fraction(record["actions"]["play"]) == played_against_the_rest("Qs 6d 4h", "2h 3h")


def played_against_the_rest(hand: str, seen: str) -> Fraction:
    """Every hand the dealer can still have, one by one: what Ante and Play win, in antes. [TCP-20] [TCP-22]"""
    own = parse(hand.split())
    left = [card for card in pack(1) if card not in own and card not in parse(seen.split())]
    net = hands = 0
    for dealer in combinations(left, 3):
        hands += 1
        if strength(*dealer) < 12 * 256:
            net += 1
        else:
            net += 2 * ((strength(*own) > strength(*dealer)) - (strength(*own) < strength(*dealer)))
    return Fraction(net, hands)


def test_a_blackjack_is_paid_and_leaves_nothing_to_decide() -> None:
    """[BJ-12] [BJ-9]"""
    record = solve("blackjack", "--hand", "As Kd", "--up", "6h")
    assert (record["actions"], record["value"]) == ({}, 1.5)
    assert record["says"] == "A blackjack is paid 3 to 2: there is nothing to decide."
    ten = solve("blackjack", "-o", "blackjack_pays=6:5", "--hand", "As Kd", "--up", "Kh")
    assert ten["value"] == pytest.approx(1.2 * (1 - 23 / 309))
    assert "offers" not in ten
    ace = solve("blackjack", "--hand", "As Kd", "--up", "Ah")
    assert ace["value"] == pytest.approx(1.5 * (1 - 95 / 309))
    assert ace["offers"]["insurance"] == pytest.approx(0.5 * (3 * 95 / 309 - 1))
    assert ace["value"] + ace["offers"]["insurance"] == pytest.approx(1)
    assert ace["says"].endswith("With insurance it is worth +1.000000 for certain (even money).")
    uneven = solve("blackjack", "-o", "blackjack_pays=6:5", "--hand", "As Kd", "--up", "Ah")
    assert "even money" not in uneven["says"]


@pytest.mark.parametrize(
    ("words", "value", "says"),
    [
        (["--hand", "7s 7d 7h"], None, "21 stands by itself: there is nothing to decide."),
        (
            ["-o", "charlie=5", "--hand", "2s 2d 3s 3d 4h"],
            1.0,
            "5 cards win by themselves: there is nothing to decide.",
        ),
    ],
)
def test_a_hand_that_is_not_asked_says_why(words: list[str], value: float | None, says: str) -> None:
    """[BJ-16] [BJ-25]"""
    record = solve("blackjack", *words, "--up", "6h")
    assert (record["actions"], record["says"]) == ({}, says)
    assert value is None or record["value"] == value


@pytest.mark.parametrize("game", ["la-paire", "nepal-super-baccarat"])
def test_a_game_without_a_decision_names_its_cheapest_wager(game: str) -> None:
    record = solve(game)
    assert "has no decision to solve" in record["says"][0]
    evs = [Fraction(found["ev"]) for found in record["wagers"].values()]
    assert evs == sorted(evs, reverse=True)
