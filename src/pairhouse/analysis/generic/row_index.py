"""Rows of numbers that compiled code finds by their content: stories, and states of a choice."""

from typing import NamedTuple

import numpy as np

from pairhouse.analysis.generic.deal_table import Numbers, shared


class RowIndex(NamedTuple):
    """Rows of numbers, each found by its key, with room for more; `filled[0]` says how many there are."""

    slots: Numbers
    rows: Numbers
    filled: Numbers


@shared
def find_row(index: RowIndex, key: Numbers, size: int) -> int:
    """The number of the row with this key; a new row where there is none, -1 where there is no room."""
    mixed = np.int64(size)
    for at in range(size):
        mixed = (mixed ^ key[at]) * np.int64(-7046029254386353131)
        mixed ^= mixed >> 29
    mask = index.slots.size - 1
    slot = mixed & mask
    while index.slots[slot] >= 0:
        number = index.slots[slot]
        same = index.rows[number, 0] == size
        at = 0
        while same and at < size:
            same = index.rows[number, 1 + at] == key[at]
            at += 1
        if same:
            return number
        slot = (slot + 1) & mask
    number = index.filled[0]
    if number == index.rows.shape[0]:
        return -1
    index.filled[0] = number + 1
    index.slots[slot] = number
    index.rows[number, 0] = size
    for at in range(size):
        index.rows[number, 1 + at] = key[at]
    return number


def new_row_index(width: int, rows: int) -> RowIndex:
    """An empty index for so many rows."""
    slots = 1 << (2 * rows - 1).bit_length()
    return RowIndex(np.full(slots, -1, np.int64), np.zeros((rows, width + 1), np.int64), np.zeros(1, np.int64))
