"""What the library's calls accept: cards as text, whole numbers written as people write them."""

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from pairhouse.core.cards import Card, parse
from pairhouse.core.errors import Refused, shown

COUNT_MAX = 10**15
Cards = str | Sequence[str]


def read_cards(cards: Cards) -> list[Card]:
    """Cards from a text such as `"Qs 6d 4h"`, or from a list of such names."""
    if not isinstance(cards, Sequence):
        raise Refused("bad-card", f'{shown(cards)} is no list of cards; write them as "Qs 6d 4h"')
    return parse(cards.split() if isinstance(cards, str) else list(cards))


def read_wagers(wagers: Any) -> dict[str, int]:
    """The wagers of one seat."""
    if not isinstance(wagers, Mapping):
        raise Refused("bad-seats", f"{shown(wagers)} are no wagers; give each with its stake, as {{'WAGER': CENTS}}")
    return dict(wagers)


def read_seats(seats: Any) -> list[dict[str, int]]:
    """The wagers of every seat."""
    if not isinstance(seats, Sequence) or isinstance(seats, str):
        raise Refused("bad-seats", f"{shown(seats)} is no list of seats; give one, as [{{...}}, {{...}}]")
    return [read_wagers(wagers) for wagers in seats]


def read_choices(choices: Any) -> list[str]:
    """The choices made so far."""
    if not isinstance(choices, Sequence) or isinstance(choices, str):
        raise Refused("bad-choices", f"{shown(choices)} is no list of choices; write one as [{shown(choices)}]")
    return list(choices)


def whole(number: float, name: str) -> int:
    """A whole number from 1 to 1e15, also written as `1e6`."""
    try:
        if int(number) == number and 1 <= number <= COUNT_MAX:
            return int(number)
    except (OverflowError, ValueError, TypeError):  # infinity, not a number, a text
        pass
    raise Refused("bad-number", f"{name} of {shown(number)} is not possible; give a whole number from 1 to 1e15")


def integer(number: int, name: str) -> int:
    """An amount of cents, a seed or a seat: a part of one means nothing."""
    try:
        if not isinstance(number, bool):
            return index(number)
    except TypeError:
        pass
    raise Refused("bad-number", f"{name} of {shown(number)} is not possible; give a whole number")
