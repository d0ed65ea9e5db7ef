"""Somebody alters a call in the database while the operator cannot be reached: the operator gets what is true, or nothing."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pairhouse.house.audit import audit
from pairhouse.house.store.chain import event_hash
from pairhouse.server.metrics import CALLS_ALTERED
from pairhouse.server.wallets import cashier
from postgres import furnished_database
from wallet_pair import WalletPair, new_wallet, open_pair

BACCARAT = "nepal-super-baccarat"
EVERY_RESULT = [{"player": 500, "banker": 500, "tie": 500}]

Sql = Callable[..., list[Any]]


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'house.db'}" if request.param == "sqlite" else furnished_database()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cashier, "WIN_PATIENCE_S", 0.1)


def changed(pair: WalletPair, *statements: str) -> list[Any]:
    with closing(pair.house.database.connect()) as connection:
        for statement in statements:
            cursor = connection.execute(statement)
        return list(cursor.fetchall()) if cursor.description else []


def win_in_the_database(pair: WalletPair) -> None:
    """The row of the call says another amount."""
    changed(pair, "UPDATE calls SET amount = 99000000 WHERE kind = 'win'")


def win_of_another_operator(pair: WalletPair) -> None:
    changed(pair, "UPDATE calls SET player_id = player_id || 'X' WHERE kind = 'win'")


def win_and_its_event(pair: WalletPair) -> None:
    """The row, the event that tells of it and its hash all say another amount."""
    changed(pair, "UPDATE calls SET amount = 99000000 WHERE kind = 'win'")
    chain, number = changed(pair, "SELECT chain, event FROM calls WHERE kind = 'win'")[0]
    at, kind, body = changed(pair, f"SELECT at, kind, body FROM events WHERE chain = '{chain}' AND number = {number}")[
        0
    ]
    amount = next(part for part in body.split(",") if part.startswith(('{"amount":', '"amount":')))
    body = body.replace(amount.rpartition(":")[2], "99000000")
    before = changed(pair, f"SELECT hash FROM events WHERE chain = '{chain}' AND number = {number - 1}")[0][0]
    seal = event_hash(before, chain, number, at, kind, body)
    changed(pair, f"UPDATE events SET body = '{body}', hash = '{seal}' WHERE chain = '{chain}' AND number = {number}")


def a_win_of_ones_own(pair: WalletPair) -> None:
    """A call that the house never made, which names the event of the true one."""
    columns = (
        "wallet, player_id, round_id, kind, 99000000, reference, 'due', 0, 0, made_at, key, body_hash, chain, event"
    )
    changed(pair, f"INSERT INTO calls SELECT id || 'X', {columns} FROM calls WHERE kind = 'win'")


ALTERATIONS = [win_in_the_database, win_of_another_operator, win_and_its_event, a_win_of_ones_own]


@pytest.mark.parametrize("alter", ALTERATIONS, ids=lambda one: one.__name__)
def test_an_altered_win_is_not_paid(
    url: str, alter: Callable[[WalletPair], None], caplog: pytest.LogCaptureFixture
) -> None:
    wallet = new_wallet()
    with open_pair(url, wallet) as pair:
        pair.sign_in()
        pair.sit(BACCARAT)
        wallet.trouble("win", "fail", 20)
        status, view = pair.bet(BACCARAT, seats=EVERY_RESULT)
        assert status == 201
        alter(pair)
    wallet.clear_troubles()
    alarms = CALLS_ALTERED.labels("acme")._value.get()
    before = wallet.ledger.balance_of("alice")
    with open_pair(url, wallet) as pair:
        for _ in range(3):
            pair.clock.ahead_ms += 400_000
            pair.turn()
        got = wallet.ledger.balance_of("alice") - before
        assert got in ((view["returned"],) if alter is a_win_of_ones_own else (0,))
        assert CALLS_ALTERED.labels("acme")._value.get() > alarms
        assert any(record.message == "a call was altered and is not sent" for record in caplog.records)
        with pair.house.database.reading() as tx:
            assert not audit(tx, pair.house.vault).clean
    wallet.stop()


def test_an_altered_bet_is_not_rolled_back_for_more(url: str, caplog: pytest.LogCaptureFixture) -> None:
    """Bets of a process that is gone, and of a round that is called off, go back as they were sealed or not at all."""
    wallet = new_wallet()
    with open_pair(url, wallet) as pair:
        pair.sign_in()
        pair.sit("three-card-poker")
        view = pair.open_until("three-card-poker", "play")
        before = wallet.ledger.balance_of("alice")
        changed(pair, f"UPDATE calls SET amount = 99000000 WHERE kind = 'bet' AND round_id = '{view['id']}'")
        status, told = pair.ask("GET", "/health")
        assert status == 200, told
        with pytest.raises(ValueError, match=r"its amount is '99000000' in the database, and '\d+' was sealed"):
            pair.house.do(lambda tx: pair.house.pit.void(tx, "desk", view["id"], "malfunction"))
        assert wallet.ledger.balance_of("alice") == before
        wallet.trouble("bet", "fail")
        assert pair.bet(BACCARAT)[0] in (404, 409, 503)
        changed(
            pair,
            "UPDATE calls SET state = 'sent', amount = 99000000 WHERE state IN ('unknown', 'done') AND kind = 'bet'",
        )
        for _ in range(3):
            pair.clock.ahead_ms += 400_000
            pair.turn()
        assert wallet.ledger.balance_of("alice") <= before
        assert all(body["amount"] < 99_000_000 for _, body in wallet.seen if "amount" in body)
    wallet.stop()
