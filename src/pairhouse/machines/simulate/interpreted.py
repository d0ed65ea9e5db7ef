"""A few rounds without the compiler: the rule book itself, interpreted, on the cards of the same stream.

Round by round the cells are those of the compiled loop, so a short run has its answer before a compiler would have been
loaded, and the tally is the one a long run begins with.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from pairhouse.core.verbs import FELT_ROWS, PLACES
from pairhouse.machines.simulate.philox import FRESH_ROUNDS, key_of, philox
from pairhouse.machines.simulate.score import code_of
from pairhouse.machines.simulate.simulation import BLOCK_ROUNDS, Numbers, Simulation
from pairhouse.machines.simulate.stream import AHEAD_MAX

PLAIN_ROUNDS_MAX = 2000  # about a third of a second; the compiler takes longer to load
NUMBERS_AHEAD = 8  # 16-bit numbers in 128 bits
CARD_BITS = 8


def packed(cards: Sequence[int]) -> int:
    """The first cards of a round as a strategy takes them that goes by cards."""
    return sum(card << CARD_BITS * at for at, card in enumerate(cards[:AHEAD_MAX]))


@dataclass
class InterpretedTable:
    """A table with one seat, in plain Python, that adds up the cell of a simulated round."""

    simulation: Simulation
    cell: int = 0

    def __post_init__(self) -> None:
        self.rows = [[0] * PLACES for _ in range(FELT_ROWS)]
        self.tables = self.simulation.tables
        self.scoring = self.simulation.scoring
        self.offsets = self.scoring.offsets.tolist()
        self.cards: Iterator[int] = iter(())

    def begin(self, cards: Iterator[int]) -> None:
        """A round with these cards, in which nothing is settled yet."""
        self.cards, self.cell, self.seen = cards, self.scoring.zero, list[int]()

    def seats(self) -> int:
        return 1

    def felt(self, row: int) -> list[int]:
        return self.rows[row]

    def draw(self, place: int) -> int:
        self.seen.append(next(self.cards))
        return self.seen[-1]

    draw_private = draw

    def draw_down(self, place: int) -> int:
        return next(self.cards)

    def turn_up(self, place: int, hidden: int) -> int:
        return hidden

    def peek(self, place: int, hidden: int, lowest: int, highest: int) -> bool:
        return lowest <= hidden % 13 <= highest

    def choose(self, place: int, legal: int, situation: int) -> int:
        strategy = self.simulation.strategy
        if strategy is None:
            raise LookupError(f"{self.simulation.variant.game.id} asks for a choice, and there is no strategy")
        return int(strategy.answer(self.tables, legal, packed(self.seen) if strategy.by_cards else situation))

    def settle(self, place: int, happened: Any) -> None:
        scoring = self.scoring
        if type(happened) in scoring.kinds:
            kind = scoring.kinds.index(type(happened))
            code, shift = code_of(happened), scoring.shifts[kind]
            self.cell += code << shift if shift >= 0 else self.offsets[scoring.starts[kind] + code]

    def show(self, place: int) -> None: ...
    def split(self, place: int) -> None: ...
    def say(self, place: int, phrase: int, first: int, second: int) -> None: ...


class _Asked(Exception):
    """The round comes to its choice."""


class _UntilAskedTable(InterpretedTable):
    def choose(self, place: int, legal: int, situation: int) -> int:
        raise _Asked


def seen_before(simulation: Simulation, cards: Sequence[int]) -> list[int]:
    """The cards a seat has seen before the first choice of a round."""
    table = _UntilAskedTable(simulation)
    table.begin(iter(cards))
    with suppress(_Asked):
        simulation.variant.game.play(table, simulation.variant.rules)
    return table.seen


def cards_of(simulation: Simulation, seed: int, block: int, number: int) -> Iterator[int]:
    """The cards of a round: positions of the shoe that its numbers give, those passed over that are unfair or gone."""
    shoe, key, gone, group = simulation.shoe, key_of(seed), set[int](), 0
    unfair = (1 << 16) % shoe.size
    while True:
        words = philox(np.uint64(number), np.uint64(block), np.uint64(FRESH_ROUNDS), np.uint64(group), *key)
        for at in range(NUMBERS_AHEAD):
            drawn = int(words[at >> 1]) >> 16 * (at & 1) & 0xFFFF
            position, rest = divmod(drawn * shoe.size, 1 << 16)
            if rest >= unfair and position not in gone:
                gone.add(position)
                yield position % shoe.faces
        group += 1


def plain_block(simulation: Simulation, seed: int, block: int, rounds: int) -> Numbers:
    """What `Simulation.block` gives, without the compiler."""
    counts = np.zeros(simulation.scoring.cells, np.int64)
    table, variant = InterpretedTable(simulation), simulation.variant
    with np.errstate(over="ignore"):  # keys of a strategy are spread by a product that runs over
        for number in range(rounds):
            table.begin(cards_of(simulation, seed, block, number))
            variant.game.play(table, variant.rules)
            counts[table.cell] += 1
    return counts


@dataclass
class Interpreter:
    """The interpreter as a worker of a run."""

    simulation: Simulation
    count: int = 1
    stride: int = 1

    def submit(self, seed: int, block: int, rounds: int) -> "Future[Numbers]":
        """So many rounds, at most a block; they are done when this returns."""
        done: Future[Numbers] = Future()
        done.set_result(plain_block(self.simulation, seed, block, min(rounds, BLOCK_ROUNDS)))
        return done


@contextmanager
def interpreter(simulation: Simulation) -> Iterator[Interpreter]:
    """A worker that needs no preparation."""
    yield Interpreter(simulation)
