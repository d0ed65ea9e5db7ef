"""Counts that others have published, to stand beside the best ones: tags by rank, and the wagers they were made for."""

from collections.abc import Mapping
from dataclasses import dataclass

from pairhouse.core.cards import RANK_NAMES


@dataclass(frozen=True)
class PublishedCount:
    """A count by its name; `wagers` are those it was made for, none where it stands beside every wager."""

    name: str
    tags: Mapping[str, int]
    wagers: tuple[str, ...] = ()


def _tags(*numbers: int) -> dict[str, int]:
    """Tags of ace to ten; the faces count as the ten does."""
    return dict(zip(RANK_NAMES, (*numbers, *[numbers[-1]] * 3), strict=True))


MAIN_BETS = ("main", "insurance")
COUNTS = (
    PublishedCount("Hi-Lo", _tags(-1, 1, 1, 1, 1, 1, 0, 0, 0, -1)),
    PublishedCount("Knock-Out", _tags(-1, 1, 1, 1, 1, 1, 1, 0, 0, -1), MAIN_BETS),
    PublishedCount("Hi-Opt I", _tags(0, 0, 1, 1, 1, 1, 0, 0, 0, -1), MAIN_BETS),
    PublishedCount("Hi-Opt II", _tags(0, 1, 1, 2, 2, 1, 1, 0, 0, -2), MAIN_BETS),
    PublishedCount("Omega II", _tags(0, 1, 1, 2, 2, 2, 1, 0, -1, -2), MAIN_BETS),
    PublishedCount("Zen", _tags(-1, 1, 1, 2, 2, 2, 1, 0, 0, -2), MAIN_BETS),
    PublishedCount("Halves, doubled", _tags(-2, 1, 2, 2, 3, 2, 1, 0, -1, -2), MAIN_BETS),
    PublishedCount("Insurance count", _tags(1, 1, 1, 1, 1, 1, 1, 1, 1, -2), ("insurance",)),
    PublishedCount("Dragon 7 count", _tags(0, 0, 0, -1, -1, -1, -1, 2, 2, 0), ("dragon-7",)),
    PublishedCount("Panda 8 count", _tags(1, 1, -2, -2, -2, -1, -1, -2, 4, 1), ("panda-8",)),
    PublishedCount("Crush count", _tags(2, 2, 1, 0, 0, 0, 0, 0, -1, -1), ("over-13", "under-13")),
    PublishedCount("Dragon 7, unbalanced", _tags(1, 0, 0, -1, -1, -1, -1, 2, 2, 0), ("dragon-7",)),
)


def counts_for(wager: str) -> list[PublishedCount]:
    """The published counts that stand beside a wager."""
    return [count for count in COUNTS if not count.wagers or wager in count.wagers]
