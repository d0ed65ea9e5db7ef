"""What the library's calls accept: cards as text, whole numbers written as people write them."""

from collections.abc import Sequence

from pairhouse.core.cards import Card, parse
from pairhouse.core.errors import Refused, shown

Cards = str | Sequence[str]


def read_cards(cards: Cards) -> list[Card]:
    """Cards from a text such as `"Qs 6d 4h"`, or from a list of such names."""
    return parse(cards.split() if isinstance(cards, str) else list(cards))


def whole(number: float, name: str) -> int:
    """A whole number of at least 1, also written as `1e6`."""
    try:
        if int(number) == number >= 1:
            return int(number)
    except (OverflowError, ValueError):  # infinity, not a number
        pass
    raise Refused("bad-number", f"{name} of {shown(number)} is not possible; give a whole number from 1, such as 1e6")
