"""What the cards of a simulated round depend on: where its random bits come from, and the shoe."""

from typing import NamedTuple

VALUES, BEGINNING = 10, 5  # the values and the cards that decide a round's class (`branch_classes.py`)
AHEAD_MAX = 8  # cards dealt ahead: 128 bits hold eight numbers of 16 bits


class Stream(NamedTuple):
    """Where the bits come from: the key of the seed and the number of the block."""

    key_a: int
    key_b: int
    block: int


class ShoeShape(NamedTuple):
    """How many cards the shoe holds, how many faces a deck has, and how many cards are dealt ahead of each round."""

    size: int
    faces: int
    ahead: int
