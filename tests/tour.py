"""A visit to the whole house: every route asked once as it should be, and once so that it refuses.

`python tests/tour.py` writes down what was sent and what came back; the OpenAPI document takes its examples from there.
"""

import asyncio
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

from litestar.testing import TestClient

from guests import Guest, calmest, new_name
from pairhouse.core.places import cache_root
from pairhouse.games.catalogue import find
from pairhouse.house.house import House
from pairhouse.house.people import new_key
from pairhouse.house.vault import Vault
from pairhouse.rounds import fairness
from pairhouse.server.http.throttle import Rate, Throttle
from pairhouse.server.one_process import build
from pairhouse.server.pricing.price_book import PriceBook
from wallet_pair import WalletPair, new_wallet, open_pair

FILE = Path(__file__).parents[1] / "src/pairhouse/server/http/openapi_examples.json"
ADA = {"name": "ada", "password": "a long sentence"}
BET = {"table": "la-paire", "wagers": {"card-A": 500, "red": 500}, "client_seed": "a word of mine"}
NEW_TABLE = {
    "id": "high-cards",
    "name": "High cards",
    "game": "three-card-poker",
    "options": {"progressive": False},
    "limits": {"minimum": 500, "maximum": 100000, "unit": 500, "chips": [500, 2500]},
    "advice": False,
}
LONG = {"GET /games", "GET /games/{game_id}", "GET /games/{game_id}/rules", "GET /tables", "GET /tables/{table_id}"} | {
    "GET /tables/{table_id}/charts", "GET /admin/tables", "GET /admin/events", "GET /admin/hold",
    "POST /admin/tables", "PATCH /admin/tables/{table_id}",
}  # fmt: skip
LIST_MAX, TEXT_MAX = 2, 400
Step = dict[str, Any]


def cut(value: Any) -> Any:
    """Long lists and texts as far as an example needs them."""
    if isinstance(value, dict):
        return {name: cut(part) for name, part in value.items()}
    if isinstance(value, list):
        return [cut(part) for part in value[:LIST_MAX]]
    return f"{value[:TEXT_MAX]} ..." if isinstance(value, str) and len(value) > TEXT_MAX else value


class Tour:
    """Asks, and writes down."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.answers: list[Any] = []  # of the same steps, nothing cut

    def show(self, who: Any, operation: str, status: int, body: Any = None, key: str = "", **given: Any) -> Any:
        """Ask as somebody; what is given fills the path, and the rest of it is the query."""
        method, path = operation.split(" ")
        in_path = {name: value for name, value in given.items() if "{" + name + "}" in path}
        query = {name: value for name, value in given.items() if name not in in_path}
        headers = {"Idempotency-Key": key} if key else {}
        what: Any = {"params": query, "headers": {**getattr(who, "headers", {}), **headers}}
        if body is not None:
            what["json"] = body
        answer = who.client.request(method, path.format(**in_path), **what)
        assert answer.status_code == status, (operation, answer.status_code, answer.text)
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        told = answer.json() if is_json else "\n".join(answer.text.split("\n")[:2]) or None
        self.answers.append(told)
        shown = cut(told) if operation in LONG else told
        step = {"operation": operation, "status": status, "path": in_path, "query": query, "headers": headers}
        self.steps.append({**step, "body": body, "answer": shown})
        return told


class Stranger:
    """Somebody without a session or a key."""

    def __init__(self, client: Any) -> None:
        self.client = client


def look_around(tour: Tour, client: Any) -> None:
    """What anybody may see."""
    anybody = Stranger(client)
    tour.show(anybody, "GET /health", 200)
    tour.show(anybody, "GET /games", 200)
    tour.show(anybody, "GET /games/{game_id}", 200, game_id="three-card-poker")
    tour.show(anybody, "GET /games/{game_id}", 404, game_id="roulette")
    tour.show(anybody, "GET /games/{game_id}/rules", 200, game_id="la-paire")
    tour.show(anybody, "GET /games/{game_id}/rules", 404, game_id="roulette")
    tour.show(anybody, "GET /tables", 200)
    tour.show(anybody, "GET /tables/{table_id}", 200, table_id="three-card-poker")
    tour.show(anybody, "GET /tables/{table_id}", 404, table_id="roulette")
    tour.show(anybody, "GET /tables/{table_id}/charts", 200, table_id="three-card-poker")
    tour.show(anybody, "GET /tables/{table_id}/charts", 404, table_id="roulette")


def come_in(tour: Tour, pair: WalletPair) -> Guest:
    """Every way to a session."""
    client, anybody = pair.client, Stranger(pair.client)
    guest = Guest(client, tour.show(anybody, "POST /guests", 201, {})["token"])
    client.cookies.clear()
    tour.show(anybody, "POST /guests", 400, {"name": "ada"})
    tour.show(anybody, "POST /players", 201, ADA)
    client.cookies.clear()
    tour.show(anybody, "POST /players", 409, ADA)
    named = Guest(client, tour.show(anybody, "POST /sessions", 201, ADA)["token"])
    client.cookies.clear()
    tour.show(anybody, "POST /sessions", 401, {**ADA, "password": "another sentence"})
    tour.show(named, "DELETE /sessions", 204)
    tour.show(named, "DELETE /sessions", 401)
    tour.show(named, "GET /players/me", 401)
    for _ in range(20):  # on a busy machine the operator's wallet may still be waking up
        if client.post("/wallets/acme/sessions", json={"token": "alice-token"}).status_code == 201:
            break
    client.cookies.clear()
    pair.token = tour.show(anybody, "POST /wallets/{wallet}/sessions", 201, {"token": "alice-token"}, wallet="acme")[
        "token"
    ]
    client.cookies.clear()
    tour.show(anybody, "POST /wallets/{wallet}/sessions", 404, {"token": "alice-token"}, wallet="other")
    return guest


def play(tour: Tour, guest: Guest) -> str:
    """Seats, bets, choices, history; the round that is left open."""
    tour.show(guest, "POST /tables/{table_id}/sit", 200, {}, table_id="la-paire")
    tour.show(guest, "POST /tables/{table_id}/sit", 404, {}, table_id="roulette")
    settled = tour.show(guest, "POST /rounds", 201, BET, key="first-bet-1")
    tour.show(
        guest,
        "POST /rounds",
        402,
        {**BET, "wagers": {"card-A": 50_000, "red": 50_000, "black": 50_000}},
        key="first-bet-2",
    )
    tour.show(guest, "POST /rounds", 422, {**BET, "wagers": {"red": 500}}, key="first-bet-3")
    tour.show(guest, "GET /rounds/{round_id}/replay", 200, round_id=settled["id"])
    guest.sit("three-card-poker")
    waiting = guest.bet("three-card-poker", [{"ante": 1000, "pairplus": 500}]).json()
    tour.show(guest, "GET /rounds/{round_id}", 200, round_id=waiting["id"])
    tour.show(guest, "GET /rounds/{round_id}", 404, round_id="0" * 26)
    tour.show(guest, "GET /rounds/{round_id}/replay", 404, round_id="0" * 26)
    tour.show(guest, "GET /rounds/{round_id}/advice", 200, round_id=waiting["id"])
    tour.show(guest, "GET /rounds/{round_id}/advice", 409, round_id=settled["id"])
    asking = stand_or_not(guest)
    choice = {"choice": "stand", "number": 0}
    tour.show(guest, "POST /rounds/{round_id}/choices", 200, choice, key="first-choice-1", round_id=asking)
    choice = {"choice": "hit", "number": 0}
    tour.show(guest, "POST /rounds/{round_id}/choices", 409, choice, key="first-choice-2", round_id=asking)
    tour.show(guest, "GET /players/me", 200)
    page = {"game": "la-paire", "table": "la-paire", "before": waiting["id"], "limit": 20}
    tour.show(guest, "GET /players/me/rounds", 200, **page)
    tour.show(guest, "GET /players/me/rounds", 400, limit=0)
    tour.show(guest, "POST /tables/{table_id}/seed", 200, {}, table_id="la-paire")
    tour.show(guest, "POST /tables/{table_id}/seed", 409, {}, table_id="pair-v3-2")
    tour.show(guest, "GET /players/me/seeds", 200, table="la-paire")
    tour.show(Stranger(guest.client), "GET /players/me/seeds", 401)
    tour.show(guest, "POST /players/me/play-money", 409, {}, key="more-money-1")
    return str(waiting["id"])


def stand_or_not(guest: Guest) -> str:
    """A round that asks whether to stand, first of all."""
    guest.sit("blackjack-poker-pairs")
    for number in count():
        view = guest.bet("blackjack-poker-pairs", [{"main": 500}], client_seed=f"cards {number}").json()
        if view["state"] == "open" and "stand" in view["view"]["awaiting"]["options"]:
            return str(view["id"])
        while view["state"] == "open":
            view = guest.choose(view["id"], calmest(view["view"]["awaiting"]["options"]), len(view["choices"])).json()
    raise AssertionError


def run_out(tour: Tour, guest: Guest) -> None:
    """A guest who loses nearly everything, and asks for more."""
    guest.sit("la-paire")
    while guest.balance >= 10_000:
        stake = min(50_000, guest.balance // 1000 * 1000)
        assert guest.bet("la-paire", [{"card-joker": stake}], client_seed="all of it").status_code == 201
    tour.show(guest, "POST /players/me/play-money", 200, {}, key="more-money-2")


def run_the_house(tour: Tour, client: Any, key: str, waiting: str, player: str) -> None:
    """What the office does."""
    office = Guest(client, key)
    stranger = Guest(client, "not a key")
    tour.show(office, "GET /admin/hold", 200)
    tour.show(office, "GET /admin/tables", 200)
    tour.show(office, "GET /admin/wallet-calls", 200)
    for path in ("hold", "tables", "wallet-calls", "events"):
        tour.show(stranger, f"GET /admin/{path}", 401)
    tour.show(office, "POST /admin/tables", 201, NEW_TABLE)
    tour.show(office, "POST /admin/tables", 409, NEW_TABLE)
    change = {"status": "closed", "limits": {"maximum": 20000}}
    tour.show(office, "PATCH /admin/tables/{table_id}", 200, change, table_id="la-paire")
    tour.show(office, "PATCH /admin/tables/{table_id}", 404, change, table_id="roulette")
    tour.show(office, "PATCH /admin/games/{game_id}", 200, {"status": "closed"}, game_id="la-paire")
    tour.show(office, "PATCH /admin/games/{game_id}", 404, {"status": "closed"}, game_id="roulette")
    tour.show(office, "PATCH /admin/players/{player_id}", 200, {"status": "disabled"}, player_id=player)
    tour.show(office, "PATCH /admin/players/{player_id}", 404, {"status": "disabled"}, player_id="0" * 26)
    void = {"reason": "malfunction"}
    tour.show(office, "POST /admin/rounds/{round_id}/void", 200, void, round_id=waiting)
    tour.show(office, "POST /admin/rounds/{round_id}/void", 409, void, round_id=waiting)
    chains = client.request("GET", "/admin/events", headers=office.headers).json()["chains"]
    longest = max(chains, key=lambda one: one["events"])
    tour.show(office, "GET /admin/events", 200, chain=longest["chain"], after=longest["events"] - 1)
    tour.show(Stranger(client), "GET /metrics", 200)


def leave_a_bet_unknown(pair: WalletPair) -> None:
    """The operator's wallet fails at a bet: what it is to be told stays on the list of calls."""
    pair.sit("la-paire")
    pair.wallet.trouble("bet", "fail")
    pair.wallet.trouble("rollback", "fail", 20)
    status, told = pair.bet("la-paire", "unknown-bet-1")
    assert (status, told["code"]) == (503, "wallet-unknown")


def too_often(tour: Tour, folder: Path) -> None:
    """A house that hears too much from one address, and one whose books are gone."""
    house = House(f"sqlite:///{folder / 'crowded.db'}", vault=Vault(b"k" * 32))
    with TestClient(build(house=house, jobs=False, throttle=Throttle({"public": Rate(1, 0.0)}))) as client:
        client.get("/games")
        tour.show(Stranger(client), "GET /games", 429)
        tour.show(Stranger(client), "GET /tables", 429)
    house = House(f"sqlite:///{folder / 'lost.db'}", vault=Vault(b"k" * 32))
    with TestClient(build(house=house, jobs=False), raise_server_exceptions=False) as client:
        for file in folder.glob("lost.db*"):
            file.unlink()
        (folder / "lost.db").mkdir()
        tour.show(Stranger(client), "GET /health", 503)


@contextmanager
def known_cards(folder: Path) -> Iterator[None]:
    """Server seeds that are the same on every visit, and one table's prices counted; the others' are still to come."""
    numbers = count()
    variant = find("three-card-poker").variant({"progressive": False})
    asyncio.run(PriceBook().fill([variant]))
    sheets = folder / "cache" / "par"
    sheets.mkdir(parents=True)
    for sheet in (cache_root() / "par").glob(f"{variant.rules_hash}-*.json"):
        shutil.copy(sheet, sheets)
    for kept in cache_root().iterdir():  # what was compiled and counted before is not prices
        if kept.name != "par":
            (folder / "cache" / kept.name).symlink_to(kept)

    def seed() -> bytes:
        return hashlib.sha256(f"visit {next(numbers)}".encode()).digest()

    takers = [module for module in list(sys.modules.values()) if getattr(module, "new_seed", None) is fairness.new_seed]
    with ExitStack() as stack:
        for module in takers:
            stack.enter_context(mock.patch.object(module, "new_seed", seed))
        stack.enter_context(mock.patch.dict(os.environ, {"PAIRHOUSE_CACHE": str(folder / "cache")}))
        yield


def visit(folder: Path) -> Tour:
    """Go through the whole house."""
    tour, wallet = Tour(), new_wallet()
    with known_cards(folder), open_pair(f"sqlite:///{folder / 'house.db'}", wallet) as pair:
        look_around(tour, pair.client)
        guest = come_in(tour, pair)
        waiting = play(tour, guest)
        run_out(tour, Guest(pair.client, pair.client.post("/guests").json()["token"]))
        pair.client.cookies.clear()
        leave_a_bet_unknown(pair)
        key = pair.house.do(lambda tx: new_key(tx, f"office {new_name()}", "admin"))[1]
        run_the_house(tour, pair.client, key, waiting, guest.me()["id"])
        too_often(tour, folder)
    wallet.stop()
    return tour


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        steps = visit(Path(folder)).steps
    FILE.write_text(json.dumps(steps, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
