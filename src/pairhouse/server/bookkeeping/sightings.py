"""Judging what is overdue by two sightings: a clock that jumps ends nothing."""

import time
from collections.abc import Callable, Iterable

SIGHTINGS_APART_S = 600.0


class Sightings:
    """Remembers what was found overdue at the last look, and since when by a clock that nobody can set."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._found_first: dict[str, float] = {}

    def found_twice(self, found: Iterable[str]) -> list[str]:
        """Which of these were found before, long enough ago; what is not found any more is forgotten."""
        at = self._monotonic()
        self._found_first = {name: self._found_first.get(name, at) for name in found}
        return [name for name, first in self._found_first.items() if at - first >= SIGHTINGS_APART_S]
