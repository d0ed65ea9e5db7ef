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
    hands: Numbers, masks: Numbers, held: Any, values: Numbers, scales: Numbers, best: Numbers, worth: Numbers
) -> None:
    """The best way to keep for each hand: what it comes to, in draws of one size for all ways."""
    full = (1 << hands.shape[1]) - 1
    for row in range(hands.shape[0]):
        for number in range(masks.size):
            kept = masks[number]
            gone = full ^ kept
            total, part = 0, gone
            while True:
                sign = 1
                for at in range(hands.shape[1]):
                    if part >> at & 1:
                        sign = -sign
                total += sign * values[number_of(hands[row], kept | part, -1)]
                if part == 0:
                    break
                part = (part - 1) & gone
            total *= scales[number]
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


def solve_kept(deals: Deals, net: Net, told: Callable[[str], object] = lambda _text: None) -> Solved:
    """Best play: which cards to keep of every hand."""
    keeps = deals.shortcuts.keeps
    assert keeps is not None
    walker = Walker(replace(deals, draws=1), net)
    table = deals.table()
    settle_all, _ = linked_now(deals.play, deals.kinds)
    size = hand_size(deals)
    hands = all_hands(size)
    told(f"{len(hands):,} hands, {1 << size} ways to keep")
    stories = new_row_index(STORY_MAX, STORIES_MAX)
    out, asked = np.zeros(len(hands), np.int64), np.zeros(len(hands), np.int64)
    legal = legal_actions(deals, hands[0])
    masks = {sum(1 << at for at in keeps(action)): action for action in actions_of(legal)}
    if (1 << size) - 1 not in masks:
        raise Refused("bad-shortcut", "no action keeps all cards, so hands cannot be settled as they are")
    if settle_all(table, deals.rules, hands, np.array([masks[(1 << size) - 1]], np.int64), stories, out, asked):
        raise Refused("bad-shortcut", f"a round that keeps all cards takes others than the first {size}")
    words = [tuple(row[1 : 1 + row[0]].tolist()) for row in stories.rows[: stories.filled[0]]]
    nets = [walker.learn(each) for each in words]
    scale = lcm(*(value.denominator for value in nets))
    held = np.zeros((SETS, len(words)), np.int32)
    add_hands(hands, np.arange(len(hands)), out, held)
    values = held.astype(np.int64) @ np.array([int(value * scale) for value in nets], np.int64)
    first, ways = suit_patterns(hands) if deals.suits_alike else (np.arange(len(hands)), np.ones(len(hands), np.int64))
    draws = [comb(deals.size - size, size - bin(mask).count("1")) for mask in masks]
    common = lcm(*draws)
    scales = np.array([common // each for each in draws], np.int64)
    best, worth = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
    keep_best(hands[first], np.array([*masks], np.int64), held, values, scales, best, worth)
    tally = np.zeros(len(words), np.int64)
    keep_tally(hands[first], ways, np.array([*masks], np.int64), best, held, scales, tally)
    total = sum(int(n) * int(w) for n, w in zip(ways, worth, strict=True))
    told_stories = {walker.stories[each]: int(n) for each, n in zip(words, tally, strict=True) if n}
    ev = Fraction(total, scale * common * len(hands))
    return Solved(scale, ev, told_stories, [], len(hands), len(first), tuple(walker.stories[each] for each in words))


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
