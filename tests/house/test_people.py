"""Sessions end and have a number, and passwords are checked."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from api_house import Clock
from direct_house import new_database
from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.people import (
    SESSIONS_MAX,
    change_player,
    end_session,
    is_password,
    key_holder,
    matched_password,
    new_guest,
    new_key,
    note_failed_login,
    password_hash,
    password_of,
    person_of,
    register,
    revoke_key,
    sign_in,
)
from pairhouse.house.tokens import digest_of, hash_of


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


def test_a_password_is_checked_and_a_name_is_taken_once(house: House) -> None:
    hashed = password_hash("correct horse")
    assert is_password(hashed, "correct horse")
    assert not is_password(hashed, "wrong")
    assert not is_password(None, "wrong")
    house.do(lambda tx: register(tx, "ann", hashed))
    assert house.do(lambda tx: password_of(tx, "ann")) == hashed
    with pytest.raises(Refused, match="the name 'ann' is taken"):
        house.do(lambda tx: register(tx, "ann", hashed))
    assert matched_password(hashed, "wrong") is None
    matched = matched_password(hashed, "correct horse") or ""
    assert code_of(house, house.do(lambda tx: sign_in(tx, "ann", matched))) == "signed-in"
    for name, given in (("nobody", matched), ("ann", digest_of("an earlier hash"))):
        with pytest.raises(Refused, match="do not go together"):
            house.do(partial(sign_in, name=name, matched=given))


def test_a_failed_login_is_sealed_where_somebody_has_the_name(house: House) -> None:
    house.do(lambda tx: register(tx, "ann", "hash"))
    for name in ("ann", "nobody"):
        house.do(partial(note_failed_login, name=name))
    with house.database.reading() as tx:
        tx.raw("SELECT body FROM events WHERE kind = 'login-failed'")
        assert len(tx._cursor.fetchall()) == 1


def test_an_account_has_so_many_sessions_and_the_oldest_ends(house: House, clock: Clock) -> None:
    tokens = [house.do(lambda tx: register(tx, "ann", "hash"))]
    for _ in range(SESSIONS_MAX):
        clock.pass_minutes(0.1)
        tokens.append(house.do(lambda tx: sign_in(tx, "ann", digest_of("hash"))))
    assert [code_of(house, token) for token in tokens] == ["not-signed-in"] + ["signed-in"] * SESSIONS_MAX


def test_an_api_key_does_what_its_scope_allows_until_it_is_revoked(house: House) -> None:
    key_id, key = house.do(lambda tx: new_key(tx, "desk", "operator"))
    assert house.do(lambda tx: key_holder(tx, key, "operator")) == key_id
    with pytest.raises(Refused, match="this needs a key with scope admin; yours has operator"):
        house.do(lambda tx: key_holder(tx, key, "admin"))
    house.do(lambda tx: revoke_key(tx, key_id))
    with pytest.raises(Refused, match="this needs an API key"):
        house.do(lambda tx: key_holder(tx, key, "operator"))
