"""Free bets over HTTP: granted by the office, seen and staked by their player, ended by the clock, reported."""

from typing import Any

import pytest

from api_house import Open
from pairhouse.server.bookkeeping.jobs import ExpiredFreeBets
from pairhouse.server.bookkeeping.sightings import SIGHTINGS_APART_S

BACCARAT = "nepal-super-baccarat"
DAY_MIN = 24 * 60


def offer(house: Open, whose: str, key: str, **terms: Any) -> Any:
    body = {"player": whose, "amount": 2_000, "days": 7} | terms
    headers = {**house.office().headers, "Idempotency-Key": key}
    return house.client.post("/admin/free-bets", json=body, headers=headers)


def test_a_player_sees_and_stakes_a_free_bet(own_house: Open) -> None:
    guest = own_house.guest()
    me = guest.me()
    assert me["free_bets"] == []
    for _ in range(2):
        answer = offer(own_house, me["id"], "welcome-1", games=[BACCARAT])
        assert answer.status_code == 201, answer.text
    granted = answer.json()
    assert guest.me()["free_bets"] == [granted]
    guest.sit(BACCARAT)
    view = guest.bet(BACCARAT, [{"banker": 500}], free_bet=granted["id"]).json()
    assert view["free"]["staked"] == 500
    after = guest.me()
    assert after["balance"] == me["balance"] + view["free"]["paid"]
    assert after["session"]["staked"] == 0
    assert after["free_bets"][0]["remaining"] == 1_500 + view["free"]["given_back"]
    (line,) = guest.get("/players/me/rounds")["rounds"]
    assert (line["free"], line["net"]) == (view["free"], view["net"])
    refused = guest.bet(BACCARAT, [{"banker": 5_000}], free_bet=granted["id"])
    assert (refused.status_code, refused.json()["code"]) == (402, "no-free-bet")


@pytest.mark.parametrize(
    ("terms", "status"),
    [({"amount": 0}, 400), ({"days": 0}, 400), ({"games": ["whist"]}, 404), ({"player": "0" * 26}, 404)],
)
def test_a_grant_that_makes_no_sense_is_refused(own_house: Open, terms: dict[str, Any], status: int) -> None:
    guest = own_house.guest()
    assert offer(own_house, guest.me()["id"], "welcome-2", **terms).status_code == status
    assert guest.me()["free_bets"] == []


def test_a_clock_that_jumps_ends_no_free_bet(own_house: Open) -> None:
    guest = own_house.guest()
    offer(own_house, guest.me()["id"], "welcome-3")
    seconds = [0.0]
    expired = ExpiredFreeBets(own_house.house, own_house.clock, lambda: seconds[0])
    own_house.clock.pass_minutes(8 * DAY_MIN)
    assert expired.end() == 0, "seen once"
    own_house.clock.pass_minutes(-8 * DAY_MIN)
    assert expired.end() == 0, "the clock was put right"
    assert guest.me()["free_bets"][0]["remaining"] == 2_000
    own_house.clock.pass_minutes(8 * DAY_MIN)
    assert expired.end() == 0
    seconds[0] += SIGHTINGS_APART_S
    assert expired.end() == 1
    assert expired.end() == 0
    office = own_house.office()
    report = own_house.client.get("/admin/reports/free-bets?from=1970-01-01", headers=office.headers).json()
    (line,) = report["lines"]
    assert "2000" in str(line)


def test_the_office_withdraws_a_free_bet(own_house: Open) -> None:
    guest = own_house.guest()
    granted = offer(own_house, guest.me()["id"], "welcome-4").json()
    office = own_house.office()
    for _ in range(2):
        answer = own_house.client.post(f"/admin/free-bets/{granted['id']}/withdraw", headers=office.headers)
        assert (answer.status_code, answer.json()["remaining"]) == (200, 0)
    assert guest.me()["free_bets"] == []
