"""Exact counting of games that deal two hands of three cards: every hand against every hand, as sets and not in order.

The seat's hand is taken once for each pattern of suits, with the number of hands of that pattern; the rules must not
tell suits apart. Every choice is made one way at a time, and ways are kept by the situation in which it was made, so
that a strategy can be chosen afterwards.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pairhouse.core import verbs
from pairhouse.core.cards import FACES, JOKER, Card
from pairhouse.core.fingerprint import session_digest
from pairhouse.machines.count import (
    Ledger,
    add_ways,
    draw_down,
    felt,
    jit,
    merged,
    new_ledger,
    nothing,
    on_all_cores,
    one_seat,
    outer_jit,
    silence,
)
from pairhouse.machines.happenings import settler
from pairhouse.machines.link import Function, link
from pairhouse.machines.stories import EMPTY, STORY_BITS

Numbers = npt.NDArray[np.int64]

CURSOR, STORY, SITUATION, STORY_BEFORE = 0, 1, 2, 3
SLOTS = 1 << 13


class HandTable(NamedTuple):
    """Six cards in dealing order, the answer to every choice, and what has come of it so far.

    The cards are a tuple and not an array, so that the compiler sees that the seat's stay the same.
    """

    cards: tuple[int, int, int, int, int, int]
    state: Numbers
    felt: Numbers
    answer: int


@jit
def draw(table: HandTable, place: int) -> int:
    """The next card; the story before the dealer's first card is noted."""
    at = table.state[CURSOR]
    table.state[CURSOR] = at + 1
    if at == 3:
        table.state[STORY_BEFORE] = table.state[STORY]
    return table.cards[at]


@jit
def turn_up(table: HandTable, place: int, hidden: int) -> int:
    """Now it is dealt."""
    return draw(table, place)


@jit
def choose(table: HandTable, place: int, legal: int, situation: int) -> int:
    """The answer of this run; the situation is noted."""
    table.state[SITUATION] = situation
    return table.answer


VERBS: dict[Function, Function] = {
    verbs.draw_private: draw,
    verbs.draw_down: draw_down,
    verbs.turn_up: turn_up,
    verbs.choose: choose,
    verbs.felt: felt,
    verbs.seats: one_seat,
    verbs.show: nothing,
    verbs.say: silence,
}


def one_round(table: HandTable, rules: Any) -> None:
    """Replaced, when the loop is linked, by the `play` that is counted."""


def walk(table: HandTable, rules: Any, hands: Numbers, dealers: Numbers, deals: int, ledger: Ledger) -> None:
    """Every hand of the seat against every hand of the dealer, each with its number of hands.

    A story that was complete before the dealer's first card cannot depend on it, and is counted for all deals at once.
    """
    state = table.state
    for hand in range(hands.shape[0]):
        a, b, c = hands[hand, 0], hands[hand, 1], hands[hand, 2]
        held = 1 << a | 1 << b | 1 << c
        for dealer in range(dealers.shape[0]):
            x, y, z = dealers[dealer, 0], dealers[dealer, 1], dealers[dealer, 2]
            if held & (1 << x | 1 << y | 1 << z):
                continue
            state[CURSOR], state[STORY] = 0, EMPTY
            one_round(HandTable((a, b, c, x, y, z), state, table.felt, table.answer), rules)
            key = state[SITUATION] << STORY_BITS | state[STORY]
            if state[STORY] == state[STORY_BEFORE]:
                add_ways(ledger, key, hands[hand, 3] * deals)
                break
            add_ways(ledger, key, hands[hand, 3] * dealers[dealer, 3])


@lru_cache(maxsize=16)
def walker(play: Function, kinds: tuple[type, ...], session_rules: str) -> Function:
    """The compiled loop over every hand of the seat and every hand of the dealer."""
    linked = link(play, {**VERBS, verbs.settle: settler(kinds, STORY)}, jit)
    outer = outer_jit(f"hands-{play.__name__}", play, __name__, session_rules, kinds)
    return link(walk, {one_round: linked, add_ways: add_ways}, jit, outer)


Changes = tuple[tuple[int, ...], ...]  # each says which suit every suit becomes


def changed(change: tuple[int, ...], cards: Numbers) -> Numbers:
    """Cards with their suits changed; Jokers stay what they are."""
    return np.array([*change, JOKER // 13])[cards // 13] * 13 + cards % 13


def codes(hands: Numbers) -> Numbers:
    """Hands of three as numbers, whatever the order of their cards."""
    return np.sort(hands, axis=1) @ np.array([len(FACES) ** 2, len(FACES), 1])


def changes_that_keep(deck: Sequence[Card]) -> Changes:
    """The changes of suits that turn a deck into itself."""
    cards = np.array(deck)
    return tuple(c for c in permutations(range(4)) if set(changed(c, cards).tolist()) == set(deck))


def by_changes(hands: Numbers, changes: Changes) -> dict[Changes, Numbers]:
    """Hands sorted by the changes of suits that leave them as they are."""
    same = np.column_stack([codes(changed(change, hands[:, :3])) == codes(hands[:, :3]) for change in changes])
    groups, which = np.unique(same, axis=0, return_inverse=True)
    return {
        tuple(change for change, keeps in zip(changes, row, strict=True) if keeps): hands[which.ravel() == number]
        for number, row in enumerate(groups)
    }


@lru_cache(maxsize=64)
def patterns(deck: tuple[Card, ...], changes: Changes) -> Numbers:
    """Hands of three, one for each pattern under these changes of suits, with the number of hands of that pattern."""
    hands = np.array(list(combinations(deck, 3)))
    least = np.full(len(hands), len(FACES) ** 3)
    for change in changes:
        least = np.minimum(least, codes(changed(change, hands)))
    _, first, ways = np.unique(least, return_index=True, return_counts=True)
    return np.column_stack([hands[first], ways]).astype(np.int64)


def count_hands(
    play: Function,
    rules: Any,
    kinds: Sequence[type],
    deck: Sequence[Card],
    answer: int,
    held: Sequence[Card] | None = None,
) -> dict[tuple[int, int], int]:
    """(situation, packed story) -> number of deals as sets, when every choice is answered in one way.

    Every hand of the seat is counted, or only the one it holds. Changes of suits that leave the seat's hand as it is
    make no difference to the dealer's.
    """
    sorted_deck = tuple(sorted(deck))
    changes_of_suits = changes_that_keep(sorted_deck)
    hands_held = patterns(sorted_deck, changes_of_suits) if held is None else np.array([[*held, 1]], np.int64)
    groups = by_changes(hands_held, changes_of_suits)
    run = walker(play, tuple(kinds), session_digest(play))
    parts = [
        (np.ascontiguousarray(hands[start::6]), patterns(sorted_deck, changes))
        for changes, hands in groups.items()
        for start in range(min(6, len(hands)))
    ]
    parts.sort(key=lambda part: -len(part[0]) * len(part[1]))  # the longest first, so that no core waits for the last

    def walk_part(part: int) -> Ledger:
        hands, dealers = parts[part]
        felt_rows = np.zeros((verbs.FELT_ROWS, verbs.PLACES), np.int64)
        table = HandTable((0, 0, 0, 0, 0, 0), np.zeros(4, np.int64), felt_rows, answer)
        ledger = new_ledger(SLOTS)
        run(table, rules, hands, dealers, comb(len(sorted_deck) - 3, 3), ledger)
        return ledger

    mask = (1 << STORY_BITS) - 1
    found = merged(on_all_cores(walk_part, range(len(parts))))
    return {(key >> STORY_BITS, key & mask): ways for key, ways in found.items()}
