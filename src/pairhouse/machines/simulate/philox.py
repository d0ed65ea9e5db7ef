"""The generator of simulated rounds: Philox 4x32 with ten steps, a function from a counter and a key to 128 bits.

It has no state: round number r of block b under a seed is always the same 128 bits, and so are the bits that follow
them, in whatever order they are computed. So a tally is the same on every machine, with any number of threads or
processes, and after an interruption. It is for simulation only; players are dealt to by `rounds/shuffle.py`.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
"""

import numpy as np

MULTIPLIER_A, MULTIPLIER_B = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
KEY_STEP_A, KEY_STEP_B = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
LOW_HALF, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
STEPS = 10

SEED_MAX = 2**64 - 1
Word = np.uint64
Narrow = np.uint32
Words = tuple[Word, Word, Word, Word]

# The third word of a counter keeps the streams of different purposes apart.
FRESH_ROUNDS, WHOLE_SHOES, SESSIONS = 0, 1, 2


def philox(a: Word, b: Word, c: Word, d: Word, key_a: Word, key_b: Word) -> Words:
    """Four words of 32 bits for a counter of four and a key of two, all held in 64 bits."""
    for _ in range(STEPS):
        first, second = a * MULTIPLIER_A, c * MULTIPLIER_B
        a, b = (second >> HALF) ^ b ^ key_a, second & LOW_HALF
        c, d = (first >> HALF) ^ d ^ key_b, first & LOW_HALF
        key_a, key_b = (key_a + KEY_STEP_A) & LOW_HALF, (key_b + KEY_STEP_B) & LOW_HALF
    return a, b, c, d


def philox_narrow(a: Narrow, b: Narrow, c: Narrow, d: Narrow, key_a: Narrow, key_b: Narrow) -> tuple[Narrow, ...]:
    """The same function on words of 32 bits, for processors that multiply those faster."""
    for _ in range(STEPS):
        first, second = np.uint64(a) * MULTIPLIER_A, np.uint64(c) * MULTIPLIER_B
        a, b = np.uint32(np.uint32(second >> HALF) ^ b ^ key_a), np.uint32(second & LOW_HALF)
        c, d = np.uint32(np.uint32(first >> HALF) ^ d ^ key_b), np.uint32(first & LOW_HALF)
        key_a = np.uint32((np.uint64(key_a) + KEY_STEP_A) & LOW_HALF)
        key_b = np.uint32((np.uint64(key_b) + KEY_STEP_B) & LOW_HALF)
    return a, b, c, d


def key_of(seed: int) -> tuple[Word, Word]:
    """The key of a seed from 0 to 2**64 - 1."""
    return np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)
