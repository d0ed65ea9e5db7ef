"""Guests, accounts, sessions and play money, as an integrator meets them."""

import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from api_house import Open
from guests import Guest, new_name
from pairhouse.house.people import PLAY_MONEY, person_of
from pairhouse.house.tokens import hash_of

GOOD = "a long sentence"


def sign_in(house: Open, name: str, password: str = GOOD) -> httpx.Response:
    answer: httpx.Response = house.client.post("/sessions", json={"name": name, "password": password})
    return answer


def registered(house: Open) -> str:
    name = f"ada-{new_name()[:8]}"
    answer = house.client.post("/players", json={"name": name, "password": GOOD})
    assert answer.status_code == 201, answer.text
    return name


def test_a_guest_has_play_money_and_nothing_at_stake(house: Open) -> None:
    answer = house.client.post("/guests", json={})
    assert answer.status_code == 201
    told = answer.json()
    assert told["player"] | {"id": "", "name": "", "session": {}} == {
        "id": "",
        "name": "",
        "free_bets": [],
        "guest": True,
        "currency": "PLAY",
        "balance": PLAY_MONEY,
        "held": 0,
        "open_rounds": [],
        "session": {},
    }
    assert Guest(house.client, told["token"]).me() == told["player"]


def test_an_account_is_registered_once_and_signed_into_often(house: Open) -> None:
    name = registered(house)
    again = house.client.post("/players", json={"name": name, "password": GOOD})
    assert (again.status_code, again.json()["code"]) == (409, "name-taken")
    first, second = sign_in(house, name), sign_in(house, name)
    assert first.status_code == second.status_code == 201
    assert first.json()["token"] != second.json()["token"]
    assert first.json()["player"]["id"] == second.json()["player"]["id"]
    assert first.json()["player"]["guest"] is False


@pytest.mark.parametrize(
    ("name", "password"),
    [("ad", GOOD), ("ada", "short"), ("a" * 33, GOOD), ("-ada", GOOD), ("ada lovelace", GOOD), ("ada", "x" * 129)],
)
def test_names_and_passwords_have_a_form(house: Open, name: str, password: str) -> None:
    answer = house.client.post("/players", json={"name": name, "password": password})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")
    assert password not in answer.text


def test_an_unknown_name_is_refused_like_a_wrong_password(house: Open) -> None:
    nobody, wrong = sign_in(house, f"nobody-{new_name()[:8]}"), sign_in(house, registered(house), "not the sentence")
    assert (nobody.status_code, nobody.content) == (wrong.status_code, wrong.content)


def test_nobody_signs_in_as_a_guest(house: Open) -> None:
    name = house.guest().me()["name"]
    assert sign_in(house, name).json()["code"] == "bad-login"


def test_a_session_ends_after_half_an_hour_without_a_request(own_house: Open) -> None:
    guest = own_house.guest()
    for _ in range(4):
        own_house.clock.pass_minutes(25)
        guest.sit("la-paire")
    own_house.clock.pass_minutes(32)
    assert guest.ask("GET", "/players/me").json()["code"] == "not-signed-in"


def test_looking_is_being_there(own_house: Open) -> None:
    guest = own_house.guest()
    for _ in range(4):
        own_house.clock.pass_minutes(25)
        guest.me()
        until(lambda: own_house.clock() - seen_at(own_house, guest) < 60_000)
    assert guest.me()["balance"] == PLAY_MONEY


def seen_at(house: Open, guest: Guest) -> int:
    with house.house.database.reading() as tx:
        return person_of(tx, hash_of(guest.token), house.clock()).seen_at


def until(holds: Callable[[], bool], limit_s: float = 5) -> None:
    """Wait for what happens beside the request."""
    end = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_session_ends_after_twelve_hours_however_busy(own_house: Open) -> None:
    guest = own_house.guest()
    for _ in range(12 * 3 - 1):
        own_house.clock.pass_minutes(20)
        guest.sit("la-paire")
    own_house.clock.pass_minutes(20)
    assert guest.ask("POST", "/tables/la-paire/sit").json()["code"] == "not-signed-in"


def test_signing_out_ends_this_session_and_no_other(house: Open) -> None:
    name = registered(house)
    one, two = (Guest(house.client, sign_in(house, name).json()["token"]) for _ in range(2))
    out = one.ask("DELETE", "/sessions")
    assert (out.status_code, out.content) == (204, b"")
    assert one.ask("GET", "/players/me").status_code == 401
    assert one.ask("DELETE", "/sessions").status_code == 401
    assert two.me()["name"] == name


def drained(house: Open) -> Guest:
    """A player who has lost nearly everything, by folding every hand of Three Card Poker."""
    guest = house.guest()
    while guest.balance >= PLAY_MONEY // 10:
        guest.play("three-card-poker", [{"ante": min(guest.balance // 1000 * 1000, 10_000)}])
    return guest


def test_play_money_is_filled_up_once_it_has_nearly_gone(house: Open) -> None:
    guest = drained(house)
    filled = guest.ask("POST", "/players/me/play-money", "refill-me")
    assert filled.status_code == 200
    assert filled.json()["balance"] == PLAY_MONEY == guest.balance
    spent: Any = guest.play("la-paire")
    again = guest.ask("POST", "/players/me/play-money", "refill-me", json={})
    assert again.content == filled.content
    assert guest.balance == PLAY_MONEY + spent["net"]
    other = guest.ask("POST", "/players/me/play-money", "refill-two")
    assert (other.status_code, other.json()["code"]) == (409, "not-needed")


def test_play_money_needs_a_key_and_no_open_round(house: Open) -> None:
    guest = house.guest()
    assert guest.ask("POST", "/players/me/play-money").json()["code"] == "bad-idempotency-key"
    poor = drained(house)
    left = poor.balance
    if left >= 100:
        poor.open("three-card-poker", [{"ante": 100}])
        assert poor.ask("POST", "/players/me/play-money", new_name()).json()["code"] == "not-needed"


def test_the_session_adds_up_what_was_staked_and_returned(house: Open) -> None:
    guest = house.guest()
    rounds = [guest.play(table) for table in ("la-paire", "nepal-super-baccarat", "three-card-poker")]
    told = guest.me()
    assert told["session"]["rounds"] == 3
    assert told["session"]["staked"] == sum(one["staked"] for one in rounds)
    assert told["session"]["returned"] == sum(one["returned"] for one in rounds)
    assert told["balance"] == PLAY_MONEY + sum(one["net"] for one in rounds)
