"""The house killed between the steps of a bet with an operator's money, and what it finds when it is back."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from pairhouse.house.audit import audit
from pairhouse.house.commands import RoundBet
from pairhouse.house.store.database import StoreFailed
from pairhouse.house.tokens import hash_of
from wallet_pair import SECRET, START, Clock, new_wallet, open_pair

BACCARAT, POKER = "nepal-super-baccarat", "three-card-poker"
A_SECOND_WIN = """
    INSERT INTO calls
    SELECT id || 'X', wallet, player_id, round_id, kind, amount, reference, state, attempts, next_at, made_at,
        key, body_hash, chain, event
    FROM calls WHERE kind = 'win'
"""


class HouseProcess:
    """`pairhouse serve` in a process of its own."""

    def __init__(self, books: Path, wallet_url: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        command = [sys.executable, "-m", "pairhouse", "serve", "--db", f"sqlite:///{books}", "--port", str(self.port)]
        environment = os.environ | {"PAIRHOUSE_WALLET_SECRET_ACME": SECRET, "PAIRHOUSE_SEED_KEY": (b"k" * 32).hex()}
        self.process = subprocess.Popen(
            [*command, "--wallet", f"acme={wallet_url}"], env=environment, stderr=subprocess.DEVNULL
        )
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", trust_env=False, timeout=20)
        self._wait()
        token = self.client.post("/wallets/acme/sessions", json={"token": "alice-token"}).json()["token"]
        self.client.cookies.clear()
        self.client.headers["Authorization"] = f"Bearer {token}"
        assert self.client.post(f"/tables/{BACCARAT}/sit", json={}).status_code == 200

    def _wait(self) -> None:
        for _ in range(300):
            try:
                self.client.get("/health")
            except httpx.TransportError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError("the house did not open")

    def bet(self, key: str) -> httpx.Response:
        body = {"table": BACCARAT, "wagers": {"player": 100, "banker": 100}, "client_seed": "mine"}
        return self.client.post("/rounds", json=body, headers={"Idempotency-Key": key})

    def bet_and_kill(self, key: str, when: Any) -> None:
        """Kill the process while a bet is on its way, at a certain moment."""
        asking = threading.Thread(target=self._bet_quietly, args=(key,))
        asking.start()
        while not when():
            time.sleep(0.005)
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        asking.join()
        self.client.close()

    def _bet_quietly(self, key: str) -> None:
        try:
            self.bet(key)
        except httpx.TransportError:
            return
        raise AssertionError("it was answered before it was killed")


def entries(wallet: Any, kind: str) -> int:
    return sum(entry["kind"] == kind for entry in wallet.ledger.entries())


def test_a_house_that_is_killed_owes_nobody_anything(tmp_path: Path) -> None:
    wallet = new_wallet()
    books = tmp_path / "house.db"
    first = HouseProcess(books, wallet.url)
    wallet.trouble("bet", "late")
    first.bet_and_kill("killed-after-the-bet", lambda: entries(wallet, "bet") == 1)
    assert wallet.ledger.balance_of("alice") == START - 200, "the operator has taken it, and nobody knows"

    second = HouseProcess(books, wallet.url)
    wallet.trouble("win", "never", 20)
    second.bet_and_kill(
        "killed-before-the-win", lambda: entries(wallet, "bet") == 2 and not wallet.waits_for("win", 20)
    )

    third = HouseProcess(books, wallet.url)
    wallet.trouble("bet", "never")
    third.bet_and_kill("killed-before-the-bet", lambda: not wallet.waits_for("bet", 1))

    wallet.clear_troubles()
    on_disk = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"alice" in on_disk
    assert b"alice-token" not in on_disk, "an operator's session is sealed"
    clock = Clock()
    with open_pair(f"sqlite:///{books}", wallet, clock) as pair:
        states = pair.states()
        assert states["bet", "sent"] == 2
        assert states["win", "due"] == 1
        pair.recover()
        assert pair.states() == {("bet", "unknown"): 2, ("bet", "done"): 1, ("rollback", "done"): 2, ("win", "done"): 1}
        tombstones = [e for e in wallet.ledger.entries() if e["kind"] == "rollback" and e["change"] == 0]
        assert len(tombstones) == 1, "a rollback came for a bet that never did"
        pair.sign_in()
        rounds = pair.ask("GET", "/players/me/rounds")[1]["rounds"]
        assert [line["state"] for line in rounds] == ["settled"]
        for key in ("killed-after-the-bet", "killed-before-the-win"):
            body = {"table": BACCARAT, "wagers": {"player": 100, "banker": 100}, "client_seed": "mine"}
            status, view = pair.ask("POST", "/rounds", body, key)
            assert status == 201
            assert (view["id"] == rounds[0]["id"]) == (key == "killed-before-the-win"), (
                "the dealt one is answered as before"
            )
        pair.check_law()
    wallet.stop()


def test_a_bet_that_comes_after_its_rollback_finds_the_tombstone(tmp_path: Path) -> None:
    wallet = new_wallet()
    with open_pair(f"sqlite:///{tmp_path / 'house.db'}", wallet) as pair:
        pair.sign_in()
        pair.sit(BACCARAT)
        send = pair.cashier.operators.bet

        async def late(name: str, message: Any) -> Any:
            """The bet lies about for longer than a minute before it goes out."""
            pair.clock.ahead_ms += 61_000
            await pair.cashier.outbox.turn("acme")
            return await send(name, message)

        pair.cashier.operators.bet = late
        status, problem = pair.bet(BACCARAT, "the-same-key")
        assert (status, problem["code"]) == (402, "wallet-refused")
        assert "rolled-back" in problem["error"]
        assert pair.states() == {("bet", "unknown"): 1, ("rollback", "done"): 1}

        async def slow(name: str, message: Any) -> Any:
            """The operator takes the bet, and we are too slow to use it."""
            balance = await send(name, message)
            pair.clock.ahead_ms += 61_000
            await pair.cashier.outbox.turn("acme")
            return balance

        pair.cashier.operators.bet = slow
        status, problem = pair.bet(BACCARAT, "the-same-key")
        assert (status, problem["code"]) == (503, "wallet-unknown"), "nothing is dealt on a bet that was given up"
        assert pair.states() == {("bet", "unknown"): 2, ("rollback", "done"): 2}
        assert pair.ask("GET", "/players/me/rounds")[1]["rounds"] == []
        assert pair.balance() == START
        pair.check_law()
    wallet.stop()


def test_a_bet_whose_place_was_taken_is_undone(tmp_path: Path) -> None:
    wallet = new_wallet()
    with open_pair(f"sqlite:///{tmp_path / 'house.db'}", wallet) as pair:
        pair.sign_in()
        pair.sit(POKER)
        send = pair.cashier.operators.bet
        taken: list[Any] = []

        async def overtaken(name: str, message: Any) -> Any:
            """While this bet is on its way, another tab opens a round at the same table."""
            pair.cashier.operators.bet = send
            bet = RoundBet(table=POKER, seats=[{"ante": 100}], client_seed="other", key="other-tab", body_hash="other")
            taken.append(await pair.cashier.do(hash_of(pair.token), bet))
            return await send(name, message)

        pair.cashier.operators.bet = overtaken
        status, problem = pair.bet(POKER)
        assert (status, problem["code"], problem["round"]) == (409, "round-open", taken[0].id)
        pair.recover()
        assert pair.states() == {("bet", "done"): 1, ("bet", "undone"): 1, ("rollback", "done"): 1}
        assert pair.balance() == START - 100
        pair.check_law()
    wallet.stop()


def test_books_that_fail_at_the_last_step_leave_no_bet_behind(tmp_path: Path) -> None:
    wallet = new_wallet()
    with open_pair(f"sqlite:///{tmp_path / 'house.db'}", wallet) as pair:
        pair.sign_in()
        seat = pair.sit(BACCARAT)
        cashier = pair.cashier
        write = cashier.write
        for failures, left in ((1, "unknown"), (2, "sent")):
            send = cashier.operators.bet
            fails = iter([True] * failures)

            async def failing(command: Any, fails: Any = fails) -> Any:
                if next(fails, False):
                    raise StoreFailed("the disk is full")
                return await write(command)

            async def then_fail(name: str, message: Any, send: Any = send, failing: Any = failing) -> Any:
                balance = await send(name, message)
                cashier.write, cashier.operators.bet = failing, send
                return balance

            cashier.operators.bet = then_fail
            status, problem = pair.bet(BACCARAT)
            assert (status, problem["code"]) == (503, "books-unavailable")
            assert pair.states()["bet", left] == 1
            pair.recover()
        assert pair.balance() == START
        assert pair.sit(BACCARAT)["nonce"] == seat["nonce"]
        pair.check_law()
    wallet.stop()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE calls SET amount = amount + 1 WHERE kind = 'bet' AND state = 'done'",
        "UPDATE calls SET amount = amount + 1 WHERE kind = 'win'",
        "DELETE FROM calls WHERE kind = 'win'",
        "DELETE FROM calls WHERE kind = 'rollback'",
        "UPDATE calls SET state = 'refused' WHERE state = 'unknown'",
        "UPDATE calls SET id = id || 'X' WHERE kind = 'rollback'",
        A_SECOND_WIN,
    ],
)
def test_the_audit_finds_a_call_that_was_altered(tmp_path: Path, change: str) -> None:
    wallet = new_wallet()
    with open_pair(f"sqlite:///{tmp_path / 'house.db'}", wallet) as pair:
        pair.sign_in()
        pair.sit(BACCARAT)
        wallet.trouble("bet", "fail")
        assert [pair.bet(BACCARAT)[0] for _ in range(2)] == [503, 201]
        pair.check_law()
        with closing(sqlite3.connect(tmp_path / "house.db")) as books:
            assert books.execute(change).rowcount == 1
            books.commit()
        with pair.house.database.reading() as tx:
            assert str(audit(tx, pair.house.vault).difference).startswith("call")
    wallet.stop()
