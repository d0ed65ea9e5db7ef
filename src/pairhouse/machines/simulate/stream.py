"""What the cards of a round depend on."""

from typing import NamedTuple

VALUES, BEGINNING = 10, 5  # rounds begin alike by the values of so many cards (see `alike.py`)
AHEAD_MAX = 8  # cards dealt ahead: 128 bits hold eight numbers of 16 bits


class Stream(NamedTuple):
    """Where the bits come from: the key of the seed and the number of the block."""

    key_a: int
    key_b: int
    block: int


class Shoe(NamedTuple):
    """How many cards the shoe holds, how many faces a deck has, and how many cards are dealt ahead of each round."""

    size: int
    faces: int
    ahead: int
