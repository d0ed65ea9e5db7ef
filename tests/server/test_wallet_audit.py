"""The audit of a house whose players' money is elsewhere: what was asked of the wallet is what the books have moved."""

from functools import partial
from pathlib import Path

import pytest

from pairhouse.house.audit import audit
from pairhouse.house.store.database import Tx
from pairhouse.house.store.transaction import WriteTx
from wallet_pair import SEATS, WalletPair, new_wallet, open_pair

TAMPERINGS = {
    "an amount": ("UPDATE calls SET amount = amount + 1 WHERE kind = 'win' AND amount > 0", "what the books say"),
    "a state": ("UPDATE calls SET state = 'refused' WHERE kind = 'bet'", "no event tells so"),
    "a call deleted": ("DELETE FROM calls WHERE id = (SELECT min(id) FROM calls)", "calls to wallets: how many"),
    "a call exchanged": ("UPDATE calls SET round_id = 'X' WHERE kind = 'win'", "what the books say"),
}


def played(pair: WalletPair) -> None:
    for table in SEATS:
        pair.sit(table)
        view = pair.open_until(table, "stand") if table.startswith("blackjack") else pair.bet(table)[1]
        while view["state"] == "open":
            view = pair.choose(view, view["view"]["awaiting"]["options"][0])[1]
    waiting = pair.open_until("three-card-poker", "play")
    pair.house.do(lambda tx: pair.house.pit.void(tx, "desk", waiting["id"], "malfunction"))
    pair.recover()


def test_what_is_changed_in_the_calls_is_found(tmp_path: Path) -> None:
    wallet = new_wallet()
    with open_pair(f"sqlite:///{tmp_path / 'house.db'}", wallet) as pair:
        pair.sign_in()
        played(pair)
        for what, (statement, says) in TAMPERINGS.items():
            connection = pair.house.database.connect()
            tx = Tx(connection.cursor(), "sqlite")
            tx.raw("BEGIN")
            clean = audit(tx, pair.house.vault)
            assert (clean.difference, clean.accounts["players"]) == (None, 0)
            assert clean.calls > 10
            tx.raw(statement)
            found = audit(tx, pair.house.vault).difference
            tx.raw("ROLLBACK")
            connection.close()
            assert says in str(found), (what, found)
        pair.check_law()
    wallet.stop()


@pytest.mark.parametrize(
    ("kind", "says"), [("win", "(win) are 5"), ("bet", "(bet) are 5"), ("rollback", "(rollback) are 5")]
)
def test_calls_that_the_books_do_not_explain_are_found(tmp_path: Path, kind: str, says: str) -> None:
    """Rightly told calls, for a round that never was."""
    wallet = new_wallet()
    with open_pair(f"sqlite:///{tmp_path / 'house.db'}", wallet) as pair:
        pair.sign_in()
        call = {"call": "X", "kind": kind, "round": "R", "player": "P", "amount": 5}
        states = ("sent", "done") if kind == "bet" else ("due",)
        for state in states:
            told = {**call, "state": state}
            pair.house.do(partial(WriteTx.seal, kind="wallet-call", what=told))
        connection = pair.house.database.connect()
        columns = "id, wallet, player_id, round_id, kind, amount, state, attempts, next_at, made_at"
        connection.execute(
            f"INSERT INTO calls ({columns}) VALUES ('X', 'acme', 'P', 'R', '{kind}', 5, '{states[-1]}', 0, 0, 0)"
        )
        with pair.house.database.reading() as tx:
            found = audit(tx, pair.house.vault).difference
        assert f"round R: its calls to the wallet {says} more" in str(found)
        connection.close()
    wallet.stop()
