"""Exact counts from any remaining cards in microseconds: the rule book is walked once, then only its terms are added.

How many ordered deals tell a story is a polynomial in the number of cards left of each class (rank or face): a deal
that takes two aces and a king can happen in aces * (aces - 1) * kings ways, times the orders in which it tells that
story. `terms_of` runs the compiled `play` over every path once and collects these terms; `Evaluator` adds them up for
the cards that are left. Everything is whole numbers. A game with choices has no such terms; what it settles before the
first choice (a side bet) has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pairhouse.core import verbs
from pairhouse.core.cards import Card
from pairhouse.core.errors import Refused
from pairhouse.core.rule import rule
from pairhouse.machines.cache import cached_jit
from pairhouse.machines.classes import MAX_DRAWS
from pairhouse.machines.count import (
    CURSOR,
    JIT,
    LENGTH,
    STORY,
    VERBS,
    CountingTable,
    Ledger,
    advance,
    jit,
    new_ledger,
    one_round,
    step_to,
)
from pairhouse.machines.happenings import settler
from pairhouse.machines.link import Function, link
from pairhouse.machines.stories import EMPTY

if TYPE_CHECKING:
    from pairhouse.machines.composition_gpu import GpuAdder

Numbers = npt.NDArray[np.int64]
STORY_SLOTS, TERM_SLOTS = 1 << 12, 1 << 21
PLENTY = 64  # of each class: more than any deal takes
WITH_ARRAYS = {**JIT, "_nrt": True}
DONE, DIFFER, FULL = 0, 1, 2  # how a walk ends


class Labels(NamedTuple):
    """A label for each slot of a table of packed stories."""

    stories: Numbers
    label: Numbers


@rule
def slot_of(keys: Numbers, key: int) -> int:
    """Where a key stands in a table that is probed, entered if it is new; -1 when the table is nearly full."""
    mask = keys.size - 1
    slot = ((key ^ key >> 24) * 0x9E3779B1 >> 16) & mask
    tries = 0
    while keys[slot] != key:
        if keys[slot] == 0:
            keys[slot] = key
        else:
            slot = (slot + 1) & mask
            tries += 1
            if tries > 1000:
                return -1
    return slot


@rule
def sorted_path(path: Numbers, drawn: int, class_bits: int, work: Numbers) -> int:
    """The classes of a path without their order, as one number: each class plus one, the lowest class first."""
    for at in range(drawn):
        taken = path[at]
        place = at
        while place > 0 and work[place - 1] > taken:
            work[place] = work[place - 1]
            place -= 1
        work[place] = taken
    packed = 0
    for at in range(drawn):
        packed = packed << class_bits | (work[at] + 1)
    return packed


def walk_terms(
    table: CountingTable, rules: Any, first: int, seen: int, class_bits: int, labels: Labels, terms: Ledger
) -> int:
    """Count every path with this first card by its first `seen` cards and the label of its story.

    DIFFER when paths with the same first cards have different labels, FULL when there are too many to be counted.
    """
    work = np.zeros(MAX_DRAWS, np.int64)
    walking, is_new, label = True, True, 0
    step_to(table, 0, first)
    while walking:
        table.state[CURSOR], table.state[STORY] = 0, EMPTY
        one_round(table, rules)
        story = slot_of(labels.stories, table.state[STORY])
        if story < 0:
            return FULL
        if is_new:
            label = labels.label[story]
            cards = sorted_path(table.path, min(seen, table.state[CURSOR]), class_bits, work)
            slot = slot_of(terms.keys, cards * STORY_SLOTS + label)
            if slot < 0:
                return FULL
            terms.ways[slot] += 1
        elif labels.label[story] != label:
            return DIFFER
        walking = advance(table)
        is_new = table.state[LENGTH] <= seen
    return DONE


@lru_cache(maxsize=16)
def _walker(play: Function, kinds: tuple[type, ...]) -> Function:
    linked = link(play, {**VERBS, verbs.settle: settler(kinds, STORY)}, jit)
    outer = cached_jit(f"terms-{play.__name__}", play.__module__, __name__, nogil=True, **WITH_ARRAYS)
    return link(walk_terms, {one_round: linked, advance: advance, step_to: step_to}, jit, outer)


@dataclass(frozen=True, eq=False)
class Book:
    """What is walked: a `play` without choices, its rules, kinds of happening, a face of each class, the most draws."""

    play: Function
    rules: Any
    kinds: tuple[type, ...]
    faces: tuple[Card, ...]
    draws: int

    def walk(self, seen: int, labels: Labels) -> Ledger | None:
        """The terms over the first cards, or None where these do not decide the label."""
        terms = new_ledger(TERM_SLOTS)
        for first in range(len(self.faces)):
            table = CountingTable(
                cards=np.array(self.faces, np.int64),
                left=np.full(len(self.faces), PLENTY, np.int64),
                starts=np.arange(len(self.faces) + 1),
                late_from=MAX_DRAWS,
                partner=np.full(MAX_DRAWS, -1, np.int64),
                path=np.zeros(MAX_DRAWS, np.int64),
                weights=np.ones(MAX_DRAWS + 1, np.int64),
                state=np.zeros(3, np.int64),
                felt=np.zeros((verbs.FELT_ROWS, verbs.PLACES), np.int64),
            )
            run = _walker(self.play, self.kinds)
            ended = run(table, self.rules, first, seen, len(self.faces).bit_length(), labels, terms)
            if ended == FULL:
                given = f"{self.play.__name__} has too many different deals"
                raise Refused("too-many-deals", f"{given} to be counted by composition")
            if ended == DIFFER:
                return None
        return terms


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms of a rule book: in `ways` orders the cards of a row of `cards` tell the story (or cell) of that index.

    A row of `cards` holds classes in rising order, -1 in front where a deal takes fewer. `table` is the table of packed
    stories; their indices follow its slots.
    """

    book: Book
    cards: Numbers
    story: Numbers
    ways: Numbers
    table: Numbers

    @property
    def stories(self) -> list[int]:
        """The packed stories by their index."""
        return [int(story) for story in self.table[self.table > 0]]


def terms_of(book: Book) -> Terms:
    """Walk a rule book over every path."""
    labels = Labels(np.zeros(STORY_SLOTS, np.int64), np.arange(STORY_SLOTS))
    walked = book.walk(book.draws, labels)
    if walked is None:
        raise AssertionError("a whole path decides its own story")
    return _unpacked(book, walked, np.cumsum(labels.stories > 0) - 1, labels.stories)


def shortened(terms: Terms, cell_of: Numbers) -> Terms:
    """The terms of cells of stories over as few first cards as decide the cell: a pair needs four of six cards."""
    label = np.zeros(STORY_SLOTS, np.int64)
    label[terms.table > 0] = cell_of + 1
    for seen in range(1, terms.book.draws + 1):
        walked = terms.book.walk(seen, Labels(terms.table, label))
        if walked is not None:
            return _unpacked(terms.book, walked, np.arange(-1, STORY_SLOTS - 1), terms.table)
    raise AssertionError("a whole path decides its own cell")


def _unpacked(book: Book, walked: Ledger, index: Numbers, table: Numbers) -> Terms:
    """The terms of a ledger as columns, with the index of each label."""
    bits = len(book.faces).bit_length()
    used = np.flatnonzero(walked.keys)
    packed, label = np.divmod(walked.keys[used], STORY_SLOTS)
    digits = [(packed >> bits * (book.draws - 1 - at)) & (1 << bits) - 1 for at in range(book.draws)]
    return Terms(book, np.stack(digits, axis=1) - 1, index[label], walked.ways[used], table)


class Tree(NamedTuple):
    """Every set of cards, each one longer than its `parent` by a card `add`, of which that holds `held`.

    `begins` says where the terms of a cell begin: the set of cards of each in `node`, its orders in `ways`.
    """

    parent: Numbers
    add: Numbers
    held: Numbers
    size: Numbers
    begins: Numbers
    node: Numbers
    ways: Numbers


def add_terms(left: Numbers, tree: Tree, draws: int, work: Numbers, found: Numbers) -> None:
    """For each row of cards left by class: the ordered deals of each cell."""
    products, deals = work[0], work[1]
    following = np.ones(draws + 1, np.int64)
    for at in range(left.shape[0]):
        total = 0
        for number in left[at]:
            total += number
        for size in range(draws - 1, -1, -1):  # a shorter deal is counted with every card that could follow
            following[size] = following[size + 1] * (total - size)
        products[0] = 1
        for node in range(1, tree.parent.size):
            products[node] = products[tree.parent[node]] * (left[at, tree.add[node]] - tree.held[node])
            deals[node] = products[node] * following[tree.size[node]]
        for cell in range(tree.begins.size - 1):
            ways = 0
            for term in range(tree.begins[cell], tree.begins[cell + 1]):
                ways += tree.ways[term] * deals[tree.node[term]]
            found[at, cell] = ways


@lru_cache(maxsize=1)
def _adder() -> Function:
    return link(add_terms, {}, jit, cached_jit("add-terms", __name__, nogil=True, **WITH_ARRAYS))


class Evaluator:
    """Adds up the terms of some stories, gathered in cells, over classes of which some are taken together.

    `cell_of` gives the cell of a story's index, -1 where it is not asked for; `together` the class that stands for
    each class.
    """

    def __init__(self, terms: Terms, cell_of: Numbers, together: Sequence[int]) -> None:
        self.draws, self.kept = terms.book.draws, sorted(set(together))
        self.place = np.array([self.kept.index(stands) for stands in together])
        short = shortened(terms, cell_of)
        asked = np.isin(short.cards, [-1, *self.kept]).all(axis=1) & (short.story >= 0)
        rows = np.append(self.place, -1)[short.cards[asked]]  # -1 for "no card" is the last one
        self.tree = _tree(len(self.kept), rows, short.story[asked], short.ways[asked])

    def ways(self, left: Numbers, on_gpu: bool = False) -> Numbers:
        """The ordered deals of every cell, for each row of cards left by class."""
        merged = np.zeros((left.shape[0], len(self.kept)), np.int64)
        for at, place in enumerate(self.place):
            merged[:, place] += left[:, at]
        if on_gpu and self.tree.node.size:
            return self._gpu.ways(merged)
        found = np.zeros((left.shape[0], self.tree.begins.size - 1), np.int64)
        _adder()(merged, self.tree, self.draws, np.zeros((2, self.tree.parent.size), np.int64), found)
        return found

    @cached_property
    def _gpu(self) -> "GpuAdder":
        from pairhouse.machines.composition_gpu import GpuAdder  # noqa: PLC0415 (needs an extra)

        return GpuAdder(self.tree, self.draws)


def _sets(classes: int, draws: int) -> list[tuple[int, ...]]:
    """Every set of up to so many cards, from small to large."""
    return [held for size in range(draws + 1) for held in combinations_with_replacement(range(classes), size)]


def _tree(classes: int, rows: Numbers, cell: Numbers, ways: Numbers) -> Tree:
    """The sets of cards, and the terms of each cell in one stretch."""
    sets = _sets(classes, int((rows >= 0).sum(axis=1).max(initial=0)))
    number = {held: at for at, held in enumerate(sets)}
    node = np.array([number[tuple(card for card in row if card >= 0)] for row in rows.tolist()], np.int64)
    cells = int(cell.max(initial=-1)) + 1
    keys, inverse = np.unique(cell * len(sets) + node, return_inverse=True)
    summed = np.zeros(keys.size, np.int64)
    np.add.at(summed, inverse, ways)
    return Tree(
        parent=np.array([0, *(number[held[:-1]] for held in sets[1:])], np.int64),
        add=np.array([0, *(held[-1] for held in sets[1:])], np.int64),
        held=np.array([0, *(held.count(held[-1]) - 1 for held in sets[1:])], np.int64),
        size=np.array([len(held) for held in sets], np.int64),
        begins=np.searchsorted(keys // len(sets), np.arange(cells + 1)).astype(np.int64),
        node=keys % len(sets),
        ways=summed,
    )


def interchangeable(terms: Terms, groupings: Sequence[Numbers]) -> list[tuple[int, ...]]:
    """For each way to group the stories: which class can stand for which without changing the count of any group.

    Two classes are interchangeable when one card of the one, changed into one of the other, leaves the share of orders
    that tell a story of each group as it was. Whole numbers are compared, over every set of cards.
    """
    classes, draws = len(terms.book.faces), terms.book.draws
    sets = _sets(classes, draws)
    rows = np.array([(-1,) * (draws - len(held)) + held for held in sets], np.int64)
    digits = (classes + 1) ** np.arange(draws - 1, -1, -1)
    keys = (rows + 1) @ digits
    order = np.argsort(keys)

    def number(cards: Numbers) -> Numbers:
        found: Numbers = order[np.searchsorted(keys, (np.sort(cards, axis=1) + 1) @ digits, sorter=order)]
        return found

    repeats = np.array([prod(factorial(held.count(card)) for card in set(held)) for held in sets], np.int64)
    node = number(terms.cards)
    shares = []
    for grouping in groupings:
        share = np.zeros((len(sets), int(grouping.max()) + 1), np.int64)
        np.add.at(share, (node, grouping[terms.story]), terms.ways * repeats[node])
        shares.append(share)
    found = [list(range(classes)) for _ in groupings]
    for high in range(1, classes):
        with_high = np.flatnonzero((rows == high).any(axis=1))
        one_high = (rows[with_high] == high).argmax(axis=1)
        for low in range(high):
            changed = rows[with_high].copy()
            changed[np.arange(with_high.size), one_high] = low
            other = number(changed)
            for stands, share in zip(found, shares, strict=True):
                if stands[high] == high and stands[low] == low and (share[with_high] == share[other]).all():
                    stands[high] = low
    return [tuple(stands) for stands in found]
