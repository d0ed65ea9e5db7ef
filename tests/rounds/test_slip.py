"""The betting commands, with the meaning the Blackjack Poker & Pairs document gives them."""

import pytest

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find
from pairhouse.rounds.slip import Slip
from pairhouse.rounds.table_limits import BettingTable

BALANCE = 20_000


@pytest.fixture
def slip() -> Slip:
    return Slip(BettingTable(find("blackjack-poker-pairs").variant()))


def refused(code: str, sentence: str = "") -> pytest.RaisesExc[Refused]:
    """What was refused, and where a sentence is given, in these words."""
    return pytest.RaisesExc(Refused, check=lambda one: one.code == code and str(one) in (sentence or str(one)))


def test_pressing_a_square_adds_chips(slip: Slip) -> None:
    """[BPP-11]"""
    slip.place(1, "main", 500, BALANCE)
    slip.place(1, "main", 500, BALANCE)
    slip.place(2, "pairs", 100, BALANCE)
    assert slip.bets == {(1, "main"): 1000, (2, "pairs"): 100}
    assert slip.total == 1100


def test_deal_begins_with_enough_on_the_table(slip: Slip) -> None:
    """Seats that hold bets take part, in order; nothing is lost when the game cannot begin. [BPP-12] [BPP-7] [BPP-8]"""
    with refused("no-bets", "place a bet first"):
        slip.deal()
    slip.place(2, "pairs", 100, BALANCE)
    with refused("no-opening-wager"):
        slip.deal()
    assert slip.bets == {(2, "pairs"): 100}
    slip.place(2, "main", 1000, BALANCE)
    slip.place(1, "main", 200, BALANCE)
    assert slip.deal() == [{"main": 200}, {"main": 1000, "pairs": 100}]
    assert slip.bets == {}


def test_double_bet_doubles_every_bet(slip: Slip) -> None:
    """[BPP-13]"""
    with refused("no-bets", "there is no bet to double"):
        slip.double(BALANCE)
    slip.place(1, "main", 500, BALANCE)
    slip.place(1, "poker", 100, BALANCE)
    slip.double(BALANCE)
    assert slip.bets == {(1, "main"): 1000, (1, "poker"): 200}


def test_a_fixed_stake_is_not_doubled() -> None:
    """It is what the rules say, however often. [BPP-13] [BPP-15]"""
    slip = Slip(BettingTable(find("three-card-poker").variant({"progressive": True})))
    slip.place(1, "ante", 500, BALANCE)
    slip.place(1, "progressive", 100, BALANCE)
    slip.double(BALANCE)
    assert slip.deal() == [{"ante": 1000, "progressive": 100}]
    slip.rebet(BALANCE, times=2)
    assert slip.bets == {(1, "ante"): 2000, (1, "progressive"): 100}


def test_rebet_places_the_bets_of_the_last_game(slip: Slip) -> None:
    """As they stood at DEAL, once or, with DOUBLE REBET, twice as large. [BPP-14] [BPP-15] [BPP-19]"""
    with refused("no-bets", "no game has been played yet, so there is nothing to bet again"):
        slip.rebet(BALANCE)
    slip.place(1, "main", 500, BALANCE)
    slip.place(1, "poker", 100, BALANCE)
    first = slip.deal()
    slip.rebet(BALANCE)
    assert slip.bets == {(1, "main"): 500, (1, "poker"): 100}
    assert slip.deal() == first
    slip.rebet(BALANCE, times=2)
    assert slip.bets == {(1, "main"): 1000, (1, "poker"): 200}


def test_new_game_clears_the_table_and_the_way_back(slip: Slip) -> None:
    """[BPP-16]"""
    slip.place(1, "main", 500, BALANCE)
    slip.new_game()
    assert slip.bets == {}
    with pytest.raises(Refused, match=r"^there is nothing to take back$") as nothing:
        slip.undo()
    assert nothing.value.code == "no-bets"


def test_clear_takes_all_bets_off(slip: Slip) -> None:
    """And UNDO can bring them back. [BPP-17] [BPP-18]"""
    slip.place(1, "main", 500, BALANCE)
    slip.place(3, "main", 500, BALANCE)
    slip.clear()
    assert slip.bets == {}
    slip.undo()
    assert slip.total == 1000


def test_undo_takes_back_one_step_at_a_time(slip: Slip) -> None:
    """A doubling or a rebet is one step. [BPP-18]"""
    slip.place(1, "main", 500, BALANCE)
    slip.place(1, "pairs", 100, BALANCE)
    slip.double(BALANCE)
    slip.undo()
    assert slip.bets == {(1, "main"): 500, (1, "pairs"): 100}
    slip.undo()
    assert slip.bets == {(1, "main"): 500}
    slip.undo()
    with refused("no-bets"):
        slip.undo()


def test_a_command_over_a_limit_or_the_balance_changes_nothing(slip: Slip) -> None:
    """[BPP-20]"""
    slip.place(1, "main", 600, BALANCE)
    before = dict(slip.bets)
    with refused("over-limit"):
        slip.place(1, "main", 50_000, 10**9)
    with refused("over-limit"):
        slip.place(1, "pairs", 50, BALANCE)
    with refused("no-funds"):
        slip.place(1, "pairs", 500, 1000)
    with refused("no-funds", "bets of 12.00 are more than your balance of 11.99"):
        slip.double(1199)
    with refused("bad-seats"):
        slip.place(4, "main", 500, BALANCE)
    with refused("unknown-wager"):
        slip.place(1, "insurance", 500, BALANCE)
    assert slip.bets == before
    slip.double(1200)
    slip.undo()
    slip.deal()
    with refused("no-funds"):
        slip.rebet(500)
    assert slip.bets == {}


def test_one_position_a_player() -> None:
    """Three Card Poker and the layout games give one player one seat. [TCP-7] [LP-16]"""
    for game, wager in (("three-card-poker", "ante"), ("la-paire", "card-A"), ("nepal-super-baccarat", "player")):
        slip = Slip(BettingTable(find(game).variant()))
        slip.place(1, wager, 500, BALANCE)
        with pytest.raises(Refused, match="seat 2 is not open to you"):
            slip.place(2, wager, 500, BALANCE)
