"""Games of one choice in which two hands are compared: every hand and up card against every hand, exactly.

Hands are numbered by strength. What is settled depends on the two numbers and the choice alone, so each pair of numbers
is played once. Then the dealer's hands are added in rising strength, each counted into all its subsets; between two
strengths at which the result changes, the dealer's hands that hold the up card and avoid the seat's cards follow by
inclusion and exclusion.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import Any

import numpy as np

from pairhouse.analysis.generic.card_sets import (
    SETS,
    all_hands,
    linked_now,
    number_of,
    suit_patterns,
)
from pairhouse.analysis.generic.deal_table import STORY_MAX, Numbers
from pairhouse.analysis.generic.deals import Deals
from pairhouse.analysis.generic.row_index import new_row_index
from pairhouse.analysis.generic.trial_rounds import Answer, actions_of, trial
from pairhouse.analysis.generic.walker import STORIES_MAX, Net, Walker
from pairhouse.analysis.generic.working_back import Answers, Solved
from pairhouse.core.cards import pack
from pairhouse.core.errors import Refused
from pairhouse.core.fingerprint import session_digest
from pairhouse.core.game import Variant
from pairhouse.core.verbs import HANDS_PER_SEAT
from pairhouse.machines.cache import cached_jit
from pairhouse.machines.count import JIT, jit, outer_jit
from pairhouse.machines.link import Function, link

LARGE = 1 << 20  # so many counts are worth asking for a GPU


def strength_of(hand: Any) -> int:
    """Replaced, when the loop is linked, by the rule that numbers a hand."""
    raise NotImplementedError


def number_all(hands: Numbers, out: Numbers) -> None:
    """The strength of every hand."""
    for row in range(hands.shape[0]):
        out[row] = strength_of(hands[row])


@lru_cache(maxsize=8)
def linked_strength(compared: Function, size: int, session_rules: str) -> Function:
    """The loop over hands of so many cards with a game's own rule."""
    rule_itself = link(compared, {}, jit)
    by_size = {
        3: jit(lambda h: rule_itself(h[0], h[1], h[2])),
        4: jit(lambda h: rule_itself(h[0], h[1], h[2], h[3])),
        5: jit(lambda h: rule_itself(h[0], h[1], h[2], h[3], h[4])),
    }
    outer = outer_jit(f"strengths-{compared.__name__}-{size}", compared, __name__, session_rules)
    return link(number_all, {strength_of: by_size[size]}, jit, outer)


@jit
def count_avoiding(hand: Numbers, held: Any, has_up: bool, found: Any) -> None:
    """How many of the hands that were added avoid this one and hold the up card, for every up card."""
    size = hand.size
    for up in range(52 if has_up else 1):
        extra = up if has_up else -1
        is_held = False
        for card in range(size):
            is_held = is_held or hand[card] == extra
        total = 0
        for mask in range(0 if is_held else (1 << size) - 1 if has_up else 1 << size):
            count = held[number_of(hand, mask, extra)]
            parity = 0
            for card in range(size):
                parity ^= mask >> card & 1
            total += -count if parity else count
        found[up] = total


@cached_jit("sweep", __name__, nogil=True, **JIT)
def sweep(
    hands: Numbers, by_class: Numbers, class_ends: Numbers, held: Any, own: Numbers, owners: Numbers, queue: Numbers,
    queue_ends: Numbers, has_up: bool, found: Any,
) -> None:  # fmt: skip
    """Add the dealer's hands class by class; before class t, count for each seat's hand that asks for t.

    `queue` lists, by class, rows of `found` (a seat's hand and one of its changes). A row gets how many of the dealer's
    hands are weaker, for each up card, or in its first column where there is none.
    """
    at, asked = 0, 0
    for t in range(class_ends.size + 1):
        while asked < queue_ends[t]:
            count_avoiding(own[owners[queue[asked]]], held, has_up, found[queue[asked]])
            asked += 1
        while t < class_ends.size and at < class_ends[t]:
            hand = hands[by_class[at]]
            for mask in range(1 << hand.size):
                held[number_of(hand, mask, -1)] += 1
            at += 1


def _preferring(action: int) -> Answer:
    """An action wherever it is legal, else the lowest one."""
    return lambda _at, legal, _situation: action if legal & action else legal & -legal


class Layout:
    """How a round is dealt: the seat's cards, the up cards, and the cards that are turned up after the choice."""

    def __init__(self, variant: Variant) -> None:
        actions = {}
        for bit in range(63):
            table = trial(variant, pack(*variant.pack), _preferring(1 << bit))
            if len(table.asked) != 1:
                raise Refused("bad-shortcut", "compared hands go with one choice in every round")
            if table.asked[0].legal >> bit & 1:
                actions[1 << bit] = table
        self.legal = sum(actions)
        longest = max(actions.values(), key=lambda table: len(table.drawn))
        before = longest.asked[0].cards
        places = [place for place, _ in longest.drawn]
        self.own = [at for at in range(before) if places[at] >= HANDS_PER_SEAT]
        self.up = [at for at in range(before) if places[at] < HANDS_PER_SEAT]
        self.rest = [*range(before, len(places))]
        if len(self.own) != len(self.up) + len(self.rest) or len(self.up) > 1:
            raise Refused(
                "bad-shortcut", "compared hands have as many cards on both sides, one of the dealer's up at most"
            )

    def deals(self, own: Numbers, other: Numbers) -> tuple[Numbers, Numbers]:
        """The seat's cards in the order of dealing, and the dealer's; the seat's come first in these games."""
        if self.own != [*range(len(self.own))]:
            raise Refused("bad-shortcut", "compared hands are dealt to the seat first")
        return np.ascontiguousarray(own), np.ascontiguousarray(other)


def solve_compared(
    variant: Variant, deals: Deals, net: Net, told: Callable[[str], object] = lambda _text: None
) -> Solved:
    """Best play: one choice with the seat's hand and the up card."""
    layout = Layout(variant)
    size = len(layout.own)
    hands = all_hands(size)
    compared = deals.shortcuts.compared
    assert compared is not None
    strengths = np.zeros(len(hands), np.int64)
    linked_strength(compared, size, session_digest(compared))(hands, strengths)
    classes, of_class = np.unique(strengths, return_inverse=True)
    reps = np.zeros(len(classes), np.int64)
    reps[of_class[::-1]] = np.arange(len(hands))[::-1]
    told(f"{len(hands):,} hands of {len(classes):,} strengths against each other")
    first, ways = suit_patterns(hands) if deals.suits_alike else (np.arange(len(hands)), np.ones(len(hands), np.int64))
    solver = _Compared(deals, net, layout, hands, hands[reps], of_class, first, ways)
    return solver.solve()


class _Compared:
    def __init__(
        self, deals: Deals, net: Net, layout: Layout, hands: Numbers, reps: Numbers, of_class: Numbers, first: Numbers,
        ways: Numbers,
    ) -> None:  # fmt: skip
        self.deals, self.layout, self.hands, self.reps, self.of_class = deals, layout, hands, reps, of_class
        self.own, self.ways, self.own_class = hands[first], ways, of_class[first]
        self.walker = Walker(replace(deals, draws=1), net)
        self.cores = os.cpu_count() or 1

    def stories(self, action: int) -> Any:
        """The story of every two strengths under an action, by the numbers of `self.words`."""
        _, settle_pairs = linked_now(self.deals.play, self.deals.kinds)
        own, other = self.layout.deals(self.reps, self.reps)
        out = np.zeros((len(own), len(other)), np.int16)
        bounds = np.linspace(0, len(own), 8 * self.cores + 1).astype(int).tolist()
        tape = np.array([action], np.int64)

        def part(at: int) -> tuple[slice, list[tuple[int, ...]]]:
            index = new_row_index(STORY_MAX, STORIES_MAX)
            if settle_pairs(
                self.deals.table(), self.deals.rules, own, other, bounds[at], bounds[at + 1], tape, index, out
            ):
                raise Refused("bad-shortcut", "a round takes other cards than two hands")
            return slice(bounds[at], bounds[at + 1]), [
                tuple(row[1 : 1 + row[0]].tolist()) for row in index.rows[: index.filled[0]]
            ]

        with ThreadPoolExecutor(self.cores) as pool:
            parts = list(pool.map(part, range(8 * self.cores)))
        for piece, words in parts:
            out[piece] = np.array([self.number(each) for each in words], np.int16)[out[piece]]
        return out

    def number(self, words: tuple[int, ...]) -> int:
        """The number of a story over all actions."""
        self.walker.learn(words)
        return [*self.walker.nets].index(words)

    def solve(self) -> Solved:
        """All actions; what each is worth for every hand and up card; the better of them."""
        actions = actions_of(self.layout.legal)
        told = {action: self.stories(action) for action in actions}
        nets = [*self.walker.nets.values()]
        scale = lcm(*(value.denominator for value in nets))
        values = np.array([int(value * scale) for value in nets], np.int64)
        changes = np.zeros((len(self.reps), len(self.reps)), bool)
        for table in told.values():
            changes[:, 1:] |= table[:, 1:] != table[:, :-1]
        below = self.weaker(changes)
        ups = 52 if self.layout.up else 1
        size = self.hands.shape[1]
        all_after = comb(52 - size - len(self.layout.up), size - len(self.layout.up))
        worth = np.zeros((len(actions), len(self.own), ups), np.int64)
        counts = _ranges(below, len(self.own), ups, all_after)
        for number, action in enumerate(actions):
            for rows, at, number_of_hands in counts(told[action], self.own_class):
                worth[number, rows] += values[at][:, None] * number_of_hands
        free = np.ones((len(self.own), ups), bool)
        if self.layout.up:
            free[np.arange(len(self.own))[:, None], self.own] = False
        best = worth.argmax(axis=0)
        total = int((worth.max(axis=0) * free).astype(object).sum(axis=1) @ self.ways.astype(object))
        tally: dict[int, int] = {}
        for number, action in enumerate(actions):
            for rows, at, number_of_hands in counts(told[action], self.own_class):
                weights = (number_of_hands * (free[rows] & (best[rows] == number))).sum(axis=1) * self.ways[rows]
                for story in np.unique(at).tolist():
                    tally[story] = tally.get(story, 0) + int(weights[at == story].sum())
        words = [*self.walker.nets]
        deals = len(self.hands) * (52 - size if self.layout.up else 1) * all_after
        ev = Fraction(total, scale * deals)
        stories = {self.walker.stories[words[story]]: n for story, n in tally.items() if n}
        answers = self.answers(worth, best, free, scale, all_after)
        return Solved(scale, ev, stories, answers, deals, int(free.sum()), tuple(self.walker.stories.values()))

    def answers(self, worth: Any, best: Any, free: Any, scale: int, all_after: int) -> list[Answers]:
        """What each action is worth in every situation, by the situation of one hand of each pattern."""
        actions = np.array(actions_of(self.layout.legal), np.int64)
        rows, up = np.nonzero(free)
        deal = np.column_stack([self.own[rows], up]) if self.layout.up else self.own[rows]
        situations, out = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        settle_all, _ = linked_now(self.deals.play, self.deals.kinds)
        empty = np.zeros(0, np.int64)
        index = new_row_index(STORY_MAX, STORIES_MAX)
        settle_all(self.deals.table(), self.deals.rules, deal, empty, index, out, situations)
        numbers = np.arange(len(rows))
        if len(np.unique(situations)) != len(rows):
            raise Refused("bad-shortcut", "compared hands need situations that tell the seat's hand and the up card")
        summed = np.column_stack([worth[number][rows, up] for number in range(len(actions))])
        legal = np.full(len(rows), self.layout.legal, np.int64)
        reached = np.full(len(rows), all_after, np.int64)
        return [
            Answers(
                situations[:, None],
                numbers,
                legal,
                actions[best[rows, up]],
                actions,
                summed,
                reached,
                is_complete=not self.deals.suits_alike,
            )
        ]

    def weaker(self, changes: Any) -> "tuple[Numbers, Numbers, Any]":
        """For each hand and each strength at which its result changes: how many dealer's hands are weaker."""
        own_breaks = [np.flatnonzero(row) for row in changes]
        owners = np.repeat(np.arange(len(self.own)), [len(own_breaks[c]) for c in self.own_class])
        at = np.concatenate([own_breaks[c] for c in self.own_class])
        found = np.zeros((len(owners), 52 if self.layout.up else 1), np.int32)
        by_class = np.argsort(self.of_class, kind="stable")
        ends = np.cumsum(np.bincount(self.of_class, minlength=len(self.reps)))

        def queued(rows: Numbers) -> tuple[Numbers, Numbers]:
            queue = rows[np.argsort(at[rows], kind="stable")]
            return queue, np.searchsorted(at[queue], np.arange(len(self.reps) + 1), side="right")

        def part(which: int) -> None:
            queue, queue_ends = queued(np.arange(which, len(owners), self.cores))
            held = np.zeros(SETS, np.int32)
            sweep(
                self.hands, by_class, ends, held, self.own, owners, queue, queue_ends, bool(self.layout.up), found,
            )  # fmt: skip

        if found.size >= LARGE:
            from pairhouse.analysis.generic.gpu_sweep import gpu_is_here, sweep_on_gpu

            if gpu_is_here():
                every = queued(np.arange(len(owners)))
                sweep_on_gpu(self.hands, by_class, ends, self.own, owners, *every, found)
                return owners, at, found

        with ThreadPoolExecutor(self.cores) as pool:
            list(pool.map(part, range(self.cores)))
        return owners, at, found


def _ranges(below: "tuple[Numbers, Numbers, Any]", own: int, ups: int, all_after: int) -> Callable[[Any, Numbers], Any]:
    """The dealer's hands between two changes, for every hand: rows, the story there, and their numbers by up card."""
    owners, at, found = below
    place = np.concatenate([[0], np.flatnonzero(np.diff(owners)) + 1]) if len(owners) else np.zeros(0, np.int64)
    number = np.arange(len(owners)) - np.repeat(place, np.diff([*place, len(owners)]))
    most = int(number.max()) + 1 if len(number) else 0

    def ranges(told: Any, own_class: Numbers) -> Any:
        below_rows = np.full(own, -1)
        for turn in range(most + 1):
            these = np.flatnonzero(number == turn)
            rows_here = np.full(own, -1)
            rows_here[owners[these]] = these
            active = np.arange(own) if turn == 0 else np.flatnonzero(below_rows >= 0)
            low = np.zeros((len(active), ups), np.int64) if turn == 0 else found[below_rows[active]].astype(np.int64)
            start = np.zeros(len(active), np.int64) if turn == 0 else at[below_rows[active]]
            ends = rows_here[active]
            high = np.where((ends >= 0)[:, None], found[ends], all_after).astype(np.int64)
            yield active, told[own_class[active], start].astype(np.int64), high - low
            below_rows = rows_here

    return ranges
