"""Pace: the least time between two rounds of a player, at a table (`round_ms_min`) or anywhere (a policy)."""

from pairhouse.core.errors import Refused


class TooSoon(Refused):
    """The last round was dealt a moment ago: the same bet is taken after `wait_ms`."""

    def __init__(self, wait_ms: int) -> None:
        super().__init__("too-soon", f"the next round can begin in {-(-wait_ms // 100) / 10:.1f} seconds")
        self.wait_ms = wait_ms


def check_pace(now: int, dealt_at: int | None, least_ms: int) -> None:
    """Refuse a round that comes too soon after the last one.

    If the last round lies in the future, the clock was set back: nobody waits for it to catch up.
    """
    if dealt_at is not None and dealt_at <= now < dealt_at + least_ms:
        raise TooSoon(dealt_at + least_ms - now)
