"""Rounds whose time is over are ended, and a clock that jumps ends none."""

from api_house import Clock, Open
from pairhouse.house.overtime import DECIDE_MAX_MS, OPEN_MAX_MS
from pairhouse.house.pulse import DAY_MS, PassedTime
from pairhouse.server.bookkeeping.jobs import RoundClock
from pairhouse.server.bookkeeping.sightings import SIGHTINGS_APART_S

MONTH_S = OPEN_MAX_MS / 1000 + 60


class Passing:
    """Real time, and the clock of a house with it; the clock alone may be set."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def pass_s(self, seconds: float) -> None:
        self.seconds += seconds
        self.clock.ahead_ms += round(1000 * seconds)


def test_a_clock_that_jumps_voids_nothing_and_a_month_does(own_house: Open) -> None:
    waiting = own_house.guest().open("blackjack-poker-pairs")
    passing = Passing(own_house.clock)
    clock = RoundClock(own_house.house, PassedTime(own_house.clock, None, passing), passing)
    own_house.clock.ahead_ms += 365 * DAY_MS
    for _ in range(5):
        assert clock.look() == 0
        passing.pass_s(SIGHTINGS_APART_S)
    # It is started anew while the clock is wrong; the last sign of life was right.
    newest = own_house.clock() - 365 * DAY_MS
    clock = RoundClock(own_house.house, PassedTime(own_house.clock, newest, passing), passing)
    for _ in range(5):
        assert clock.look() == 0
        passing.pass_s(SIGHTINGS_APART_S)
    own_house.clock.ahead_ms -= 365 * DAY_MS
    passing.pass_s(MONTH_S)
    assert clock.look() == 0, "found too old once"
    passing.pass_s(SIGHTINGS_APART_S)
    assert clock.look() == 1
    assert own_house.client.get(f"/rounds/{waiting['id']}/replay").json()["state"] == "void"


def test_a_round_found_too_old_by_a_leap_that_is_undone_is_found_anew(own_house: Open) -> None:
    own_house.guest().open("blackjack-poker-pairs")
    passing = Passing(own_house.clock)
    clock = RoundClock(own_house.house, own_house.clock, passing)
    for _ in range(3):
        own_house.clock.ahead_ms += 40 * DAY_MS
        assert clock.look() == 0
        own_house.clock.ahead_ms -= 40 * DAY_MS
        passing.pass_s(SIGHTINGS_APART_S)
        assert clock.look() == 0


def test_a_day_finishes_a_round_for_its_player(own_house: Open) -> None:
    """Three Card Poker folds; it is marked as automatic. [TCP-16]"""
    guest = own_house.guest()
    waiting = guest.open("three-card-poker", [{"ante": 1000}])
    passing = Passing(own_house.clock)
    clock = RoundClock(own_house.house, own_house.clock, passing)
    passing.pass_s(DECIDE_MAX_MS / 1000 - 60)
    assert (clock.look(), clock.look()) == (0, 0)
    passing.pass_s(61)
    assert clock.look() == 0, "found too old once"
    passing.pass_s(SIGHTINGS_APART_S)
    assert clock.look() == 1
    done = own_house.client.get(f"/rounds/{waiting['id']}/replay").json()
    assert (done["state"], done["choices"], done["automatic"], done["net"]) == ("settled", ["fold"], [1], -1000)
