"""Limits on how often one caller may ask: a bucket that fills steadily and is emptied by requests."""

import time
from collections import OrderedDict
from dataclasses import dataclass

from pairhouse.core.errors import Refused

CALLERS_KEPT = 50_000


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second after that."""

    burst: int
    per_s: float


RATES = {
    "session": Rate(400, 200.0),  # a player
    "key": Rate(400, 200.0),  # an operator or administrator
    "address": Rate(2000, 500.0),  # an address, whatever it asks
    "advice": Rate(40, 4.0),  # a player who asks what to do
    "statistics": Rate(20, 0.5),  # a player who has all rounds counted, or listed
    "picture": Rate(20, 1.0),  # an address that has rounds drawn
    "friends": Rate(10, 0.001),  # an address that opens tables for friends: never as many as the house has in a day
    "public": Rate(400, 100.0),  # an address that looks at what anybody may see
    "sign-in": Rate(20, 0.5),  # an address that registers or signs in
    "guest": Rate(60, 1.0),  # an address that asks for guest sessions
    "stranger": Rate(60, 1.0),  # an address that gives tokens or keys we do not know
}


class Throttle:
    """Counts in the memory of one HTTP worker. With several workers each allows this much by itself."""

    def __init__(self, rates: dict[str, Rate] | None = None) -> None:
        self.rates = RATES if rates is None else rates
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def check(self, kind: str, who: str) -> None:
        """Let a request through, or refuse it."""
        rate = self.rates.get(kind)
        if rate is None:
            return
        now, caller = time.monotonic(), (kind, who)
        left, then = self._buckets.get(caller, (float(rate.burst), now))
        left = min(rate.burst, left + (now - then) * rate.per_s)
        if left < 1:
            raise Refused("too-many-requests", "too many requests in a short time; wait a moment and try again")
        self._buckets[caller] = (left - 1, now)
        self._buckets.move_to_end(caller)
        if len(self._buckets) > CALLERS_KEPT:
            self._buckets.popitem(last=False)
