"""Classes of cards that the rules of a game cannot tell apart; exact counting takes each class as one card."""

from collections.abc import Callable
from dataclasses import dataclass

from pairhouse.core.cards import Card

MAX_DRAWS = 64


@dataclass(frozen=True)
class Classes:
    """Cards that the rules cannot tell apart, counted as one.

    `of` gives the class of a face, `late` the wider class of a face from draw `late_from` on; both must keep faces of
    one class together when faces are sorted by them. `draws` is the most cards a round can take: every deal is counted
    as an ordered deal of so many. `swaps` are pairs of draws (earlier, later) that make no difference in which order
    they come.
    """

    draws: int
    swaps: tuple[tuple[int, int], ...] = ()
    of: Callable[[Card], int] = int
    late: Callable[[Card], int] = int
    late_from: int = MAX_DRAWS
