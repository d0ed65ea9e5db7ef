"""Every row of whole pays that fits: an exhaustive search in whole numbers, cut short only where nothing can follow.

Pays are chosen from the bottom row up, and never fall on the way. What the rows chosen so far return is known; rows
still to come pay at least as much as the last one chosen, and at most what is allowed. A start is dropped only when
even the least of what can follow is too much for some number of decks, or even the most is too little. So nothing that
fits is missed, and when nothing is found nothing fits. Squares of pays (for a wished variance) are added up in decimals
and only used to drop what is outside by more than rounding; whoever asks for them checks what is left exactly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pairhouse.core.errors import Refused

Numbers = npt.NDArray[np.int64]
CHUNK = 200_000
FOUND_MAX = 2_000_000
LARGEST = 2**62
SLACK = 1 + 1e-9


@dataclass(frozen=True)
class Band:
    """For one number of decks: how many ways each row has (top row first), and what all rows together may return."""

    ways: tuple[int, ...]
    least: int
    most: int


@dataclass(frozen=True)
class SquareBand:
    """For one number of decks: the chance of each row, and what the mean square of the pays may come to."""

    chances: tuple[float, ...]
    least: float
    most: float


@dataclass(frozen=True)
class RowRange:
    """What one row may pay: from `least` to `most`, in steps of `step` (multiples of it)."""

    least: int
    most: int
    step: int = 1


@dataclass(frozen=True, eq=False)
class FoundPays:
    """Every row of pays that fits, top row first, and how many beginnings were looked at to be sure."""

    pays: Numbers
    examined: int


def search(
    bands: Sequence[Band],
    rows: Sequence[RowRange],
    squares: Sequence[SquareBand] = (),
    found_max: int = FOUND_MAX,
    examined_max: int | None = None,
) -> FoundPays:
    """Every choice of pays within the ranges and bands that never rises from the top row down.

    It is refused where more fit than `found_max`, or where more beginnings than `examined_max` would be looked at.
    """
    for band in bands:
        if max(band.most, sum(band.ways)) >= LARGEST:
            raise Refused("too-large", "these deals are too many to be added up in whole numbers of this machine")
    if any(band.most < band.least for band in bands) or any(each.most < each.least for each in rows):
        return FoundPays(np.zeros((0, len(rows)), np.int64), 0)
    examined, parts, number = 0, [], 0
    nothing = np.zeros((1, 0), np.int64), np.zeros((1, len(bands)), np.int64)
    deepest = [
        iter([nothing])
    ]  # for each number of rows chosen, the pieces still to come: one of each is held at a time
    while deepest:
        piece = next(deepest[-1], None)
        if piece is None:
            deepest.pop()
            continue
        chosen, left = piece[0], len(rows) - len(deepest) + 1
        examined += len(chosen) if len(deepest) > 1 else 0
        if examined_max is not None and examined > examined_max:
            raise Refused("too-many", f"more than {examined_max:,} beginnings would have to be looked at")
        if left:
            deepest.append(_grown(bands, rows, squares, left - 1, *piece))
            continue
        number += len(chosen)
        if number > found_max:
            given = f"more than {found_max:,} paytables fit"
            raise Refused("too-many", f"{given}; narrow a wish, or give a larger --step")
        parts.append(chosen)
    pays = np.concatenate(parts) if parts else np.zeros((0, len(rows)), np.int64)
    return FoundPays(pays, examined)


def _grown(
    bands: Sequence[Band],
    rows: Sequence[RowRange],
    squares: Sequence[SquareBand],
    at: int,
    chosen: Numbers,
    sums: Numbers,
) -> Iterator[tuple[Numbers, Numbers]]:
    """Beginnings with one row more, as far as something that fits can still follow; in pieces of a bearable size."""
    row = rows[at]
    low = np.full(len(chosen), row.least, np.int64)
    high = np.full(len(chosen), row.most, np.int64)
    if chosen.shape[1]:
        low = np.maximum(low, chosen[:, 0])
    for place, band in enumerate(bands):
        here, above = band.ways[at], band.ways[:at]
        room = band.most - sums[:, place]
        together = here + sum(above)  # the rows above pay as much at least
        high = np.minimum(high, room // together) if together else np.where(room < 0, -1, high)
        beside = room - sum(ways * rows[up].least for up, ways in enumerate(above))  # and their own least
        high = np.minimum(high, beside // here) if here else np.where(beside < 0, -1, high)
        most_above = sum(ways * rows[up].most for up, ways in enumerate(above))
        lacking = band.least - sums[:, place] - min(most_above, LARGEST)
        low = np.maximum(low, -(-lacking // here)) if here else np.where(lacking > 0, row.most + 1, low)
    low, high = _within_squares(rows, squares, at, chosen, low, high)
    low, high = -(-low // row.step) * row.step, high // row.step * row.step
    numbers = np.maximum((high - low) // row.step + 1, 0)
    begins = np.concatenate(([0], np.cumsum(numbers)))
    for start in range(0, int(begins[-1]), CHUNK):
        index = np.arange(start, min(start + CHUNK, int(begins[-1])))
        parent = np.searchsorted(begins, index, side="right") - 1
        pays = low[parent] + (index - begins[parent]) * row.step
        added = sums[parent] + pays[:, None] * np.array([band.ways[at] for band in bands], np.int64)
        yield np.column_stack([pays, chosen[parent]]), added


def _within_squares(
    rows: Sequence[RowRange], squares: Sequence[SquareBand], at: int, chosen: Numbers, low: Numbers, high: Numbers
) -> tuple[Numbers, Numbers]:
    """The same borders drawn closer where the squares of pays are bounded; a step of slack for rounding."""
    for square in squares:
        sofar = (chosen.astype(np.float64) ** 2) @ np.array(square.chances[at + 1 :])
        together = sum(square.chances[: at + 1])
        if together:
            reach = np.sqrt(np.maximum(square.most * SLACK - sofar, 0) / together)
            high = np.minimum(high, np.floor(np.minimum(reach, LARGEST / 2)).astype(np.int64) + 1)
        if square.chances[at]:
            above = sum(chance * float(rows[up].most) ** 2 for up, chance in enumerate(square.chances[:at]))
            missing = np.maximum(square.least / SLACK - sofar - above, 0) / square.chances[at]
            low = np.maximum(low, np.floor(np.sqrt(missing)).astype(np.int64) - 1)
    return low, high
