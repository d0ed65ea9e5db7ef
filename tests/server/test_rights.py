"""Nobody reads or moves what is somebody else's. The routes come from the document, so a new one cannot be left out."""

from typing import Any

import httpx
import pytest

from api_house import Open
from guests import Guest, new_name
from pairhouse.server.http.callers import COOKIE
from pairhouse.server.http.headers import SECURITY_HEADERS
from routes import BY_NAME, OPERATIONS, Operation

# Whose things a route touches. A route that is not here fails the first test: decide, and write it down.
WHOSE = {
    "GET /games": "anybody's",
    "GET /games/{game_id}": "anybody's",
    "GET /games/{game_id}/rules": "anybody's",
    "GET /texts": "anybody's",
    "GET /tables": "anybody's",
    "GET /live": "anybody's",
    "GET /live/rounds/{round_id}": "anybody's once it is over",
    "POST /live": "the caller's",
    "GET /tables/{table_id}/live": "anybody's",
    "GET /tables/{table_id}/live/results": "anybody's",
    "GET /tables/{table_id}": "anybody's",
    "GET /tables/{table_id}/charts": "anybody's",
    "GET /tables/{table_id}/drills": "anybody's",
    "GET /health": "anybody's",
    "GET /policy": "anybody's",
    "GET /seal": "anybody's",
    "GET /ready": "anybody's",
    "GET /metrics": "anybody's",
    "GET /rounds/{round_id}/replay": "anybody's once it is over",
    "POST /guests": "nobody's yet",
    "POST /players": "nobody's yet",
    "POST /sessions": "nobody's yet",
    "POST /wallets/{wallet}/sessions": "nobody's yet",
    "DELETE /sessions": "the caller's",
    "GET /players/me": "the caller's",
    "GET /players/me/rounds": "the caller's",
    "GET /players/me/care": "the caller's",
    "PUT /players/me/limits/{kind}/{period}": "the caller's",
    "POST /players/me/limits/{kind}/{period}/confirm": "the caller's",
    "PUT /players/me/reminder": "the caller's",
    "POST /players/me/reminder/seen": "the caller's",
    "POST /players/me/break": "the caller's",
    "POST /players/me/self-exclusion": "the caller's",
    "GET /players/me/seeds": "the caller's",
    "GET /players/me/rounds.csv": "the caller's",
    "GET /players/me/statistics": "the caller's",
    "GET /rounds/{round_id}/review": "one player's",
    "GET /players/me/notices": "the caller's",
    "POST /players/me/account": "the caller's",
    "POST /players/me/password": "the caller's",
    "POST /players/me/play-money": "the caller's",
    "POST /tables/{table_id}/sit": "the caller's",
    "POST /tables/{table_id}/seed": "the caller's",
    "POST /rounds": "the caller's",
    **{
        f"{method} /tables/{{table_id}}/live/{what}": "the caller's"
        for method, what in (
            ("POST", "seat"),
            ("DELETE", "seat"),
            ("PUT", "bet"),
            ("POST", "ready"),
            ("POST", "seed"),
            ("POST", "choices"),
        )
    },
    "PUT /admin/tables/{table_id}/live": "the office's",
    "POST /admin/tables/{table_id}/live/void": "the office's",
    "POST /admin/tables/{table_id}/live/exposed": "the office's",
    "POST /rounds/{round_id}/choices": "one player's",
    "GET /rounds/{round_id}": "one player's",
    "GET /rounds/{round_id}/advice": "one player's",
    "GET /admin/hold": "the office's",
    "GET /admin/tables": "the office's",
    "POST /admin/tables": "the office's",
    "PATCH /admin/tables/{table_id}": "the office's",
    "PATCH /admin/games/{game_id}": "the office's",
    "PATCH /admin/players/{player_id}": "the office's",
    "POST /admin/rounds/{round_id}/void": "the office's",
    "GET /admin/events": "the office's",
    "GET /admin/watch": "the office's",
    "POST /admin/free-bets": "the office's",
    "POST /admin/free-bets/{free_bet}/withdraw": "the office's",
    "POST /admin/watch/{step_id}/lift": "the office's",
    "GET /admin/wallet-calls": "the office's",
    "GET /admin/reports/{report}": "the office's",
    "POST /pit/sessions": "nobody's yet",
    "DELETE /pit/sessions": "the office's",
    "GET /pit/floor": "the office's",
    "GET /pit/shoes": "the office's",
    "POST /pit/acts": "the office's",
}
PLAYERS = [one for one in OPERATIONS if "session" in one.schemes]
OFFICE = [one for one in OPERATIONS if "key" in one.schemes]
OPEN_TO_ALL = [one for one in OPERATIONS if not one.schemes]
each = pytest.mark.parametrize


def name(operation: Operation) -> str:
    return operation.name


def ask(house: Open, operation: Operation, headers: dict[str, str] | None = None, **given: Any) -> httpx.Response:
    what = operation.request(**given)
    what["headers"] |= headers or {}
    house.client.cookies.clear()
    answer: httpx.Response = house.client.request(**what)
    return answer


def test_every_route_says_whose_things_it_touches() -> None:
    assert {one.name for one in OPERATIONS} == set(WHOSE)
    for operation in OPERATIONS:
        whose = WHOSE[operation.name]
        expected = {"key"} if whose == "the office's" else {"session", "cookie"}
        assert operation.schemes == (set() if whose.startswith(("anybody", "nobody")) else expected), operation.name


@each("operation", PLAYERS, ids=name)
def test_a_players_route_needs_a_live_session(house: Open, operation: Operation) -> None:
    gone = house.guest()
    gone.ask("DELETE", "/sessions")
    forged = [
        {},
        {"Authorization": "Bearer "},
        {"Authorization": "Basic YTpi"},
        {"Authorization": "Bearer " + "A" * 43},
    ]
    forged += [gone.headers, house.office().headers]
    for headers in forged:
        answer = ask(house, operation, headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "not-signed-in"), headers


@each("operation", OFFICE, ids=name)
def test_an_office_route_needs_a_key(house: Open, operation: Operation) -> None:
    guest = house.guest()
    cookie = {"Cookie": f"{COOKIE}={guest.token}", "X-Pairhouse": "1"}
    for headers in ({}, guest.headers, cookie, {"Authorization": "Bearer ph_" + "A" * 43}):
        answer = ask(house, operation, headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "bad-key"), headers


class Owner:
    """A player with an open round, a closed one, a revealed seed and an account of their own."""

    def __init__(self, house: Open) -> None:
        name = f"owner-{new_name()}"
        token = house.client.post("/players", json={"name": name, "password": "a long sentence"}).json()["token"]
        self.guest = Guest(house.client, token)
        self.waiting = self.guest.open("three-card-poker")
        self.closed = self.guest.play("la-paire", key="owners-key-1")
        shown = self.guest.ask("POST", "/tables/la-paire/seed").json()
        self.id = self.guest.me()["id"]
        self.marks = {self.id, name, token, self.waiting["id"], self.closed["id"], shown["revealed"]["server_seed"]}
        self.marks |= {shown["commitment"], shown["revealed"]["commitment"], self.waiting["proof"]["commitment"]}


@each("operation", [one for one in OPERATIONS if one not in OFFICE], ids=name)
def test_no_answer_tells_anything_of_another_player(house: Open, operation: Operation) -> None:
    owner, stranger = Owner(house), house.guest()
    for table in ("la-paire", "three-card-poker"):
        stranger.sit(table)
    for round_id in (owner.waiting["id"], owner.closed["id"]):
        given = {"round_id": round_id, "before": round_id, "table": "la-paire", "Idempotency-Key": "owners-key-1"}
        for headers in (stranger.headers, {}):
            answer = ask(house, operation, headers, **given)
            is_replay = operation.name == "GET /rounds/{round_id}/replay" and round_id == owner.closed["id"]
            told = answer.text.replace(round_id, "")
            marks = {owner.id, owner.waiting["id"]} if is_replay else owner.marks
            assert not [mark for mark in marks if mark in told]
            if is_replay:
                assert (answer.status_code, answer.json()["balance"]) == (200, 0)
            elif "round_id" in operation.parameters and headers:
                assert (answer.status_code, answer.json()["code"]) == (404, "unknown-round")
    assert owner.guest.get(f"/rounds/{owner.waiting['id']}") == owner.waiting
    assert owner.guest.balance == owner.guest.me()["balance"]


@each("operation", [one for one in PLAYERS if "round_id" in one.parameters], ids=name)
def test_anothers_round_is_refused_like_one_that_never_was(house: Open, operation: Operation) -> None:
    owner, stranger = Owner(house), house.guest()
    never = "0" * 26
    theirs = ask(house, operation, stranger.headers, round_id=owner.waiting["id"])
    nobodys = ask(house, operation, stranger.headers, round_id=never)
    assert theirs.text.replace(owner.waiting["id"], never) == nobodys.text


@each("operation", [one for one in PLAYERS if one.method != "GET"], ids=name)
def test_a_cookie_changes_something_only_with_the_header(house: Open, operation: Operation) -> None:
    guest = house.guest()
    cookie = {"Cookie": f"{COOKIE}={guest.token}"}
    for extra in ({}, {"X-Pairhouse": "0"}, {"Origin": "https://elsewhere.example"}):
        answer = ask(house, operation, cookie | extra)
        assert (answer.status_code, answer.json()["code"]) == (403, "cross-site")
    with_header = ask(house, operation, cookie | {"X-Pairhouse": "1"})
    assert with_header.status_code != 403
    assert with_header.status_code != 401


@each("operation", [one for one in PLAYERS if one.method == "GET"], ids=name)
def test_a_cookie_reads_without_the_header(house: Open, operation: Operation) -> None:
    answer = ask(house, operation, {"Cookie": f"{COOKIE}={house.guest().token}"})
    assert answer.status_code in (200, 404)


@each("route", ["POST /guests", "POST /players", "POST /sessions", "POST /wallets/{wallet}/sessions"])
def test_another_site_signs_nobody_in(house: Open, route: str) -> None:
    for site in ("cross-site", "same-site"):
        answer = ask(house, BY_NAME[route], {"Sec-Fetch-Site": site})
        assert (answer.status_code, answer.json()["code"]) == (403, "cross-site")
        assert "set-cookie" not in answer.headers
    form = house.client.post(BY_NAME[route].path, data={"name": "ada", "password": "a long sentence"})
    assert (form.status_code, form.json()["code"]) == (415, "unsupported-media-type")


def test_the_cookie_is_for_no_script_and_no_other_site(house: Open) -> None:
    house.client.cookies.clear()
    answer = house.client.post("/guests")
    line = answer.headers["set-cookie"]
    parts = {part.strip().lower() for part in line.split(";")}
    assert {"httponly", "samesite=strict", "path=/", "max-age=43200"} <= parts
    assert line.startswith(f"{COOKIE}={answer.json()['token']};")
    out = house.client.request("DELETE", "/sessions", headers={"X-Pairhouse": "1"})
    assert out.status_code == 204
    assert f'{COOKIE}=""' in out.headers["set-cookie"] or f"{COOKIE}=;" in out.headers["set-cookie"]
    assert "max-age=0" in out.headers["set-cookie"].lower()
    house.client.cookies.clear()


@each("operation", OPERATIONS, ids=name)
def test_every_answer_carries_the_headers(house: Open, operation: Operation) -> None:
    for headers in ({}, house.guest().headers):
        check_headers(ask(house, operation, headers))
    check_headers(house.client.request("PUT", operation.request()["url"]))


@each("path", ["/", "/openapi.json", "/nowhere", "/rounds/%00", "/tables/../../etc/passwd", "/admin", "//"])
def test_addresses_beside_the_routes_carry_them_too(house: Open, path: str) -> None:
    answer = house.client.get(path)
    if not path.strip("/") and answer.headers["cache-control"] == "no-cache":  # the page, where it is built
        answer.headers["cache-control"] = SECURITY_HEADERS["Cache-Control"]
    check_headers(answer)


def check_headers(answer: httpx.Response) -> None:
    for header, value in SECURITY_HEADERS.items():
        assert answer.headers[header] == value, (answer.request.url, header)
    assert "access-control-allow-origin" not in answer.headers
