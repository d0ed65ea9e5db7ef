"""Best play of games in which the last hands decide, looked up by the cards a seat has seen.

Their situations are too many for a table: each hand comes in every order and in every suit. So a hand is numbered as a
set of cards, from the cards of the round as they were drawn.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.generic.card_sets import BINOMIAL, all_hands
from pairhouse.core.rule import rule
from pairhouse.machines.simulate.simulation import Strategy

Numbers = npt.NDArray[np.int64]

CARD_BITS, CARD_MASK = 8, 63
WIDTH = BINOMIAL.shape[1]
SIZE, UP, PLANES, HANDS = range(4)  # of the last table; the actions follow
ACTIONS_AT = 4


@rule
def lower_cards(cards: int, size: int, card: int) -> int:
    """How many cards of a hand are lower than this one."""
    lower = 0
    for at in range(size):
        lower += int((cards >> CARD_BITS * at & CARD_MASK) < card)
    return lower


@rule
def number_of(choose: Numbers, cards: int, size: int) -> int:
    """The number of a hand among all of its size, in whatever order its cards come."""
    number = 0
    for at in range(size):
        card = cards >> CARD_BITS * at & CARD_MASK
        number += choose[card * WIDTH + lower_cards(cards, size, card) + 1]
    return number


def by_kept_cards(tables: Any, legal: int, cards: int) -> Any:
    """The action of a hand from the cards it keeps: a bit for each card, the lowest card first."""
    size = tables[2][SIZE]
    kept, mask = tables[0][number_of(tables[1], cards, size)], 0
    for at in range(size):
        mask |= (kept >> lower_cards(cards, size, cards >> CARD_BITS * at & CARD_MASK) & 1) << at
    return np.int64(tables[2][ACTIONS_AT + mask])


def by_hand(tables: Any, legal: int, cards: int) -> Any:
    """The action of a hand with an up card: its number in bits, a word of 52 up cards for each bit."""
    size = tables[2][SIZE]
    number = number_of(tables[1], cards, size)
    up = cards >> CARD_BITS * size & CARD_MASK if tables[2][UP] else 0
    action = 0
    for plane in range(tables[2][PLANES]):
        action |= (tables[0][plane * tables[2][HANDS] + number] >> up & 1) << plane
    return np.int64(tables[2][ACTIONS_AT + action])


def numbers_of(hands: Numbers) -> Numbers:
    """The number of each hand among all of its size; its cards rise."""
    columns = np.arange(hands.shape[1])
    return BINOMIAL[hands, columns + 1].sum(axis=1)


def kept_strategy(size: int, kept: npt.NDArray[np.uint8], actions: dict[int, int]) -> Strategy:
    """Best play where cards are kept: `kept` has a mask for each hand by its number, `actions` one for each mask."""
    about = np.zeros(ACTIONS_AT + (1 << size), np.int64)
    about[SIZE] = size
    for mask, action in actions.items():
        about[ACTIONS_AT + mask] = action
    return Strategy("best", by_kept_cards, (kept, BINOMIAL.ravel(), about), by_cards=True)


def compared_strategy(size: int, has_up: bool, planes: Numbers, actions: list[int]) -> Strategy:
    """Best play where hands are compared: `planes` as `planes_of` makes them."""
    words = spread_out(size, planes)
    about = np.array([size, has_up, *words.shape, *actions], np.int64)
    return Strategy("best", by_hand, (words.ravel(), BINOMIAL.ravel(), about), by_cards=True)


def planes_of(best: Numbers, ups: Numbers, count: int) -> Numbers:
    """Words of up cards from the number of the best of so many actions, a row for each hand and a column an up card."""
    places = np.maximum(ups, 0)
    return np.array([
        ((best >> plane & 1) << places[None, :]).sum(axis=1) for plane in range(max(1, (count - 1).bit_length()))
    ])  # fmt: skip


def spread_out(size: int, planes: Numbers) -> Numbers:
    """The words of every hand by its number, from those of suit patterns; up cards change suits with the hand."""
    hands = all_hands(size)
    masks = np.zeros((len(hands), 4), np.int64)
    rows = np.arange(len(hands))
    for column in range(size):
        masks[rows, hands[:, column] // 13] |= 1 << hands[:, column] % 13
    order = np.argsort(masks, axis=1, kind="stable")
    ranked = np.take_along_axis(masks, order, axis=1)
    packed = ranked[:, 0] << 39 | ranked[:, 1] << 26 | ranked[:, 2] << 13 | ranked[:, 3]
    _, first, pattern = np.unique(packed, return_index=True, return_inverse=True)
    numbers, out = numbers_of(hands), np.zeros((len(planes), len(hands)), np.int64)
    for plane, words in enumerate(planes):
        suits = [words >> 13 * suit & 8191 for suit in range(4)]
        of_first = np.stack([np.choose(order[first, place], suits) for place in range(4)])  # as the suits are ranked
        for place in range(4):
            out[plane, numbers] |= of_first[place][pattern.ravel()] << 13 * order[:, place]
    return out
