"""Every way a round can go on from some cards, compiled: the game's own `play` is run once for each way."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pairhouse.analysis.generic.deal_table import (
    CURSOR,
    KEY_WORDS,
    LEGAL,
    SITUATION,
    STOPPED,
    TAPED,
    TOLD,
    VERBS,
    DealTable,
    Numbers,
    advance,
    begin,
    hold,
    one_round,
    release,
    shared,
    story_writer,
    write_key,
)
from pairhouse.analysis.generic.row_index import RowIndex, find_row
from pairhouse.core import verbs
from pairhouse.core.fingerprint import session_digest
from pairhouse.machines.count import jit, outer_jit
from pairhouse.machines.link import Function, calls, link


class Grown(NamedTuple):
    """States found at the next choice, with their ways; and every step there: from which row, to which, in how many."""

    states: RowIndex
    ways: Numbers
    about: Numbers  # cards, situation, legal actions, known cards of the state, then the path
    edges: Numbers
    edge_count: Numbers


# Why a walk was given up: no room for states or steps; too many stories without a known value; a round too long.
FULL, UNKNOWN, LONGER = -2, -3, -4
CARDS_AT = 3


class Sums(NamedTuple):
    """What rounds that ended come to: a sum for each row, deals for each story, and what waits for a story's value."""

    stories: RowIndex
    values: Numbers
    rows: Numbers
    tally: Numbers
    pending: Numbers
    waiting: Numbers


@shared
def add_ending(table: DealTable, row: int, weight: int, falling: Numbers, sums: Sums) -> int:
    """A round has ended: its value to the row, its deals to the story. Deals are counted as if it had been longest."""
    state = table.state
    ways = table.weights[state[CURSOR]] * falling[state[CURSOR]]
    if falling[state[CURSOR]] == 0:
        return LONGER
    number = find_row(sums.stories, table.story, state[TOLD])
    if number < 0:
        return FULL
    sums.tally[number] += ways * weight
    if number < sums.values.size:
        sums.rows[row] += ways * sums.values[number]
        return 0
    at = sums.waiting[0]
    if at == sums.pending.shape[0]:
        return UNKNOWN
    sums.pending[at, 0], sums.pending[at, 1], sums.pending[at, 2] = row, number, ways
    sums.waiting[0] = at + 1
    return 0


@shared
def add_step(table: DealTable, row: int, weight: int, grown: Grown, key: Numbers) -> int:
    """A choice is asked: a step from the row to its state."""
    state, ways = table.state, table.weights[table.state[CURSOR]]
    write_key(table, key)
    known = grown.states.filled[0]
    number = find_row(grown.states, key, KEY_WORDS)
    if number < 0 or grown.edge_count[0] == grown.edges.shape[0]:
        return FULL
    if number == known:
        grown.about[number, 0] = state[CURSOR]
        grown.about[number, 1] = state[SITUATION]
        grown.about[number, 2] = state[LEGAL]
        for at in range(state[CURSOR]):
            grown.about[number, CARDS_AT + at] = table.path[at]
    grown.ways[number] += ways * weight
    edge = grown.edge_count[0]
    grown.edges[edge, 0], grown.edges[edge, 1], grown.edges[edge, 2] = row, number, ways
    grown.edge_count[0] = edge + 1
    return 0


@shared
def no_step(table: DealTable, row: int, weight: int, grown: Grown, key: Numbers) -> int:
    """For rules that never ask for a choice, which need nothing of the step there."""
    return FULL


def at_choice(table: DealTable, row: int, weight: int, grown: Grown, key: Numbers) -> int:
    """Replaced, when a walk is linked, by a step to the choice, for rules that ask for one."""
    raise NotImplementedError


def walk(
    table: DealTable,
    rules: Any,
    starts: Numbers,
    tapes: Numbers,
    falling: Numbers,
    known_stories: Numbers,
    sums: Sums,
    grown: Grown,
    key: Numbers,
) -> int:
    """Every way to go on from every row of `starts` (cards, ways, the classes) under its tape of actions.

    Gives the number of runs, or why it was given up.
    """
    state = table.state
    runs = 0
    for number in range(known_stories.shape[0]):
        find_row(sums.stories, known_stories[number, 1:], known_stories[number, 0])
    for row in range(starts.shape[0]):
        hold(table, starts[row, 2:], starts[row, 0])
        state[TAPED] = tapes[row, 0]
        for at in range(tapes[row, 0]):
            table.tape[at] = tapes[row, 1 + at]
        walking = True
        while walking:
            begin(table)
            one_round(table, rules)
            runs += 1
            given_up = 0
            if state[STOPPED] == 0:
                given_up = add_ending(table, row, starts[row, 1], falling, sums)
            elif state[STOPPED] == 1:
                given_up = at_choice(table, row, starts[row, 1], grown, key)
            elif state[STOPPED] == 2:
                given_up = LONGER
            if given_up:
                return given_up
            walking = advance(table)
        release(table)
    return runs


def situations(table: DealTable, rules: Any, starts: Numbers, tapes: Numbers, renamings: Numbers, out: Numbers) -> None:
    """The situation of every state under every change of suits."""
    state = table.state
    for row in range(starts.shape[0]):
        hold(table, starts[row, 2:], starts[row, 0])
        state[TAPED] = tapes[row, 0]
        for at in range(tapes[row, 0]):
            table.tape[at] = tapes[row, 1 + at]
        for change in range(renamings.shape[0]):
            for suit in range(4):
                table.renamed[suit] = renamings[change, suit]
            begin(table)
            one_round(table, rules)
            out[row, change] = state[SITUATION]
        table.renamed[0] = -1
        release(table)


def linked_game(play: Function, kinds: Sequence[type]) -> Function:
    """A game's `play` with the verbs of this table."""
    return link(play, {**VERBS, verbs.settle: story_writer(kinds)}, jit)


@lru_cache(maxsize=32)
def linked(play: Function, kinds: tuple[type, ...], session_rules: str) -> tuple[Function, Function]:
    """The compiled walk and the compiled look at situations, for one game."""
    parts: dict[Function, Function] = {
        one_round: linked_game(play, kinds),
        begin: begin,
        advance: advance,
        hold: hold,
        release: release,
    }
    parts |= {find_row: find_row, add_ending: add_ending, at_choice: add_step if calls(play, verbs.choose) else no_step}
    names = ",".join(kind.__name__ for kind in kinds)
    return (
        link(walk, parts, jit, outer_jit(f"walk-{play.__name__}-{names}", play, __name__, session_rules, kinds)),
        link(
            situations,
            parts,
            jit,
            outer_jit(f"situations-{play.__name__}-{names}", play, __name__, session_rules, kinds),
        ),
    )


def linked_now(play: Function, kinds: Sequence[type]) -> tuple[Function, Function]:
    """The same for the rules as they are now."""
    return linked(play, tuple(kinds), session_digest(play))
