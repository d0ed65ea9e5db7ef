"""Whole shoes: shuffled, burnt, dealt down to the cut card by the game's own `play`, and counted by depth or by count.

A shoe is a function of the seed and its number. Its order is a Fisher-Yates shuffle whose indices are drawn without
favour from the generator's stream; all its rounds are then played one after another. Every round is tallied in the bin
it began in: how much of the shoe was gone, or what a card counter's count stood at.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pairhouse.core import verbs
from pairhouse.core.errors import Refused
from pairhouse.core.fingerprint import session_digest
from pairhouse.core.game import Variant
from pairhouse.core.shoe import cut_card_is_out
from pairhouse.machines.cache import Source, cached_jit
from pairhouse.machines.count import JIT, felt, jit, nothing, one_seat, silence
from pairhouse.machines.link import Function, link
from pairhouse.machines.simulate.kernel import chooser, peek, turn_up
from pairhouse.machines.simulate.philox import WHOLE_SHOES, key_of, philox
from pairhouse.machines.simulate.registers import pointer_to, set_word, stack_rows, stack_words, word
from pairhouse.machines.simulate.score import CELL, CURSOR, STATE_WORDS, Scoring
from pairhouse.machines.simulate.settling import settler
from pairhouse.machines.simulate.simulation import TABLES_MAX, Numbers, Strategy, Tables

FELT_ROWS, PLACES = verbs.FELT_ROWS, verbs.PLACES
DEPTH, RUNNING, TRUE = 0, 1, 2
Bytes = npt.NDArray[np.uint8]

next_words = jit(philox)
cut_card_out = jit(cut_card_is_out)


class ShoeTable(NamedTuple):
    """A table that deals from the order of a shoe."""

    state: Any
    order: Any
    felt: Any
    offsets: Any
    strategy: Any


class Dealing(NamedTuple):
    """How a shoe is dealt: cards burnt, cards behind the cut card, rounds after it has come out.

    A shoe also ends when fewer cards are left than a round can take.
    """

    burnt: int
    behind_cut: int
    rounds_after: int
    round_cards: int


class Work(NamedTuple):
    """The unshuffled shoe, the order it is dealt in, the generator's bits, and the tag of each face."""

    fresh: Bytes
    order: Bytes
    bits: Any
    tags: Numbers


class Bins(NamedTuple):
    """How rounds are sorted: by depth, running count or true count.

    `least` is where the first of `number` bins begins, each `width` wide; what lies beyond the outer bins is counted in
    them. `deck` is the number of cards of a deck.
    """

    kind: int
    least: int
    width: int
    number: int
    deck: int


@jit
def draw(table: ShoeTable, place: int) -> Any:
    """The next card of the shoe."""
    at = word(table.state, CURSOR)
    set_word(table.state, CURSOR, at + 1)
    return np.int64(table.order[at])


@jit
def below(bits: Any, key: Any, size: int) -> Any:
    """An index below a size, from 32 bits at a time; bits that would favour some are passed over."""
    while True:
        if bits[4] == 4:
            words = next_words(bits[5], bits[6], np.uint64(WHOLE_SHOES), bits[7], key[0], key[1])
            bits[0], bits[1], bits[2], bits[3] = words
            bits[4], bits[7] = np.uint64(0), bits[7] + np.uint64(1)
        drawn = bits[np.int64(bits[4])] * np.uint64(size)
        bits[4] += np.uint64(1)
        if (drawn & np.uint64(0xFFFFFFFF)) >= np.uint64((1 << 32) % size):
            return np.int64(drawn >> np.uint64(32))


@jit
def bin_of(bins: Bins, dealt: int, running: int, size: int) -> int:
    """The bin of a round that begins here; a true count is the running one per deck left, rounded down.

    The decks left are exact (not rounded to halves), with what lies behind the cut card and without the burnt card.
    """
    value = dealt
    if bins.kind == RUNNING:
        value = running
    elif bins.kind == TRUE:
        value = running * bins.deck // (size - dealt)
    return min(max((value - bins.least) // bins.width, 0), bins.number - 1)


def one_round(table: ShoeTable) -> None:
    """Stands for the `play` that is simulated, under its rules."""


def run_shoes(
    key: Any, first: int, shoes: int, work: Work, dealing: Dealing, bins: Bins, scores: Any, strategy: Any, counts: Any
) -> int:
    """So many shoes from a number on, added to the counts by bin and cell; how many rounds they gave."""
    fresh, order, bits, (offsets, zero) = work.fresh, work.order, work.bits, scores
    state, rows = stack_words(STATE_WORDS), stack_rows(FELT_ROWS, PLACES)
    tables = pointer_to(strategy[0]), pointer_to(strategy[1]), pointer_to(strategy[2])
    table = ShoeTable(state, order, rows, pointer_to(offsets), tables)
    size, rounds = order.size, 0
    for shoe in range(first, first + shoes):
        bits[4], bits[5], bits[6], bits[7] = np.uint64(4), np.uint64(shoe), np.uint64(shoe >> 32), np.uint64(0)
        for at in range(size):  # always from the same order, so that no shoe depends on another
            order[at] = fresh[at]
        for last in range(size - 1, 0, -1):
            other = below(bits, key, last + 1)
            order[last], order[other] = order[other], order[last]
        dealt, running, after = dealing.burnt, 0, 0
        while after <= dealing.rounds_after and size - dealt >= dealing.round_cards:
            at = bin_of(bins, dealt, running, size)
            set_word(state, CURSOR, dealt)
            set_word(state, CELL, zero)
            one_round(table)
            counts[at, word(state, CELL)] += 1
            rounds += 1
            for card in range(dealt, word(state, CURSOR)):
                running += work.tags[order[card]]
            dealt = word(state, CURSOR)
            after += int(after > 0 or cut_card_out(dealt, size, dealing.behind_cut))
    return rounds


@dataclass(frozen=True, eq=False)
class ShoeSimulation:
    """What is simulated: a variant, how it is scored and played, how its shoe is dealt, and how rounds are sorted."""

    variant: Variant
    scoring: Scoring
    dealing: Dealing
    bins: Bins
    tags: tuple[int, ...]  # of every face of a deck
    strategy: Strategy | None = None

    def shoes(self, seed: int, first: int, number: int) -> Numbers:
        """The tally of some shoes: a row for each bin."""
        counts = np.zeros((self.bins.number, self.scoring.cells), np.int64)
        decks, jokers = self.variant.pack
        fresh = np.tile(np.arange(52 + jokers, dtype=np.uint8), decks)
        tags = np.array(self.tags, np.int64)
        given = self.strategy.tables if self.strategy else ()
        tables: Tables = (*given, *[np.zeros(1, np.uint8)] * TABLES_MAX)[:TABLES_MAX]
        work = Work(fresh, fresh.copy(), np.zeros(8, np.uint64), tags)
        scores = self.scoring.offsets, self.scoring.zero
        self.loop(key_of(seed), first, number, work, self.dealing, self.bins, scores, tables, counts)
        return counts

    @property
    def loop(self) -> Function:
        """The compiled loop."""
        answer = self.strategy.answer if self.strategy else None
        if self.strategy is not None and self.strategy.by_cards:
            given = f"best play of {self.variant.game.name} is known for a fresh pack"
            raise Refused("by-cards", f"{given}, not for a shoe dealt down")
        return _loop(self.variant.game.play, self.variant.rules, self.scoring, answer)


_loops: dict[tuple[Any, ...], Function] = {}


def _loop(play: Function, rules: Any, scoring: Scoring, answer: Any) -> Function:
    key = play, rules, scoring.name, answer, session_digest(play), session_digest(answer) if answer else ""
    if key in _loops:
        return _loops[key]
    linked: dict[Function, Function] = {
        verbs.draw: draw, verbs.draw_private: draw, verbs.draw_down: draw, verbs.turn_up: turn_up, verbs.peek: peek,
        verbs.felt: felt, verbs.seats: one_seat, verbs.show: nothing, verbs.split: nothing, verbs.say: silence,
        verbs.settle: settler(scoring),
    }  # fmt: skip
    sources: list[Source] = [play, __name__]
    if answer is not None:
        linked[verbs.choose] = chooser(answer)
        sources.append(answer)
    game = link(play, linked, jit)

    @jit
    def play_round(table: ShoeTable) -> None:
        game(table, rules)

    told = f"{play.__module__}.{play.__qualname__} {rules} {scoring.name} {answer and answer.__qualname__}"
    outer = cached_jit(f"shoes-{sha256(told.encode()).hexdigest()[:16]}", *sources, nogil=True, **JIT)
    _loops[key] = link(run_shoes, {one_round: play_round}, jit, outer)
    return _loops[key]
