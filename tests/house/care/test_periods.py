"""Days, weeks and months of the calendar in UTC."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.house.care.periods import PERIODS, months_after, period_end, period_start, when_text

TIMES = st.integers(0, 4_102_444_800_000)  # until the year 2100


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("period", "now", "start", "end"),
    [
        ("day", "2026-11-16 17:40", "2026-11-16 00:00", "2026-11-17 00:00"),
        ("week", "2026-11-16 00:00", "2026-11-16 00:00", "2026-11-23 00:00"),
        ("week", "2026-11-15 23:59", "2026-11-09 00:00", "2026-11-16 00:00"),
        ("month", "2024-02-29 12:00", "2024-02-01 00:00", "2024-03-01 00:00"),
        ("month", "2026-05-17 10:11:12.345", "2026-05-01 00:00", "2026-06-01 00:00"),
        ("month", "2026-12-31 23:59", "2026-12-01 00:00", "2027-01-01 00:00"),
    ],
)
def test_where_a_time_lies(period: str, now: str, start: str, end: str) -> None:
    assert period_start(period, ms(now)) == ms(start)
    assert isinstance(period_start(period, ms(now)), int)
    assert period_end(period, ms(start)) == ms(end)


@given(TIMES, st.sampled_from(PERIODS))
def test_every_time_lies_in_one_period(now: int, period: str) -> None:
    start = period_start(period, now)
    assert start <= now < period_end(period, start)
    assert period_start(period, period_end(period, start)) == period_end(period, start)


@given(TIMES, st.integers(6, 60))
def test_six_months_are_never_less_than_half_a_year_less_four_days(now: int, months: int) -> None:
    length = timedelta(milliseconds=months_after(now, months) - now)
    assert timedelta(days=30.4 * months - 4) < length < timedelta(days=30.5 * months + 4)


@pytest.mark.parametrize(
    ("now", "months", "later"),
    [("2026-08-31 10:00", 6, "2027-02-28 10:00"), ("2026-11-16 08:30", 14, "2028-01-16 08:30")],
)
def test_months_end_on_a_day_that_exists(now: str, months: int, later: str) -> None:
    assert months_after(ms(now), months) == ms(later)
    assert when_text(ms(later)) == f"{later} UTC"
