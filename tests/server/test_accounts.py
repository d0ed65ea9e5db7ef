"""A player's own account: a guest takes a name and keeps everything, passwords change, called-off rounds are told."""

import httpx
import pytest

from api_house import Open
from direct_house import audited
from guests import Guest, new_name
from pairhouse.house.people import is_password, password_of

GOOD, BETTER = "a long sentence", "a longer sentence"


def fresh_name() -> str:
    return f"ada-{new_name()[:8]}"


def named(house: Open) -> tuple[str, Guest]:
    name = fresh_name()
    answer = house.client.post("/players", json={"name": name, "password": GOOD})
    house.client.cookies.clear()
    return name, Guest(house.client, answer.json()["token"])


def sign_in(house: Open, name: str, password: str) -> httpx.Response:
    answer: httpx.Response = house.client.post("/sessions", json={"name": name, "password": password})
    house.client.cookies.clear()
    return answer


def change(guest: Guest, password: str, new: str) -> httpx.Response:
    body = {"password": password, "new_password": new}
    answer: httpx.Response = guest.ask("POST", "/players/me/password", json=body)
    return answer


def test_a_guest_takes_a_name_and_keeps_money_rounds_and_session(own_house: Open) -> None:
    guest, name = own_house.guest(), fresh_name()
    waiting = guest.open("three-card-poker")
    guest.play("la-paire")
    before, rounds = guest.me(), guest.get("/players/me/rounds")
    answer = guest.ask("POST", "/players/me/account", json={"name": name, "password": GOOD})
    assert answer.status_code == 200, answer.text
    assert answer.json() == {**before, "name": name, "guest": False}
    later = Guest(own_house.client, sign_in(own_house, name, GOOD).json()["token"])
    assert later.get("/players/me/rounds") == rounds
    assert later.get(f"/rounds/{waiting['id']}")["state"] == "open"
    assert guest.me()["id"] == later.me()["id"], "the guest's session goes on"
    assert audited(own_house.house).clean


def test_only_a_guest_takes_a_name_and_only_a_free_one(house: Open) -> None:
    name, owner = named(house)
    guest = house.guest()
    for player, wanted, code in ((guest, name, "name-taken"), (owner, fresh_name(), "not-a-guest")):
        answer = player.ask("POST", "/players/me/account", json={"name": wanted, "password": GOOD})
        assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert guest.me()["guest"] is True
    assert owner.me()["name"] == name


def test_a_name_altered_in_the_books_is_noticed(own_house: Open) -> None:
    guest = own_house.guest()
    guest.ask("POST", "/players/me/account", json={"name": fresh_name(), "password": GOOD})
    own_house.house.do(lambda tx: tx.raw("UPDATE players SET name = 'mallory'"))
    report = audited(own_house.house)
    assert not report.clean


def test_a_new_password_ends_every_other_session(house: Open) -> None:
    name, first = named(house)
    other = Guest(house.client, sign_in(house, name, GOOD).json()["token"])
    assert change(first, GOOD, BETTER).status_code == 204
    assert audited(house.house).clean
    assert first.me()["name"] == name
    assert other.ask("GET", "/players/me").status_code == 401
    assert sign_in(house, name, GOOD).json()["code"] == "bad-login"
    assert sign_in(house, name, BETTER).status_code == 201


def test_wrong_passwords_change_nothing_and_wait_like_failed_sign_ins(own_house: Open) -> None:
    name, player = named(own_house)
    codes = []
    for _ in range(5):
        answer = change(player, "not the sentence", BETTER)
        codes.append(answer.json()["code"])
    assert codes[0] == "wrong-password"
    assert codes[-1] != "wrong-password", "after some wrong ones the name waits"
    with own_house.house.database.reading() as tx:
        assert is_password(password_of(tx, name), GOOD)


def test_a_guest_has_no_password_to_change(house: Open) -> None:
    answer = change(house.guest(), GOOD, BETTER)
    assert (answer.status_code, answer.json()["code"]) == (409, "no-password")


@pytest.mark.parametrize("reason", ["malfunction", "misdeal"])
def test_a_round_that_was_called_off_is_told(house: Open, reason: str) -> None:
    guest, office = house.guest(), house.office()
    assert guest.get("/players/me/notices") == {"notices": []}
    waiting = guest.open("three-card-poker")
    office.ask("POST", f"/admin/rounds/{waiting['id']}/void", json={"reason": reason})
    (told,) = guest.get("/players/me/notices")["notices"]
    assert (told["round"], told["reason"], told["returned"]) == (waiting["id"], reason, waiting["staked"])
    assert house.guest().get("/players/me/notices") == {"notices": []}


def test_a_session_says_when_it_ends(own_house: Open) -> None:
    guest = own_house.guest()
    told = guest.me()["session"]
    assert told["idle_s"] == 1800
    assert told["ends_at"] > told["started_at"]
