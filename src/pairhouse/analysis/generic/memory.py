"""What a player remembers: the situations met and the actions taken earlier in a round.

Where a situation says it all, memory adds nothing. Where it forgets, as when the second hand of a split pair is played
by its own cards alone, states with one situation are told apart by what came before, if the best action depends on it.
"""

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.generic.deals import Deals
from pairhouse.analysis.generic.trial_rounds import TrialTable, actions_of

Numbers = npt.NDArray[np.int64]

ROUNDS = 4000


def numbered(columns: list[Numbers]) -> Numbers:
    """For each row of some columns the number of its values among all different ones."""
    _, number = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    return np.asarray(number, np.int64).ravel()


def past_of(choices: list[Any], number: int) -> Numbers:
    """For each state of a choice the number of all that its player has met and done; each has one way to it."""
    past = np.zeros(len(choices[0].states.ways), np.int64)
    for choice, after in pairwise(choices[: number + 1]):
        states = choice.states
        came = numbered([past[choice.of_state], states.about[choice.of_state, 2],
                         states.situation[choice.of_state], choice.action])  # fmt: skip
        past = np.zeros(len(after.states.ways), np.int64)
        past[choice.steps.child] = came[choice.steps.row]
    return past


def is_merged(deals: Deals) -> bool:
    """Whether deals count as one that differ in suits or in their order, so that a state has many ways to it."""
    return deals.suits_alike or deals.shortcuts.any_order or deals.shortcuts.one_hand


def forgets_its_past(deals: Deals) -> bool:
    """Whether rounds dealt at random meet one situation after different situations and actions."""
    random, known = Random(11), dict[tuple[int, int, int], tuple[Any, ...]]()
    cards = np.repeat(deals.faces, deals.left).tolist()
    for _ in range(ROUNDS):
        table = TrialTable(random.sample(cards, len(cards)), lambda _at, legal, _s: random.choice(actions_of(legal)))
        deals.play(table, deals.rules)
        past: tuple[Any, ...] = ()
        for number, asked in enumerate(table.asked):
            met = number, asked.legal, asked.situation
            if known.setdefault(met, past) != past:
                return True
            past = (*past, (met, asked.action))
    return False
