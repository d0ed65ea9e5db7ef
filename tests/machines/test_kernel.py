"""The compiled loop of simulated rounds on packs of every kind: with no Joker, one or two in a deck, and long rounds."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from pairhouse.core.cards import is_joker
from pairhouse.core.game import Variant
from pairhouse.core.rule import rule
from pairhouse.core.verbs import EVERY_SEAT, Table, draw, settle
from pairhouse.games import la_paire
from pairhouse.machines.simulate.interpreted import plain_block
from pairhouse.machines.simulate.score import side_by_side
from pairhouse.machines.simulate.simulation import Simulation

CARDS = 14  # more than are dealt ahead


class Seen(NamedTuple):
    """What a round showed: Jokers among the first cards and the later ones, and the sum of all faces."""

    early: int
    late: int
    sum_16: int


class NoRules(NamedTuple):
    """Nothing can be chosen."""

    nothing: int


@rule
def play(table: Table, rules: NoRules) -> None:
    """Fourteen cards in a row."""
    early, late, total = 0, 0, 0
    for at in range(CARDS):
        card = draw(table, 0)
        total += card
        if at < 8:
            early += int(is_joker(card))
        else:
            late += int(is_joker(card))
    settle(table, EVERY_SEAT, Seen(early, late, total % 16))


def simulation(decks: int, jokers: int) -> Simulation:
    game = replace(la_paire.GAME, play=play, rules=lambda _: NoRules(0), pack=lambda _: (decks, jokers))
    return Simulation(Variant(game, la_paire.GAME.variant().options), side_by_side((Seen,)))


@pytest.mark.parametrize(("decks", "jokers"), [(1, 0), (1, 1), (1, 2), (2, 1), (3, 2)])
def test_every_card_of_a_long_round_is_one_of_the_pack(decks: int, jokers: int) -> None:
    """The later cards too: a deck with Jokers has 53 or 54 faces, and no Joker may be dealt as another card."""
    simulated = simulation(decks, jokers)
    counts = simulated.block(9, 1, 4000)
    assert (counts == plain_block(simulated, 9, 1, 4000)).all()
    late = sum(int(counts[cell]) for cell in np.flatnonzero(counts) if cell >> 4 & 15)
    assert (late > 0) == (jokers > 0)
