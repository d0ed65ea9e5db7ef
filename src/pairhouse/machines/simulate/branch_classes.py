"""Rounds that begin alike are played one after another, so that the processor guesses right which way they go.

What a round does with its first cards is found by playing them, in plain Python: the choices, what is settled, and
whose card comes next. Rounds that agree in all of it are of one class. The order in which rounds of a batch are played
changes no tally, so classes may be as coarse as is useful: cards above nine are taken as alike.
"""

from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from pairhouse.machines.simulate.interpreted import PlainTable
from pairhouse.machines.simulate.simulation import Simulation
from pairhouse.machines.simulate.stream import BEGINNING, VALUES
from pairhouse.machines.stored import keep, look_up

CLASSES_MAX = 256
TENS_PER_DECK, OTHERS_PER_DECK = 16, 4

Classes = npt.NDArray[np.uint8]
Signature = tuple[Any, ...]


class _NoCard(Exception):
    """The round goes on with a card that is not known; this is where it would lie."""

    def __init__(self, place: int) -> None:
        self.place = place


class _BeginningTable(PlainTable):
    """A table with a few cards, which notes what is chosen."""

    def draw(self, place: int) -> int:
        for card in self.cards:
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
    """The class of every round's beginning, by the values of its first cards, the first highest; if it is on disk."""
    found = look_up(bytes, _key(simulation))
    return None if found is None or len(found) != VALUES**BEGINNING else np.frombuffer(found, np.uint8).copy()


def beginnings(simulation: Simulation) -> Classes:
    """The same, found by playing if it is not on disk, and kept there."""
    known = known_beginnings(simulation)
    if known is None:
        known = _classes(simulation)
        keep(_key(simulation), known.tobytes())
    return known


def _key(simulation: Simulation) -> str:
    told = sha256(f"{simulation.variant.rules_hash} {simulation.scoring.name}".encode())
    for table in simulation.tables:
        told.update(table.tobytes())
    return f"alike {told.hexdigest()}"


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
