"""Exact counting, compiled: every path of a rule book with its integer weight.

The compiled `play` is run once for each path. A draw follows the path as far as it goes and then takes the first class
of cards that is left; after each run the path moves on like an odometer. The weight of a path is the product of the
numbers of cards it drew from, so a tally holds whole numbers of ordered deals.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from pairhouse.core import verbs
from pairhouse.core.cards import Card
from pairhouse.core.fingerprint import session_digest
from pairhouse.machines.cache import cached_jit, is_ours, rules_source
from pairhouse.machines.classes import MAX_DRAWS, Classes
from pairhouse.machines.happenings import settler
from pairhouse.machines.link import Function, link
from pairhouse.machines.stories import EMPTY

Numbers = npt.NDArray[np.int64]
# Arrays are never created inside, so they need no reference counts.
JIT = {"error_model": "numpy", "_nrt": False}
# Functions that are inlined into a loop are never called from Python and need no wrapper for it.
INNER = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **JIT}
jit = numba.njit(**INNER)

CURSOR, LENGTH, STORY = 0, 1, 2
SLOTS = 1 << 12


class Ledger(NamedTuple):
    """Ways by key, in a table that is probed until the key or a free slot is found; keys are never 0."""

    keys: Numbers
    ways: Numbers


class CountingTable(NamedTuple):
    """A table made of arrays: the shoe by classes, the path through it, and what has come of it so far.

    `cards` holds a card of each class, `left` how many remain behind the path. From draw `late_from` on, classes are
    drawn in groups: `starts` says where each group begins. `path` is the class or group drawn at each step, and
    `weights` the product of what was there to draw from, up to each step. `partner` names for a draw the earlier one it
    can change places with, -1 for none. `state` holds the cursor on the path, its length, and the packed story.
    """

    cards: Numbers
    left: Numbers
    starts: Numbers
    late_from: int
    partner: Numbers
    path: Numbers
    weights: Numbers
    state: Numbers
    felt: Numbers


@jit
def add_ways(ledger: Ledger, key: int, ways: int) -> None:
    """Add to a key's ways."""
    mask = ledger.keys.size - 1
    slot = ((key ^ key >> 24) * 0x9E3779B1 >> 16) & mask
    while ledger.keys[slot] != key:
        if ledger.keys[slot] == 0:
            ledger.keys[slot] = key
        else:
            slot = (slot + 1) & mask
    ledger.ways[slot] += ways


@jit
def group_start(table: CountingTable, at: int, group: int) -> int:
    """The first class of a group, at a draw."""
    return table.starts[group] if at >= table.late_from else group


@jit
def in_group(table: CountingTable, at: int, group: int) -> int:
    """How many cards of a group are left, at a draw."""
    found = 0
    for member in range(group_start(table, at, group), group_start(table, at, group + 1)):
        found += table.left[member]
    return found


@jit
def group_count(table: CountingTable, at: int) -> int:
    """How many groups there are at a draw."""
    return table.starts.size - 1 if at >= table.late_from else table.left.size


@jit
def draw(table: CountingTable, place: int) -> int:
    """Follow the path, or lengthen it with the first group that is left."""
    at = table.state[CURSOR]
    if at == table.state[LENGTH]:
        groups = group_count(table, at)
        first = partner_group(table, at)
        while in_group(table, at, first % groups) == 0:
            first += 1
        step_to(table, at, first % groups)
    table.state[CURSOR] = at + 1
    return table.cards[group_start(table, at, table.path[at])]


@jit
def partner_group(table: CountingTable, at: int) -> int:
    """What the draw that can change places with this one has taken, 0 where there is none."""
    return table.path[table.partner[at]] if table.partner[at] >= 0 else 0


@jit
def orders(table: CountingTable, at: int, group: int) -> int:
    """Two draws that can change places are counted in rising order: for both orders, for one, or not at all."""
    if table.partner[at] < 0 or partner_group(table, at) == group:
        return 1
    return 2 if group > partner_group(table, at) else 0


@jit
def step_to(table: CountingTable, at: int, group: int) -> None:
    """Make this group the last step of the path."""
    table.path[at] = group
    table.weights[at + 1] = orders(table, at, group) * table.weights[at] * in_group(table, at, group)
    table.left[group_start(table, at, group)] -= 1  # below zero stands for another card of the group
    table.state[LENGTH] = at + 1


@jit
def draw_down(table: Any, place: int) -> int:
    """A face-down card is drawn when it is turned up, if ever: until then it is like any other card of the shoe."""
    return -1


@jit
def turn_up(table: CountingTable, place: int, hidden: int) -> int:
    """Now the card is drawn."""
    return draw(table, place)


@numba.njit(inline="always", _nrt=False)
def felt(table: Any, row: int) -> Numbers:
    """A row of the felt."""
    return table.felt[row]


@jit
def one_seat(table: Any) -> int:
    """Prices are those of one seat."""
    return 1


@jit
def nothing(table: Any, place: int) -> None:
    """A verb that only shows something."""


@jit
def silence(table: Any, place: int, phrase: int, first: int, second: int) -> None:
    """The dealer says nothing."""


@jit
def advance(table: CountingTable) -> bool:
    """Move the path on to the next one with the same first card, like an odometer; False when all have been walked."""
    at = table.state[LENGTH] - 1
    while at >= 1:
        group = table.path[at]
        table.left[group_start(table, at, group)] += 1
        groups = group_count(table, at)
        group += 1
        while group < groups and in_group(table, at, group) == 0:
            group += 1
        if group < groups:
            step_to(table, at, group)
            return True
        at -= 1
    return False


VERBS: dict[Function, Function] = {
    verbs.draw: draw,
    verbs.draw_private: draw,
    verbs.draw_down: draw_down,
    verbs.turn_up: turn_up,
    verbs.felt: felt,
    verbs.seats: one_seat,
    verbs.show: nothing,
    verbs.say: silence,
}


def one_round(table: CountingTable, rules: Any) -> None:
    """Replaced, when the loop is linked, by the `play` that is counted."""


def walk(table: CountingTable, rules: Any, first: int, draws: int, ledger: Ledger) -> int:
    """Every path with this first card, one round each. Deals shorter than `draws` are counted with every card that
    could follow."""
    size = 0
    for number in table.left:
        size += number
    paths = 0
    walking = True
    step_to(table, 0, first)
    while walking:
        table.state[CURSOR], table.state[STORY] = 0, EMPTY
        one_round(table, rules)
        ways = table.weights[table.state[CURSOR]]
        for undrawn in range(table.state[CURSOR], draws):
            ways *= size - undrawn
        add_ways(ledger, table.state[STORY], ways)
        paths += 1
        walking = advance(table)
    return paths


@lru_cache(maxsize=64)
def walker(play: Function, kinds: tuple[type, ...], session_rules: str) -> Function:
    """The compiled loop over every path of a `play`; rules from a session are named by their hash: they can change."""
    linked = link(play, {**VERBS, verbs.settle: settler(kinds, STORY)}, jit)
    outer = outer_jit(f"count-{play.__name__}", play, __name__, session_rules, kinds)
    return link(walk, {one_round: linked, add_ways: add_ways, advance: advance, step_to: step_to}, jit, outer)


def outer_jit(name: str, play: Function, module: str, session_rules: str, kinds: Sequence[type] = ()) -> Function:
    """The `jit` of a whole count of rules that settle these kinds of happening.

    Rules that were defined in a session are arguments of a kind that no other process can name, so a loop over them is
    not kept on disk. Those of a file of its own are named by themselves: a new paytable asks for no compiler.
    """
    options: dict[str, Any] = {"nogil": True, **JIT}
    if session_rules:
        return numba.njit(**options)
    return cached_jit(name, play if is_ours(play) else rules_source(play, kinds), module, **options)


def count(play: Function, rules: Any, kinds: Sequence[type], shoe: Sequence[Card], classes: Classes) -> dict[int, int]:
    """Every story of a game without choices on this shoe: packed story -> number of ordered deals."""
    return merged(ledger for _, ledger in count_by_first(play, rules, kinds, shoe, classes))


def count_by_first(
    play: Function, rules: Any, kinds: Sequence[type], shoe: Sequence[Card], classes: Classes
) -> list[tuple[list[Card], Ledger]]:
    """The same apart for each class of first cards: the faces of the class, and the stories that begin with one.

    Where draws are counted in either order (`swaps`), a story can be found under the other card; give classes without.
    """
    faces = sorted(set(shoe), key=lambda face: (classes.late(face), classes.of(face)))
    members = [list(same) for _, same in groupby(faces, key=lambda face: (classes.late(face), classes.of(face)))]
    late = [classes.late(same[0]) for same in members]
    starts = [at for at, group in enumerate(late) if at == 0 or late[at - 1] != group] + [len(members)]
    held = Counter(shoe)
    left = np.array([sum(held[face] for face in same) for same in members], np.int64)
    partner = np.full(MAX_DRAWS, -1, np.int64)
    for earlier, later in classes.swaps:
        partner[later] = earlier
    run = walker(play, tuple(kinds), session_digest(play))

    def walk_from(first: int) -> Ledger:
        table = CountingTable(
            cards=np.array([same[0] for same in members], np.int64),
            left=left.copy(),
            starts=np.array(starts, np.int64),
            late_from=classes.late_from,
            partner=partner,
            path=np.zeros(MAX_DRAWS, np.int64),
            weights=np.ones(MAX_DRAWS + 1, np.int64),
            state=np.zeros(3, np.int64),
            felt=np.zeros((verbs.FELT_ROWS, verbs.PLACES), np.int64),
        )
        ledger = new_ledger(SLOTS)
        run(table, rules, first, classes.draws, ledger)
        return ledger

    return list(zip(members, on_all_cores(walk_from, range(len(members))), strict=True))


def new_ledger(slots: int) -> Ledger:
    """An empty ledger; the number of slots is a power of two."""
    return Ledger(np.zeros(slots, np.int64), np.zeros(slots, np.int64))


def merged(ledgers: Iterable[Ledger]) -> dict[int, int]:
    """The ways of several ledgers together."""
    found: dict[int, int] = {}
    for ledger in ledgers:
        for slot in np.flatnonzero(ledger.keys):
            key = int(ledger.keys[slot])
            found[key] = found.get(key, 0) + int(ledger.ways[slot])
    return {key: ways for key, ways in found.items() if ways}


def on_all_cores(work: Callable[[int], Ledger], parts: Iterable[int]) -> list[Ledger]:
    """Do the parts side by side: compiled walks leave the interpreter alone."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, parts))
