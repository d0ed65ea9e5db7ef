"""What a simulated round has come to, as one small number: the cell of the tally in which it is counted.

Each happening adds a number to the cell. A kind that is settled at most once can add its own fields as they are, in
bits of their own; or any kind adds what a table says for its fields: a class of happenings that pay alike, or (for the
hands of a split pair) what they won and what was at risk, which then adds up over the hands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

# The words of a round: its next cards, the cell it has come to, how many cards it has drawn, and where further cards
# come from (which round of which block under which key, the size of the shoe, how many are dealt, the faces of a deck).
CARDS, CELL, CURSOR, NUMBER, BLOCK, KEY_A, KEY_B, SIZE, DEALT, FACES = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
SEEN, NOTED = 10, 11  # for a strategy that goes by cards: those the seat has seen, and how many
SIEVE, GROUP = 12, 13  # of a round that is dealt further: the positions that are gone, and the bits that come next
STATE_WORDS = 14

Numbers = npt.NDArray[np.int64]


_room: dict[type, tuple[int, ...]] = {}  # kinds that need other widths than most


def make_room(kind: type, known: Sequence[tuple[int, ...]]) -> None:
    """Make the fields of a kind as wide as these happenings need, where they need more than is usual."""
    largest = [max(0, *(each[field] for each in known)) for field in range(len(kind.__annotations__))]
    if any(value >= 1 << bits for value, bits in zip(largest, field_bits(kind), strict=True)):
        _room[kind] = tuple(max(value.bit_length(), 1) for value in largest)


def field_bits(kind: type) -> tuple[int, ...]:
    """The width of each field of a happening: one bit for a truth, four for any other, unless it was given more."""
    return _room.get(kind) or tuple(1 if of_type is bool else 4 for of_type in kind.__annotations__.values())


def code_bits(kind: type) -> int:
    """The bits of a happening as a number."""
    return sum(field_bits(kind))


def code_of(happened: Any) -> int:
    """A happening as a number, its first field highest."""
    code = 0
    for field, bits in zip(map(int, happened), field_bits(type(happened)), strict=True):
        code = code << bits | field
    return code


def happening(kind: type, code: int) -> Any:
    """The happening behind a number."""
    fields: list[int] = []
    for of_type, bits in reversed(list(zip(kind.__annotations__.values(), field_bits(kind), strict=True))):
        fields.insert(0, of_type(code & (1 << bits) - 1))
        code >>= bits
    return kind(*fields)


def every_happening(kind: type) -> Iterator[Any]:
    """All that the fields of a kind can spell, in the order of their numbers; a game knows only some of them."""
    for fields in product(*(range(1 << bits) for bits in field_bits(kind))):
        yield kind(*(of_type(f) for of_type, f in zip(kind.__annotations__.values(), fields, strict=True)))


@dataclass(frozen=True)
class Scoring:
    """How happenings become cells. For each kind: `shift`, where its fields stand in the cell, or -1 where `offsets`
    says what it adds, from `start` on. `zero` is the cell of a round in which nothing was settled."""

    kinds: tuple[type, ...]
    shifts: tuple[int, ...]
    starts: tuple[int, ...]
    offsets: Numbers
    cells: int
    zero: int = 0

    @property
    def name(self) -> str:
        """What the compiled code depends on; the offsets are read when it runs."""
        return "-".join(
            f"{kind.__name__}{shift}at{start}{list(_room.get(kind, ()))}" for kind, shift, start in self._layout()
        )

    def _layout(self) -> Iterator[tuple[type, int, int]]:
        return zip(self.kinds, self.shifts, self.starts, strict=True)


def side_by_side(kinds: Sequence[type]) -> Scoring:
    """A scoring for games that settle each kind once at most: its fields stand in the cell as they are."""
    shifts, bits = [], 0
    for kind in kinds:
        shifts.append(bits)
        bits += code_bits(kind)
    return Scoring(tuple(kinds), tuple(shifts), (0,) * len(shifts), np.zeros(1, np.int64), 1 << bits)
