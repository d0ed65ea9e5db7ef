"""A live table in the terminal, by pipes: sit, bet, decide, hear the dealer, leave; alone and beside others."""

import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from api_house import served
from command_line import pairhouse
from direct_house import audited
from pairhouse.machines.events import Hand
from pairhouse.rounds.live_entries import BetPlaced, ChoiceMade, RoundCorrected, RoundVoided, SeatReady
from pairhouse.terminal.draw import hand_title
from pairhouse.terminal.live_play import LiveTerminal
from pairhouse.terminal.live_words import entry_words

CLOCK = {"seats": 7, "betting": 60_000, "seeds": 20_000, "decision": 60_000, "grace": 100, "pause": 100}
TABLES = {"three-card-poker": CLOCK, "pair-v3-8": {**CLOCK, "decision": 1_500}, "la-paire": {**CLOCK, "seats": None}}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with served(f"sqlite:///{tmp_path_factory.mktemp('terminal')}/house.db", deals=True) as house:
        office = house.office()
        for table, clock in TABLES.items():
            made = house.client.put(f"/admin/tables/{table}/live", json=clock, headers=office.headers)
            assert made.is_success, made.text
        yield house
        assert audited(house.house).clean


def at_table(house: Any, table: str, *lines: str, words: tuple[str, ...] = ()) -> str:
    place = ("--house", str(house.client.base_url), "--table", table)
    done = pairhouse("play", *place, *words, given="\n".join(lines) + "\n", timeout=90)
    assert done.returncode == 0, done.stderr
    assert "Goodbye." in done.stdout
    return done.stdout


def test_a_round_of_three_card_poker(house: Any) -> None:
    out = at_table(
        house, "three-card-poker", "ante 10", "ante 5", "pairplus 5", "", "p", "leave", words=("--seat", "3")
    )
    assert "You sit in seat 3, with play money of 1,000.00." in out
    assert re.search(r"980\.00  \[ante 15\.00, pairplus 5\.00\] \(betting closes in \d+ s\) >", out)
    for words in ("You bet ante 10.00.", "No more bets.", "The cards are dealt.", "You: play.", "The round is over."):
        assert words in out
    assert re.search(r"Your turn, \d+ s: \[p\] play \(\+15\.00\)  \[f\] fold > p", out)
    assert re.search(r"You staked 35\.00 and get [\d,.]+ back: [+-]?[\d,.]+\.", out)


def test_bets_are_taken_back_and_mistakes_are_told(house: Any) -> None:
    out = at_table(
        house,
        "la-paire",
        "",
        "roulette 5",
        "card-7",
        "card-7 x",
        "card-7 10",
        "clear",
        "help",
        "bets",
        "card-7 5",
        "",
        "quit",
    )
    assert "bet first" in out
    assert "'roulette' is neither a command nor a wager" in out
    assert "'card-7' is not a bet; write it as `card-7 10`" in out
    assert "'x' is not an amount" in out
    assert "You take the bet back." in out
    assert re.search(r"You staked 5\.00 and get [\d,.]+ back", out)


def test_who_leaves_in_the_middle_is_told_that_the_bet_stays(house: Any) -> None:
    """Ruling 37: leaving never withdraws a wager; the input ends while the hand is open."""
    for _ in range(5):
        out = at_table(house, "pair-v3-8", "main 10", "")
        if "Your turn" in out:
            assert "Your bet stays in the round, and what it wins is yours." in out
            assert "What you have not decided the clock decides." in out
            return
    pytest.fail("no hand of five was asked")


def test_who_lost_their_seat_sits_again_and_is_told(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody thought for minutes before a bet, and another has their seat: it is not taken for their own."""
    told = StringIO()
    slow = LiveTerminal(Console(file=told, width=100), str(house.client.base_url), "three-card-poker", 3)
    house.clock.pass_minutes(4)
    seat, guest = "/tables/three-card-poker/live/seat", house.guest()
    assert guest.ask("POST", seat, key="sit-down-1", json={"seat": 3}).json()["seat"] == 3
    monkeypatch.setattr("sys.stdin", StringIO("ante 10\nclear\nleave\n"))
    slow.line.wait_for(lambda view: view.seat is None)
    slow.run()
    guest.ask("DELETE", seat, key="stand-up-1")
    assert "lost your seat. Now you sit in seat 1." in told.getvalue()
    assert told.getvalue().count("You bet ante 10.00.") == 1


def test_where_nobody_sits_is_a_sentence(house: Any) -> None:
    done = pairhouse("play", "--house", str(house.client.base_url))
    assert done.returncode != 0
    assert "the live tables are" in done.stderr
    assert "Traceback" not in done.stderr
    full = pairhouse("play", "--house", str(house.client.base_url), "--table", "pair-v3-8", "--seat", "9")
    assert "seat 9 is not at this table; it has 7" in full.stderr


def test_ones_own_hand_is_marked_among_others() -> None:
    hands = [Hand(["Ah"], seat=seat, hand=1) for seat in (3, 5)]
    assert [hand_title(hand, True, 1, {5: "5 (you)"}) for hand in hands] == ["Seat 3", "Seat 5 (you)"]


def test_what_others_do_is_told_in_words() -> None:
    bet = BetPlaced(at=1, seat=2, name="Bert", stakes={"ante": 500}, seed="", closes_at=2)
    assert entry_words(bet, 1) == "Seat 2 (Bert) bets ante 5.00."
    assert entry_words(bet, 2) == "You bet ante 5.00."
    assert entry_words(ChoiceMade(at=1, seat=2, word="fold", automatic=True), 1) == "Seat 2: fold (time ran out)."
    assert entry_words(RoundVoided(at=1, by="x", reason="misdeal"), 1).startswith("The round is void (misdeal)")
    misdeal = RoundVoided(at=1, by="x", reason="misdeal", cards=4)
    assert entry_words(misdeal, 1).startswith("The round is void (misdeal: 4 cards dealt)")
    corrected = RoundCorrected(at=1, round_id="r", by="x", reason="the deck was short")
    assert entry_words(corrected, 1).startswith("The house has corrected an earlier round (the deck was short)")
    assert entry_words(SeatReady(at=1, seat=1), 1) == ""
