"""Looking after players over HTTP: limits, raises, reminders, breaks, exclusions, the policy and the notice."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from api_house import Open, open_house
from guests import Guest, new_name
from pairhouse.house.care.policy import find_policy
from routes import OPERATIONS

PAIRE = "la-paire"
BET = [{"card-2": 500}]


@pytest.fixture(scope="module")
def uk(new_database: Callable[[str], str]) -> Iterator[Open]:
    yield from open_house(new_database("sqlite"), policy=find_policy("uk"))


def limit(guest: Guest, kind: str, period: str, value: int | None) -> Any:
    answer = guest.ask("PUT", f"/players/me/limits/{kind}/{period}", json={"limit": value})
    assert answer.status_code == 200, answer.text
    return answer.json()


def named(house: Open, name: str) -> Guest:
    body = {"name": name, "password": "a long sentence"}
    token = house.client.post("/players", json=body).json()["token"]
    house.client.cookies.clear()
    return Guest(house.client, token)


def signs_in(house: Open, name: str) -> Any:
    answer = house.client.post("/sessions", json={"name": name, "password": "a long sentence"})
    house.client.cookies.clear()
    return answer


def test_a_limit_is_set_counted_and_refuses(house: Open) -> None:
    guest = house.guest()
    house.client.cookies.clear()
    guest.sit(PAIRE)
    assert guest.get("/players/me/care")["limits"] == []
    told = limit(guest, "stake", "day", 1_000)["limits"][0]
    assert (told["limit"], told["used"], told["left"]) == (1_000, 0, 1_000)
    assert guest.bet(PAIRE, BET).status_code == 201
    assert guest.bet(PAIRE, BET).status_code == 201
    before = guest.balance
    answer = guest.bet(PAIRE, BET)
    assert (answer.status_code, answer.json()["code"]) == (422, "stake-limit")
    assert "a stake of 5.00 is over your stake limit of 10.00 a day; 0.00 is left until 20" in answer.json()["error"]
    assert guest.balance == before
    assert guest.get("/players/me/care")["limits"][0]["left"] == 0


def test_a_raise_is_seen_waits_and_is_confirmed(house: Open) -> None:
    name = f"n{new_name()}"
    guest = named(house, name)
    limit(guest, "loss", "week", 1_000)
    told = limit(guest, "loss", "week", 9_000)
    assert (told["limits"][0]["limit"], told["raises"][0]["limit"], told["raise_hours"]) == (1_000, 9_000, 24)
    assert not told["raises"][0]["can_confirm"]
    path = "/players/me/limits/loss/week/confirm"
    assert guest.ask("POST", path).json()["code"] == "cooling-off"
    house.clock.pass_minutes(24 * 60)
    guest = Guest(house.client, signs_in(house, name).json()["token"])
    assert guest.get("/players/me/care")["raises"][0]["can_confirm"]
    answer = guest.ask("POST", path).json()
    assert (answer["limits"][0]["limit"], answer["raises"]) == (9_000, [])
    assert guest.ask("POST", path).json()["code"] == "no-raise"


def test_a_reminder_is_chosen_comes_and_is_seen(house: Open) -> None:
    guest = house.guest()
    house.client.cookies.clear()
    guest.sit(PAIRE)
    assert guest.ask("PUT", "/players/me/reminder", json={"minutes": 15}).json()["reminder"]["minutes"] == 15
    guest.bet(PAIRE, BET)
    house.clock.pass_minutes(16)
    told = guest.get("/players/me/care")
    assert told["reminder"]["is_due"]
    assert told["session_minutes"] == 16
    assert told["session"]["net"] == told["session"]["returned"] - 500
    answer = guest.bet(PAIRE, BET)
    assert (answer.status_code, answer.json()["code"]) == (409, "reality-check")
    assert not guest.ask("POST", "/players/me/reminder/seen").json()["reminder"]["is_due"]
    assert guest.bet(PAIRE, BET).status_code == 201


def test_who_is_excluded_comes_in_by_no_way(house: Open) -> None:
    name = f"n{new_name()}"
    guest = named(house, name)
    guest.sit(PAIRE)
    assert guest.ask("POST", "/players/me/self-exclusion", json={"months": 6}).status_code == 400
    answer = guest.ask("POST", "/players/me/self-exclusion", json={"months": 6, "sure": True})
    away = dict(answer.cookies)
    house.client.cookies.clear()
    until = answer.json()["away"]["until_at"][:10]
    in_this_browser = {"Cookie": f"pairhouse_away={away['pairhouse_away']}"}
    somebody_else = {"name": f"n{new_name()}", "password": "a long sentence"}
    for tried in (
        guest.bet(PAIRE, BET),
        signs_in(house, name),
        house.client.post("/players", json={"name": name.upper(), "password": "a long sentence"}),
        house.client.post("/guests", headers=in_this_browser),
        house.client.post("/players", json=somebody_else, headers=in_this_browser),
    ):
        assert (tried.status_code, tried.json()["code"]) == (403, "self-excluded")
        assert until in tried.json()["error"]
    house.clock.pass_minutes(190 * 24 * 60)
    assert signs_in(house, name).status_code == 201


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [("self-exclusion", {"months": 6, "sure": True}, "self-excluded"), ("break", {"hours": 48}, "on-break")],
)
def test_a_guest_who_is_away_takes_no_name(house: Open, path: str, body: Any, code: str) -> None:
    """The exclusion of a guest is kept by the guest: under a name they could sign in, or register it in capitals."""
    guest, name = house.guest(), f"n{new_name()}"
    assert guest.ask("POST", f"/players/me/{path}", json=body).status_code == 200
    account = {"name": name, "password": "a long sentence"}
    tried = guest.ask("POST", "/players/me/account", json=account)
    assert (tried.status_code, tried.json()["code"]) == (403, code)
    assert tried.json()["until_at"] == guest.get("/players/me/care")["away"]["until_at"]
    assert guest.me()["guest"]
    house.clock.pass_minutes(190 * 24 * 60)
    house.client.cookies.clear()
    assert signs_in(house, name).status_code == 401


def test_a_cookie_that_makes_no_sense_keeps_nobody_out(house: Open) -> None:
    for text in ("", "break", "break:x", "luck:99999999999999", "break:" + "9" * 15, "break:" + "9" * 40):
        assert house.client.post("/guests", headers={"Cookie": f"pairhouse_away={text}"}).status_code == 201
        house.client.cookies.clear()


def test_a_browser_remembers_the_longest_exclusion_begun_in_it(house: Open) -> None:
    """Another account's break, an hour or a week, does not let the excluded player back in sooner."""
    long, short = {"months": 6, "sure": True}, {"hours": 1}
    for first, second in (("self-exclusion", "break"), ("break", "self-exclusion")):
        cookie = ""
        for path in (first, second):
            guest, body = house.guest(), long if path == "self-exclusion" else short
            headers = {"Cookie": f"pairhouse_away={cookie}"} if cookie else {}
            answer = guest.ask("POST", f"/players/me/{path}", json=body, headers=headers)
            assert answer.status_code == 200
            assert answer.json()["away"]["kind"] == path, "what this player has begun is told all the same"
            cookie = answer.cookies["pairhouse_away"]
            house.client.cookies.clear()
        assert cookie.startswith("self-exclusion:")
        house.clock.pass_minutes(120)
        tried = house.client.post("/guests", headers={"Cookie": f"pairhouse_away={cookie}"})
        assert (tried.status_code, tried.json()["code"]) == (403, "self-excluded")


def test_the_policy_is_served_with_the_notice(uk: Open) -> None:
    told = uk.client.get("/policy").json()
    assert told["policy"]["name"] == "uk"
    assert (told["policy"]["turbo"], told["policy"]["autoplay"], told["policy"]["minimum_round_ms"]) == (
        False,
        False,
        5000,
    )
    assert told["operator"]["help_phone"] == "800.522.4700"
    assert "owned and operated" in told["operator"]["notice"]


def test_a_round_too_soon_is_told_when_to_come_back(uk: Open) -> None:
    guest = uk.guest()
    guest.sit(PAIRE)
    key = new_name()
    first = guest.bet(PAIRE, BET, key=key)
    assert first.status_code == 201
    answer = guest.bet(PAIRE, BET)
    assert (answer.status_code, answer.json()["code"]) == (429, "too-soon")
    assert 1 <= int(answer.headers["Retry-After"]) <= 5
    assert guest.bet(PAIRE, BET, key=key).json()["id"] == first.json()["id"], "asked again, it is answered again"
    uk.clock.pass_minutes(5 / 60)
    assert guest.bet(PAIRE, BET).status_code == 201


def test_every_game_is_begun_by_a_request_of_its_own() -> None:
    """RTS 8A: there is no way to ask for several rounds at once."""
    opening = [one for one in OPERATIONS if one.method == "POST" and one.path == "/rounds"]
    (body,) = [one.told["requestBody"]["content"]["application/json"]["schema"] for one in opening]
    assert body["$ref"].endswith("/NewRound")
    assert not any("autoplay" in one.path or "spins" in one.path for one in OPERATIONS)
