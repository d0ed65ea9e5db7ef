"""The staff: accounts made by the operator, sessions that end, and reasons that are given."""

from collections.abc import Iterator

import pytest

from direct_house import DATABASES, audited, new_books
from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.people import is_password, matched_password, password_hash
from pairhouse.house.staff import (
    SHIFT_MS,
    add_member,
    begin_shift,
    change_member,
    checked_reason,
    end_shift,
    everybody,
    member_of,
    member_password,
)
from pairhouse.house.tokens import hash_of


@pytest.fixture(scope="module", params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    opened = House(new_books(request.param, tmp_path_factory.mktemp("staff")))
    yield opened
    assert audited(opened).difference is None
    opened.close()


def test_a_member_signs_in_works_and_leaves(house: House) -> None:
    house.do(lambda tx: add_member(tx, "Anna", "supervisor", password_hash("open sesame")))
    with house.database.reading() as tx:
        assert is_password(member_password(tx, "Anna"), "open sesame")
        assert not is_password(member_password(tx, "Berta"), "open sesame")
        assert [row[:3] for row in everybody(tx)] == [("Anna", "supervisor", "active")]
        matched = matched_password(member_password(tx, "Anna"), "open sesame")
    assert matched is not None
    token = hash_of(house.do(lambda tx: begin_shift(tx, "Anna", matched)))
    other = hash_of(house.do(lambda tx: begin_shift(tx, "Anna", matched)))
    with pytest.raises(Refused, match="do not go together"):  # the password was another one when it was compared
        house.do(
            lambda tx: begin_shift(tx, "Anna", matched_password(password_hash("open sesame"), "open sesame") or "")
        )
    now = house.clock()
    with house.database.reading() as tx:
        assert member_of(tx, token, now)[1:] == ("Anna", "supervisor")
        with pytest.raises(Refused, match="sign in at the pit"):
            member_of(tx, token, now + SHIFT_MS)
    house.do(lambda tx: end_shift(tx, token))
    house.do(lambda tx: change_member(tx, "Anna", "disabled"))
    with house.database.reading() as tx:
        for ended in (token, other):
            with pytest.raises(Refused, match="sign in at the pit"):
                member_of(tx, ended, now)
    with pytest.raises(Refused, match="disabled"):
        house.do(lambda tx: begin_shift(tx, "Anna", matched))
    house.do(lambda tx: change_member(tx, "Anna", "active"))


@pytest.mark.parametrize(
    ("name", "role", "code"),
    [("", "supervisor", "bad-name"), ("a\n", "supervisor", "bad-name"), ("Cora", "king", "bad-role")],
)
def test_what_is_no_name_or_role_is_refused(house: House, name: str, role: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        house.do(lambda tx: add_member(tx, name, role, "hash"))
    assert refused.value.code == code


@pytest.mark.parametrize("reason", ["", "  \n ", "x" * 401])
def test_nothing_is_done_without_a_reason(reason: str) -> None:
    with pytest.raises(Refused, match="say why"):
        checked_reason(reason)
