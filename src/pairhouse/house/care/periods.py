"""Days, weeks and months, over which limits count: of the calendar, in UTC; a week begins on Monday."""

from datetime import UTC, datetime, timedelta

DAY, WEEK, MONTH = "day", "week", "month"
PERIODS = (DAY, WEEK, MONTH)
MINUTE_MS, HOUR_MS = 60_000, 3_600_000
DAY_MS = 24 * HOUR_MS
_FIRST_MONDAY_MS = 4 * DAY_MS  # 5 January 1970
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def period_start(period: str, now: int) -> int:
    """When the day, week or month began that a time lies in."""
    if period == DAY:
        return now - now % DAY_MS
    if period == WEEK:
        return now - (now - _FIRST_MONDAY_MS) % (7 * DAY_MS)
    return _ms(_at(now).replace(day=1, hour=0, minute=0, second=0, microsecond=0))


def period_end(period: str, start: int) -> int:
    """When a period that began at `start` ends, and the next one begins."""
    if period == MONTH:
        return months_after(start, 1)
    return start + (DAY_MS if period == DAY else 7 * DAY_MS)


def months_after(now: int, months: int) -> int:
    """The same day and time so many months later; the last day of a shorter month."""
    at = _at(now)
    years, month = divmod(at.month - 1 + months, 12)
    first = at.replace(year=at.year + years, month=month + 1, day=1)
    length = ((first + timedelta(days=32)).replace(day=1) - timedelta(days=1)).day
    return _ms(first.replace(day=min(at.day, length)))


def when_text(at: int) -> str:
    """A time as people read it: `2026-11-17 08:30 UTC`."""
    return f"{_at(at):%Y-%m-%d %H:%M} UTC"


def _at(now: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=now)


def _ms(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(milliseconds=1)
