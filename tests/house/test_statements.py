"""Statements for many rows: written together where that is the same, and one by one where it is not."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import bindparam, update

from direct_house import new_books
from pairhouse.house.bank import _ADD, balance_of, credit, open_account
from pairhouse.house.house import House
from pairhouse.house.store.schema import accounts
from pairhouse.house.store.statements import update_from_json
from pairhouse.house.store.transaction import WriteTx

PEOPLE = [f"player:{number}" for number in range(5)]


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    opened = House(new_books(request.param, tmp_path))
    for account in PEOPLE:
        opened.do(partial(open_account, account=account, kind="player"))
    yield opened
    opened.close()


def balances(house: House) -> list[int]:
    with house.database.reading() as tx:
        return [balance_of(tx, account) for account in PEOPLE]


def test_many_rows_are_changed_together(house: House) -> None:
    def pay(tx: WriteTx) -> None:
        for number, account in enumerate(PEOPLE):
            credit(tx, account, 2**40 + number)

    house.do(pay)
    assert balances(house) == [2**40 + number for number in range(5)]


def test_a_row_that_is_changed_twice_is_changed_twice(house: House) -> None:
    def pay(tx: WriteTx) -> None:
        for account, amount in ((PEOPLE[0], 100), (PEOPLE[1], 50), (PEOPLE[0], 7), (PEOPLE[2], 3)):
            credit(tx, account, amount)

    house.do(pay)
    assert balances(house) == [107, 50, 3, 0, 0]


def test_only_rows_found_by_equal_columns_are_changed_together() -> None:
    """Two rows of parameters of any other condition could mean the same row of the table."""
    together = update_from_json(_ADD)
    assert together is not None
    assert together.keys == ("account",)
    richer = update(accounts).values(balance=bindparam("new"))
    assert update_from_json(richer) is None
    assert update_from_json(richer.where(accounts.c.balance > bindparam("least"))) is None
    assert update_from_json(richer.where(accounts.c.id == bindparam("account"), accounts.c.kind == "player")) is None
    assert update_from_json(richer.where(accounts.c.id == bindparam("account")).returning(accounts.c.id)) is None
