"""Going on from many states at once, on all cores: sums of rounds that ended, and the states of the next choice."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import lcm, perm
from typing import Any

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.generic.deal_table import (
    KEY_WORDS,
    PATH_MAX,
    STORY_MAX,
)
from pairhouse.analysis.generic.deal_tree import CARDS_AT, LONGER, UNKNOWN, Grown, Sums, linked_now
from pairhouse.analysis.generic.deals import Deals
from pairhouse.analysis.generic.row_index import new_row_index
from pairhouse.core.errors import Refused
from pairhouse.core.tally import Story

Numbers = npt.NDArray[np.int64]
Net = Callable[[Story], Fraction]

LARGEST = 1 << 62
PENDING_MAX = 1 << 16
STORIES_MAX = 1 << 13
STATES_MAX = 8_000_000


class OverBudget(Exception):
    """There was not time enough for an exact answer."""


@dataclass
class States:
    """The states of one choice: cards dealt, deals, situation, legal actions, classes drawn and actions taken."""

    keys: Numbers
    ways: Numbers
    about: Numbers
    tapes: Numbers
    names: Numbers  # the situation under every change of suits; one column where suits are not alike

    @property
    def situation(self) -> Numbers:
        """One number for a situation and all it becomes by changing suits."""
        return self.names.min(axis=1)


@dataclass
class Steps:
    """What came of going on from some rows: sums of rounds that ended, and steps to states of the next choice."""

    sums: Numbers
    row: Numbers
    child: Numbers
    ways: Numbers
    tally: dict[tuple[int, ...], int]


class Walker:
    """Goes on from rows of states, on all cores, and remembers every story with its value."""

    def __init__(self, deals: Deals, net: Net, deadline: float | None = None, cores: int | None = None) -> None:
        if deals.draws > deals.size:
            given = f"{deals.size} cards are not enough"
            raise Refused("too-few-cards", f"{given}; a round can take {deals.draws}")
        self.deals, self.net, self.deadline = deals, net, deadline
        self.cores = cores or os.cpu_count() or 1
        self.walk, self.look = linked_now(deals.play, deals.kinds)
        self.runs = 0
        self.stories: dict[tuple[int, ...], Story] = {}
        self.nets: dict[tuple[int, ...], Fraction] = {}
        for story in deals.stories:
            self.learn(
                tuple(number for _, told in story for number in (deals.kinds.index(type(told)), *map(int, told)))
            )
        self.scale = lcm(*(net.denominator for net in self.nets.values()), 1)
        self.falling = np.array(
            [perm(deals.size - used, deals.draws - used) for used in range(deals.draws + 1)] + [0] * PATH_MAX, object
        )
        largest = max((abs(net) for net in self.nets.values()), default=Fraction(1))
        if max(self.deals.total, 1) * max(largest * self.scale, Fraction(1)) >= LARGEST:
            self._refuse_size()
        self.falling = self.falling.astype(np.int64)

    def _refuse_size(self) -> None:
        given = f"{self.deals.total:.3g} deals of {self.deals.draws} cards are too many to be counted so"
        wanted = "declare in the file what the rules cannot tell apart, such as Shortcuts(same=rank)"
        raise Refused("too-many-deals", f"{given}; {wanted}")

    def learn(self, words: tuple[int, ...]) -> Fraction:
        """The value of a story."""
        if words not in self.nets:
            told, at = [], 0
            while at < len(words):
                kind = self.deals.kinds[words[at]]
                types = list(kind.__annotations__.values())
                fields = [of(n) if of in (bool, int) else n for of, n in zip(types, words[at + 1 :], strict=False)]
                told.append((1, kind(*fields)))
                at += 1 + len(types)
            self.stories[words] = tuple(told)
            self.nets[words] = self.net(tuple(told))
        return self.nets[words]

    def go_on(self, starts: Numbers, tapes: Numbers) -> tuple[Steps, States]:
        """All rows, in parts on all cores."""
        count = len(starts)
        parts = 1 if count < 32 else min(count // 16, 16 * self.cores)
        bounds = np.linspace(0, count, parts + 1).astype(int)
        pieces = list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
        with ThreadPoolExecutor(self.cores) as pool:
            done = list(pool.map(lambda piece: self._part(starts, tapes, *piece), pieces))
        return self._merged(done, pieces, starts, tapes)

    def _part(self, starts: Numbers, tapes: Numbers, first: int, last: int) -> tuple[Any, ...]:
        rows, edges = 1 << 10, 1 << 12
        while True:
            known = list(self.nets)
            if self.deadline is not None and time.monotonic() > self.deadline:
                raise OverBudget
            sums = Sums(
                new_row_index(STORY_MAX, STORIES_MAX),
                np.array([int(self.nets[words] * self.scale) for words in known], np.int64),
                np.zeros(last - first, np.int64),
                np.zeros(STORIES_MAX, np.int64),
                np.zeros((PENDING_MAX, 3), np.int64),
                np.zeros(1, np.int64),
            )
            grown = Grown(
                new_row_index(KEY_WORDS, rows),
                np.zeros(rows, np.int64),
                np.zeros((rows, CARDS_AT + PATH_MAX), np.int64),
                np.zeros((edges, 3), np.int64),
                np.zeros(1, np.int64),
            )
            runs = self.walk(
                self.deals.table(), self.deals.rules, starts[first:last], tapes[first:last], self.falling,
                as_rows(known), sums, grown, np.zeros(KEY_WORDS, np.int64),
            )  # fmt: skip
            if runs >= 0:
                return runs, sums, grown
            if runs == LONGER:
                raise LongerRound
            if runs == UNKNOWN:
                for row in sums.stories.rows[: sums.stories.filled[0]]:
                    if (self.learn(tuple(row[1 : 1 + row[0]].tolist())) * self.scale).denominator != 1:
                        raise NewScale
                continue
            if rows > STATES_MAX:
                raise Refused(
                    "too-many-states", f"a choice has more than {STATES_MAX:,} states; it is not solved exactly"
                )
            rows, edges = rows * 8, edges * 8

    def _merged(
        self, done: list[tuple[Any, ...]], pieces: list[tuple[int, int]], starts: Numbers, tapes: Numbers
    ) -> tuple[Steps, States]:
        sums = np.zeros(len(starts), np.int64)
        tally: dict[tuple[int, ...], int] = {}
        keys, abouts, ways, parents, edges = ([] for _ in range(5))
        before = 0  # states found in earlier parts
        for (runs, found, grown), (first, _last) in zip(done, pieces, strict=True):
            self.runs += runs
            sums[first : first + len(found.rows)] = self._summed(found, tally)
            count, steps = int(grown.states.filled[0]), grown.edges[: grown.edge_count[0]]
            parent = np.zeros(count, np.int64)
            parent[steps[::-1, 1]] = steps[::-1, 0]
            keys.append(grown.states.rows[:count, 1:].copy())
            abouts.append(grown.about[:count].copy())
            ways.append(grown.ways[:count].copy())
            parents.append(parent + first)
            edges.append(steps + np.array([first, before, 0]))
            before += count
        key, edge = np.concatenate(keys), np.concatenate(edges)
        _, one_of, number = np.unique(as_words(key), return_index=True, return_inverse=True)
        together = np.zeros(len(one_of), np.int64)
        np.add.at(together, number, np.concatenate(ways))
        about = np.concatenate(abouts)[one_of]
        tape = tapes[np.concatenate(parents)[one_of]]
        steps = Steps(sums, edge[:, 0], number[edge[:, 1]], edge[:, 2], tally)
        return steps, States(key[one_of], together, about, tape, about[:, 1:2])

    def _summed(self, found: Sums, tally: dict[tuple[int, ...], int]) -> Numbers:
        """What the rounds of one part that ended come to, by row; their stories are added to the tally."""
        words_of = [tuple(row[1 : 1 + row[0]].tolist()) for row in found.stories.rows[: found.stories.filled[0]]]
        for story in np.flatnonzero(found.tally).tolist():
            tally[words_of[story]] = tally.get(words_of[story], 0) + int(found.tally[story])
        late = found.pending[: found.waiting[0]]
        for number in np.unique(late[:, 1]).tolist():
            value = self.learn(words_of[number]) * self.scale
            if value.denominator != 1:
                raise NewScale
            those = late[late[:, 1] == number]
            np.add.at(found.rows, those[:, 0], those[:, 2] * int(value))
        return found.rows

    def name_states(self, states: States) -> None:
        """The situation of every state under every change of suits."""
        if not self.deals.suits_alike or not len(states.ways):
            return
        renamings = renamings_of(self.deals.alike)
        out = np.zeros((len(states.ways), len(renamings)), np.int64)
        starts = rows_of(states, np.arange(len(states.ways)))
        bounds = np.linspace(0, len(starts), 2 * self.cores + 1).astype(int).tolist()

        def part(at: int) -> None:
            piece = slice(bounds[at], bounds[at + 1])
            self.look(self.deals.table(), self.deals.rules, starts[piece], states.tapes[piece], renamings, out[piece])

        with ThreadPoolExecutor(self.cores) as pool:
            list(pool.map(part, range(2 * self.cores)))
        states.names = out


def renamings_of(alike: Sequence[int]) -> Numbers:
    """Every change of suits in which only those that are alike change places."""
    changes = []
    for order in permutations(alike):
        suits = list(range(4))
        for suit, other in zip(alike, order, strict=True):
            suits[suit] = other
        changes.append(suits)
    return np.array(changes, np.int64)


class LongerRound(Exception):
    """A round took more cards than any before."""


class NewScale(Exception):
    """A story was met whose value is no whole number in the scale that was chosen."""


def as_words(keys: Numbers) -> npt.NDArray[np.void]:
    """Each row as one word that can be compared with others."""
    rows = np.ascontiguousarray(keys)
    return rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()


def as_rows(known: Sequence[tuple[int, ...]]) -> Numbers:
    """Stories as rows of numbers, each with its length first."""
    rows = np.zeros((len(known), STORY_MAX + 1), np.int64)
    for number, words in enumerate(known):
        rows[number, : len(words) + 1] = len(words), *words
    return rows


def rows_of(states: States, which: Numbers, ways: Numbers | None = None) -> Numbers:
    """States as the walk takes them: cards, deals, classes."""
    chosen = states.ways[which] if ways is None else ways
    return np.column_stack([states.about[which, 0], chosen, states.about[which, CARDS_AT:]]).astype(np.int64)
