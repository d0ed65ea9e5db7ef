"""A clock that jumps makes nothing too old; what has really passed does."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from direct_house import new_books
from pairhouse.house.house import House
from pairhouse.house.pulse import BELIEVED_AFTER_S, DAY_MS, PassedTime, give_pulse, newest_pulse

HOUR_S = 3_600.0


@dataclass
class Times:
    """The clock on the wall, which somebody may set, and the time that passes."""

    wall_ms: int = 1_000 * DAY_MS
    passed_s: float = 5.0

    def clock(self) -> int:
        return self.wall_ms

    def monotonic(self) -> float:
        return self.passed_s

    def pass_s(self, seconds: float) -> None:
        self.wall_ms += round(seconds * 1000)
        self.passed_s += seconds


def days_after(start: int, now: PassedTime) -> float:
    return (now() - start) / DAY_MS


def test_a_clock_set_forward_is_not_believed_and_one_set_back_is() -> None:
    times = Times()
    start, now = times.wall_ms, PassedTime(times.clock, None, times.monotonic)
    times.pass_s(24 * HOUR_S)
    assert days_after(start, now) == 1
    times.wall_ms += 40 * DAY_MS
    times.pass_s(24 * HOUR_S)
    assert days_after(start, now) == 2
    times.wall_ms -= 41 * DAY_MS
    assert days_after(start, now) == 1


@pytest.mark.parametrize(("closed_days", "believed"), [(0.5, True), (40, False)])
def test_after_a_start_a_leap_of_more_than_a_day_is_believed_in_a_week(closed_days: float, believed: bool) -> None:
    times = Times()
    newest = times.wall_ms - round(closed_days * DAY_MS)
    now = PassedTime(times.clock, newest, times.monotonic)
    assert now() == (times.wall_ms if believed else newest)
    times.pass_s(HOUR_S)
    assert now() == (times.wall_ms if believed else newest + 3_600_000)
    times.pass_s(BELIEVED_AFTER_S)
    assert now() == times.wall_ms


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_signs_of_life_are_one_for_each_house_and_old_ones_go(kind: str, tmp_path: Path) -> None:
    house = House(new_books(kind, tmp_path))
    for name, at in (("a", 1), ("a", 2 * DAY_MS), ("b", 3 * DAY_MS), ("c", 40 * DAY_MS)):
        house.do(partial(give_pulse, house=name, now=at))
    with house.database.reading() as tx:
        assert newest_pulse(tx, "c") is None, "those of a and b are too old"
        assert newest_pulse(tx, "a") == 40 * DAY_MS
    house.close()
