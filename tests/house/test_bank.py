"""The bank by itself: balances move only when they can, transfers are written once, and a round's money adds up."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from pairhouse.core.errors import Refused
from pairhouse.house.bank import (
    HELD,
    HOUSE,
    Transfer,
    add_to_balance,
    balance_of,
    cannot_afford,
    change_balance,
    credit,
    deciding_moves,
    jackpot_moves,
    open_account,
    paid_so_far,
    player_account,
    record,
    recorded_at,
)
from pairhouse.house.store.chain import Chain
from pairhouse.house.store.database import Database
from pairhouse.house.store.migrate import migrate
from pairhouse.house.store.schema import accounts, transfers
from pairhouse.house.store.sealed_events import BooksSeal
from pairhouse.house.store.transaction import WriteTx

ANN, NOW = "player:ann", 1_800_000_000_000


@pytest.fixture
def tx(tmp_path: Path) -> Iterator[WriteTx]:
    """A transaction of its own, in this thread; Ann has 500."""
    database = Database(f"sqlite:///{tmp_path}/bank.db")
    migrate(database)
    connection = database.connect()
    tx = WriteTx(database.cursor(connection), database.kind, Chain.new(), lambda: NOW, BooksSeal("", b""))
    tx.raw("BEGIN")
    open_account(tx, ANN, "player")
    assert change_balance(tx, ANN, 0, 500) == 500
    yield tx
    connection.close()
    database.close()


def test_an_account_begins_with_nothing_and_one_that_is_not_there_has_nothing(tx: WriteTx) -> None:
    open_account(tx, player_account("bob"), "player")
    assert balance_of(tx, "player:bob") == balance_of(tx, "player:nobody") == 0
    assert tx.all(select(accounts.c.id, accounts.c.kind).where(accounts.c.id == "player:bob"), {}) == [
        ("player:bob", "player")
    ]


def test_a_balance_changes_if_it_holds_what_is_needed(tx: WriteTx) -> None:
    assert change_balance(tx, ANN, 500, -500) == 0
    assert change_balance(tx, ANN, 0, 300) == 300
    with pytest.raises(Refused, match=r"^this takes 3\.01 and your balance is 3\.00$") as refused:
        change_balance(tx, ANN, 301, -301)
    assert refused.value.code == "no-funds"
    assert balance_of(tx, ANN) == 300


def test_a_balance_that_was_read_before_changes_with_the_queue(tx: WriteTx) -> None:
    assert add_to_balance(tx, ANN, 500, 500, -500) == 0
    assert balance_of(tx, ANN) == 0
    with pytest.raises(Refused, match=r"^this takes 5\.01 and your balance is 5\.00$"):
        add_to_balance(tx, ANN, 500, 501, -501)
    assert balance_of(tx, ANN) == 0


def test_transfers_are_numbered_under_their_key_and_written_once(tx: WriteTx) -> None:
    moves = [Transfer("stake", ANN, HELD, 200), Transfer("take", HELD, HOUSE, 200)]
    assert recorded_at(tx, "round:0") is None
    record(tx, "round:0", "round", moves)
    assert recorded_at(tx, "round:0") == NOW
    assert tx.all(select(transfers).order_by(transfers.c.key), {}) == [
        ("round:0:0", "round", "stake", ANN, HELD, 200, NOW),
        ("round:0:1", "round", "take", HELD, HOUSE, 200, NOW),
    ]
    record(tx, "round:0", "round", moves)
    with pytest.raises(Exception, match="UNIQUE constraint failed"):
        tx.flush()


def test_what_is_credited_is_there_with_the_next_write(tx: WriteTx) -> None:
    credit(tx, ANN, 300)
    credit(tx, ANN, -100)
    assert balance_of(tx, ANN) == 700


def test_what_the_first_acts_of_a_round_paid_is_summed_from_their_transfers(tx: WriteTx) -> None:
    record(tx, "r1:0", "r1", [Transfer("take", HELD, HOUSE, 200), Transfer("pay", HOUSE, ANN, 50)])
    record(tx, "r1:1", "r1", [Transfer("feed", HOUSE, "jackpot:t", 7)])
    record(tx, "r1:2", "r1", [Transfer("take", HELD, HOUSE, 300), *[Transfer("pay", HOUSE, ANN, 1)] * 2])
    record(tx, "r2:0", "r2", [Transfer("take", HELD, HOUSE, 9_000)])
    assert [paid_so_far(tx, "r1", acts) for acts in range(5)] == [(0, 0), (200, 50), (200, 50), (500, 52), (500, 52)]
    assert paid_so_far(tx, "r3", 2) == (0, 0)


@pytest.mark.parametrize(
    ("returned", "moves"),
    [
        (0, [Transfer("take", HELD, HOUSE, 200)]),
        (1, [Transfer("take", HELD, HOUSE, 200), Transfer("pay", HOUSE, ANN, 1)]),
        (500, [Transfer("take", HELD, HOUSE, 200), Transfer("pay", HOUSE, ANN, 500)]),
    ],
)
def test_a_round_closes_with_what_was_staked_and_what_it_returns(returned: int, moves: list[Transfer]) -> None:
    assert deciding_moves(ANN, 200, returned, []) == moves
    fed = Transfer("feed", HOUSE, "jackpot:t", 10)
    assert deciding_moves(ANN, 200, returned, [fed]) == [moves[0], fed, *moves[1:]]
    assert deciding_moves(ANN, 0, returned) == moves[1:]


def test_a_choice_beyond_the_balance_says_what_it_costs() -> None:
    refused = cannot_afford("double", 1_050, 250)
    assert (refused.code, str(refused)) == ("no-funds", "double costs 10.50 and your balance is 2.50")


@pytest.mark.parametrize(
    ("before", "after", "moves"),
    [
        (100, 110, [Transfer("feed", HOUSE, "jackpot:t", 10)]),
        (110, 100, [Transfer("award", "jackpot:t", HOUSE, 10)]),
        (100, 100, []),
    ],
)
def test_a_jackpot_is_fed_or_won_from(before: int, after: int, moves: list[Transfer]) -> None:
    assert jackpot_moves("t", before, after) == moves
