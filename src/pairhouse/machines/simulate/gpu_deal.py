"""Cards for one thread of a GPU: the same as `deal.py` gives, from the same bits, without a branch or an array.

The eight numbers of 128 bits become eight positions at once; those that may not be used are left out when the cards are
laid on a pile, which is one word. Most rounds need no more than one or two such piles.
"""

from typing import Any, NamedTuple

import numpy as np

try:
    from numba import cuda
except ImportError:  # an extra
    cuda = None

from pairhouse.machines.link import Function
from pairhouse.machines.simulate.deal import NUMBER_BITS, ROUND_CARDS_MAX, Shoe
from pairhouse.machines.simulate.gpu_memory import stay_apart
from pairhouse.machines.simulate.philox import FRESH_ROUNDS, philox_narrow

CARD_BITS, CARD_MASK = 6, 63
END = 1  # a pile without cards: what lies above the last card
UNFAIR = np.uint32(0xFFFF)  # in place of a position: this number may not be used
NUMBER_MASK = np.uint32(0xFFFF)
ROOM = ROUND_CARDS_MAX + 32


class Round(NamedTuple):
    """Which round of which block, and the key of the seed: where its bits come from."""

    number: Any
    block: Any
    key_a: Any
    key_b: Any


class Dealing(NamedTuple):
    """The compiled ways to deal from one kind of shoe."""

    ahead: Function  # all the cards of a round that needs few, on one pile
    one: Function
    two: Function  # the piles of its first and its second 128 bits
    further: Function  # the pile of any later 128 bits


def fresh(p: Any) -> Any:
    """Which of eight positions may be used: those that are fair and were not there before."""
    none = UNFAIR
    return (
        p[0] != none,
        (p[1] != none) & (p[1] != p[0]),
        (p[2] != none) & (p[2] != p[0]) & (p[2] != p[1]),
        (p[3] != none) & (p[3] != p[0]) & (p[3] != p[1]) & (p[3] != p[2]),
        (p[4] != none) & (p[4] != p[0]) & (p[4] != p[1]) & (p[4] != p[2]) & (p[4] != p[3]),
        (p[5] != none) & (p[5] != p[0]) & (p[5] != p[1]) & (p[5] != p[2]) & (p[5] != p[3]) & (p[5] != p[4]),
        (p[6] != none) & (p[6] != p[0]) & (p[6] != p[1]) & (p[6] != p[2]) & (p[6] != p[3]) & (p[6] != p[4])
        & (p[6] != p[5]),
        (p[7] != none) & (p[7] != p[0]) & (p[7] != p[1]) & (p[7] != p[2]) & (p[7] != p[3]) & (p[7] != p[4])
        & (p[7] != p[5]) & (p[7] != p[6]),
    )  # fmt: skip


def apart(q: Any, p: Any) -> Any:
    """Whether a position is none of eight others."""
    return (
        (q != p[0]) & (q != p[1]) & (q != p[2]) & (q != p[3]) & (q != p[4]) & (q != p[5]) & (q != p[6]) & (q != p[7])
    )


def dealing(shoe: Shoe, device: Any) -> Dealing:
    """The ways to deal, compiled for a shoe of this size: what is divided by is a constant to the compiler."""
    ahead, size, faces = shoe.ahead, np.uint32(shoe.size), np.uint32(shoe.faces)
    unfair = np.uint32((1 << NUMBER_BITS) % shoe.size)
    next_words, fresh_ones, is_apart = device(philox_narrow), device(fresh), device(apart)

    @device
    def position(number: Any) -> Any:
        scaled = np.uint32(number * size)
        return np.uint32(scaled >> np.uint32(NUMBER_BITS)) if scaled & NUMBER_MASK >= unfair else UNFAIR

    @device
    def positions(which: Round, group: int) -> Any:
        a, b, c, d = next_words(
            which.number, which.block, np.uint32(FRESH_ROUNDS), np.uint32(group), which.key_a, which.key_b
        )
        half = np.uint32(NUMBER_BITS)
        return (
            position(np.uint32(a & NUMBER_MASK)), position(np.uint32(a >> half)),
            position(np.uint32(b & NUMBER_MASK)), position(np.uint32(b >> half)),
            position(np.uint32(c & NUMBER_MASK)), position(np.uint32(c >> half)),
            position(np.uint32(d & NUMBER_MASK)), position(np.uint32(d >> half)),
        )  # fmt: skip

    @device
    def lay(pile: int, place: Any, usable: Any) -> int:
        card = np.int64(np.uint32(place % faces) & np.uint32(CARD_MASK))
        return pile << CARD_BITS | card if usable else pile

    @device
    def piled(p: Any, use: Any) -> int:
        pile = lay(lay(lay(lay(END, p[7], use[7]), p[6], use[6]), p[5], use[5]), p[4], use[4])
        return lay(lay(lay(lay(pile, p[3], use[3]), p[2], use[2]), p[1], use[1]), p[0], use[0])

    @device
    def count_cards(pile: int) -> int:
        number = 0
        while pile > END:
            pile >>= CARD_BITS
            number += 1
        return number

    @device
    def second(which: Round, p: Any) -> int:
        q = positions(which, 1)
        use = fresh_ones(q)
        return piled(
            q,
            (
                use[0] & is_apart(q[0], p), use[1] & is_apart(q[1], p),
                use[2] & is_apart(q[2], p), use[3] & is_apart(q[3], p),
                use[4] & is_apart(q[4], p), use[5] & is_apart(q[5], p),
                use[6] & is_apart(q[6], p), use[7] & is_apart(q[7], p),
            ),
        )  # fmt: skip

    @device
    def further(which: Round, group: int, least: int) -> int:
        """Of a long round: what a late group adds; or, where so many are asked for, the cards from the first on."""
        stay_apart()
        if group == 1:
            return second(which, positions(which, 0))
        gone = cuda.local.array(ROOM, np.uint16)
        found, first, earlier = 0, 0, 0
        while earlier <= group or found < least:
            first = found
            p = positions(which, earlier)
            for k in range(8):
                usable = p[k] != UNFAIR
                for at in range(found):
                    usable = usable & (gone[at] != p[k])
                gone[found] = p[k]
                found += int(usable)
            earlier += 1
        if least > 0:
            found, first = least, 0
        pile = END
        for at in range(found - 1, first - 1, -1):
            pile = lay(pile, np.uint32(gone[at]), True)
        return pile

    @device
    def one(which: Round) -> Any:
        p = positions(which, 0)
        return piled(p, fresh_ones(p))

    @device
    def two(which: Round) -> Any:
        p = positions(which, 0)
        return piled(p, fresh_ones(p)), second(which, p)

    @device
    def all_ahead(which: Round) -> int:
        p = positions(which, 0)
        pile = piled(p, fresh_ones(p))
        if pile >> (CARD_BITS * ahead) == 0:
            more, dealt = second(which, p), count_cards(pile)
            pile = (pile ^ END << CARD_BITS * dealt) | more << CARD_BITS * dealt
            if dealt + count_cards(more) < ahead:
                pile = further(which, 0, ahead)
        return pile

    return Dealing(all_ahead, one, two, further)
