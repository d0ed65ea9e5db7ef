"""Sets of up to five cards of one deck by number, and how many hands hold each of them, compiled."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from pairhouse.analysis.generic.deal_table import (
    CURSOR,
    SITUATION,
    STOPPED,
    TAPED,
    TOLD,
    DealTable,
    Numbers,
    begin,
    hold,
    one_round,
    release,
)
from pairhouse.analysis.generic.deal_tree import linked_game
from pairhouse.analysis.generic.row_index import RowIndex, find_row
from pairhouse.core.cards import Card
from pairhouse.core.fingerprint import session_digest
from pairhouse.machines.cache import cached_jit
from pairhouse.machines.count import JIT, jit, outer_jit
from pairhouse.machines.link import Function, link

DECK, HAND_MAX = 52, 5
BINOMIAL = np.array([[comb(n, k) for k in range(HAND_MAX + 2)] for n in range(DECK + 1)], np.int64)
STARTS = np.cumsum([0, *(comb(DECK, k) for k in range(HAND_MAX + 1))]).astype(np.int64)
SETS = int(STARTS[-1])


@lru_cache(maxsize=4)
def all_hands(size: int) -> Numbers:
    """Every hand of so many cards, each in rising order."""
    flat = np.fromiter((card for hand in combinations(range(DECK), size) for card in hand), np.int64)
    return flat.reshape(-1, size)


def hands_from(hands: Numbers, cards: Sequence[Card]) -> Numbers:
    """The places of the hands that hold none but these cards."""
    is_held = np.zeros(DECK, bool)
    is_held[list(cards)] = True
    return np.flatnonzero(is_held[hands].all(axis=1))


def suit_patterns(hands: Numbers, alike: Sequence[int]) -> tuple[Numbers, Numbers]:
    """One hand for each pattern of the suits that are alike, by its place, and how many hands have that pattern."""
    if not alike:
        return np.arange(len(hands)), np.ones(len(hands), np.int64)
    masks = np.zeros((len(hands), 4), np.int16)
    rows = np.arange(len(hands))
    for column in range(hands.shape[1]):
        masks[rows, hands[:, column] // 13] |= (1 << hands[:, column] % 13).astype(np.int16)
    masks[:, list(alike)] = np.sort(masks[:, list(alike)], axis=1)
    packed = np.zeros(len(hands), np.int64)
    for suit in range(4):
        packed = packed << 13 | masks[:, suit]
    _, first, ways = np.unique(packed, return_index=True, return_counts=True)
    return first.astype(np.int64), ways.astype(np.int64)


@numba.njit(inline="always", _nrt=False)
def number_of(cards: Any, mask: int, extra: int) -> Any:
    """The number of the set of those cards of a hand that a mask names, with one card more (-1 for none)."""
    found, size = 0, 0
    placed = extra < 0
    for at in range(cards.size):
        if mask >> at & 1:
            card = cards[at]
            if not placed and extra < card:
                size += 1
                found += BINOMIAL[extra, size]
                placed = True
            size += 1
            found += BINOMIAL[card, size]
    if not placed:
        size += 1
        found += BINOMIAL[extra, size]
    return STARTS[size] + found


@cached_jit("add-hands", __name__, nogil=True, **JIT)
def add_hands(hands: Numbers, which: Numbers, column: Numbers, held: Any) -> None:
    """Count hands into every set of cards they hold, in the column of each."""
    for at in range(which.size):
        hand = hands[which[at]]
        for mask in range(1 << hand.size):
            held[number_of(hand, mask, -1), column[at]] += 1


def settle_all(
    table: DealTable, rules: Any, deals: Numbers, tape: Numbers, stories: RowIndex, out: Numbers, situations: Numbers
) -> int:
    """The story of every deal, and the situation of its last choice; -1 where a round took other cards."""
    state = table.state
    count = deals.shape[1]
    for row in range(deals.shape[0]):
        hold(table, deals[row], count)
        state[TAPED] = tape.size
        for at in range(tape.size):
            table.tape[at] = tape[at]
        begin(table)
        one_round(table, rules)
        if state[STOPPED] == 1:
            situations[row] = state[SITUATION]
        elif state[STOPPED] or state[CURSOR] > count:
            return -1
        else:
            out[row] = find_row(stories, table.story, state[TOLD])
        release(table)
    return 0


def settle_pairs(
    table: DealTable,
    rules: Any,
    own: Numbers,
    other: Numbers,
    first: int,
    last: int,
    tape: Numbers,
    stories: RowIndex,
    out: Any,
) -> int:
    """The story of every hand of one list (from `first` to `last`) against every hand of another."""
    state = table.state
    deal = table.weights  # room for a deal: nothing is drawn beyond it
    for row in range(first, last):
        for column in range(other.shape[0]):
            for at in range(own.shape[1]):
                deal[at] = own[row, at]
            for at in range(other.shape[1]):
                deal[own.shape[1] + at] = other[column, at]
            count = own.shape[1] + other.shape[1]
            for at in range(count):
                table.path[at] = deal[at]
            state[TAPED] = tape.size
            state[2], state[1] = count, count
            for at in range(tape.size):
                table.tape[at] = tape[at]
            begin(table)
            one_round(table, rules)
            if state[STOPPED] or state[CURSOR] > count:
                return -1
            out[row, column] = find_row(stories, table.story, state[TOLD])
    return 0


@lru_cache(maxsize=16)
def linked(play: Function, kinds: tuple[type, ...], session_rules: str) -> tuple[Function, Function]:
    """The two loops above for one game."""
    parts: dict[Function, Function] = {
        one_round: linked_game(play, kinds), begin: begin, hold: hold, release: release, find_row: find_row,
    }  # fmt: skip
    return (
        link(settle_all, parts, jit, outer_jit(f"settle-all-{play.__name__}", play, __name__, session_rules, kinds)),
        link(
            settle_pairs, parts, jit, outer_jit(f"settle-pairs-{play.__name__}", play, __name__, session_rules, kinds)
        ),
    )


def linked_now(play: Function, kinds: tuple[type, ...]) -> tuple[Function, Function]:
    """The same for the rules as they are now."""
    return linked(play, kinds, session_digest(play))


Counts = npt.NDArray[np.int32]
