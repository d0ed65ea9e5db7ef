"""Blackjack play as tables that compiled code reads: any chart, and the solver's composition-dependent play."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.blackjack.basic import BasicStrategy, ChartEntry, two_cards
from pairhouse.analysis.blackjack.hands import VALUES
from pairhouse.analysis.blackjack.lookup import (
    ROW_BITS,
    SLOT_BITS,
    SLOT_SHIFT,
    SPREAD,
    UP_BITS,
    by_chart,
    by_composition,
)
from pairhouse.analysis.blackjack.solve import UpCard, hands_with
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.games.blackjack_choices import (
    DOUBLE,
    HIT,
    INSURANCE,
    NO_INSURANCE,
    SPLIT,
    STAND,
    SURRENDER,
)
from pairhouse.games.blackjack_hand import HAND_BITS, WORDS, is_blackjack
from pairhouse.machines.simulate.simulation import Strategy

Actions = npt.NDArray[np.uint8]

LEGAL_SETS = 128
STANDS = ChartEntry(STAND, STAND)  # a hand of 21 is asked for nothing but insurance


def chart_strategy(name: str, chart: BasicStrategy, insures: bool) -> Strategy:
    """A chart, filled in for every set of legal actions."""
    actions = np.zeros(LEGAL_SETS << (ROW_BITS + UP_BITS), np.uint8)
    for up in VALUES:
        for aces in (0, 1):
            for points in range(2, 21):
                soft = aces == 1 and points <= 11
                cell = chart.cells.get((up, soft, points + 10 * soft), STANDS)
                pair = 1 if aces else points // 2
                splits = (points == 2 or not aces) and points % 2 == 0 and chart.pairs.get((up, pair), False)
                for legal in range(1, LEGAL_SETS):
                    row = (legal << 1 | aces) << (ROW_BITS - 1) | points
                    actions[row << UP_BITS | up] = _charted(legal, cell.first, cell.later, splits, insures)
    return Strategy(name, by_chart, (actions,))


def _charted(legal: int, first: int, later: int, splits: bool, insures: bool) -> int:
    """What a chart does with a hand: the first choice that is legal."""
    if legal & NO_INSURANCE:
        return INSURANCE if insures else NO_INSURANCE
    if legal & SPLIT and splits:
        return SPLIT
    if first in (DOUBLE, SURRENDER) and legal & first:
        return first
    return later if legal & later else STAND


def best_strategy(solution: Solution, insures: bool) -> Strategy:
    """Composition-dependent best play, as `BestPlay` has it, in a table that is probed until the hand is found."""
    rows: dict[int, Actions] = {}
    _ = solution.expectation  # solves the up cards side by side
    for up, solved in solution.ups.items():
        _add_unsplit(rows, up, solved)
        for pair, plan in solved.plans.items():
            hands = hands_with(solution.rules.charlie, pair)
            actions = np.where(plan.doubles, DOUBLE, np.where(plan.stands, STAND, HIT))
            _add(rows, up, hands.words[~hands.ends] | pair << HAND_BITS, actions[~hands.ends])
    keys = np.full(1 << SLOT_BITS, -1, np.int64)
    table = np.zeros(1 << (SLOT_BITS + UP_BITS), np.uint8)
    for key, row in rows.items():
        slot = (key * int(SPREAD) & (1 << 64) - 1) >> int(SLOT_SHIFT)
        while keys[slot] >= 0:
            slot = (slot + 1) % (1 << SLOT_BITS)
        keys[slot] = key
        table[slot << UP_BITS : (slot + 1) << UP_BITS] = row
    answer = np.array([INSURANCE if insures else NO_INSURANCE], np.uint8)
    return Strategy("best", by_composition, (keys, table, answer))


def _add(rows: dict[int, Actions], up: int, keys: npt.NDArray[np.int64], actions: npt.NDArray[Any]) -> None:
    for key, action in zip(keys.tolist(), actions.tolist(), strict=True):
        if key not in rows:
            rows[key] = np.zeros(1 << UP_BITS, np.uint8)
        rows[key][up] = action


def _add_unsplit(rows: dict[int, Actions], up: int, solved: UpCard) -> None:
    """Hands that were not split: with more than two cards there is only to hit or to stand."""
    hands, table = solved.hands, solved.table
    asked = ~hands.ends & (hands.counts.sum(axis=1) >= 2)
    actions = np.where(table.hit > table.stand, HIT, STAND)
    _add(rows, up, hands.words[asked], actions[asked])
    for first, second in two_cards():
        word = WORDS[first] + WORDS[second]
        if not is_blackjack(word) and (first != second or first in solved.splits):
            values = solved.actions_of(word)
            rows[word][up] = max(values, key=lambda action: values[action])
