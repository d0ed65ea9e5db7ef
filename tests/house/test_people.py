"""Sessions end, passwords are checked, and too many failures lock an account for half an hour."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from api_house import Clock
from direct_house import new_database
from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.people import (
    FAILURES_MAX,
    change_player,
    end_session,
    is_password,
    key_holder,
    new_guest,
    new_key,
    password_hash,
    password_of,
    person_of,
    register,
    revoke_key,
    sign_in,
)
from pairhouse.house.tokens import hash_of


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(clock: Clock, tmp_path: Path) -> Iterator[House]:
    opened = House(new_database("sqlite", tmp_path), clock=clock)
    yield opened
    opened.close()


def code_of(house: House, token: str) -> str:
    try:
        house.do(lambda tx: person_of(tx, hash_of(token), tx.now))
    except Refused as refused:
        return refused.code
    return "signed-in"


def test_a_session_ends_when_it_is_idle_and_after_twelve_hours(house: House, clock: Clock) -> None:
    token = house.do(new_guest)
    for _ in range(25):
        clock.pass_minutes(28)
        assert code_of(house, token) == "signed-in"
    clock.pass_minutes(28)
    assert code_of(house, token) == "not-signed-in"
    idle = house.do(new_guest)
    clock.pass_minutes(32)
    assert code_of(house, idle) == "not-signed-in"


def test_signing_out_and_being_disabled(house: House) -> None:
    token, other = house.do(new_guest), house.do(new_guest)
    house.do(lambda tx: end_session(tx, hash_of(token)))
    assert code_of(house, token) == "not-signed-in"
    person = house.do(lambda tx: person_of(tx, hash_of(other), tx.now))
    house.do(lambda tx: change_player(tx, "desk", person.id, "disabled"))
    assert code_of(house, other) == "player-disabled"


def test_too_many_failures_lock_an_account_for_half_an_hour(house: House, clock: Clock) -> None:
    hashed = password_hash("correct horse")
    assert is_password(hashed, "correct horse")
    assert not is_password(hashed, "wrong")
    assert not is_password(None, "wrong")
    house.do(lambda tx: register(tx, "ann", hashed))
    assert house.do(lambda tx: password_of(tx, "ann")) == hashed
    with pytest.raises(Refused, match="the name 'ann' is taken"):
        house.do(lambda tx: register(tx, "ann", hashed))
    for says in [*["do not go together"] * FAILURES_MAX, "is locked for half an hour"]:
        with pytest.raises(Refused, match=says):
            house.do(lambda tx: sign_in(tx, "ann", False))
    with pytest.raises(Refused, match="is locked for half an hour"):
        house.do(lambda tx: sign_in(tx, "ann", True))
    clock.pass_minutes(31)
    assert code_of(house, house.do(lambda tx: sign_in(tx, "ann", True))) == "signed-in"


def test_an_api_key_does_what_its_scope_allows_until_it_is_revoked(house: House) -> None:
    key_id, key = house.do(lambda tx: new_key(tx, "desk", "operator"))
    assert house.do(lambda tx: key_holder(tx, key, "operator")) == key_id
    with pytest.raises(Refused, match="this needs a key with scope admin; yours has operator"):
        house.do(lambda tx: key_holder(tx, key, "admin"))
    house.do(lambda tx: revoke_key(tx, key_id))
    with pytest.raises(Refused, match="this needs an API key"):
        house.do(lambda tx: key_holder(tx, key, "operator"))
