"""A given order of cards dealt down by the game's own `play`, compiled: where each round begins and what it settles."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pairhouse.core import verbs
from pairhouse.core.shoe import cut_card_is_out
from pairhouse.machines.cache import cached_jit
from pairhouse.machines.composition import Numbers
from pairhouse.machines.count import CURSOR, JIT, STORY, VERBS, jit
from pairhouse.machines.happenings import settler
from pairhouse.machines.link import Function, link
from pairhouse.machines.stories import EMPTY


class OrderedTable(NamedTuple):
    """A table that deals the cards of an order one after another; `state` holds the cursor and the packed story."""

    order: Numbers
    state: Numbers
    felt: Numbers


def draw_next(table: OrderedTable, place: int) -> Any:
    """The next card of the order."""
    at = table.state[CURSOR]
    table.state[CURSOR] = at + 1
    return table.order[at]


def turn_up_dealt(table: OrderedTable, place: int, hidden: int) -> int:
    """A face-down card is known to the order already."""
    return hidden


def one_round(table: OrderedTable, rules: Any) -> None:
    """Stands for the `play` that is dealt."""


def deal_down(
    orders: Numbers, state: Numbers, felt: Numbers, rules: Any, behind_cut: int, ends: Numbers, stories: Numbers,
    rounds: Numbers,
) -> None:  # fmt: skip
    """Of each shoe, rounds until the cut card has come out and one more; how many cards are gone then, and its story.

    `rounds` gets how many they are.
    """
    for shoe in range(orders.shape[0]):
        table = OrderedTable(orders[shoe], state, felt)
        last_round = False
        state[CURSOR], rounds[shoe] = 0, 0
        while True:
            state[STORY] = EMPTY
            one_round(table, rules)
            ends[shoe, rounds[shoe]], stories[shoe, rounds[shoe]] = state[CURSOR], state[STORY]
            rounds[shoe] += 1
            if last_round:
                break
            last_round = cut_card_is_out(state[CURSOR], orders.shape[1], behind_cut)


@lru_cache(maxsize=16)
def _dealer(play: Function, kinds: tuple[type, ...]) -> Function:
    draw = jit(draw_next)
    dealt: dict[Function, Function] = {
        verbs.draw: draw,
        verbs.draw_private: draw,
        verbs.draw_down: draw,
        verbs.turn_up: jit(turn_up_dealt),
    }
    linked = link(play, {**VERBS, **dealt, verbs.settle: settler(kinds, STORY)}, jit)
    outer = cached_jit(f"dealt-{play.__name__}", play.__module__, __name__, nogil=True, **JIT)
    return link(deal_down, {one_round: linked}, jit, outer)


def deal_shoe(
    play: Function, rules: Any, kinds: Sequence[type], order: Numbers, behind_cut: int
) -> tuple[Numbers, Numbers]:
    """The rounds of a shoe of a game without choices: cards gone after each, and packed stories. [NSB-5]"""
    ((ends, stories),) = deal_shoes(play, rules, kinds, order[None, :], behind_cut)
    return ends, stories


def deal_shoes(
    play: Function, rules: Any, kinds: Sequence[type], orders: Numbers, behind_cut: int
) -> list[tuple[Numbers, Numbers]]:
    """The same of many shoes, a row for each."""
    ends, stories = np.zeros(orders.shape, np.int64), np.zeros(orders.shape, np.int64)
    felt, rounds = np.zeros((verbs.FELT_ROWS, verbs.PLACES), np.int64), np.zeros(len(orders), np.int64)
    deal = _dealer(play, tuple(kinds))
    deal(np.ascontiguousarray(orders), np.zeros(3, np.int64), felt, rules, behind_cut, ends, stories, rounds)
    return [(ends[shoe, :number], stories[shoe, :number]) for shoe, number in enumerate(rounds.tolist())]
