"""The tables of a new house: which games it deals, under which options."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class PlannedTable(NamedTuple):
    """A table to put up: its id, its name, its game and that game's options."""

    id: str
    name: str
    game: str
    options: Mapping[str, Any]


FLOOR_PLAN = (
    PlannedTable("blackjack-poker-pairs", "Blackjack Poker & Pairs", "blackjack-poker-pairs", {}),
    PlannedTable("pair-v3-2", "PAIR Version 3, 2 decks", "pair-v3", {"decks": 2}),
    PlannedTable("pair-v3-6", "PAIR Version 3, 6 decks", "pair-v3", {"decks": 6}),
    PlannedTable("pair-v3-8", "PAIR Version 3, 8 decks", "pair-v3", {"decks": 8}),
    PlannedTable("three-card-poker", "Three Card Poker", "three-card-poker", {}),
    PlannedTable(
        "three-card-poker-progressive", "Three Card Poker Progressive", "three-card-poker", {"progressive": True}
    ),
    PlannedTable("nepal-super-baccarat", "Nepal Super Baccarat", "nepal-super-baccarat", {}),
    PlannedTable("la-paire", "La Pair'e", "la-paire", {}),
)
