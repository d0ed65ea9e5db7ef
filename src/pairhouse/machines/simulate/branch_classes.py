"""Classes of rounds that take the same branches: played one after another, they are predicted well by the processor.

What a round does with its first cards is found by playing them, in plain Python: the choices, what is settled, and
whose card comes next. Rounds that agree in all of it are of one class. The order in which rounds of a batch are played
changes no tally, so classes may be as coarse as is useful: tens and court cards count as one.
"""

from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from pairhouse.machines.simulate.interpreted import InterpretedTable
from pairhouse.machines.simulate.simulation import Simulation
from pairhouse.machines.simulate.stream import BEGINNING, VALUES
from pairhouse.machines.stored import keep, look_up

CLASSES_MAX = 256
TENS_PER_DECK, OTHERS_PER_DECK = 16, 4

Classes = npt.NDArray[np.uint8]
Signature = tuple[Any, ...]


class _NoCard(Exception):
    """The round needs a further card, to this place."""

    def __init__(self, place: int) -> None:
        self.place = place


class _BeginningTable(InterpretedTable):
    """A table with a few cards, which notes what is chosen."""

    def draw(self, place: int) -> int:
        for card in self.cards:
            self.seen.append(card)
            return card
        raise _NoCard(place)

    draw_private = draw_down = draw

    def choose(self, place: int, legal: int, situation: int) -> int:
        action = super().choose(place, legal, situation)
        self.chosen.append(action)
        return action

    def played(self, cards: tuple[int, ...]) -> Signature:
        """What becomes of a round with these cards: whether it is over or whose card is next, choices, settlements."""
        variant, self.chosen = self.simulation.variant, list[int]()
        self.begin(iter(cards))
        try:
            variant.game.play(self, variant.rules)
        except _NoCard as missing:
            return (False, missing.place, *self.chosen, self.cell)
        return (True, 0, *self.chosen, self.cell)


def known_beginnings(simulation: Simulation) -> Classes | None:
    """The class of a round for the values of its first cards (the first card is the highest digit), if on disk."""
    found = look_up(bytes, _key(simulation))
    return None if found is None or len(found) != VALUES**BEGINNING else np.frombuffer(found, np.uint8).copy()


def beginnings(simulation: Simulation) -> Classes:
    """The same; found by playing every beginning, and stored, where it is not on disk."""
    known = known_beginnings(simulation)
    if known is None:
        known = _classes(simulation)
        keep(_key(simulation), known.tobytes())
    return known


def _key(simulation: Simulation) -> str:
    digest = sha256(f"{simulation.variant.rules_hash} {simulation.scoring.name}".encode())
    for table in simulation.tables:
        digest.update(table.tobytes())
    return f"branch classes {digest.hexdigest()}"


def _classes(simulation: Simulation) -> Classes:
    found: dict[tuple[int, ...], Signature] = {}
    with np.errstate(over="ignore"):
        _walk(_BeginningTable(simulation), (), simulation.variant.pack[0], found)
    number = {signature: at for at, signature in enumerate(sorted(set(found.values())))}
    classes = np.zeros((VALUES,) * BEGINNING, np.uint8)
    for cards, signature in found.items():
        classes[cards] = min(number[signature], CLASSES_MAX - 1)  # of all that go on from there
    return classes.reshape(-1)


def _walk(table: _BeginningTable, cards: tuple[int, ...], decks: int, found: dict[tuple[int, ...], Signature]) -> None:
    """The signature of every beginning that a shoe can give, as short as it is decided."""
    signature = table.played(cards)
    if signature[0] or len(cards) == BEGINNING:
        found[cards] = signature
        return
    for value in range(VALUES):
        if cards.count(value) < decks * (TENS_PER_DECK if value == VALUES - 1 else OTHERS_PER_DECK):
            _walk(table, (*cards, value), decks, found)
