"""Seals that the writers of this process have just committed, so that the log need not read and hash events again."""

from collections.abc import Sequence
from threading import Lock

SEALS_KEPT = 200_000  # of one chain; a log that is further behind reads its events from the books


class RecentSeals:
    """The newest seals of each chain, without a gap up to its last committed event."""

    def __init__(self, most: int = SEALS_KEPT) -> None:
        self._most = most
        self._lock = Lock()
        self._chains: dict[str, tuple[int, list[str]]] = {}  # by chain: the number before the first seal, and the seals

    def add(self, chain: str, before: int, seals: Sequence[str]) -> None:
        """These events of a chain are on disk; the first has the number after `before`."""
        with self._lock:
            start, kept = self._chains.get(chain, (before, []))
            if start + len(kept) != before or len(kept) + len(seals) > self._most:
                start, kept = before, []
            kept.extend(seals)
            self._chains[chain] = (start, kept)

    def between(self, chain: str, after: int, last: int) -> list[bytes] | None:
        """The seals after one event up to another, or None if some are not known. Earlier ones are forgotten."""
        with self._lock:
            start, kept = self._chains.get(chain, (0, []))
            if not start <= after <= last <= start + len(kept):
                return None
            del kept[: after - start]
            self._chains[chain] = (after, kept)
            return [bytes.fromhex(seal) for seal in kept[: last - after]]

    def forget(self, chain: str) -> None:
        """Nothing more comes of this chain, or nobody knows what does."""
        with self._lock:
            self._chains.pop(chain, None)
