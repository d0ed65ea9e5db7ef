"""Times in an address: ISO 8601, with their distance from UTC or in UTC."""

from datetime import UTC, datetime
from typing import Annotated

from litestar.params import QueryParameter

from pairhouse.core.errors import Refused, shown
from pairhouse.house.history import Period

TimeQuery = Annotated[str | None, QueryParameter(max_length=32)]


def period_of(since: str | None, until: str | None) -> Period:
    """The time between two that a request names; either may be left out."""
    return Period(_ms(since) if since is not None else 0, _ms(until) if until is not None else None)


def _ms(given: str) -> int:
    try:
        time = datetime.fromisoformat(given)
        at = round((time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        at = -1
    if at < 0:
        raise Refused("bad-request", f"{shown(given)} is no time; give one like 2026-05-31T18:00:00Z")
    return at
