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
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

from litestar.testing import TestClient

from guests import Guest, calmest, new_name
from pairhouse.core.places import cache_root
from pairhouse.games.catalogue import find
from pairhouse.house.care.changes import SetLimit, change_care
from pairhouse.house.care.policy import NO_POLICY
from pairhouse.house.house import House
from pairhouse.house.people import new_key, password_hash
from pairhouse.house.staff import add_member
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.vault import Vault
from pairhouse.rounds import fairness
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.server.http.throttle import Rate, Throttle
from pairhouse.server.pricing.price_book import PriceBook
from pairhouse.server.processes.one_process import build
from wallet_pair import WalletPair, new_wallet, open_pair
from watched import be_watched

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
LONG = {"GET /texts", "GET /games", "GET /games/{game_id}", "GET /games/{game_id}/rules", "GET /tables", "GET /tables/{table_id}"} | {
    "GET /tables/{table_id}/charts", "GET /admin/tables", "GET /admin/events", "GET /admin/hold", "GET /admin/watch",
    "GET /admin/reports/{report}", "GET /pit/floor", "POST /admin/tables", "PATCH /admin/tables/{table_id}",
}  # fmt: skip
REPORT: dict[str, Any] = {"from": "2026-01-01", "to": "2035-12-31", "format": "json", "least": 100_000}
LIST_MAX, TEXT_MAX, KEYS_MAX = 2, 400, 64
Step = dict[str, Any]


def cut(value: Any) -> Any:
    """Long lists, maps and texts as far as an example needs them."""
    if isinstance(value, dict):
        return {name: cut(part) for name, part in list(value.items())[:KEYS_MAX]}
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
    tour.show(anybody, "GET /ready", 200)
    tour.show(anybody, "GET /games", 200)
    tour.show(anybody, "GET /games/{game_id}", 200, game_id="three-card-poker")
    tour.show(anybody, "GET /games/{game_id}", 404, game_id="roulette")
    tour.show(anybody, "GET /games/{game_id}/rules", 200, game_id="la-paire")
    tour.show(anybody, "GET /games/{game_id}/rules", 404, game_id="roulette")
    tour.show(anybody, "GET /texts", 200)
    tour.show(anybody, "GET /tables", 200, brief="true")
    tour.show(anybody, "GET /tables/{table_id}", 200, table_id="three-card-poker")
    tour.show(anybody, "GET /tables/{table_id}", 404, table_id="roulette")
    tour.show(anybody, "GET /tables/{table_id}/charts", 200, table_id="three-card-poker")
    tour.show(anybody, "GET /tables/{table_id}/charts", 404, table_id="roulette")
    tour.show(anybody, "GET /tables/{table_id}/drills", 200, table_id="la-paire")
    tour.show(anybody, "GET /tables/{table_id}/drills", 404, table_id="roulette")


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
    change = {"password": ADA["password"], "new_password": "a longer sentence"}
    tour.show(named, "POST /players/me/account", 409, {**ADA, "name": "lovelace"})
    tour.show(named, "POST /players/me/password", 403, {**change, "password": "another sentence"})
    tour.show(named, "POST /players/me/password", 204, change)
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
    folded = guest.play("three-card-poker-progressive")["id"]
    tour.show(guest, "GET /rounds/{round_id}/review", 200, round_id=folded)
    tour.show(guest, "GET /rounds/{round_id}/review", 409, round_id=waiting["id"])
    tour.show(guest, "GET /rounds/{round_id}/review", 404, round_id="0" * 26)
    time = {"since": "2020-01-01T00:00:00Z", "until": "2100-01-01T00:00:00Z"}
    tour.show(guest, "GET /players/me/statistics", 200, game="la-paire", **time)
    tour.show(guest, "GET /players/me/statistics", 400, since="yesterday")
    tour.show(guest, "GET /players/me/rounds.csv", 200, game="la-paire", **time)
    tour.show(guest, "GET /players/me/rounds.csv", 400, until="tomorrow")
    page: dict[str, Any] = {"game": "la-paire", "table": "la-paire", "before": waiting["id"], "limit": 20, **time}
    tour.show(guest, "GET /players/me/rounds", 200, **page)
    tour.show(guest, "GET /players/me/rounds", 400, limit=0)
    tour.show(guest, "POST /tables/{table_id}/seed", 200, {}, table_id="la-paire")
    tour.show(guest, "POST /tables/{table_id}/seed", 409, {}, table_id="pair-v3-2")
    tour.show(guest, "GET /players/me/seeds", 200, table="la-paire")
    tour.show(Stranger(guest.client), "GET /players/me/seeds", 401)
    tour.show(guest, "POST /players/me/play-money", 409, {}, key="more-money-1")
    return str(waiting["id"])


def look_after_oneself(tour: Tour, pair: WalletPair) -> None:
    """A guest who sets limits, is reminded, takes a break and goes away for long."""
    client, limit = pair.client, "PUT /players/me/limits/{kind}/{period}"
    guest = Guest(client, client.post("/guests").json()["token"])
    client.cookies.clear()
    tour.show(Stranger(client), "GET /policy", 200)
    loss = {"kind": "loss", "period": "day"}
    tour.show(guest, limit, 200, {"limit": 5000}, **loss)
    tour.show(guest, limit, 404, {"limit": 5000}, kind="luck", period="day")
    tour.show(guest, limit, 200, {"limit": 20000}, **loss)
    confirm = "POST /players/me/limits/{kind}/{period}/confirm"
    tour.show(guest, confirm, 409, {}, **loss)
    player, before = guest.me()["id"], pair.house.clock() - 25 * 3_600_000
    asked = SetLimit("stake", "day", 500), SetLimit("stake", "day", 90_000)
    for change in asked:  # a day ago
        pair.house.do(partial(_change_at, before, player, change))
    tour.show(guest, confirm, 200, {}, kind="stake", period="day")
    tour.show(guest, "PUT /players/me/reminder", 200, {"minutes": 30})
    tour.show(guest, "PUT /players/me/reminder", 400, {"minutes": 1})
    tour.show(guest, "POST /players/me/reminder/seen", 200, {})
    tour.show(guest, "POST /players/me/break", 200, {"hours": 48})
    tour.show(guest, "POST /players/me/break", 409, {"hours": 1})
    tour.show(guest, "POST /players/me/self-exclusion", 200, {"months": 6, "sure": True})
    tour.show(guest, "POST /players/me/self-exclusion", 400, {"months": 6})
    client.cookies.clear()
    tour.show(guest, "GET /players/me/care", 200)
    tour.show(Stranger(client), "GET /players/me/care", 401)
    tour.show(Stranger(client), "POST /players/me/reminder/seen", 401, {})


def _change_at(now: int, player: str, change: SetLimit, tx: WriteTx) -> None:
    tx.now = now
    change_care(tx, NO_POLICY, player, change)


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
    tour.show(guest, "POST /players/me/account", 200, {**ADA, "name": "grace"})


def run_the_house(tour: Tour, client: Any, key: str, waiting: str, guest: Guest) -> None:
    """What the office does."""
    office, player = Guest(client, key), guest.me()["id"]
    stranger = Guest(client, "not a key")
    tour.show(office, "GET /admin/hold", 200)
    tour.show(office, "GET /admin/tables", 200)
    tour.show(office, "GET /admin/wallet-calls", 200)
    tour.show(office, "GET /admin/reports/{report}", 200, report="tables", **REPORT)
    tour.show(office, "GET /admin/reports/{report}", 404, report="weather")
    step = tour.show(office, "GET /admin/watch", 200)["steps"][0]["id"]
    tour.show(office, "POST /admin/watch/{step_id}/lift", 200, step_id=step)
    tour.show(office, "POST /admin/watch/{step_id}/lift", 409, step_id=step)
    free = {"player": player, "amount": 2000, "days": 7, "games": ["nepal-super-baccarat"]}
    given = tour.show(office, "POST /admin/free-bets", 201, free, key="welcome-offer-1")["id"]
    tour.show(office, "POST /admin/free-bets", 409, {**free, "amount": 3000}, key="welcome-offer-1")
    tour.show(office, "POST /admin/free-bets/{free_bet}/withdraw", 200, free_bet=given)
    tour.show(office, "POST /admin/free-bets/{free_bet}/withdraw", 404, free_bet="0" * 26)
    for path in ("hold", "tables", "wallet-calls", "events", "watch"):
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
    client.request("PATCH", f"/admin/players/{player}", json={"status": "active"}, headers=office.headers)
    tour.show(guest, "GET /players/me/notices", 200)
    tour.show(Stranger(client), "GET /players/me/notices", 401)
    chains = client.request("GET", "/admin/events", headers=office.headers).json()["chains"]
    longest = max(chains, key=lambda one: one["events"])
    tour.show(office, "GET /admin/events", 200, chain=longest["chain"], after=longest["events"] - 1)
    tour.show(Stranger(client), "GET /metrics", 200)


def play_together(tour: Tour, client: Any, key: str, anna: Guest) -> None:
    """A live table: made by the office, played at by a guest, watched by a stranger."""
    office, here = Guest(client, key), {"table_id": "pair-v3-6"}
    clock = {"seats": 7, "pause": 60_000}
    tour.show(anna, "POST /tables/{table_id}/live/seat", 404, {}, key="seat-none-1", table_id="pair-v3-2")
    tour.show(office, "PUT /admin/tables/{table_id}/live", 200, clock, **here)
    tour.show(office, "PUT /admin/tables/{table_id}/live", 409, clock, **here)
    bet = {"stakes": {"main": 1000, "pair": 500}, "seed": seed_commitment("seed of anna")}
    tour.show(anna, "PUT /tables/{table_id}/live/bet", 409, bet, key="live-bet-0", **here)
    tour.show(anna, "POST /tables/{table_id}/live/seat", 200, {"seat": 3}, key="live-seat-1", **here)
    tour.show(Stranger(client), "GET /live", 200)
    tour.show(anna, "POST /live", 201, {"like": here["table_id"]})
    tour.show(anna, "POST /live", 404, {"like": "la-paire"})
    tour.show(anna, "POST /tables/{table_id}/live/ready", 422, key="live-ready-0", **here)
    tour.show(anna, "PUT /tables/{table_id}/live/bet", 200, bet, key="live-bet-1", **here)
    tour.show(anna, "POST /tables/{table_id}/live/ready", 200, key="live-ready-1", **here)
    tour.show(anna, "POST /tables/{table_id}/live/seed", 422, {"seed": "another"}, key="live-seed-0", **here)
    tour.show(anna, "POST /tables/{table_id}/live/seed", 200, {"seed": "seed of anna"}, key="live-seed-1", **here)
    tour.show(anna, "GET /tables/{table_id}/live", 200, **here)
    tour.show(anna, "GET /tables/{table_id}/live", 404, table_id="la-paire")
    tour.show(anna, "GET /tables/{table_id}/live/results", 200, **here)
    tour.show(anna, "GET /tables/{table_id}/live/results", 404, table_id="la-paire")
    tour.show(
        anna, "POST /tables/{table_id}/live/choices", 409, {"choice": "hit", "number": 9}, key="live-c-00", **here
    )
    exposed = {"card": 1, "reason": "it fell"}
    tour.show(office, "POST /admin/tables/{table_id}/live/exposed", 200, exposed, **here)
    stand = {"choice": "stand", "number": 0}
    tour.show(anna, "POST /tables/{table_id}/live/choices", 200, stand, key="live-c-01", **here)
    closed = anna.ask("GET", "/tables/pair-v3-6/live").json()["view"]["round_id"]
    tour.show(anna, "GET /live/rounds/{round_id}", 200, round_id=closed)
    tour.show(anna, "GET /live/rounds/{round_id}", 404, round_id="0" * 26)
    tour.show(anna, "DELETE /tables/{table_id}/live/seat", 200, key="live-leave-1", **here)
    tour.show(anna, "DELETE /tables/{table_id}/live/seat", 409, key="live-ready-1", **here)
    tour.show(office, "POST /admin/tables/{table_id}/live/exposed", 422, exposed, **here)
    misdeal = {"reason": "misdeal", "cards": 5}
    tour.show(office, "POST /admin/tables/{table_id}/live/void", 409, misdeal, **here)
    there = {"table_id": "pair-v3-8"}
    tour.show(office, "PUT /admin/tables/{table_id}/live", 200, clock, **there)
    tour.show(office, "POST /admin/tables/{table_id}/live/void", 200, misdeal, **there)
    void = anna.ask("GET", "/tables/pair-v3-8/live").json()["view"]["round_id"]
    tour.show(anna, "GET /live/rounds/{round_id}", 409, round_id=void)


def lead_the_floor(tour: Tour, pair: WalletPair, closed: str) -> None:
    """What a supervisor does in the pit."""
    pair.house.do(lambda tx: add_member(tx, "Anna", "supervisor", password_hash(ADA["password"])))
    door = Stranger(pair.client)
    tour.show(door, "POST /pit/sessions", 401, {"name": "Anna", "password": "another sentence"})
    shift = tour.show(door, "POST /pit/sessions", 201, {"name": "Anna", "password": ADA["password"]})
    anna = Guest(pair.client, shift["token"])
    tour.show(anna, "GET /pit/floor", 200, find="ada")
    tour.show(door, "GET /pit/floor", 401)
    tour.show(anna, "GET /pit/shoes", 200)
    tour.show(door, "GET /pit/shoes", 401)
    correct = {"act": "correct-round", "round": closed, "reason": "the deck was short"}
    tour.show(anna, "POST /pit/acts", 200, correct)
    tour.show(anna, "POST /pit/acts", 409, correct)
    tour.show(anna, "POST /pit/acts", 404, {**correct, "round": "0" * 26})
    tour.show(anna, "POST /pit/acts", 422, {"act": "close-table", "reason": "a spilt drink"})
    tour.show(anna, "DELETE /pit/sessions", 204)
    tour.show(anna, "DELETE /pit/sessions", 401)


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
        tour.show(Stranger(client), "GET /texts", 429)
        tour.show(Stranger(client), "GET /tables", 429)
        tour.show(Stranger(client), "GET /live", 429)
        tour.show(Stranger(client), "GET /policy", 429)
        tour.show(Stranger(client), "GET /ready", 429)
    house = House(f"sqlite:///{folder / 'lost.db'}", vault=Vault(b"k" * 32))
    with TestClient(build(house=house, jobs=False), raise_server_exceptions=False) as client:
        for left in folder.glob("lost.db*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        (folder / "lost.db").mkdir()
        tour.show(Stranger(client), "GET /tables", 503)
        tour.show(Stranger(client), "GET /seal", 503)


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
        pair.house.log.turn()
        tour.show(guest, "GET /rounds/{round_id}", 200, round_id=guest.get("/players/me/rounds")["rounds"][-1]["id"])
        tour.show(Stranger(pair.client), "GET /seal", 200)
        run_out(tour, Guest(pair.client, pair.client.post("/guests").json()["token"]))
        pair.client.cookies.clear()
        look_after_oneself(tour, pair)
        leave_a_bet_unknown(pair)
        key = pair.house.do(lambda tx: new_key(tx, f"office {new_name()}", "admin"))[1]
        closed = next(one for one in guest.get("/players/me/rounds")["rounds"] if one["state"] == "settled")
        play_together(tour, pair.client, key, guest)
        lead_the_floor(tour, pair, closed["id"])
        be_watched(pair.house, guest.me()["id"])
        run_the_house(tour, pair.client, key, waiting, guest)
        too_often(tour, folder)
    wallet.stop()
    return tour


def main() -> None:
    os.environ["PAIRHOUSE_MIN_ROUND_TIME"] = "0"  # as all tests have it
    with tempfile.TemporaryDirectory() as folder:
        steps = visit(Path(folder)).steps
    FILE.write_text(json.dumps(steps, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
