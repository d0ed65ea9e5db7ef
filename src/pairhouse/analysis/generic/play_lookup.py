"""How the play of any game is looked up by its situation, the same in compiled code and in the interpreter."""

from typing import Any

import numpy as np

SPREAD = np.uint64(0x9E3779B97F4A7C15)


def by_file(tables: Any, legal: int, situation: int) -> Any:
    """The action of a situation where the table holds it, else the one for all others, else the lowest offered."""
    size = np.int64(tables[2][0])
    slot = np.int64((np.uint64(situation) * SPREAD) >> np.uint64(tables[2][1]))
    while tables[1][slot] != 0 and tables[0][slot] != situation:
        slot = (slot + 1) & (size - 1)
    if legal & tables[1][slot] != 0:
        return np.int64(tables[1][slot])
    if legal & tables[2][2] != 0:
        return np.int64(tables[2][2])
    return legal & -legal


def by_hash(tables: Any, legal: int, situation: int) -> Any:
    """The action of a situation, from a table that is probed until the situation is found; it holds all of them."""
    size = np.int64(tables[2][0])
    slot = np.int64((np.uint64(situation) * SPREAD) >> np.uint64(tables[2][1]))
    while tables[1][slot] != 0 and (tables[0][slot] != situation or legal & tables[1][slot] == 0):
        slot = (slot + 1) & (size - 1)
    return np.int64(tables[1][slot])


def hashed(pairs: Any, actions: Any) -> tuple[Any, Any, Any]:
    """The tables of `by_hash` for situations (with what is legal) and their actions."""
    bits = max(4, (2 * len(pairs)).bit_length())
    size = 1 << bits
    situations, chosen = np.full(size, -1, np.int64), np.zeros(size, np.int64)
    with np.errstate(over="ignore"):
        slots = (pairs[:, 1].astype(np.uint64) * SPREAD >> np.uint64(64 - bits)).astype(np.int64)
    for slot, situation, action in zip(slots.tolist(), pairs[:, 1].tolist(), actions.tolist(), strict=True):
        at = slot
        while chosen[at] != 0:
            at = (at + 1) & (size - 1)
        situations[at], chosen[at] = situation, action
    return situations, chosen, np.array([size, 64 - bits], np.int64)
