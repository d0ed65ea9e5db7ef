"""Pace: the least time between two rounds of a player, at a table (`round_ms_min`) or anywhere (a policy)."""

from pairhouse.core.errors import Refused


class TooSoon(Refused):
    """The last round was dealt a moment ago: the same bet is taken after `wait_ms`."""

    def __init__(self, wait_ms: int) -> None:
        super().__init__("too-soon", f"the next round can begin in {-(-wait_ms // 100) / 10:.1f} seconds")
        self.wait_ms = wait_ms


def earliest_next(dealt_at: int | None, *least_ms: int) -> int:
    """When the next round may be dealt: the longest of these times after the last one; 0 before the first round.

    Whoever sets a least time of their own (the table, the house, a policy) adds it to the list.
    """
    return 0 if dealt_at is None else dealt_at + max(least_ms, default=0)


def check_pace(now: int, dealt_at: int | None, *least_ms: int) -> None:
    """Refuse a round that comes too soon.

    If the last round lies in the future, the clock was set back: nobody waits for it to catch up.
    """
    if dealt_at is not None and dealt_at <= now < (earliest := earliest_next(dealt_at, *least_ms)):
        raise TooSoon(earliest - now)
