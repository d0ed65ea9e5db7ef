"""How blackjack play is looked up in tables, the same in compiled code and in the interpreter."""

from typing import Any

import numpy as np

from pairhouse.games.blackjack_choices import NO_INSURANCE, SPLIT
from pairhouse.games.blackjack_hand import HAND_BITS, hard

ACES_FROM, ACES_MASK = 10, 31  # where a hand says how many aces it holds
HAND_MASK = (1 << HAND_BITS) - 1
UP_BITS, ROW_BITS = 4, 6
PAIR_FROM = HAND_BITS + 7
SLOT_BITS = 16
SPREAD = np.uint64(0x9E3779B97F4A7C15)
SLOT_SHIFT = np.uint64(64 - SLOT_BITS)


def by_chart(tables: Any, legal: int, situation: int) -> Any:
    """The action for a total: rows by what is legal, whether there is an ace, the hard total; columns by up card."""
    aces = np.int64((situation >> ACES_FROM) & ACES_MASK > 0)
    row = (legal << 1 | aces) << (ROW_BITS - 1) | hard(situation)
    return np.int64(tables[0][row << UP_BITS | (situation >> HAND_BITS) & 15])


def by_composition(tables: Any, legal: int, situation: int) -> Any:
    """The action for the very cards of a hand, found by its number; a pair that was split is split again if it may."""
    pair = situation >> PAIR_FROM
    if legal & NO_INSURANCE:
        return np.int64(tables[2][0])
    if pair > 0 and legal & SPLIT:
        return SPLIT
    key = (situation & HAND_MASK) | pair << HAND_BITS
    slot = np.int64((np.uint64(key) * SPREAD) >> SLOT_SHIFT)
    while tables[0][slot] != key:
        slot = (slot + 1) & ((1 << SLOT_BITS) - 1)
    return np.int64(tables[1][slot << UP_BITS | (situation >> HAND_BITS) & 15])
