"""People at the API: a guest who plays, and an office that runs the house."""

import secrets
from dataclasses import dataclass
from typing import Any

import httpx
import msgspec

from pairhouse.games.catalogue import find
from pairhouse.rounds.fairness import Proof, order_of
from pairhouse.rounds.round_log import faces

# One bet for each table that is open from the start; each may be put down again and again.
BETS: dict[str, list[dict[str, int]]] = {
    "blackjack-poker-pairs": [{"main": 1000, "pairs": 500}],
    "pair-v3-2": [{"main": 1000, "pair": 500}],
    "pair-v3-6": [{"main": 1000, "pair": 500}],
    "pair-v3-8": [{"main": 1000, "pair": 500}],
    "three-card-poker": [{"ante": 1000, "pairplus": 500}],
    "three-card-poker-progressive": [{"ante": 1000, "progressive": 100}],
    "nepal-super-baccarat": [{"banker": 1000, "tie": 500}],
    "la-paire": [{"card-A": 500, "red": 1000}],
}
ASKING = [table for table in BETS if "baccarat" not in table and table != "la-paire"]  # games with choices


def new_name() -> str:
    """A key, a name or a seed that nobody has used."""
    return secrets.token_hex(8)


@dataclass
class Guest:
    """A player with a session token."""

    client: Any
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, method: str, path: str, key: str | None = None, **what: Any) -> httpx.Response:
        headers = {**self.headers, **({"Idempotency-Key": key} if key else {}), **what.pop("headers", {})}
        answer: httpx.Response = self.client.request(method, path, headers=headers, **what)
        return answer

    def get(self, path: str, **query: Any) -> Any:
        answer = self.ask("GET", path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def me(self) -> Any:
        return self.get("/players/me")

    @property
    def balance(self) -> int:
        return int(self.me()["balance"])

    def sit(self, table: str) -> Any:
        answer = self.ask("POST", f"/tables/{table}/sit")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def bet(
        self, table: str, seats: list[dict[str, int]] | None = None, *, key: str | None = None, **more: Any
    ) -> httpx.Response:
        body = {"table": table, "seats": seats or BETS[table], "client_seed": "luck", **more}
        return self.ask("POST", "/rounds", key or new_name(), json=body)

    def choose(self, round_id: str, choice: str, number: int, key: str | None = None) -> httpx.Response:
        body = {"choice": choice, "number": number}
        return self.ask("POST", f"/rounds/{round_id}/choices", key or new_name(), json=body)

    def play(self, table: str, seats: list[dict[str, int]] | None = None, **more: Any) -> Any:
        """Sit down, bet, and always take the calmest choice, to the end; the closed round."""
        self.sit(table)
        answer = self.bet(table, seats, **more)
        assert answer.status_code == 201, answer.text
        return self.finish(answer.json())

    def finish(self, view: Any) -> Any:
        """Play an open round to its end."""
        while view["state"] == "open":
            answer = self.choose(view["id"], calmest(view["view"]["awaiting"]["options"]), len(view["choices"]))
            assert answer.status_code == 200, answer.text
            view = answer.json()
        return view

    def open(self, table: str, seats: list[dict[str, int]] | None = None) -> Any:
        """A round at this table that waits for a choice."""
        self.sit(table)
        while True:
            answer = self.bet(table, seats)
            assert answer.status_code == 201, answer.text
            if answer.json()["state"] == "open":
                return answer.json()


@dataclass
class Office:
    """An operator or administrator with an API key."""

    client: Any
    key: str
    key_id: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    def ask(self, method: str, path: str, **what: Any) -> httpx.Response:
        answer: httpx.Response = self.client.request(method, path, headers=self.headers, **what)
        return answer

    def do(self, method: str, path: str, **what: Any) -> Any:
        answer = self.ask(method, path, **what)
        assert answer.is_success, answer.text
        return answer.json()


def calmest(options: list[str]) -> str:
    """The choice that costs nothing and ends soonest."""
    return next((word for word in ("stand", "no-insurance", "fold", "no") if word in options), options[0])


def dealt_again(view: Any) -> list[str]:
    """The cards that the proof of a closed round leads to."""
    proof = msgspec.convert(view["proof"], Proof)
    order = order_of(proof, *find(proof.game).variant(view["log"]["options"]).pack)
    return faces(order[proof.first_card : proof.first_card + proof.cards_used])
