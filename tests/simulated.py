"""Simulated rounds in plain Python, slow and obvious: the stream of numbers, the cards, the rule book itself."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from pairhouse.core.verbs import FELT_ROWS, PLACES
from pairhouse.machines.simulate.philox import FRESH_ROUNDS, key_of, philox
from pairhouse.machines.simulate.score import code_of
from pairhouse.machines.simulate.simulation import Simulation


def numbers(seed: int, block: int, number: int) -> Iterator[int]:
    """The 16-bit numbers of a round, for ever."""
    group = 0
    while True:
        a, b, c, d = (np.uint64(word) for word in (number, block, FRESH_ROUNDS, group))
        for word in philox(a, b, c, d, *key_of(seed)):
            yield int(word) & 0xFFFF
            yield int(word) >> 16
        group += 1


def positions(seed: int, block: int, number: int, size: int) -> Iterator[int]:
    """The positions of a round's cards: every number that is fair and whose position is not gone."""
    gone: set[int] = set()
    for drawn in numbers(seed, block, number):
        position, rest = divmod(drawn * size, 1 << 16)
        if rest >= (1 << 16) % size and position not in gone:
            gone.add(position)
            yield position


class PlainTable:
    """A table for the rule book in plain Python, on the cards of one simulated round."""

    def __init__(self, simulation: Simulation, seed: int, block: int, number: int) -> None:
        shoe = simulation.shoe
        self.cards = (at % shoe.faces for at in positions(seed, block, number, shoe.size))
        self.simulation = simulation
        self.rows = [[0] * PLACES for _ in range(FELT_ROWS)]
        self.cell = simulation.scoring.zero

    def seats(self) -> int:
        return 1

    def felt(self, row: int) -> list[int]:
        return self.rows[row]

    def draw(self, place: int) -> int:
        return next(self.cards)

    draw_down = draw_private = draw

    def turn_up(self, place: int, hidden: int) -> int:
        return hidden

    def peek(self, place: int, hidden: int, lowest: int, highest: int) -> bool:
        return lowest <= hidden % 13 <= highest

    def choose(self, place: int, legal: int, situation: int) -> int:
        assert self.simulation.strategy is not None
        with np.errstate(over="ignore"):
            action = int(self.simulation.strategy.answer(self.simulation.tables, legal, situation))
        assert action & legal == action != 0
        return action

    def settle(self, place: int, happened: Any) -> None:
        scoring = self.simulation.scoring
        if type(happened) in scoring.kinds:
            kind = scoring.kinds.index(type(happened))
            shift, start = scoring.shifts[kind], scoring.starts[kind]
            code = code_of(happened)
            self.cell += code << shift if shift >= 0 else int(scoring.offsets[start + code])

    def show(self, place: int) -> None: ...
    def split(self, place: int) -> None: ...
    def say(self, place: int, phrase: int, first: int, second: int) -> None: ...


def plain_block(simulation: Simulation, seed: int, block: int, rounds: int) -> Counter[int]:
    """What a block comes to, round by round."""
    found: Counter[int] = Counter()
    for number in range(rounds):
        table = PlainTable(simulation, seed, block, number)
        simulation.variant.game.play(table, simulation.variant.rules)
        found[table.cell] += 1
    return found
