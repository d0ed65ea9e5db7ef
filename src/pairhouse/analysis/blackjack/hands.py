"""Every hand a player can hold, and every way a dealer can finish, as tables made with the rule book's own predicates.

The numerical kernels see only these tables. A hand is a multiset of card values; values are 1 (ace) to 10.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pairhouse.games.blackjack import CHARLIE, LIVE
from pairhouse.games.blackjack_choices import Rules, dealer_draws, is_charlie
from pairhouse.games.blackjack_hand import WORDS, is_blackjack, is_bust, is_soft, total

Numbers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]

VALUES = range(1, 11)
DEALER_17, DEALER_BUST, DEALER_BLACKJACK = 0, 5, 6  # 17, 18, 19, 20 and 21 are 0 to 4
OUTCOMES = 7


@dataclass(frozen=True, eq=False)
class HandTree:
    """Every hand without a bust, by rising hard total. `children[h, v]` is the hand with one more card, -1 for a bust.

    `fate` is CHARLIE for a hand that wins by itself, else LIVE. `ends` marks hands that take no further card.
    """

    counts: Numbers
    words: Numbers
    children: Numbers
    totals: Numbers
    soft: npt.NDArray[np.bool_]
    fates: Numbers
    ends: npt.NDArray[np.bool_]
    index: dict[int, int]

    def of(self, *values: int) -> int:
        """The number of the hand with these card values."""
        return self.index[sum(WORDS[value] for value in values)]


def _multisets(lowest: int, room: int) -> Iterator[tuple[int, ...]]:
    """Multisets of values from `lowest` up whose hard total fits into the room."""
    yield ()
    for value in range(lowest, min(10, room) + 1):
        for rest in _multisets(value, room - value):
            yield (value, *rest)


@lru_cache(maxsize=16)
def all_hands(charlie: int, hit_21: bool = False) -> HandTree:
    """The hands of a table where so many cards win by themselves (0 for never). By our rules 21 stands by itself."""
    rules = _rules_with(charlie)
    cards = sorted(_multisets(1, 21), key=lambda values: (sum(values), values))
    words = [sum(WORDS[value] for value in values) for values in cards]
    index = {word: number for number, word in enumerate(words)}
    children = np.array([[-1, *(index.get(word + WORDS[value], -1) for value in VALUES)] for word in words], np.int64)
    charlies = [is_charlie(rules, word) for word in words]
    return HandTree(
        counts=np.array([[0, *(values.count(value) for value in VALUES)] for values in cards], np.int64),
        words=np.array(words, np.int64),
        children=children,
        totals=np.array([total(word) for word in words], np.int64),
        soft=np.array([is_soft(word) for word in words]),
        fates=np.array([CHARLIE if full else LIVE for full in charlies], np.int64),
        ends=np.array([full or (total(word) >= 21 and not hit_21) for full, word in zip(charlies, words, strict=True)]),
        index=index,
    )


def _rules_with(charlie: int) -> Rules:
    return Rules(False, 0, True, 4, 4, False, False, False, True, charlie, True, True)


@dataclass(frozen=True, eq=False)
class DealerTree:
    """Every multiset of cards a dealer can draw to an up card, depth first: the one it grows from is the last before
    it with a card less.

    The number of ordered draws of a node is that of its parent times the cards of `value` that are left after `taken`.
    `ways` is in how many orders a finished hand can be drawn without stopping earlier; `outcome` is how it ends, -1 for
    a node that is only passed through.
    """

    parent: Numbers
    value: Numbers
    taken: Numbers
    size: Numbers
    ways: Reals
    outcome: Numbers


@lru_cache(maxsize=128)
def dealer_tree(rules: Rules, up: int, hole: int = 0) -> DealerTree:
    """How a dealer can finish from an up card. With a hole card the peek has ruled out a blackjack.

    Where the hole card is known (`hole` is its value), it is drawn already; the hand must still need a card.
    """
    held = WORDS[up] + (WORDS[hole] if hole else 0)
    ways: dict[tuple[int, ...], int] = {(): 1}
    layer: dict[tuple[int, ...], int] = {(): 1}
    finished: dict[tuple[int, ...], int] = {}
    while layer:
        grown: dict[tuple[int, ...], int] = {}
        for drawn, orders in layer.items():
            for value in VALUES:
                word = held + sum(WORDS[card] for card in drawn) + WORDS[value]
                if rules.hole_card and is_blackjack(word):
                    continue
                longer = tuple(sorted((*drawn, value)))
                grown[longer] = grown.get(longer, 0) + orders
        layer = {}
        for drawn, orders in grown.items():
            word = held + sum(WORDS[card] for card in drawn)
            ways[drawn] = orders
            if dealer_draws(rules, word):
                layer[drawn] = orders
            else:
                finished[drawn] = dealer_outcome(word)
    return _tree(ways, finished)


def dealer_outcome(word: int) -> int:
    """How a dealer's finished hand counts: its total, a bust or a blackjack."""
    if is_bust(word):
        return DEALER_BUST
    return DEALER_BLACKJACK if is_blackjack(word) else total(word) - 17


def _tree(ways: dict[tuple[int, ...], int], finished: dict[tuple[int, ...], int]) -> DealerTree:
    """Nodes in an order in which each follows the one without its last card, with only what grows from it between."""
    nodes = {drawn[:length] for drawn in finished for length in range(1, len(drawn) + 1)}
    ordered = [(), *sorted(nodes)]
    number = {drawn: at for at, drawn in enumerate(ordered)}
    return DealerTree(
        parent=np.array([number[drawn[:-1]] for drawn in ordered], np.int64),
        value=np.array([drawn[-1] if drawn else 0 for drawn in ordered], np.int64),
        taken=np.array([drawn.count(drawn[-1]) - 1 if drawn else 0 for drawn in ordered], np.int64),
        size=np.array([len(drawn) for drawn in ordered], np.int64),
        ways=np.array([ways.get(drawn, 0) if drawn in finished else 0 for drawn in ordered], np.float64),
        outcome=np.array([finished.get(drawn, -1) for drawn in ordered], np.int64),
    )
