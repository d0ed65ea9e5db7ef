"""The compiled loop of simulated rounds: deal many rounds ahead, run the game's own `play` on each, count the cells.

All rules and verbs are inlined into one loop, and what changes during a round is on the loop's own stack. A game whose
cards are all dealt ahead then has no branch left that depends on a card: the compiler runs several rounds at once.
"""

from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from pairhouse.core import verbs
from pairhouse.core.fingerprint import session_digest
from pairhouse.machines.cache import Source, cached_jit
from pairhouse.machines.count import JIT, felt, jit, nothing, one_seat, silence
from pairhouse.machines.link import Function, link
from pairhouse.machines.simulate.deal import (
    CARD_BITS,
    CARD_MASK,
    LANES,
    ROUND_CARDS_MAX,
    Lanes,
    deal_ahead,
    left_over,
    sift,
    words_of,
)
from pairhouse.machines.simulate.registers import pointer_to, set_word, stack_rows, stack_words, stay_apart, word
from pairhouse.machines.simulate.score import (
    BLOCK,
    CARDS,
    CELL,
    CURSOR,
    DEALT,
    FACES,
    GROUP,
    KEY_A,
    KEY_B,
    NOTED,
    NUMBER,
    SEEN,
    SIEVE,
    SIZE,
    STATE_WORDS,
    Scoring,
)
from pairhouse.machines.simulate.settling import settler
from pairhouse.machines.simulate.simulation import Strategy
from pairhouse.machines.simulate.stream import AHEAD_MAX, BEGINNING, VALUES, ShoeShape, Stream

ROOM = ROUND_CARDS_MAX + 2 * AHEAD_MAX
FELT_ROWS, PLACES = verbs.FELT_ROWS, verbs.PLACES


class SimTable(NamedTuple):
    """A table of simulated rounds: the cards of this round, what has come of it, and where things are looked up."""

    more: Any
    state: Any
    felt: Any
    offsets: Any
    strategy: Any


@cached_jit("simulate-deal-on", __name__, no_cpython_wrapper=True, **JIT)
def deal_on(stream: Stream, size: int, number: int, found: int, seen: int, group: int, count: int, more: Any) -> Any:
    """Deal a round further, from a group of its bits, until so many positions are found: the cards of long rounds."""
    stay_apart()
    unfair = left_over(size)
    while found < count:
        found, seen = sift(words_of(stream, number, group), size, unfair, found, seen, more)
        group += 1
    return found, seen, group


@jit
def draw_known(table: SimTable, place: int) -> int:
    """The next of the cards that were dealt ahead; the round needs no more than those."""
    packed = word(table.state, CARDS)
    set_word(table.state, CARDS, packed >> CARD_BITS)
    return packed & CARD_MASK


@jit
def draw_any(table: SimTable, place: int) -> int:
    """The next card; beyond those dealt ahead the round is dealt further."""
    at = word(table.state, CURSOR)
    set_word(table.state, CURSOR, at + 1)
    if at < AHEAD_MAX:
        return draw_known(table, place)
    return draw_more(table, at)


@jit
def draw_more(table: SimTable, at: int) -> int:
    """A card of a long round. What is handed on are copies, so that the words of the round can stay in registers."""
    state = table.state
    if at == word(state, DEALT):
        stream = Stream(word(state, KEY_A), word(state, KEY_B), word(state, BLOCK))
        begun, size = word(state, GROUP) > 0, word(state, SIZE)  # the first bits gave the cards dealt ahead: once more
        found, seen, group = deal_on(
            stream, size, word(state, NUMBER), at if begun else 0, word(state, SIEVE), word(state, GROUP), at + 1,
            table.more,
        )  # fmt: skip
        set_word(state, DEALT, found)
        set_word(state, SIEVE, seen)
        set_word(state, GROUP, group)
    return word(table.more, at) % word(state, FACES)


@jit
def turn_up(table: SimTable, place: int, hidden: int) -> int:
    """A face-down card is known to the table, not to the strategy."""
    return hidden


@jit
def peek(table: SimTable, place: int, hidden: int, lowest: int, highest: int) -> bool:
    """The dealer alone looks."""
    return lowest <= hidden % 13 <= highest


VERBS: dict[Function, Function] = {
    verbs.turn_up: turn_up,
    verbs.peek: peek,
    verbs.felt: felt,
    verbs.seats: one_seat,
    verbs.show: nothing,
    verbs.split: nothing,
    verbs.say: silence,
}


def noting(draw: Function) -> Function:
    """A way to draw that notes the card for a strategy that goes by cards."""

    @jit
    def draw_and_note(table: SimTable, place: int) -> int:
        card = draw(table, place)
        at = word(table.state, NOTED)
        if at < AHEAD_MAX:
            set_word(table.state, SEEN, word(table.state, SEEN) | card << CARD_BITS * at)
        set_word(table.state, NOTED, at + 1)
        return card

    return draw_and_note


def chooser_by_cards(answer: Function) -> Function:
    """The compiled verb `choose` of a strategy that goes by cards."""
    compiled = link(answer, {}, jit)

    @jit
    def choose(table: SimTable, place: int, legal: int, situation: int) -> int:
        return compiled(table.strategy, legal, word(table.state, SEEN))

    return choose


def chooser(answer: Function) -> Function:
    """The compiled verb `choose` of a strategy."""
    compiled = link(answer, {}, jit)

    @jit
    def choose(table: SimTable, place: int, legal: int, situation: int) -> int:
        return compiled(table.strategy, legal, situation)

    return choose


def one_round(table: SimTable) -> None:
    """Replaced, when the loop is linked, by the `play` that is simulated, under its rules."""


@jit
def begin(state: Any, stream: Stream, shoe: ShoeShape) -> None:
    """What stays the same over all rounds of a block."""
    set_word(state, BLOCK, stream.block)
    set_word(state, KEY_A, stream.key_a)
    set_word(state, KEY_B, stream.key_b)
    set_word(state, SIZE, shoe.size)
    set_word(state, FACES, shoe.faces)


def arrange(lanes: Lanes, branch_classes: Any) -> None:
    """Put the rounds of a batch in order. Replaced when the loop is linked, like `lane_at`."""


def lane_at(lanes: Lanes, at: int) -> Any:
    """The lane of the round that is played at a place of the order."""
    raise NotImplementedError


@jit
def as_dealt(lanes: Lanes, branch_classes: Any) -> None:
    """Rounds that take the same steps whatever their cards are need no order."""


@jit
def own_lane(lanes: Lanes, at: int) -> int:
    return at


@jit
def by_class(lanes: Lanes, branch_classes: Any) -> None:
    """Sort the rounds by the class of their first cards, by counting."""
    order, classes, starts = lanes.order, lanes.classes, lanes.starts
    for lane in range(LANES):
        order[lane] = 0
    for k in range(BEGINNING):
        positions = lanes.positions[k]
        for lane in range(LANES):
            value = min(positions[lane] % np.uint16(13), np.uint16(VALUES - 1))
            order[lane] = order[lane] * np.uint32(VALUES) + np.uint32(value)
    for at in range(starts.size):
        starts[at] = 0
    for lane in range(LANES):
        classes[lane] = branch_classes[np.uint64(order[lane])]
        starts[np.uint64(classes[lane]) + np.uint64(1)] += np.uint32(1)
    for at in range(1, starts.size):
        starts[at] += starts[at - 1]
    for lane in range(LANES):
        its_class = np.uint64(classes[lane])
        order[np.uint64(starts[its_class])] = lane
        starts[its_class] += np.uint32(1)


@jit
def listed_lane(lanes: Lanes, at: int) -> Any:
    return np.int64(lanes.order[at])


def run_block(
    stream: Stream,
    shoe: ShoeShape,
    rounds: int,
    lanes: Lanes,
    branch_classes: Any,
    offsets: Any,
    strategy: Any,
    zero: int,
    counts: Any,
) -> None:
    """The first so many rounds of a block, added to the counts."""
    state, more, cells = stack_words(STATE_WORDS), stack_words(ROOM), stack_words(LANES)
    tables = pointer_to(strategy[0]), pointer_to(strategy[1]), pointer_to(strategy[2])
    table = SimTable(more, state, stack_rows(FELT_ROWS, PLACES), pointer_to(offsets), tables)
    begin(state, stream, shoe)
    for first in range(0, rounds, LANES):
        deal_ahead(lanes, stream, shoe, first)
        arrange(lanes, branch_classes)
        for at in range(LANES):
            lane = lane_at(lanes, at)
            set_word(state, CARDS, lanes.packed[lane])
            set_word(state, CURSOR, 0)
            set_word(state, CELL, zero)
            set_word(state, NUMBER, first + lane)
            set_word(state, DEALT, AHEAD_MAX)
            set_word(state, SIEVE, 0)
            set_word(state, GROUP, 0)
            set_word(state, SEEN, 0)
            set_word(state, NOTED, 0)
            one_round(table)
            set_word(cells, lane, word(state, CELL))
        for lane in range(min(LANES, rounds - first)):
            counts[np.uint64(word(cells, lane))] += np.uint32(1)


_loops: dict[tuple[Any, ...], Function] = {}


def loop_of(play: Function, rules: Any, scoring: Scoring, draws: int, strategy: Strategy | None) -> Function:
    """The compiled loop of a game, as its rules and the strategy are now."""
    answer = strategy.answer if strategy else None
    key = play, rules, scoring.name, draws, answer, session_digest(play), session_digest(answer) if answer else ""
    if key not in _loops:
        _loops[key] = link_loop(play, rules, scoring, draws, strategy)
    return _loops[key]


def link_loop(play: Function, rules: Any, scoring: Scoring, draws: int, strategy: Strategy | None) -> Function:
    """Link `play` and its rules, which are constants to the compiler, into the loop."""
    drawn = draw_known if draws else draw_any
    seen = noting(drawn) if strategy is not None and strategy.by_cards else drawn
    linked: dict[Function, Function] = {**VERBS, verbs.draw: seen, verbs.draw_private: seen, verbs.draw_down: drawn}
    linked[verbs.settle] = settler(scoring)
    answer = strategy.answer if strategy else None
    if strategy is not None:
        linked[verbs.choose] = (chooser_by_cards if strategy.by_cards else chooser)(strategy.answer)
    game = link(play, linked, jit)

    @jit
    def play_round(table: SimTable) -> None:
        game(table, rules)

    text = f"{play.__module__}.{play.__qualname__} {rules} {scoring.name} {draws}"
    sources: list[Source] = [play, __name__]
    if answer is not None:
        text += f" {answer.__module__}.{answer.__qualname__}"
        sources.append(answer)
    name = f"simulate-{sha256(text.encode()).hexdigest()[:16]}"
    outer = cached_jit(name, *sources, nogil=True, **JIT)
    orders = (as_dealt, own_lane) if draws else (by_class, listed_lane)
    linked_loop: dict[Function, Function] = {one_round: play_round, arrange: orders[0], lane_at: orders[1]}
    return link(run_block, linked_loop, jit, outer)
