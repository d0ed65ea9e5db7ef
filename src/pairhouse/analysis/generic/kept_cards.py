"""Games of one choice in which cards are kept and the others drawn anew: every hand and every way to keep, exactly.

What is settled depends on the final set of cards alone. So each set is settled once, sets are counted into all their
subsets, and the draws to kept cards that avoid the cards thrown away follow by inclusion and exclusion.
"""

from collections.abc import Callable
from dataclasses import replace
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
from pairhouse.analysis.generic.row_index import new_row_index
from pairhouse.analysis.generic.trial_rounds import actions_of
from pairhouse.analysis.generic.walker import STORIES_MAX, Net, Walker
from pairhouse.analysis.generic.working_back import Solved
from pairhouse.core.errors import Refused
from pairhouse.machines.cache import cached_jit
from pairhouse.machines.count import JIT


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
        places = hands_from(self.hands, deals.faces.tolist())
        hands, story = self.hands[places], self.told[places]
        told(f"{len(hands):,} hands, {len(self.masks)} ways to keep")
        taken = [mask for mask, action in self.masks.items() if only in (0, action)]
        held = np.zeros((SETS, len(self.values)), np.int32)
        add_hands(hands, np.arange(len(hands)), story, held)
        values = np.zeros(SETS, np.int64)
        for column, value in enumerate(self.values):
            values += value * held[:, column].astype(np.int64)
        first, ways = suit_patterns(hands, deals.alike)
        draws = [comb(deals.size - self.size, self.size - mask.bit_count()) for mask in taken]
        common = lcm(*draws)
        scales, masks = np.array([common // each for each in draws], np.int64), np.array(taken, np.int64)
        best, worth = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
        keep_best(hands[first], masks, values, scales, np.zeros(1 << self.size, np.int64), best, worth)
        tally = np.zeros(len(self.values), np.int64)
        keep_tally(hands[first], ways, masks, best, held, scales, tally)
        total = sum(int(n) * int(w) for n, w in zip(ways, worth, strict=True))
        stories = {story: int(n) for story, n in zip(self.stories, tally, strict=True) if n}
        ev = Fraction(total, self.scale * common * len(hands))
        return Solved(self.scale, ev, stories, [], len(hands), len(first), self.stories)


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
