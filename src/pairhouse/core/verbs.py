"""The table verbs: everything a rule book can ask of a table.

A `play` function is written in these words only. In plain Python each verb asks the table object it is given; a
compiled machine puts its own functions in their place (see `machines/link.py`). So one source serves live play, exact
enumeration and simulation.

A *place* is one small integer: where a card lies. The house's own places are 0 to 7 (the dealer, or Player and
Banker, or the three cards of a layout); a seat's hands follow from `spot(seat, hand)`.
"""

from collections.abc import MutableSequence
from typing import Any, Protocol, TypeAlias

from pairhouse.core.cards import Card, Rank
from pairhouse.core.rule import rule

Place: TypeAlias = int
Seat: TypeAlias = int

EVERY_SEAT = 0
HANDS_PER_SEAT = 8
MAX_SEATS = 8
PLACES = HANDS_PER_SEAT * (MAX_SEATS + 1)
FELT_ROWS = 6


@rule
def spot(seat: Seat, hand: int) -> Place:
    """The place of a seat's hand; seats count from 1, hands from 0."""
    return seat * HANDS_PER_SEAT + hand


class Table(Protocol):
    """What a machine must offer to run a rule book in plain Python."""

    def seats(self) -> int: ...
    def draw(self, place: Place) -> Card: ...
    def draw_private(self, place: Place) -> Card: ...
    def draw_down(self, place: Place) -> Card: ...
    def turn_up(self, place: Place, hidden: Card) -> Card: ...
    def show(self, place: Place) -> None: ...
    def peek(self, place: Place, hidden: Card, lowest: Rank, highest: Rank) -> bool: ...
    def split(self, place: Place) -> None: ...
    def choose(self, place: Place, legal: int, situation: int) -> int: ...
    def say(self, place: Place, phrase: int, first: int, second: int) -> None: ...
    def settle(self, place: Place, happened: Any) -> None: ...
    def felt(self, row: int) -> MutableSequence[int]: ...


def seats(table: Table) -> int:
    """How many seats take part; they are numbered from 1."""
    return table.seats()


def draw(table: Table, place: Place) -> Card:
    """The next card, face up, to a place."""
    return table.draw(place)


def draw_private(table: Table, place: Place) -> Card:
    """The next card to a seat's place, for that seat's eyes only."""
    return table.draw_private(place)


def draw_down(table: Table, place: Place) -> Card:
    """The next card, face down. What comes back may only be handed to `peek` or `turn_up`."""
    return table.draw_down(place)


def turn_up(table: Table, place: Place, hidden: Card) -> Card:
    """Turn a face-down card up, and learn it."""
    return table.turn_up(place, hidden)


def show(table: Table, place: Place) -> None:
    """Turn a seat's private cards up for everyone."""
    table.show(place)


def peek(table: Table, place: Place, hidden: Card, lowest: Rank, highest: Rank) -> bool:
    """The dealer alone looks whether a face-down card's rank lies from lowest to highest; nothing else is learnt."""
    return table.peek(place, hidden, lowest, highest)


def split(table: Table, place: Place) -> None:
    """Move the second card of a hand to a new hand at its right; the hands further right make room."""
    table.split(place)


def choose(table: Table, place: Place, legal: int, situation: int) -> int:
    """Ask the seat of this place for one of the legal actions (a set of bits; the answer is one of the bits).

    `situation` is all that the choice may be based on, as one number that the game defines.
    """
    return table.choose(place, legal, situation)


def say(table: Table, place: Place, phrase: int, first: int, second: int) -> None:
    """The dealer announces something aloud: one of the game's phrases, with up to two numbers in it."""
    table.say(place, phrase, first, second)


def settle(table: Table, place: Place, happened: Any) -> None:
    """Pay and take the wagers that this kind of happening decides, at a seat's place or at every seat."""
    table.settle(place, happened)


def felt(table: Table, row: int) -> MutableSequence[int]:
    """A row of numbers that lie on the felt during the round, one a place. Its first content is undefined."""
    return table.felt(row)
