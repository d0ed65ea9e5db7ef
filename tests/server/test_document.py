"""The OpenAPI document is complete and true: descriptions, examples that run, errors, rights, codes."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from api_house import Open
from guests import BETS, Guest, Office, new_name
from pairhouse.server.http.errors import STATUS_OF, WORDS_OF
from routes import BY_NAME, DOCUMENT, OPERATIONS, Operation
from watched import be_watched

INTERNAL = {"new-key"}  # asked with and answered inside the house, never told to anybody
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_everything_is_described(operation: Operation) -> None:
    told = operation.told
    assert told["description"].endswith((".", "`"))
    assert told["tags"]
    assert "security" in told or operation.path == "/metrics"
    for name, one in operation.parameters.items():
        assert one["description"].endswith("."), name
        assert "example" in one, name
        assert one["schema"].get("type"), name
    if "requestBody" in told:
        assert told["requestBody"]["description"].endswith(".")
        assert "example" in told["requestBody"]["content"]["application/json"]
    for status, response in told["responses"].items():
        assert response["description"], status
        if status >= "400":
            schema = response["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Problem"}


def test_every_model_is_described_and_every_reference_leads_somewhere() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    text = str(DOCUMENT)
    for name in re.findall(r"#/components/schemas/(\w+)", text):
        assert name in schemas
    for name, schema in schemas.items():
        assert schema.get("description"), f"{name} says nothing"
    given = {"NewRound", "NewChoice", "Credentials", "NewTable", "TableChange", "LimitsChange", "VoidOrder", "Nothing"}
    assert all(schemas[name]["additionalProperties"] is False for name in given)


def test_operations_have_names_of_their_own() -> None:
    names = [one.told["operationId"] for one in OPERATIONS]
    assert len(set(names)) == len(names)


def test_the_server_gives_this_very_document(sqlite_house: Open) -> None:
    answer = sqlite_house.client.get("/openapi.json")
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.json() == json.loads(json.dumps(DOCUMENT))  # JSON knows no tuples


def setting(house: Open, operation: Operation) -> tuple[dict[str, str], dict[str, Any]]:
    """Who asks, and the things a request needs: a seat, a round, a player."""
    office, guest = house.office(), house.guest()
    for table in ("la-paire", "three-card-poker"):
        guest.sit(table)
    given: dict[str, Any] = {"player_id": house.guest().me()["id"], "Idempotency-Key": new_name()}
    if "round_id" in operation.parameters:
        given["round_id"] = round_for(guest, operation)
    if operation.name == "POST /players/me/password":
        account = {"name": f"ada-{new_name()}", "password": operation.request()["json"]["password"]}
        guest.ask("POST", "/players/me/account", json=account)
    if "/free-bets" in operation.path:
        given |= free_bet_of(house, given["player_id"])
    if "step_id" in operation.parameters:
        be_watched(house.house, given["player_id"])
        given["step_id"] = office.do("GET", "/admin/watch")["steps"][0]["id"]
    if operation.path.endswith("/confirm"):  # a raise that has waited for a day
        guest = raised(house)
        given |= {"kind": "stake", "period": "day"}
    if operation.name == "POST /players/me/play-money":
        while guest.balance >= 10_000:
            guest.bet("la-paire", [{"card-A": min(50_000, guest.balance // 1000 * 1000)}])
    return (office.headers if "key" in operation.schemes else guest.headers), given


def round_for(guest: Guest, operation: Operation) -> str:
    """A round that is over, one that waits for a choice, or an open one."""
    if operation.name in ("GET /rounds/{round_id}/replay", "GET /rounds/{round_id}/review"):
        return str(guest.play("la-paire")["id"])
    if operation.name == "POST /rounds/{round_id}/choices":
        return waiting(guest)
    return str(guest.open("three-card-poker")["id"])


def free_bet_of(house: Open, player: str) -> dict[str, Any]:
    """A free bet of a player, and the player as the body of a grant names them."""
    headers = {**house.office().headers, "Idempotency-Key": new_name()}
    free = {"player": player, "amount": 2000, "days": 7}
    return {
        "body": {"player": player},
        "free_bet": house.client.post("/admin/free-bets", json=free, headers=headers).json()["id"],
    }


def raised(house: Open) -> Guest:
    """A player who asked for a higher limit a day ago."""
    account = {"name": f"n{new_name()}", "password": "a long sentence"}
    guest = Guest(house.client, house.client.post("/players", json=account).json()["token"])
    for limit in (500, 90_000):
        guest.ask("PUT", "/players/me/limits/stake/day", json={"limit": limit})
    house.clock.pass_minutes(24 * 60)
    return Guest(house.client, house.client.post("/sessions", json=account).json()["token"])


def waiting(guest: Guest) -> str:
    """A round that asks whether to stand, first of all."""
    while True:
        view = guest.open("blackjack-poker-pairs", [{"main": 100}])
        if "stand" in view["view"]["awaiting"]["options"]:
            return str(view["id"])
        guest.finish(view)


def test_every_example_runs(own_house: Open) -> None:
    order = sorted(OPERATIONS, key=lambda one: (one.path.startswith("/admin"), one.path == "/sessions", one.method))
    for operation in order:
        if "/live" in operation.path and operation.name != "GET /live":  # they need a round that runs: see test_live.py
            continue
        if operation.path.startswith("/pit"):  # they need somebody of the staff: see test_pit_api.py
            continue
        headers, given = setting(own_house, operation)
        what = operation.request(**given)
        what["headers"] |= headers
        answer = own_house.client.request(**what)
        if operation.name == "POST /wallets/{wallet}/sessions":  # no operator is connected here
            assert answer.json()["code"] == "unknown-wallet"
            continue
        assert answer.is_success, (operation.name, answer.text)
        if operation.path.startswith("/admin") and operation.method == "PATCH":
            undo(own_house.office(), operation)


def undo(office: Office, operation: Operation) -> None:
    """Open again what the example closed."""
    for path in ("/admin/tables/la-paire", "/admin/games/la-paire"):
        office.do("PATCH", path, json={"status": "open"})


def test_with_query_parameters_too(sqlite_house: Open) -> None:
    for name, caller in (
        ("GET /players/me/rounds", sqlite_house.guest()),
        ("GET /players/me/seeds", sqlite_house.guest()),
    ):
        operation = BY_NAME[name]
        query = {one: told["example"] for one, told in operation.parameters.items()}
        assert caller.ask("GET", operation.path, params=query).status_code == 200
    events = BY_NAME["GET /admin/events"]
    query = {one: told["example"] for one, told in events.parameters.items()}
    assert sqlite_house.office().ask("GET", events.path, params=query).status_code == 200
    assert BETS


def codes_in_source() -> set[str]:
    """Every code a refusal of the house, its games or its server can carry."""
    found = {*STATUS_OF, *WORDS_OF.values(), "broken", "books-unavailable"}
    for part in ("core", "games", "machines", "rounds", "house", "server"):
        for file in (ROOT / "src/pairhouse" / part).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                    first = node.args[0].value
                    if (
                        name in ("Refused", "__init__")
                        and isinstance(first, str)
                        and re.fullmatch(r"[a-z0-9-]+", first)
                    ):
                        found.add(first)
                    if name == "unknown" and isinstance(first, str):
                        found.add(f"unknown-{first.replace(' ', '-')}")
    return found - INTERNAL


def documented() -> dict[str, str]:
    """The table of codes in the guide: code -> status."""
    guide = (ROOT / "docs/api.md").read_text().split("## Errors")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `([a-z0-9-]+)` \| (\d+|-) \|", guide, re.MULTILINE))


def test_every_code_is_documented_with_its_status() -> None:
    told = documented()
    assert set(told) == codes_in_source()
    by_word = {code: status for status, code in WORDS_OF.items()} | {"broken": 500, "books-unavailable": 503}
    for code, status in told.items():
        assert status in ("-", str(by_word.get(code, STATUS_OF.get(code, 422)))), code
