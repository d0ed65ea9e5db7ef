"""What a viewer sees of a round: hands put together again, named once they are known, bets once they are decided."""

import dataclasses
from typing import Any

import pytest

from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games import la_paire
from pairhouse.games.catalogue import find
from pairhouse.machines.events import bet_record
from pairhouse.machines.replay import replay
from pairhouse.rounds.round_log import MeterReading, RoundLog


def test_a_hand_is_named_only_when_all_of_it_is_seen() -> None:
    variant = find("blackjack").variant()
    open_round = replay(variant, parse(["10h", "6d", "7d", "10s", "9c"]), [{"main": 1000}])
    dealer, seat = open_round.view(1).hands
    assert (dealer.at, dealer.cards, dealer.name) == ("dealer", ["6d", None], "")
    assert (seat.cards, seat.name) == (["10h", "7d"], "17")
    done = replay(variant, parse(["10h", "6d", "7d", "10s", "9c"]), [{"main": 1000}], ["stand"])
    assert (done.view().hands[0].cards, done.view().hands[0].name) == (["6d", "10s", "9c"], "bust with 25")


def test_a_private_hand_is_seen_by_its_seat_and_shown_in_its_place() -> None:
    cards = parse(["Ah", "Kd", "9h", "2c", "5d", "9s"])
    variant = find("three-card-poker").variant()
    waiting = replay(variant, cards, [{"ante": 100}])
    assert waiting.view(1).hands[1].cards == ["Ah", "Kd", "9h"]
    assert waiting.view(None).hands[1].cards == [None, None, None]
    done = replay(variant, cards, [{"ante": 100}], ["play"])
    assert [hand.cards for hand in done.view(None).hands] == [["2c", "5d", "9s"], ["Ah", "Kd", "9h"]]


def test_a_wager_says_nothing_until_all_of_it_is_decided() -> None:
    """A split wager of which one hand is bust is still open."""
    cards = parse(["8c", "7d", "8h", "Ts", "Kc", "9d", "Td"])
    waiting = replay(find("blackjack").variant(), cards, [{"main": 1000}], ["split", "hit"])
    assert bet_record(waiting.bets[0]["main"]) == {"stake": 2000, "returned": None, "row": None}
    settled = [event for event in waiting.events if event.kind == "settled"]
    assert [(event.hand, event.row) for event in settled] == [(1, "bust")]


def test_a_choice_names_the_wager_it_books() -> None:
    """A page needs no list of its own of what each choice costs."""
    cards = parse(["8c", "Ad", "8h", "9s", "Kc", "9d", "Td", "5h"])
    events = replay(find("blackjack").variant(), cards, [{"main": 1000}], ["insurance", "split", "stand"]).events
    chosen = [(event.choice, event.wager, event.stake) for event in events if event.kind == "chosen"]
    assert chosen == [("insurance", "insurance", 500), ("split", "main", 1000), ("stand", None, None)]


def test_a_void_round_settles_every_stake_anew() -> None:
    cards = parse(["8h", "6d", "8d", "10s", "3c"])
    void = replay(
        find("blackjack-poker-pairs").variant(), cards, [{"main": 100, "pairs": 10}], ["split"], void="malfunction"
    )
    at = next(n for n, event in enumerate(void.events) if event.kind == "void")
    refunds = {event.wager: event.returned for event in void.events[at + 1 :]}
    assert refunds == {"main": 200, "pairs": 10}


def test_a_rule_book_that_forgets_a_bet_stops_the_table() -> None:
    """A broken promise is no refusal: it is loud."""

    def forgetful(table: Any, rules: Any) -> None:
        table.draw_down(0)

    broken = dataclasses.replace(la_paire.GAME, play=forgetful)
    variant = Variant(broken, la_paire.GAME.variant().options)
    with pytest.raises(AssertionError, match="100 staked on card-A, but 0 decided"):
        replay(variant, parse(["Ah"]), [{"card-A": 100}])


@pytest.mark.parametrize(
    ("meter", "says"),
    [
        (MeterReading(-1), "a meter of -1"),
        (MeterReading(100, -1), "with -1 in reserve"),
        (MeterReading(5_000_001), "it stands from 0 to 1000000"),
    ],
)
def test_a_meter_that_cannot_be_is_refused(meter: MeterReading, says: str) -> None:
    log = RoundLog("three-card-poker", [], [{"ante": 100}], {"progressive": True}, meter=meter)
    with pytest.raises(Refused, match=says):
        log.replay()


def test_options_are_what_they_seem() -> None:
    """`true` is not 1, text is not a list, and a variant's options cannot be changed behind its back."""
    for wrong in (True, 1.0, [6], None, "six"):
        with pytest.raises(Refused, match="it can be 1 to 8"):
            find("blackjack").variant({"decks": wrong})
    for word in ("yes", "TRUE", "on", True):
        assert find("blackjack").variant({"resplit_aces": word}).options["resplit_aces"] is True
    with pytest.raises(TypeError):
        find("blackjack").variant().options["decks"] = 1  # type: ignore[index]
    assert find("pair-v3").variant({"paytable": "2-DECK-B"}).options["decks"] == 2


def test_a_stake_has_an_upper_end() -> None:
    variant = find("la-paire").variant()
    assert variant.accept([{"card-A": 10**15}])
    with pytest.raises(Refused, match="from 1 to 1000000000000000"):
        variant.accept([{"card-A": 10**15 + 1}])
