"""One player at one table: every unit that moves is accounted for."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import GAMES, find
from pairhouse.rounds.private_table import PrivateTable

BALANCE = 10**7


def place_something(table: PrivateTable, picks: random.Random) -> None:
    variant = table.betting.variant
    openers = [wager.id for wager in variant.wagers.values() if wager.opens]
    others = [wager for wager in variant.wagers.values() if wager.base is None]
    for seat in range(1, picks.randint(1, table.game.seats_per_player) + 1):
        table.slip.place(seat, picks.choice(openers), 1000, table.balance)
    for wager in picks.sample(others, k=min(2, len(others))):
        if (1, wager.id) not in table.slip.bets:
            table.slip.place(1, wager.id, wager.fixed or 500, table.balance)


@given(game=st.sampled_from(list(GAMES.values())), seed=st.integers(0, 10**6))
def test_the_balance_is_the_start_plus_every_net(game: object, seed: int) -> None:
    """Over several rounds with any choices: stakes, doubles, splits, insurance and Play are paid for, once."""
    assert hasattr(game, "id")
    picks = random.Random(seed)
    options = {"progressive": True} if game.id == "three-card-poker" else {}
    table = PrivateTable(find(game.id), options, BALANCE)
    expected = BALANCE
    for _ in range(3):
        place_something(table, picks)
        state = table.deal()
        while state.awaiting is not None:
            bets = [bet for bets in state.bets for bet in bets.values()]
            paid = sum(bet.returned or 0 for bet in bets) if table.betting.variant.pays_when_decided else 0
            assert table.balance == expected - sum(bet.stake for bet in bets) + paid
            state = table.choose(picks.choice(state.awaiting.options))
        expected += sum(state.net(seat) or 0 for seat in range(1, len(state.bets) + 1))
        assert (table.balance, table.result) == (expected, expected - BALANCE)
        assert table.meter == state.meter
        assert table.log is not None
        assert table.log.replay().bets == state.bets


def test_the_meter_goes_on_from_round_to_round() -> None:
    """[TCP-31]"""
    table = PrivateTable(find("three-card-poker"), {"progressive": True}, BALANCE)
    readings = []
    for _ in range(3):
        table.slip.place(1, "ante", 1000, table.balance)
        table.slip.place(1, "progressive", 100, table.balance)
        table.deal()
        table.choose("fold")
        assert table.meter is not None
        readings.append(table.meter.amount)
    assert readings == [200_020, 200_040, 200_060]
    table.open({"progressive": True, "pairplus": "40-30-5-4-1"})
    assert table.meter is not None
    assert table.meter.amount == 200_060


def test_options_change_only_on_an_empty_layout() -> None:
    table = PrivateTable(find("blackjack"), {}, BALANCE)
    table.slip.place(1, "main", 1000, table.balance)
    with pytest.raises(Refused, match="take your bets back first"):
        table.open({"decks": 8})
    assert table.slip.total == 1000
    table.slip.clear()
    table.open({"decks": 8})
    assert table.betting.variant.options["decks"] == 8


def test_seats_keep_their_numbers_and_rebets_survive_a_change() -> None:
    """[BPP-6] [BPP-14]"""
    table = PrivateTable(find("blackjack-poker-pairs"), {}, BALANCE)
    table.slip.place(1, "main", 1000, table.balance)
    table.slip.place(3, "main", 500, table.balance)
    state = table.deal()
    assert table.seat_numbers == {1: 1, 2: 3}
    while state.awaiting is not None:
        state = table.choose("stand" if "stand" in state.awaiting.options else "no-insurance")
    table.open({"insurance": "never"})
    table.slip.rebet(table.balance)
    assert table.slip.bets == {(1, "main"): 1000, (3, "main"): 500}


def test_bets_up_to_the_whole_balance_and_not_a_unit_more() -> None:
    table = PrivateTable(find("la-paire"), {}, 1000)
    table.slip.place(1, "card-A", 1000, table.balance)
    with pytest.raises(Refused, match="more than your balance"):
        table.slip.place(1, "card-2", 100, table.balance)


def test_a_progressive_ticket_keeps_its_price_when_bets_are_doubled() -> None:
    """[TCP-30] [BPP-13]"""
    table = PrivateTable(find("three-card-poker"), {"progressive": True}, BALANCE)
    table.slip.place(1, "ante", 1000, table.balance)
    table.slip.place(1, "progressive", 100, table.balance)
    table.slip.double(table.balance)
    assert table.slip.bets == {(1, "ante"): 2000, (1, "progressive"): 100}


def test_balance_carries_every_choice_or_refuses_it() -> None:
    """A choice that costs more than the balance is refused with nothing changed; a round moves money once."""
    table = PrivateTable(find("three-card-poker"), {}, balance=1500)
    table.slip.place(1, "ante", 1000, table.balance)
    state = table.deal()
    assert table.balance == 500
    with pytest.raises(ValueError, match=r"play costs 10.00 and your balance is 5.00"):
        table.choose("play")
    assert (table.balance, table.state) == (500, state)
    table.choose("fold")
    assert (table.balance, table.result) == (500, -1000)


def test_a_shoe_lasts_many_coups_and_ends_after_the_cut_card() -> None:
    """[NSB-4] [NSB-5]"""
    table = PrivateTable(find("nepal-super-baccarat"), {"decks": 5}, balance=10**9)
    shoes = set()
    for _ in range(120):
        table.slip.place(1, "player", 1000, table.balance)
        state = table.deal()
        assert table.shoe is not None
        shoes.add(table.shoe.cards)
        assert state.is_over
        assert table.log is not None
        assert table.log.replay().net(1) == state.net(1)
        if table.shoe.finished:
            assert len(table.shoe.cards) - table.shoe.dealt < 14
    assert 2 <= len(shoes) <= 4
