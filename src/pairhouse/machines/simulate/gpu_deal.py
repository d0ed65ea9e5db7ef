"""Cards for one thread of a GPU: the same as `deal.py` gives, from the same bits, without a branch or an array.

The eight numbers of 128 bits become eight positions at once; those that may not be used are left out when the cards are
laid on a pile, which is one word. Most rounds need one such pile.
"""

from typing import Any, NamedTuple

import numpy as np

from pairhouse.machines.link import Function, link
from pairhouse.machines.simulate.deal import NUMBER_BITS, ROUND_CARDS_MAX
from pairhouse.machines.simulate.gpu_memory import cuda, stay_apart
from pairhouse.machines.simulate.philox import FRESH_ROUNDS, philox_narrow
from pairhouse.machines.simulate.stream import ShoeShape

CARD_BITS, CARD_MASK = 6, 63
END = 1  # lies above the last card of a pile
NUMBERS = 8  # in 128 bits
NUMBER_MASK, HALF = np.uint32(0xFFFF), np.uint32(NUMBER_BITS)
UNFAIR = np.uint32(0xFFFF)  # in place of a position: this number may not be used
ROOM = ROUND_CARDS_MAX + 4 * NUMBERS


class Round(NamedTuple):
    """Which round of which block, and the key of the seed: where its bits come from."""

    number: Any
    block: Any
    key_a: Any
    key_b: Any


class Pack(NamedTuple):
    """A shoe as the compiler sees it: constants, so that nothing is ever divided."""

    size: Any
    faces: Any
    left_over: Any  # numbers that would favour some positions
    ahead: int


class GpuDealing(NamedTuple):
    """The compiled ways to deal from one shoe."""

    ahead: Function  # all the cards of a round that needs few, on one pile
    first: Function  # the pile of a round's first 128 bits
    further: Function  # the pile of any later 128 bits


def position(number: Any, pack: Any) -> Any:
    """What a 16-bit number gives."""
    scaled = np.uint32(number * pack.size)
    return np.uint32(scaled >> HALF) if scaled & NUMBER_MASK >= pack.left_over else UNFAIR


def positions(which: Any, pack: Any, group: int) -> Any:
    """The eight positions of 128 bits."""
    a, b, c, d = philox_narrow(
        which.number, which.block, np.uint32(FRESH_ROUNDS), np.uint32(group), which.key_a, which.key_b
    )
    return (
        position(np.uint32(a & NUMBER_MASK), pack),
        position(np.uint32(a >> HALF), pack),
        position(np.uint32(b & NUMBER_MASK), pack),
        position(np.uint32(b >> HALF), pack),
        position(np.uint32(c & NUMBER_MASK), pack),
        position(np.uint32(c >> HALF), pack),
        position(np.uint32(d & NUMBER_MASK), pack),
        position(np.uint32(d >> HALF), pack),
    )


def fresh(p: Any) -> Any:
    """Which of eight positions may be used: those that are fair and were not there before."""
    no = UNFAIR
    return (
        p[0] != no,
        (p[1] != no) & (p[1] != p[0]),
        (p[2] != no) & (p[2] != p[0]) & (p[2] != p[1]),
        (p[3] != no) & (p[3] != p[0]) & (p[3] != p[1]) & (p[3] != p[2]),
        (p[4] != no) & (p[4] != p[0]) & (p[4] != p[1]) & (p[4] != p[2]) & (p[4] != p[3]),
        (p[5] != no) & (p[5] != p[0]) & (p[5] != p[1]) & (p[5] != p[2]) & (p[5] != p[3]) & (p[5] != p[4]),
        (p[6] != no) & (p[6] != p[0]) & (p[6] != p[1]) & (p[6] != p[2]) & (p[6] != p[3]) & (p[6] != p[4])
        & (p[6] != p[5]),
        (p[7] != no) & (p[7] != p[0]) & (p[7] != p[1]) & (p[7] != p[2]) & (p[7] != p[3]) & (p[7] != p[4])
        & (p[7] != p[5]) & (p[7] != p[6]),
    )  # fmt: skip


def apart(q: Any, p: Any) -> Any:
    """Whether a position is none of eight others."""
    near = (q != p[0]) & (q != p[1]) & (q != p[2]) & (q != p[3])
    return near & (q != p[4]) & (q != p[5]) & (q != p[6]) & (q != p[7])


def lay(pile: int, place: Any, usable: Any, pack: Any) -> Any:
    """A pile with the card of a position on top, if it may be used."""
    card = np.int64(np.uint32(place % pack.faces) & np.uint32(CARD_MASK))
    return pile << CARD_BITS | card if usable else pile


def piled(p: Any, use: Any, pack: Any) -> Any:
    """A pile of those of eight positions that may be used, the first on top."""
    pile = lay(END, p[7], use[7], pack)
    pile = lay(pile, p[6], use[6], pack)
    pile = lay(pile, p[5], use[5], pack)
    pile = lay(pile, p[4], use[4], pack)
    pile = lay(pile, p[3], use[3], pack)
    pile = lay(pile, p[2], use[2], pack)
    pile = lay(pile, p[1], use[1], pack)
    return lay(pile, p[0], use[0], pack)


def count_cards(pile: int) -> int:
    """How many cards are on a pile."""
    number = 0
    while pile > END:
        pile >>= CARD_BITS
        number += 1
    return number


def second(which: Any, p: Any, pack: Any) -> int:
    """The pile of the second 128 bits; `p` are the positions of the first."""
    q = positions(which, pack, 1)
    use = fresh(q)
    usable = (
        use[0] & apart(q[0], p),
        use[1] & apart(q[1], p),
        use[2] & apart(q[2], p),
        use[3] & apart(q[3], p),
        use[4] & apart(q[4], p),
        use[5] & apart(q[5], p),
        use[6] & apart(q[6], p),
        use[7] & apart(q[7], p),
    )
    return piled(q, usable, pack)


def from_the_start(which: Any, pack: Any, group: int, least: int) -> int:
    """Of a long round: what a late group of bits adds; or, where so many are asked for, the cards from the first on."""
    gone = cuda.local.array(ROOM, np.uint16)
    found, first, earlier = 0, 0, 0
    while earlier <= group or found < least:
        first = found
        p = positions(which, pack, earlier)
        for k in range(NUMBERS):
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
        pile = lay(pile, np.uint32(gone[at]), True, pack)
    return pile


def deal_first(which: Any, pack: Any) -> int:
    """The pile of the first 128 bits."""
    p = positions(which, pack, 0)
    return piled(p, fresh(p), pack)


def deal_further(which: Any, pack: Any, group: int) -> int:
    """The pile of later bits."""
    if group == 1:
        return second(which, positions(which, pack, 0), pack)
    return from_the_start(which, pack, group, 0)


def deal_ahead(which: Any, pack: Any) -> int:
    """All the cards that a short round can need, on one pile."""
    p = positions(which, pack, 0)
    pile = piled(p, fresh(p), pack)
    if pile >> (CARD_BITS * pack.ahead) == 0:
        more, dealt = second(which, p, pack), count_cards(pile)
        pile = (pile ^ END << CARD_BITS * dealt) | more << CARD_BITS * dealt
        if dealt + count_cards(more) < pack.ahead:
            pile = from_the_start(which, pack, 0, pack.ahead)
    return pile


PARTS = (
    philox_narrow, position, positions, fresh, apart, lay, piled, count_cards, second, from_the_start,
    deal_first, deal_further, deal_ahead,
)  # fmt: skip


def dealing(shoe: ShoeShape, device: Any) -> GpuDealing:
    """The ways to deal, compiled for a shoe."""
    left_over = np.uint32((1 << NUMBER_BITS) % shoe.size)
    pack = Pack(np.uint32(shoe.size), np.uint32(shoe.faces), left_over, shoe.ahead)
    linked: dict[Function, Function] = {}
    for part in PARTS:
        linked[part] = link(part, linked, device)
    dealt_ahead, dealt_first, dealt_further = linked[deal_ahead], linked[deal_first], linked[deal_further]

    @device
    def ahead(which: Any) -> int:
        return dealt_ahead(which, pack)

    @device
    def first(which: Any) -> int:
        return dealt_first(which, pack)

    @device
    def further(which: Any, group: int) -> int:
        stay_apart()
        return dealt_further(which, pack, group)

    return GpuDealing(ahead, first, further)
