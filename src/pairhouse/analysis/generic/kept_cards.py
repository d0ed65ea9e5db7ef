"""Games of one choice in which cards are kept and the others drawn anew: every hand and every way to keep, exactly.

What is settled depends on the final set of cards alone. So each set is settled once, sets are counted into all their
subsets, and the draws to kept cards that avoid the cards thrown away follow by inclusion and exclusion.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, lcm
from typing import Any

import numpy as np

from pairhouse.analysis.generic.card_sets import (
    SETS,
    add_hands,
    all_hands,
    hands_from,
    linked_now,
    number_of,
    suit_patterns,
)
from pairhouse.analysis.generic.deal_table import STORY_MAX, Numbers
from pairhouse.analysis.generic.deals import Deals
from pairhouse.analysis.generic.hand_play import kept_strategy, numbers_of
from pairhouse.analysis.generic.row_index import new_row_index
from pairhouse.analysis.generic.trial_rounds import actions_of
from pairhouse.analysis.generic.walker import STORIES_MAX, Net, Walker
from pairhouse.analysis.generic.working_back import Solved
from pairhouse.core.errors import Refused
from pairhouse.machines.cache import cached_jit
from pairhouse.machines.count import JIT
from pairhouse.machines.simulate.simulation import Strategy
from pairhouse.machines.stored import stored_as


@cached_jit("keep-best", __name__, nogil=True, **JIT)
def keep_best(
    hands: Numbers, masks: Numbers, values: Numbers, scales: Numbers, drawn: Numbers, best: Numbers, worth: Numbers
) -> None:
    """The best way to keep for each hand: what it comes to, in draws of one size for all ways.

    `drawn` is for work: what the sets come to that hold the kept cards, then of those the sets that hold no other card
    of the hand.
    """
    for row in range(hands.shape[0]):
        for kept in range(drawn.size):
            drawn[kept] = values[number_of(hands[row], kept, -1)]
        for at in range(hands.shape[1]):
            for kept in range(drawn.size):
                if kept >> at & 1 == 0:
                    drawn[kept] -= drawn[kept | 1 << at]
        for number in range(masks.size):
            total = drawn[masks[number]] * scales[number]
            if number == 0 or total > worth[row]:
                worth[row], best[row] = total, number


@cached_jit("keep-tally", __name__, nogil=True, **JIT)
def keep_tally(
    hands: Numbers, ways: Numbers, masks: Numbers, best: Numbers, held: Any, scales: Numbers, tally: Numbers
) -> None:
    """The stories of every hand under its best way to keep."""
    full = (1 << hands.shape[1]) - 1
    for row in range(hands.shape[0]):
        kept = masks[best[row]]
        gone = full ^ kept
        part = gone
        while True:
            sign = ways[row] * scales[best[row]]
            for at in range(hands.shape[1]):
                if part >> at & 1:
                    sign = -sign
            subset = number_of(hands[row], kept | part, -1)
            for story in range(tally.size):
                tally[story] += sign * held[subset, story]
            if part == 0:
                break
            part = (part - 1) & gone


class KeptCards:
    """What every final hand of a deck is settled as; then the best play from any cards of it."""

    def __init__(self, deals: Deals, net: Net) -> None:
        """`deals` are those of a whole deck."""
        keeps = deals.shortcuts.keeps
        assert keeps is not None
        self.deals, self.size = deals, hand_size(deals)
        self.hands = all_hands(self.size)
        legal = legal_actions(deals, self.hands[0])
        masks = {sum(1 << at for at in keeps(action)): action for action in actions_of(legal)}
        self.masks, full = masks, (1 << self.size) - 1
        if full not in masks:
            raise Refused("bad-shortcut", "no action keeps all cards, so hands cannot be settled as they are")
        self.told = np.zeros(len(self.hands), np.int64)
        settle_all, _ = linked_now(deals.play, deals.kinds)
        stories, asked = new_row_index(STORY_MAX, STORIES_MAX), np.zeros(len(self.hands), np.int64)
        tape = np.array([masks[full]], np.int64)
        if settle_all(deals.table(), deals.rules, self.hands, tape, stories, self.told, asked):
            raise Refused("bad-shortcut", f"a round that keeps all cards takes others than the first {self.size}")
        walker = Walker(replace(deals, draws=1), net)
        words = [tuple(row[1 : 1 + row[0]].tolist()) for row in stories.rows[: stories.filled[0]]]
        nets = [walker.learn(each) for each in words]
        self.stories = tuple(walker.stories[each] for each in words)
        self.scale = lcm(*(value.denominator for value in nets))
        self.values = [int(value * self.scale) for value in nets]

    def solve(self, deals: Deals, told: Callable[[str], object] = lambda _text: None, only: int = 0) -> Solved:
        """Best play from these cards: which to keep of every hand; or `only` one action, with every hand."""
        drawn = self._drawn(deals, only)
        told(f"{len(drawn.hands):,} hands, {len(self.masks)} ways to keep")
        first, ways = suit_patterns(drawn.hands, deals.alike)
        best, worth = drawn.best(first)
        tally = np.zeros(len(self.values), np.int64)
        keep_tally(drawn.hands[first], ways, drawn.masks, best, drawn.held, drawn.scales, tally)
        total = sum(int(n) * int(w) for n, w in zip(ways, worth, strict=True))
        stories = {story: int(n) for story, n in zip(self.stories, tally, strict=True) if n}
        ev = Fraction(total, self.scale * drawn.common * len(drawn.hands))
        return Solved(self.scale, ev, stories, [], len(drawn.hands), len(first), self.stories)

    def _drawn(self, deals: Deals, only: int = 0) -> "_Drawn":
        """The hands of these cards, counted into their sets, with what draws from them come to."""
        places = hands_from(self.hands, deals.faces.tolist())
        hands = self.hands[places]
        taken = [mask for mask, action in self.masks.items() if only in (0, action)]
        held = np.zeros((SETS, len(self.values)), np.int32)
        add_hands(hands, np.arange(len(hands)), self.told[places], held)
        values = np.zeros(SETS, np.int64)
        for column, value in enumerate(self.values):
            values += value * held[:, column].astype(np.int64)
        draws = [comb(deals.size - self.size, self.size - mask.bit_count()) for mask in taken]
        common = lcm(*draws)
        scales = np.array([common // each for each in draws], np.int64)
        return _Drawn(hands, held, values, np.array(taken, np.int64), scales, common)

    def strategy(self, deals: Deals, key: str) -> Strategy:
        """Best play from the whole deck for the machine."""

        def work() -> bytes:
            drawn = self._drawn(deals)
            best, _ = drawn.best(np.arange(len(drawn.hands)))
            kept = np.zeros(len(best), np.uint8)
            kept[numbers_of(drawn.hands)] = drawn.masks[best]
            return kept.tobytes()

        return kept_strategy(self.size, np.frombuffer(stored_as(bytes, f"kept {key}", work), np.uint8), self.masks)


@dataclass(frozen=True)
class _Drawn:
    """Hands, how many of each story every set of cards is held by, and what that comes to in draws of one size."""

    hands: Numbers
    held: Any
    values: Numbers
    masks: Numbers
    scales: Numbers
    common: int

    def best(self, which: Numbers) -> tuple[Numbers, Numbers]:
        """The best way to keep, by its number, and what it comes to, for some of the hands; on all cores."""
        best, worth = np.zeros(len(which), np.int64), np.zeros(len(which), np.int64)
        cores = os.cpu_count() or 1
        bounds = np.linspace(0, len(which), cores + 1).astype(int).tolist()

        def part(at: int) -> None:
            piece = slice(bounds[at], bounds[at + 1])
            room = np.zeros(1 << self.hands.shape[1], np.int64)
            keep_best(self.hands[which[piece]], self.masks, self.values, self.scales, room, best[piece], worth[piece])

        with ThreadPoolExecutor(cores) as pool:
            list(pool.map(part, range(cores)))
        return best, worth


def hand_size(deals: Deals) -> int:
    """How many cards are dealt before the choice: the most that an action keeps."""
    keeps = deals.shortcuts.keeps
    assert keeps is not None
    return max(1 + max(keeps(1 << bit), default=-1) for bit in range(63))


def legal_actions(deals: Deals, hand: Numbers) -> int:
    """What is offered with a hand, by running into the choice."""
    walker = Walker(replace(deals, draws=len(hand)), lambda _story: Fraction(0))
    start = np.zeros((1, 2 + 24), np.int64)
    start[0, 0], start[0, 1], start[0, 2 : 2 + len(hand)] = len(hand), 1, hand
    _, states = walker.go_on(start, np.zeros((1, 13), np.int64))
    return int(states.about[0, 2])
