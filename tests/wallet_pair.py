"""A house and an operator's wallet, each with books of its own, and the law that holds between the two."""

import importlib.util
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from litestar.testing import TestClient
from sqlalchemy import select

from pairhouse.house.audit import audit
from pairhouse.house.house import House
from pairhouse.house.store.schema import calls, transfers
from pairhouse.house.store.writer import now_ms
from pairhouse.house.vault import Vault
from pairhouse.house.wallet_calls import DONE, DUE, REFUSED, SENT, UNDONE, UNKNOWN, rollback_id
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.processes.one_process import build
from pairhouse.server.wallets.operator_client import Operators, read_settings

ROOT = Path(__file__).parents[1]
SECRET = "a secret that both sides know, 32+"
START = 1_000_000
SEATS: dict[str, list[dict[str, int]]] = {
    "nepal-super-baccarat": [{"player": 100, "tie": 100}],
    "la-paire": [{"card-A": 100, "red": 100}],
    "three-card-poker": [{"ante": 100, "pairplus": 100}],
    "blackjack-poker-pairs": [{"main": 100, "pairs": 100}, {"main": 200}],
    "pair-v3-6": [{"main": 100, "pair": 100}],
}


def load_example() -> Any:
    """The example wallet, as a module."""
    spec = importlib.util.spec_from_file_location("operator_wallet", ROOT / "examples/operator_wallet/wallet.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


example = load_example()


class Clock:
    """Time that can be put forward."""

    def __init__(self) -> None:
        self.ahead_ms = 0

    def __call__(self) -> int:
        return now_ms() + self.ahead_ms


class WalletPair:
    """A house that is open, with one operator behind it, and a player of that operator's."""

    def __init__(self, house: House, clock: Clock, wallet: Any, client: TestClient[Any]) -> None:
        self.house, self.clock, self.wallet, self.client = house, clock, wallet, client
        self.cashier = client.app.state.desk.bookkeeper.cashier
        self.token = ""

    # The player.

    def sign_in(self, token: str = "alice-token") -> dict[str, Any]:
        answer = self.client.post("/wallets/acme/sessions", json={"token": token})
        assert answer.status_code == 201, answer.text
        self.client.cookies.clear()
        self.token = answer.json()["token"]
        found: dict[str, Any] = answer.json()
        return found

    def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> tuple[int, dict[str, Any]]:
        headers = {"Authorization": f"Bearer {self.token}"}
        if key:
            headers["Idempotency-Key"] = key
        answer = self.client.request(method, path, json=body, headers=headers)
        return answer.status_code, answer.json()

    def sit(self, table: str) -> dict[str, Any]:
        status, seat = self.ask("POST", f"/tables/{table}/sit", {})
        assert status == 200, seat
        return seat

    def bet(self, table: str, key: str | None = None, seats: Any = None) -> tuple[int, dict[str, Any]]:
        body = {"table": table, "seats": seats or SEATS[table], "client_seed": "mine"}
        return self.ask("POST", "/rounds", body, key or secrets.token_hex(8))

    def choose(self, view: dict[str, Any], word: str, key: str | None = None) -> tuple[int, dict[str, Any]]:
        body = {"choice": word, "number": len(view["choices"])}
        return self.ask("POST", f"/rounds/{view['id']}/choices", body, key or secrets.token_hex(8))

    def open_until(self, table: str, option: str) -> dict[str, Any]:
        """Bet until a round asks, and this is one of the answers it takes."""
        while True:
            status, view = self.bet(table)
            assert status == 201, view
            while view["state"] == "open":
                if option in view["view"]["awaiting"]["options"]:
                    return view
                status, view = self.choose(view, view["view"]["awaiting"]["options"][-1])
                assert status == 200, view

    def balance(self) -> int:
        found: int = self.wallet.ledger.balance_of("alice")
        return found

    # The house.

    def rows(self, *columns: Any) -> list[tuple[Any, ...]]:
        with self.house.database.reading() as tx:
            return tx.all(select(*columns), {})

    def states(self) -> Counter[tuple[str, str]]:
        """How many calls of each kind are in each state."""
        return Counter((kind, state) for kind, state in self.rows(calls.c.kind, calls.c.state))

    def turn(self) -> None:
        """What the outbox does every second."""
        with self.client.portal() as portal:
            portal.call(self.cashier.outbox.turn, "acme")

    def recover(self) -> None:
        """Let time pass until nothing is left to tell."""
        for _ in range(10):
            self.clock.ahead_ms += 400_000
            self.turn()
            if not any(state in (SENT, DUE) for _, state in self.states()):
                return
        raise AssertionError(f"calls are left: {self.states()}")

    def check_law(self) -> None:
        """After recovery: nothing is open, round by round both sides moved the same money, and the books are clean."""
        self.recover()
        with self.house.database.reading() as tx:
            assert audit(tx, self.house.vault).difference is None
        found = self.rows(calls.c.id, calls.c.kind, calls.c.state)
        state_of = {call_id: state for call_id, _, state in found}
        for call_id, kind, state in found:
            assert state in ((DONE, REFUSED, UNKNOWN, UNDONE) if kind == "bet" else (DONE,)), (call_id, kind, state)
            if state in (UNKNOWN, UNDONE):
                assert state_of[rollback_id(call_id)] == DONE
        ours: Counter[str] = Counter()
        for key, round_id, debit, credit, amount in self.rows(
            transfers.c.key, transfers.c.round_id, transfers.c.debit, transfers.c.credit, transfers.c.amount
        ):  # transfers of live rounds name them in their keys
            ours[round_id or key.removeprefix("correction:").partition(":")[0]] += amount * (
                (credit == "operator:acme") - (debit == "operator:acme")
            )
        theirs: Counter[str] = Counter()
        for entry in self.wallet.ledger.entries():
            theirs[entry["round"]] += entry["change"]
        assert {r: n for r, n in ours.items() if n} == {r: n for r, n in theirs.items() if n}
        mine = [entry["change"] for entry in self.wallet.ledger.entries() if entry["player"] == "alice"]
        assert self.balance() - START == sum(mine)
        with self.house.database.reading() as tx:
            found_by_audit = audit(tx, self.house.vault)
        assert found_by_audit.difference is None
        assert found_by_audit.accounts["operators"] == sum(theirs.values())


def new_wallet(port: int = 0, ledger: Any = None) -> Any:
    """An example wallet that listens, with one player."""
    wallet = example.Wallet(ledger or example.Ledger(), SECRET.encode(), port)
    wallet.ledger.add_player("alice", "alice-token", START)
    wallet.start()
    return wallet


@contextmanager
def open_pair(
    url: str, wallet: Any, clock: Clock | None = None, environment: dict[str, str] | None = None
) -> Iterator[WalletPair]:
    """The house over a database, with this wallet as its operator `acme`."""
    time = clock or Clock()
    house = House(url, clock=time, vault=Vault(b"k" * 32))
    settings = read_settings([f"acme={wallet.url}"], environment or {"PAIRHOUSE_WALLET_SECRET_ACME": SECRET})
    app = build(house=house, jobs=False, throttle=Throttle({}), operators=Operators(settings))
    with TestClient(app) as client:
        yield WalletPair(house, time, wallet, client)
