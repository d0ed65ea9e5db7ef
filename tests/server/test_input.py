"""Strange input: it is refused in a sentence, changes nothing, and breaks nothing."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from api_house import Open, open_house
from guests import Guest, new_name
from pairhouse.server.http.callers import BODY_MAX_BYTES
from pairhouse.server.http.throttle import Rate, Throttle

BET = '{"table":"la-paire","wagers":{"card-A":500},"client_seed":"luck"}'
STRANGE = {
    "no JSON": b"{",
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "a number": b"7",
    "not UTF-8": b'{"table":"\xff\xfe"}',
    "a lone surrogate": rb'{"table":"la-paire","wagers":{"card-A":500},"client_seed":"\ud800"}',
    "deep": b'{"table":' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "deep object": b'{"table":' * 5_000 + b"1" + b"}" * 5_000,
    "NaN": BET.replace("500", "NaN").encode(),
    "Infinity": BET.replace("500", "Infinity").encode(),
    "a fraction": BET.replace("500", "500.5").encode(),
    "text for a number": BET.replace("500", '"500"').encode(),
    "true for a number": BET.replace("500", "true").encode(),
    "negative": BET.replace("500", "-500").encode(),
    "past 64 bits": BET.replace("500", "9" * 40).encode(),
    "10 ** 400": BET.replace("500", "1" + "0" * 400).encode(),
    "1e400": BET.replace("500", "1e400").encode(),
    "NUL in a seed": BET.replace("luck", "\\u0000").encode(),
    "NUL in a table": BET.replace("la-paire", "la\\u0000paire").encode(),
    "NUL in a wager": BET.replace("card-A", "card\\u0000A").encode(),
    "an emoji for a table": BET.replace("la-paire", "🂡").encode(),
    "a long seed": BET.replace("luck", "x" * 65).encode(),
    "many wagers": (
        '{"table":"la-paire","client_seed":"luck","wagers":{' + ",".join(f'"w{n}":1' for n in range(99)) + "}}"
    ).encode(),
    "many seats": (
        '{"table":"la-paire","client_seed":"luck","seats":[' + ",".join(['{"card-A":500}'] * 99) + "]}"
    ).encode(),
    "an unknown field": BET.replace('"table"', '"is_admin":true,"table"').encode(),
    "trailing text": (BET + "x").encode(),
    "a sheet of SQL": BET.replace("la-paire", "'; DROP TABLE rounds; --").encode(),
}


def post(guest: Guest, path: str, body: bytes, **headers: str) -> httpx.Response:
    headers = {"Content-Type": "application/json", **headers}
    return guest.ask("POST", path, new_name(), content=body, headers=headers)


@pytest.mark.parametrize("body", list(STRANGE.values()), ids=list(STRANGE))
def test_a_strange_bet_is_refused_and_changes_nothing(house: Open, body: bytes) -> None:
    guest = house.guest()
    before = guest.sit("la-paire")
    answer = post(guest, "/rounds", body)
    assert answer.status_code in (400, 404, 422), answer.text
    assert set(answer.json()) == {"code", "error"}
    assert guest.sit("la-paire") == before
    assert guest.me()["held"] == 0


@pytest.mark.parametrize("body", list(STRANGE.values()), ids=list(STRANGE))
@pytest.mark.parametrize(
    "path", ["/players", "/sessions", "/admin/tables", "/rounds/00000000000000000000000000/choices"]
)
def test_strange_bodies_break_no_route(house: Open, path: str, body: bytes) -> None:
    caller: Any = house.office() if path.startswith("/admin") else house.guest()
    headers = {**caller.headers, "Content-Type": "application/json", "Idempotency-Key": new_name()}
    answer = house.client.post(path, content=body, headers=headers)
    assert answer.status_code in (400, 404, 422), answer.text
    assert {"code", "error"} <= set(answer.json())


@pytest.mark.parametrize(
    "again", ['"card-A":1000', r'"card\u002dA":1000', '"card-A":500'], ids=["plainly", "as an escape", "alike"]
)
def test_a_name_that_stands_twice_is_refused(house: Open, again: str) -> None:
    guest = house.guest()
    guest.sit("la-paire")
    answer = post(guest, "/rounds", BET.replace('"card-A":500', f'"card-A":500,{again}').encode())
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")
    assert "card-A" in answer.json()["error"]
    twice = post(guest, "/rounds", BET.replace('"table"', '"table":"blackjack","table"').encode())
    assert twice.status_code == 400
    assert guest.me()["held"] == 0
    assert post(guest, "/rounds", BET.encode()).json()["staked"] == 500


def test_names_stand_once_wherever_a_body_is_read(house: Open) -> None:
    player = b'{"name":"n%s","password":"a long sentence","password":"another sentence"}' % new_name()[:8].encode()
    table = (
        b'{"id":"t-%s","name":"T","game":"la-paire","limits":{"minimum":100,"minimum":200}}' % new_name()[:8].encode()
    )
    headers = {**house.office().headers, "Content-Type": "application/json"}
    for path, body, name in (("/players", player, "password"), ("/admin/tables", table, "minimum")):
        answer = house.client.post(path, content=body, headers=headers)
        assert answer.status_code == 400, answer.text
        assert f"'{name}' is given twice" in answer.json()["error"]


@pytest.mark.parametrize("name", ["with\x00nul", "surrogate\ud800", "a line and\n"])
def test_names_that_no_database_takes(house: Open, name: str) -> None:
    body = b'{"id":"t-%s","name":%s,"game":"la-paire"}'
    text = '"' + name.encode("unicode_escape").decode().replace("\\x00", "\\u0000") + '"'
    headers = {**house.office().headers, "Content-Type": "application/json"}
    answer = house.client.post("/admin/tables", content=body % (new_name().encode(), text.encode()), headers=headers)
    assert answer.status_code == 400, answer.text


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/players/me/rounds", {"limit": "9" * 30}),
        ("/players/me/rounds", {"limit": "NaN"}),
        ("/players/me/rounds", {"before": "x"}),
        ("/players/me/rounds", {"game": "a b"}),
        ("/players/me/rounds", {"game": "\x00"}),
        ("/players/me/seeds", {"table": "x" * 65}),
        ("/rounds/lower-case", {}),
        ("/rounds/" + "0" * 27, {}),
        ("/rounds/" + "%00" * 26, {}),
    ],
)
def test_strange_parameters(house: Open, path: str, query: dict[str, str]) -> None:
    answer = house.guest().ask("GET", path, params=query)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-request"), answer.text


def test_strange_parameters_of_the_office(house: Open) -> None:
    for query in ({"after": "9" * 30}, {"after": -1}, {"chain": "xyz"}, {"chain": "0" * 17}):
        assert house.office().ask("GET", "/admin/events", params=query).status_code == 400


@pytest.mark.parametrize("key", ["short", "x" * 65, "with space", "ключ-ключ", "a;b;c;d;e"])
def test_keys_have_a_form(house: Open, key: str) -> None:
    guest = house.guest()
    guest.sit("la-paire")
    body = {"table": "la-paire", "wagers": {"card-A": 500}, "client_seed": "luck"}
    in_body = guest.ask("POST", "/rounds", json=body | {"idempotency_key": key})
    assert (in_body.status_code, in_body.json()["code"]) == (400, "bad-request")
    if key.isascii():
        assert guest.ask("POST", "/rounds", key, json=body).status_code == 400


def test_a_body_has_a_size(house: Open) -> None:
    guest = house.guest()
    for padding, status in ((BODY_MAX_BYTES + 1, 413), (BODY_MAX_BYTES - 200, 400)):
        answer = post(guest, "/rounds", BET[:-1].encode() + b',"x":"' + b"y" * padding + b'"}')
        assert answer.status_code == status, answer.text
    assert post(guest, "/rounds", b" " * (BODY_MAX_BYTES + 1)).json()["code"] == "too-large"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
def test_a_body_says_that_it_is_json(house: Open, kind: str) -> None:
    answer = post(house.guest(), "/rounds", BET.encode(), **{"Content-Type": kind})
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-media-type")


def test_methods_that_do_not_exist(house: Open) -> None:
    answer = house.client.put("/rounds")
    assert (answer.status_code, answer.json()["code"]) == (405, "method-not-allowed")
    assert "POST" in answer.headers["allow"]
    assert house.client.get("/nowhere").json()["code"] == "not-found"


def test_each_caller_may_ask_so_often(new_database: Any) -> None:
    slow = {kind: Rate(3, 0.001) for kind in ("session", "key", "public", "sign-in", "guest", "stranger")}
    opened = open_house(new_database("sqlite"), Throttle(slow))
    house = next(opened)
    guests = [house.guest() for _ in range(3)]
    assert house.client.post("/guests").json()["code"] == "too-many-requests"
    one, two, office = guests[0], guests[1], house.office()
    wrong = {"name": "ada", "password": "not the sentence"}
    kinds: dict[str, Callable[[], httpx.Response]] = {
        "session": lambda: one.ask("GET", "/players/me"),
        "key": lambda: office.ask("GET", "/admin/tables"),
        "public": lambda: house.client.get("/tables"),
        "sign-in": lambda: house.client.post("/sessions", json=wrong),
        "stranger": lambda: house.client.get("/players/me", headers={"Authorization": f"Bearer {new_name()}"}),
    }
    for kind, asked in kinds.items():
        answers = [asked() for _ in range(4)]
        assert [answer.status_code == 429 for answer in answers] == [False] * 3 + [True], kind
        assert answers[3].json()["code"] == "too-many-requests"
        assert answers[3].headers["retry-after"] == "1"
    assert two.me()["held"] == 0
    assert next(opened, None) is None
