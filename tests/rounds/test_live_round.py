"""Rounds of several people, from their entries alone: who may do what and when, and that the entries are enough."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from live_table import ANY_NUMBER, CLOCK, STAKES, LiveTable, play_at_random
from pairhouse.core.errors import Refused
from pairhouse.rounds.live_entries import BetPlaced, BettingClosed, CardsDealt, ChoiceMade
from pairhouse.rounds.live_round import BETTING, CLOSED, PLAYING, SEEDS, LiveRound


def test_a_lone_player_never_waits() -> None:
    """Ready and seed open: the cards are dealt on the same tick of the clock."""
    table = LiveTable("three-card-poker")
    table.to_cards(4)
    assert table.now == 1_000_000
    assert table.round.seats == [4]
    assert table.round.asked(table.state) is not None


def test_the_window_closes_by_its_clock_and_not_before_anybody_has_bet() -> None:
    table = LiveTable("three-card-poker")
    table.now += 10 * CLOCK.betting
    assert table.deal_on() is None
    table.bet(1)
    table.now += CLOCK.betting - 1
    table.bet(2)
    assert table.deal_on() is None
    table.now += 1
    with pytest.raises(Refused, match="no more bets"):
        table.bet(3)
    with pytest.raises(Refused, match="no more bets"):
        table.round.take_back(table.now, 1)
    assert isinstance(table.deal_on(), BettingClosed)
    assert table.round.phase == SEEDS


def test_bets_are_changed_and_taken_back_until_the_close() -> None:
    table = LiveTable("nepal-super-baccarat", ANY_NUMBER)
    table.bet(1)
    table.bet(1, stakes={"banker": 700})
    table.bet(2)
    table.write(table.round.take_back(table.now, 2))
    assert {seat: bet.stakes for seat, bet in table.round.bets.items()} == {1: {"banker": 700}}
    with pytest.raises(Refused, match="has no bet"):
        table.round.say_ready(table.now, 2)
    table.write(table.round.say_ready(table.now, 1))
    table.bet(1, stakes={"banker": 800})  # whoever bets again is not ready any more
    assert table.deal_on() is None


def test_a_seed_that_is_not_opened_in_time_is_left_out() -> None:
    table = LiveTable("three-card-poker")
    for seat in (1, 3, 6):
        table.bet(seat)
        table.write(table.round.say_ready(table.now, seat))
    with pytest.raises(Refused, match="after no more bets"):
        table.open_seeds(1)
    table.deal_on()
    table.open_seeds(6, 1)
    for seat, seed, says in ((6, "seed 6", "open already"), (3, "seed 6", "not the seed"), (2, "x", "no bet")):
        with pytest.raises(Refused, match=says):
            table.round.open_seed(table.now, seat, seed)
    assert table.deal_on() is None
    table.now += CLOCK.seeds
    assert isinstance(table.deal_on(), CardsDealt)
    assert table.round.client_seeds == ["seed 1", "seed 6"]
    with pytest.raises(Refused, match="before the cards"):
        table.open_seeds(3)


@pytest.mark.parametrize(("game", "word"), [("three-card-poker", "fold"), ("pair-v3", "stand")])
def test_who_does_not_decide_in_time_does_what_costs_nothing(game: str, word: str) -> None:
    """[TCP-41] [PV3-19] [BJ-32] Folds at Three Card Poker, stands at blackjack; marked as automatic."""
    table = LiveTable(game)
    table.to_cards(2, 5)
    asked = table.round.asked(table.state)
    assert asked is not None
    seat, question = asked
    staked = table.state.staked
    table.now += CLOCK.decision
    assert table.deal_on() is None, "an answer may still be on its way"
    table.now += CLOCK.grace
    made = table.deal_on()
    assert isinstance(made, ChoiceMade)
    assert (made.seat, made.word, made.automatic) == (seat, word, True)
    assert word in question.options
    assert table.state.staked == staked
    while table.round.phase == PLAYING:
        table.now += CLOCK.decision + CLOCK.grace
        table.deal_on()
    assert table.round.closed is not None


def test_nobody_acts_out_of_turn_or_for_another() -> None:
    table = LiveTable("three-card-poker")
    with pytest.raises(Refused, match="nothing is being asked"):
        table.round.choose(table.now, 1, 0, "fold", None)
    table.to_cards(2, 5)
    state = table.state
    for seat, number in ((5, 0), (2, 1), (1, 0)):
        with pytest.raises(Refused, match="the turn of seat 2"):
            table.round.choose(table.now, seat, number, "play", state)
    with pytest.raises(Refused, match="choose play or fold"):
        table.round.choose(table.now, 2, 0, "double", state)
    table.write(table.round.choose(table.now, 2, 0, "play", state))
    table.write(table.round.choose(table.now, 5, 1, "fold", table.state))
    assert table.state.is_over
    table.deal_on()
    assert table.round.phase == CLOSED


def test_seats_that_are_not_there_and_bets_the_table_refuses() -> None:
    table = LiveTable("three-card-poker")
    for seat in (0, 8, -1):
        with pytest.raises(Refused, match="not at this table"):
            table.bet(seat)
    with pytest.raises(Refused):
        table.bet(1, stakes={"pairplus": 500})
    with pytest.raises(Refused, match="64 hex digits"):
        table.round.bet(table.now, 1, "x", STAKES["three-card-poker"], "not a hash")
    assert len(table.entries) == 1


def test_a_misdeal_ends_the_round() -> None:
    """[TCP-38] With the number of cards that was wrong; the whole table is void, and the house pays the stakes back."""
    table = LiveTable("three-card-poker")
    table.to_cards(1, 2, 7)
    for count in (None, 0, 53):
        with pytest.raises(Refused, match=r"1 to 52; (none|0|53) was given"):
            table.round.void(table.now, "anna", "misdeal", count)
    table.write(table.round.void(table.now, "anna", "misdeal", 4))
    assert table.round.voided is not None
    assert (table.round.voided.reason, table.round.voided.cards) == ("misdeal", 4)
    assert table.round.phase == CLOSED
    with pytest.raises(Refused, match="is closed"):
        table.round.void(table.now, "anna", "misdeal")


def test_an_exposed_card_goes_on() -> None:
    """[TCP-39] It is marked, and the round goes on."""
    table = LiveTable("three-card-poker")
    table.to_cards(1)
    with pytest.raises(Refused, match="does not lie on the table"):
        table.round.expose(table.now, "anna", 7, table.state)
    table.write(table.round.expose(table.now, "anna", 4, table.state))
    assert table.round.phase == PLAYING
    assert [exposed.card for exposed in table.round.exposed] == [4]


@settings(max_examples=60)
@given(st.sampled_from(sorted(STAKES)), st.integers(0, 2**32).map(Random))
def test_a_random_crowd_never_breaks_a_table(game: str, picks: Random) -> None:
    """Whatever people try and however the clock runs: each round ends, and its entries alone give it again."""
    table = LiveTable(game, CLOCK if "baccarat" not in game else ANY_NUMBER, picks.randint(0, 9))
    phases = [BETTING, SEEDS, PLAYING, CLOSED]
    reached = 0
    for _ in play_at_random(table, picks):
        at = phases.index(table.round.phase)
        assert at >= reached, "a round never goes back"
        reached = at
    assert table.round.phase == CLOSED
    again = LiveRound.read(table.betting, table.clock, table.entries)
    assert again == table.round
    state, once_more = table.state, again.state(table.cards)
    assert state.wagers == once_more.wagers
    assert state.is_over or table.round.voided is not None
    bets = [entry for entry in table.entries if isinstance(entry, BetPlaced)]
    closed_at = table.round.betting_closed.at if table.round.betting_closed else table.now
    assert all(bet.at <= closed_at for bet in bets)
