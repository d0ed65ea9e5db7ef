"""How the play of any game is looked up by its situation, the same in compiled code and in the interpreter."""

from typing import Any

import numpy as np

SPREAD, OTHER, HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93), np.uint64(32)
TAG_BITS = np.uint32(26)
TAG, TAG_32 = np.uint64((1 << 26) - 1), np.uint32((1 << 26) - 1)


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
    """The action of a situation, from a table that holds all that come up, each by some bits of its hash."""
    key = (np.uint64(situation) ^ np.uint64(legal) * OTHER ^ np.uint64(tables[1][2])) * SPREAD
    key = (key ^ key >> HALF) * OTHER
    size, tag = np.int64(tables[1][0]), np.uint32(key & TAG)
    slot = np.int64(key >> np.uint64(tables[1][1]))
    while tables[0][slot] != 0 and (tables[0][slot] & TAG_32) != tag:
        slot = (slot + 1) & (size - 1)
    return (np.int64(1) << np.int64(tables[0][slot] >> TAG_BITS)) >> 1


def best_by_hash(pairs: Any, actions: Any) -> tuple[Any, Any]:
    """The tables of `by_hash` for pairs of what is legal and a situation, and their actions.

    A place holds the number of an action, from 1, above the bits that tell two situations apart; where those of two
    that could be taken for each other are equal, all are hashed otherwise.
    """
    bits = max(4, (3 * len(pairs) // 2).bit_length())
    for salt in range(100):
        with np.errstate(over="ignore"):
            key = (pairs[:, 1].astype(np.uint64) ^ pairs[:, 0].astype(np.uint64) * OTHER ^ np.uint64(salt)) * SPREAD
            key = (key ^ key >> HALF) * OTHER
        slots, tags = (key >> np.uint64(64 - bits)).astype(np.int64), (key & TAG).astype(np.int64)
        found = _laid_out(1 << bits, slots.tolist(), tags.tolist(), actions.tolist())
        if found is not None:
            return found, np.array([1 << bits, 64 - bits, salt], np.int64)
    raise AssertionError("a hundred ways to hash and none tells all situations apart")


def _laid_out(size: int, slots: list[int], tags: list[int], actions: list[int]) -> Any:
    """Each tag with the number of its action at its slot, or the next that is free; None where a tag is met twice."""
    table = [0] * size
    for slot, tag, action in zip(slots, tags, actions, strict=True):
        at = slot
        while table[at]:
            if table[at] & int(TAG) == tag:
                return None
            at = (at + 1) & (size - 1)
        table[at] = action.bit_length() << int(TAG_BITS) | tag
    return np.array(table, np.uint32)


def hashed(pairs: Any, actions: Any) -> tuple[Any, Any, Any]:
    """The tables of `by_file` for situations (with what is legal) and their actions."""
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
