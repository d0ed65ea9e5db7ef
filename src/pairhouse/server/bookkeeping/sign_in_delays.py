"""Who guesses passwords has to wait, longer each time; whoever knows theirs is not locked out by it.

Failures are counted for a name and the network they come from, whether or not anybody has that name. After a few, that
pair waits, twice as long after each further failure. Others of that name, from elsewhere, do not wait.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil

from pairhouse.server.processes.protocol import RetryLater

FREE_FAILURES = 3
FIRST_DELAY_S, DELAY_MAX_S = 2.0, 1_800.0
FORGOTTEN_AFTER_S = 1_800.0
PAIRS_KEPT = 50_000

Pair = tuple[str, str]


class SignInDelays:
    """The failures of each pair, and until when it waits. It holds a fixed number of pairs at most."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._pairs: OrderedDict[Pair, tuple[int, float]] = OrderedDict()  # failures in a row, and when the last was

    def check(self, pair: Pair) -> None:
        """Refuse a pair that has to wait: its password is not even looked at."""
        failures, last = self._pairs.get(pair, (0, 0.0))
        left = last + delay_after(failures) - self._monotonic()
        if left > 0:
            wait = f"{ceil(left)} s" if left < 120 else f"{ceil(left / 60)} minutes"
            sentence = f"too many wrong passwords for this name from your address; wait {wait}"
            raise RetryLater("locked-out", sentence, ceil(left))

    def failed(self, pair: Pair) -> None:
        """Note a failure."""
        now = self._monotonic()
        failures, last = self._pairs.get(pair, (0, now))
        if now - last >= FORGOTTEN_AFTER_S + delay_after(failures):
            failures = 0
        self._pairs[pair] = failures + 1, now
        self._pairs.move_to_end(pair)
        if len(self._pairs) > PAIRS_KEPT:
            self._pairs.popitem(last=False)

    def succeeded(self, pair: Pair) -> None:
        """Forget a pair's failures."""
        self._pairs.pop(pair, None)


def delay_after(failures: int) -> float:
    """How long to wait after so many failures in a row, in seconds."""
    if failures < FREE_FAILURES:
        return 0.0
    return min(DELAY_MAX_S, FIRST_DELAY_S * 2.0 ** min(failures - FREE_FAILURES, 32))
