"""Cards for many rounds at once, drawn without replacement and exactly uniform.

The bits of a round are read as a stream of 16-bit numbers. Each gives a position in the shoe by multiplying and
shifting; numbers that would make some positions likelier are passed over, and so are positions that are gone already.
The cards of a round are therefore the different positions of its stream in the order they first appear: nothing
depends on how many are asked for, how many rounds are dealt side by side, or on which machine.

Almost every round's first cards are its first numbers, so those of many rounds are made together in loops without
branches; the others are then dealt again one by one.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pairhouse.machines.cache import cached_jit
from pairhouse.machines.count import JIT, jit
from pairhouse.machines.simulate.philox import FRESH_ROUNDS, philox
from pairhouse.machines.simulate.registers import stay_apart
from pairhouse.machines.simulate.stream import AHEAD_MAX, ShoeShape, Stream

LANES = 512  # rounds dealt together: their cards stay in the nearest cache
NUMBER_BITS, NUMBER_MASK = 16, 0xFFFF
CARD_BITS, CARD_MASK = 8, 63
ROUND_CARDS_MAX = 64

Bytes = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.uint16]
Longs = npt.NDArray[np.uint32]

next_words = jit(philox)


class Lanes(NamedTuple):
    """The first cards of many rounds side by side: `packed` holds eight in a word. The rest is for working."""

    packed: npt.NDArray[np.int64]
    positions: Shorts
    words: Longs
    unusable: Bytes
    listed: Shorts
    again: Longs
    given: Shorts
    over: Bytes
    room: Shorts
    order: Longs
    classes: Bytes
    starts: Longs


def new_lanes() -> Lanes:
    """Room for the rounds that are dealt together."""
    return Lanes(
        packed=np.zeros(LANES, np.int64),
        positions=np.zeros((AHEAD_MAX, LANES), np.uint16),
        words=np.zeros((4, LANES), np.uint32),
        unusable=np.zeros(LANES, np.uint8),
        listed=np.zeros(LANES + 1, np.uint16),
        again=np.zeros((8, LANES), np.uint32),
        given=np.zeros((2 * AHEAD_MAX, LANES), np.uint16),
        over=np.zeros((2 * AHEAD_MAX, LANES), np.uint8),
        order=np.zeros(LANES, np.uint32),
        classes=np.zeros(LANES, np.uint8),
        starts=np.zeros(257, np.uint32),
        room=np.zeros(ROUND_CARDS_MAX + AHEAD_MAX, np.uint16),
    )


@jit
def words_of(stream: Stream, number: int, group: int) -> tuple[int, int, int, int]:
    """The 128 bits of a round, group by group."""
    return next_words(
        np.uint64(number),
        np.uint64(stream.block),
        np.uint64(FRESH_ROUNDS),
        np.uint64(group),
        np.uint64(stream.key_a),
        np.uint64(stream.key_b),
    )


@jit
def left_over(size: int) -> int:
    """How many of all 16-bit numbers are left over when they are shared out evenly: they would favour some cards."""
    return (1 << NUMBER_BITS) % size


@jit
def number_in(words: Any, k: int) -> Any:
    """The k-th 16-bit number of 128 bits."""
    return np.int64((words[k >> 1] >> np.uint64(NUMBER_BITS * (k & 1))) & np.uint64(NUMBER_MASK))


@jit
def sift(words: Any, size: int, unfair: int, found: int, seen: int, positions: Any) -> tuple[int, int]:
    """Add the positions that 128 bits give to those found; `seen` is a sieve of 64 bits for what is gone already."""
    for k in range(AHEAD_MAX):
        scaled = number_in(words, k) * size
        position = scaled >> NUMBER_BITS
        bit = position & 63
        repeated = seen >> bit & 1
        if size > 64 and repeated:  # two positions of a large shoe can share a bit
            repeated = 0
            for earlier in range(found):
                repeated |= np.int64(positions[earlier] == position)
        usable = np.int64(scaled & NUMBER_MASK >= unfair) & (1 - repeated)
        positions[found] = position
        found += usable
        seen |= usable << bit
    return found, seen


@cached_jit("simulate-deal-more", __name__, nogil=True, **JIT)
def deal_more(
    stream: Stream, size: int, number: int, group: int, found: int, seen: int, count: int, positions: Shorts
) -> None:
    """Go on with one round from a group of its bits until so many positions are found; there must be room for more."""
    stay_apart()
    unfair = left_over(size)
    while found < count:
        found, seen = sift(words_of(stream, number, group), size, unfair, found, seen, positions)
        group += 1


@jit
def make_words(lanes: Lanes, stream: Stream, first: int) -> None:
    """The first 128 bits of every round."""
    for lane in range(LANES):
        a, b, c, d = words_of(stream, first + lane, 0)
        lanes.words[0, lane], lanes.words[1, lane] = np.uint32(a), np.uint32(b)
        lanes.words[2, lane], lanes.words[3, lane] = np.uint32(c), np.uint32(d)


@jit
def make_positions(lanes: Lanes, shoe: ShoeShape) -> None:
    """Numbers to positions; a round whose numbers cannot all be used is marked."""
    size, unfair = np.uint32(shoe.size), np.uint32(left_over(shoe.size))
    unusable = lanes.unusable
    for lane in range(LANES):
        unusable[lane] = 0
    for k in range(shoe.ahead):
        words, positions = lanes.words[k >> 1], lanes.positions[k]
        shift = np.uint32(NUMBER_BITS * (k & 1))
        for lane in range(LANES):
            scaled = ((words[lane] >> shift) & np.uint32(NUMBER_MASK)) * size
            unusable[lane] |= np.uint8((scaled & np.uint32(NUMBER_MASK)) < unfair)
            positions[lane] = np.uint16(scaled >> np.uint32(NUMBER_BITS))
        for j in range(k):
            earlier = lanes.positions[j]
            for lane in range(LANES):
                unusable[lane] |= np.uint8(earlier[lane] == positions[lane])


@jit
def list_unusable(lanes: Lanes) -> int:
    """List the lanes that are marked, and count them, without a branch that the processor would mispredict."""
    unusable = 0
    for lane in range(LANES):
        lanes.listed[unusable] = lane
        unusable += lanes.unusable[lane]
    return unusable


@jit
def gather_words(lanes: Lanes, stream: Stream, first: int, count: int, further: bool) -> None:
    """The bits of listed rounds side by side: the first 128, and the next where they are needed."""
    for w in range(4):
        words, near = lanes.words[w], lanes.again[w]
        for at in range(count):
            near[at] = words[lanes.listed[at]]
    if further:
        for at in range(count):
            a, b, c, d = words_of(stream, first + lanes.listed[at], 1)
            lanes.again[4, at], lanes.again[5, at] = np.uint32(a), np.uint32(b)
            lanes.again[6, at], lanes.again[7, at] = np.uint32(c), np.uint32(d)


@jit
def sift_together(lanes: Lanes, size: int, numbers: int, count: int) -> None:
    """What so many numbers of each listed round give, and which of them are passed over: unfair ones, and those that
    repeat an earlier one."""
    wide, unfair = np.uint32(size), np.uint32(left_over(size))
    for k in range(numbers):
        words, given, over = lanes.again[k >> 1], lanes.given[k], lanes.over[k]
        shift = np.uint32(NUMBER_BITS * (k & 1))
        for at in range(count):
            scaled = ((words[at] >> shift) & np.uint32(NUMBER_MASK)) * wide
            bad = (scaled & np.uint32(NUMBER_MASK)) < unfair
            over[at] = np.uint8(bad)
            given[at] = np.uint16(NUMBER_MASK) if bad else np.uint16(scaled >> np.uint32(NUMBER_BITS))
        for j in range(k):
            earlier = lanes.given[j]
            for at in range(count):
                over[at] |= np.uint8(earlier[at] == given[at])


@jit
def redeal(lanes: Lanes, stream: Stream, shoe: ShoeShape, first: int) -> None:
    """Deal the marked rounds again: from twice as many numbers where all of the first are needed, else from those."""
    unusable = list_unusable(lanes)
    count = min((unusable + 31) & ~31, LANES)  # full groups for the processor; lanes beyond the last are ignored
    further = shoe.ahead == AHEAD_MAX
    numbers = 2 * AHEAD_MAX if further else AHEAD_MAX
    gather_words(lanes, stream, first, count, further)
    sift_together(lanes, shoe.size, numbers, count)
    for at in range(unusable):
        lane, found = lanes.listed[at], 0
        for k in range(numbers):
            lanes.room[found] = lanes.given[k, at]
            found += 1 - lanes.over[k, at]
        if found < shoe.ahead:
            deal_more(stream, shoe.size, first + lane, 0, 0, 0, shoe.ahead, lanes.room)
        for k in range(shoe.ahead):
            lanes.positions[k, lane] = lanes.room[k]


@jit
def pack_cards(lanes: Lanes, shoe: ShoeShape) -> None:
    """Positions to cards, and the cards of each round into one word, the first lowest."""
    packed = lanes.packed
    for lane in range(LANES):
        packed[lane] = 0
    for k in range(shoe.ahead):
        positions, shift = lanes.positions[k], CARD_BITS * k
        if shoe.faces == 52:  # a constant divisor is a multiplication
            for lane in range(LANES):
                packed[lane] |= np.int64(positions[lane] % np.uint16(52)) << shift
        elif shoe.faces == 54:
            for lane in range(LANES):
                packed[lane] |= np.int64(positions[lane] % np.uint16(54)) << shift
        else:
            faces = np.uint16(shoe.faces)
            for lane in range(LANES):
                packed[lane] |= np.int64(positions[lane] % faces) << shift


@cached_jit("simulate-deal", __name__, nogil=True, **JIT)
def deal_ahead(lanes: Lanes, stream: Stream, shoe: ShoeShape, first: int) -> None:
    """The first cards of as many rounds as there are lanes, from round `first` of the block on."""
    make_words(lanes, stream, first)
    make_positions(lanes, shoe)
    redeal(lanes, stream, shoe, first)
    pack_cards(lanes, shoe)
