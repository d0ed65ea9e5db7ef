"""Every baccarat coup in plain Python, by points only: a second derivation that keeps what the tally forgets."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from pairhouse.core.cards import Card, pack
from pairhouse.games.nepal_super_baccarat import banker_draws, banker_draws_alone, is_natural, player_draws, points


class PlainCoup(NamedTuple):
    player_two: int
    player_cards: int
    banker_cards: int
    player: int
    banker: int


def pairs_of(left: Counter[int]) -> Iterator[tuple[int, int, int]]:
    """Two cards by their points, in either order, with the number of ordered ways."""
    for low in range(10):
        for high in range(low, 10):
            ways = left[low] * (left[low] - 1) if low == high else 2 * left[low] * left[high]
            if ways > 0:
                yield low, high, ways


def endings(player: int, banker: int, left: Counter[int]) -> Iterator[tuple[PlainCoup, int]]:
    """How a coup can go on from two totals, with the ordered ways of the two cards that can still come."""
    total = left.total()
    if player_draws(player) and not is_natural(player, banker):
        for third, number in left.items():
            now = (player + third) % 10
            if not banker_draws(banker, third):
                yield PlainCoup(player, 3, 2, now, banker), number * (total - 1)
                continue
            for drawn, rest in left.items():
                ways = number * (rest - (drawn == third))
                yield PlainCoup(player, 3, 3, now, (banker + drawn) % 10), ways
    elif banker_draws_alone(banker) and not is_natural(player, banker):
        for drawn, number in left.items():
            yield PlainCoup(player, 2, 3, player, (banker + drawn) % 10), number * (total - 1)
    else:
        yield PlainCoup(player, 2, 2, player, banker), total * (total - 1)


def coups(shoe: Iterable[Card]) -> dict[PlainCoup, int]:
    """Every coup with its number of ordered deals of six cards."""
    left = Counter(points(card) for card in shoe)
    found: Counter[PlainCoup] = Counter()
    for a, b, player_ways in list(pairs_of(left)):
        left.subtract((a, b))
        for c, d, banker_ways in list(pairs_of(left)):
            left.subtract((c, d))
            for coup, ways in endings((a + b) % 10, (c + d) % 10, left):
                found[coup] += player_ways * banker_ways * ways
            left.update((c, d))
        left.update((a, b))
    return {coup: ways for coup, ways in found.items() if ways}


@lru_cache(maxsize=8)
def fresh_coups(decks: int) -> dict[PlainCoup, int]:
    """The coups of a fresh shoe."""
    return coups(pack(decks))
