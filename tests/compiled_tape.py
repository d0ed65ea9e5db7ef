"""A compiled table that reads its cards from a tape and records everything: the proof that one source serves all.

It is the compiled twin of live play: the same `play`, the same cards in the same order, choices picked by a script of
numbers. What it writes on its trace can be compared, act by act, with a replay of the same round.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from pairhouse.core import verbs
from pairhouse.core.cards import Card
from pairhouse.machines.happenings import fields_of
from pairhouse.machines.link import Function, link

DEALT, TURNED, PEEKED, SPLIT, CHOSEN, SETTLED = 1, 2, 3, 4, 5, 6
CARDS_USED, SCRIPT_USED, TRACE_USED, SEATS = 0, 1, 2, 3
TRACE_LENGTH = 4096

Numbers = npt.NDArray[np.int64]
jit = numba.njit(error_model="numpy")


class Tape(NamedTuple):
    """A table made of arrays, as compiled code likes it."""

    cards: Numbers
    script: Numbers
    trace: Numbers
    felt: Numbers
    counters: Numbers


@jit
def write(table: Tape, mark: int, first: int, second: int) -> None:
    at = table.counters[TRACE_USED]
    table.trace[at], table.trace[at + 1], table.trace[at + 2] = mark, first, second
    table.counters[TRACE_USED] = at + 3


@jit
def draw(table: Tape, place: int) -> int:
    card = table.cards[table.counters[CARDS_USED]]
    table.counters[CARDS_USED] += 1
    write(table, DEALT, place, card)
    return card


@jit
def turn_up(table: Tape, place: int, hidden: int) -> int:
    write(table, TURNED, place, hidden)
    return hidden


@jit
def peek(table: Tape, place: int, hidden: int, lowest: int, highest: int) -> bool:
    write(table, PEEKED, place, 0)
    return lowest <= hidden % 13 <= highest


@jit
def split(table: Tape, place: int) -> None:
    write(table, SPLIT, place, 0)


@jit
def choose(table: Tape, place: int, legal: int, situation: int) -> int:
    """The script's next number picks among the legal actions, lowest bit first."""
    offered = 0
    for bit in range(16):
        offered += legal >> bit & 1
    left = table.script[table.counters[SCRIPT_USED] % table.script.size] % offered
    table.counters[SCRIPT_USED] += 1
    action = 1
    while left > 0 or legal & action == 0:
        left -= int(legal & action != 0)
        action <<= 1
    write(table, CHOSEN, place, legal << 16 | action)
    return action


@jit
def settle(table: Tape, place: int, happened: Any) -> None:
    fields = fields_of(happened)
    write(table, SETTLED, place, len(fields))
    at = table.counters[TRACE_USED]
    for field in fields:
        table.trace[at] = field
        at += 1
    table.counters[TRACE_USED] = at


@jit
def felt(table: Tape, row: int) -> Numbers:
    return table.felt[row]


@jit
def seats(table: Tape) -> int:
    return table.counters[SEATS]


@jit
def show(table: Tape, place: int) -> None:
    pass


@jit
def say(table: Tape, place: int, phrase: int, first: int, second: int) -> None:
    pass


VERBS: dict[Function, Function] = {
    verbs.draw: draw,
    verbs.draw_private: draw,
    verbs.draw_down: draw,
    verbs.turn_up: turn_up,
    verbs.peek: peek,
    verbs.split: split,
    verbs.choose: choose,
    verbs.settle: settle,
    verbs.felt: felt,
    verbs.seats: seats,
    verbs.show: show,
    verbs.say: say,
}


@lru_cache(maxsize=32)
def compiled(play: Callable[..., None]) -> Function:
    """A `play` function as machine code over a tape. Rules altered later are seen by `compiled.__wrapped__`."""
    return link(play, VERBS, jit)


def run(play: Function, rules: Any, cards: Sequence[Card], seat_count: int, script: Sequence[int]) -> list[int]:
    """One round of a compiled `play`: its trace, three numbers an act (and the fields of what was settled)."""
    tape = Tape(
        np.array(cards, np.int64),
        np.array(script, np.int64),
        np.zeros(TRACE_LENGTH, np.int64),
        np.zeros((verbs.FELT_ROWS, verbs.PLACES), np.int64),
        np.array([0, 0, 0, seat_count], np.int64),
    )
    play(tape, rules)
    trace: list[int] = tape.trace[: tape.counters[TRACE_USED]].tolist()
    return trace
