"""The dealer's hands added and counted on an NVIDIA GPU: the same whole numbers as `sweep` of `compared_hands.py`.

Class by class, one launch counts for every hand that asks, a thread for each up card, and one adds the hands of the
class, a thread for each set of their cards.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from pairhouse.analysis.generic.card_sets import BINOMIAL, SETS, STARTS
from pairhouse.analysis.generic.deal_table import Numbers
from pairhouse.core.errors import Refused
from pairhouse.machines.link import link
from pairhouse.machines.simulate.gpu import cuda_or_refusal
from pairhouse.machines.simulate.gpu_memory import cuda

THREADS = 128


def gpu_is_here() -> bool:
    """Whether a GPU can be used."""
    try:
        cuda_or_refusal()
    except Refused:
        return False
    return True


def set_number(sets: Any, hand: Any, mask: int, extra: int) -> int:
    """As `number_of` in `card_sets.py`: the named cards of a hand, with one card more (-1 for none)."""
    found, size, placed = 0, 0, extra < 0
    for at in range(hand.size):
        if mask >> at & 1:
            if not placed and extra < hand[at]:
                size += 1
                found += sets[0][extra, size]
                placed = True
            size += 1
            found += sets[0][hand[at], size]
    if not placed:
        size += 1
        found += sets[0][extra, size]
    return int(sets[1][size] + found)


def avoiding(sets: Any, hand: Any, has_up: bool, extra: int, held: Any) -> int:
    """How many of the hands that were added avoid this one and hold the up card."""
    for card in range(hand.size):
        if hand[card] == extra:
            return 0
    total = 0
    for mask in range((1 << hand.size) - 1 if has_up else 1 << hand.size):
        number, parity = held[set_number(sets, hand, mask, extra)], 0
        for card in range(hand.size):
            parity ^= mask >> card & 1
        total += -number if parity else number
    return total


def count(sets: Any, own: Any, owners: Any, queue: Any, first: int, last: int, held: Any, found: Any) -> None:
    """A row of the queue and an up card for each thread."""
    at, ups = cuda.grid(1), found.shape[1]
    if at < (last - first) * ups:
        row, up = queue[first + at // ups], at % ups
        found[row, up] = avoiding(sets, own[owners[row]], ups > 1, up if ups > 1 else -1, held)


def add(sets: Any, hands: Any, by_class: Any, first: int, last: int, held: Any) -> None:
    """A hand of the class and a set of its cards for each thread."""
    at = cuda.grid(1)
    if at >> hands.shape[1] < last - first:
        hand = hands[by_class[first + (at >> hands.shape[1])]]
        cuda.atomic.add(held, set_number(sets, hand, at & (1 << hand.size) - 1, -1), 1)


@lru_cache(maxsize=1)
def kernels() -> tuple[Any, Any]:
    """The two loops, compiled."""
    gpu = cuda_or_refusal()
    number = gpu.jit(device=True)(set_number)
    counted = gpu.jit(device=True)(link(avoiding, {set_number: number}, gpu.jit, lambda loop: loop))
    return (
        gpu.jit(link(count, {avoiding: counted}, gpu.jit, lambda loop: loop)),
        gpu.jit(link(add, {set_number: number}, gpu.jit, lambda loop: loop)),
    )


def sweep_on_gpu(
    hands: Numbers, by_class: Numbers, class_ends: Numbers, own: Numbers, owners: Numbers, queue: Numbers,
    queue_ends: Numbers, found: Any,
) -> None:  # fmt: skip
    """Add the dealer's hands class by class; before class t, count for each row of `found` that asks for t."""
    counting, adding = kernels()
    to = cuda.to_device
    sets, all_hands, order = (to(BINOMIAL), to(STARTS)), to(hands), to(by_class)
    held, counted = to(np.zeros(SETS, np.int32)), to(found)
    asking = to(own), to(owners), to(queue)
    ups, masks = found.shape[1], 1 << hands.shape[1]
    asked = added = 0
    for t in range(len(class_ends) + 1):
        if queue_ends[t] > asked:
            blocks = -(-int(queue_ends[t] - asked) * ups // THREADS)
            counting[blocks, THREADS](sets, *asking, asked, int(queue_ends[t]), held, counted)
            asked = int(queue_ends[t])
        if t < len(class_ends) and class_ends[t] > added:
            blocks = -(-int(class_ends[t] - added) * masks // THREADS)
            adding[blocks, THREADS](sets, all_hands, order, added, int(class_ends[t]), held)
            added = int(class_ends[t])
    counted.copy_to_host(found)
