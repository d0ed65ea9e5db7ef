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
from pairhouse.machines.simulate.stream import AHEAD_MAX, Shoe, Stream

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
    further: Longs
    spoilt: Bytes
    listed: Shorts
    room: Shorts


def new_lanes() -> Lanes:
    """Room for the rounds that are dealt together."""
    return Lanes(
        packed=np.zeros(LANES, np.int64),
        positions=np.zeros((AHEAD_MAX, LANES), np.uint16),
        words=np.zeros((4, LANES), np.uint32),
        further=np.zeros((4, LANES), np.uint32),
        spoilt=np.zeros(LANES, np.uint8),
        listed=np.zeros(LANES + 1, np.uint16),
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
def is_fair(number: int, size: int) -> bool:
    """Whether a 16-bit number may be used: those left over when all are shared out evenly would favour some cards."""
    return (number * size) & NUMBER_MASK >= (1 << NUMBER_BITS) % size


@jit
def number_in(words: Any, k: int) -> Any:
    """The k-th 16-bit number of 128 bits."""
    return np.int64((words[k >> 1] >> np.uint64(NUMBER_BITS * (k & 1))) & np.uint64(NUMBER_MASK))


@jit
def sift(words: Any, size: int, found: int, seen: int, positions: Any) -> tuple[int, int]:
    """Add the positions that 128 bits give to those found; `seen` is a sieve of 64 bits for what is gone already."""
    for k in range(AHEAD_MAX):
        drawn = number_in(words, k)
        position = drawn * size >> NUMBER_BITS
        bit = position & 63
        repeated = seen >> bit & 1
        if size > 64 and repeated:  # two positions of a large shoe can share a bit
            repeated = 0
            for earlier in range(found):
                repeated |= np.int64(positions[earlier] == position)
        usable = np.int64(is_fair(drawn, size)) & (1 - repeated)
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
    while found < count:
        found, seen = sift(words_of(stream, number, group), size, found, seen, positions)
        group += 1


@jit
def make_words(lanes: Lanes, stream: Stream, first: int) -> None:
    """The first 128 bits of every round."""
    for lane in range(LANES):
        a, b, c, d = words_of(stream, first + lane, 0)
        lanes.words[0, lane], lanes.words[1, lane] = np.uint32(a), np.uint32(b)
        lanes.words[2, lane], lanes.words[3, lane] = np.uint32(c), np.uint32(d)


@jit
def make_positions(lanes: Lanes, shoe: Shoe) -> None:
    """Numbers to positions; a round whose numbers cannot all be used is marked as spoilt."""
    size, unfair = np.uint32(shoe.size), np.uint32((1 << NUMBER_BITS) % shoe.size)
    spoilt = lanes.spoilt
    for lane in range(LANES):
        spoilt[lane] = 0
    for k in range(shoe.ahead):
        words, positions = lanes.words[k >> 1], lanes.positions[k]
        shift = np.uint32(NUMBER_BITS * (k & 1))
        for lane in range(LANES):
            scaled = ((words[lane] >> shift) & np.uint32(NUMBER_MASK)) * size
            spoilt[lane] |= np.uint8((scaled & np.uint32(NUMBER_MASK)) < unfair)
            positions[lane] = np.uint16(scaled >> np.uint32(NUMBER_BITS))
        for j in range(k):
            earlier = lanes.positions[j]
            for lane in range(LANES):
                spoilt[lane] |= np.uint8(earlier[lane] == positions[lane])


@jit
def lane_words(words: Longs, lane: int) -> tuple[int, int, int, int]:
    """The four words of a lane."""
    return words[0, lane], words[1, lane], words[2, lane], words[3, lane]


@jit
def mend(lanes: Lanes, stream: Stream, shoe: Shoe, first: int) -> None:
    """Deal the spoilt rounds again one by one."""
    spoilt = 0
    for lane in range(LANES):  # listed without a branch, which nobody could predict
        lanes.listed[spoilt] = lane
        spoilt += lanes.spoilt[lane]
    if shoe.ahead == AHEAD_MAX:  # what is left out must come from the bits after the first
        for at in range(spoilt):
            a, b, c, d = words_of(stream, first + lanes.listed[at], 1)
            lanes.further[0, at], lanes.further[1, at] = np.uint32(a), np.uint32(b)
            lanes.further[2, at], lanes.further[3, at] = np.uint32(c), np.uint32(d)
    for at in range(spoilt):
        lane = lanes.listed[at]
        found, seen = sift(lane_words(lanes.words, lane), shoe.size, 0, 0, lanes.room)
        group = 1
        if shoe.ahead == AHEAD_MAX:
            found, seen = sift(lane_words(lanes.further, at), shoe.size, found, seen, lanes.room)
            group = 2
        if found < shoe.ahead:
            deal_more(stream, shoe.size, first + lane, group, found, seen, shoe.ahead, lanes.room)
        for k in range(shoe.ahead):
            lanes.positions[k, lane] = lanes.room[k]


@jit
def pack_cards(lanes: Lanes, shoe: Shoe) -> None:
    """Positions to cards, and the cards of each round into one word, the first lowest."""
    packed = lanes.packed
    for lane in range(LANES):
        packed[lane] = 0
    for k in range(shoe.ahead):
        positions, shift = lanes.positions[k], CARD_BITS * k
        if shoe.faces == 52:  # a constant divisor is a multiplication
            for lane in range(LANES):
                packed[lane] |= np.int64(positions[lane] % np.uint16(52)) << shift
        else:
            for lane in range(LANES):
                packed[lane] |= np.int64(positions[lane] % np.uint16(54)) << shift


@cached_jit("simulate-deal", __name__, nogil=True, **JIT)
def deal_ahead(lanes: Lanes, stream: Stream, shoe: Shoe, first: int) -> None:
    """The first cards of as many rounds as there are lanes, from round `first` of the block on."""
    make_words(lanes, stream, first)
    make_positions(lanes, shoe)
    mend(lanes, stream, shoe, first)
    pack_cards(lanes, shoe)
