"""A table made of arrays, on which compiled rules draw along a path of cards that is lengthened as they ask.

A draw follows the path of cards as far as it goes and lengthens it with the first card that can come; after each run
the path moves on like an odometer. A run ends with the round, or is cut off where a choice is asked that the tape of
actions does not answer. Cards are taken by classes the rules cannot tell apart, suits in the order of their first
appearance, and the cards of one place in rising order, each with the number of deals it stands for.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba.extending import overload

from pairhouse.core import verbs
from pairhouse.machines.count import JIT, felt, jit, nothing, one_seat, silence
from pairhouse.machines.happenings import fields_of
from pairhouse.machines.link import Function

Numbers = npt.NDArray[np.int64]

# What is called at many places is compiled once, not into each of them: a rule book draws at ten places.
shared = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **JIT)

# words of the state
CURSOR, LENGTH, KNOWN, ASKED, TAPED, STOPPED, TOLD, SITUATION, LEGAL, PHASE, FILLER, SUITS, FACE_DOWN = range(13)
PATH_MAX, TAPE_MAX, STORY_MAX = 24, 12, 64
STATE_WORDS = FACE_DOWN + 1 + PATH_MAX  # the last ones: a face-down card that was looked at, plus one
KEY_WORDS = 5
NO_SUIT = 4  # of Jokers
RENAMINGS = 24


class DealTable(NamedTuple):
    """A table made of arrays.

    `faces` holds a card of each class, `left` how many remain, `order` its place among the cards of one hand, `suit`
    its suit. `path` is the class drawn at each step, `places` where it went, `weights` the number of deals up to it,
    `used` the suits that have appeared, `grouped` and `equal` how many cards of its group there are, and of its order.
    `flags` says whether suits are alike and which are not, whether the cards of a place may come in any order, and how
    many cards there are.
    """

    faces: Numbers
    left: Numbers
    order: Numbers
    suit: Numbers
    path: Numbers
    places: Numbers
    weights: Numbers
    used: Numbers
    grouped: Numbers
    equal: Numbers
    state: Numbers
    tape: Numbers
    story: Numbers
    felt: Numbers
    flags: Numbers
    place_number: Numbers
    renamed: Numbers


SUITS_ALIKE, ANY_ORDER, KEY_BITS, SUITS_APART, ALL_CARDS = range(5)


@jit
def previous(table: DealTable, at: int, place: int) -> int:
    """The draw before this one to the same place since the last choice; -1 where there is none."""
    if table.flags[ANY_ORDER] == 0:
        return -1
    for before in range(at - 1, table.state[PHASE] - 1, -1):
        if table.places[before] == place:
            return before
    return -1


@jit
def next_unused(used: int) -> int:
    """The first suit that has not appeared."""
    suit = 0
    while used >> suit & 1:
        suit += 1
    return suit


@jit
def can_come(table: DealTable, at: int, before: int, card: int) -> bool:
    """Whether a class can be drawn at a step."""
    if table.left[card] <= 0:
        return False
    if before >= 0 and table.order[card] < table.order[table.path[before]]:
        return False
    if table.flags[SUITS_ALIKE] and table.suit[card] < NO_SUIT:
        used = table.used[at]
        return used >> table.suit[card] & 1 == 1 or table.suit[card] == next_unused(used)
    return True


@shared
def step_to(table: DealTable, at: int, before: int, card: int) -> None:
    """Make this class the last step of the path."""
    weight = table.weights[at] * table.left[card]
    used = table.used[at]
    suit = table.suit[card]
    if table.flags[SUITS_ALIKE] and suit < NO_SUIT and used >> suit & 1 == 0:
        appeared = 0
        for each in range(4):
            appeared += used >> each & 1
        weight *= 4 - appeared
    if suit < NO_SUIT:
        used |= 1 << suit
    table.used[at + 1] = used
    grouped, equal = 1, 1
    if before >= 0:
        grouped = table.grouped[before] + 1
        equal = table.equal[before] + 1 if table.order[card] == table.order[table.path[before]] else 1
    table.grouped[at], table.equal[at] = grouped, equal
    table.weights[at + 1] = weight * grouped // equal
    table.path[at] = card
    table.left[card] -= 1
    table.state[LENGTH] = at + 1


@jit
def draw(table: DealTable, place: int) -> int:
    """The next card; a place that is a constant is compiled like any other."""
    return draw_at(table, np.int64(place))


@shared
def draw_at(table: DealTable, place: int) -> int:
    """Follow the path, or lengthen it with the first class that can come; any card will do once the run is cut off."""
    state = table.state
    if state[STOPPED]:
        state[FILLER] += 1
        return table.faces[state[FILLER] % table.faces.size]
    at = state[CURSOR]
    if at >= state[LENGTH]:
        if at >= min(PATH_MAX - 1, table.flags[ALL_CARDS]):
            state[STOPPED] = 2
            return table.faces[0]
        table.places[at] = place
        before = previous(table, at, place)
        card = 0
        while card < table.faces.size and not can_come(table, at, before, card):
            card += 1
        if card == table.faces.size:
            # no class can follow in rising order: this way of drawing does not exist
            table.weights[at + 1] = 0
            state[STOPPED] = 3
            state[LENGTH] = at
            return table.faces[0]
        step_to(table, at, before, card)
    table.places[at] = place
    state[CURSOR] = at + 1
    return table.faces[table.path[at]] if table.renamed[0] < 0 else renamed_card(table, table.faces[table.path[at]])


@jit
def renamed_card(table: DealTable, card: int) -> int:
    """A card with its suit changed."""
    if card >= 52:
        return card
    return table.renamed[card // 13] * 13 + card % 13


@jit
def draw_down(table: DealTable, place: int) -> int:
    """A face-down card is drawn when it is looked at or turned up, if ever; until then it has a number below zero."""
    state = table.state
    if state[FACE_DOWN] == PATH_MAX:
        state[STOPPED] = 2
        return -1
    state[FACE_DOWN] += 1
    return -state[FACE_DOWN]


@shared
def beneath(table: DealTable, place: int, hidden: int) -> int:
    """A face-down card, which is drawn now and remembered."""
    word = FACE_DOWN - hidden
    if table.state[word] == 0:
        table.state[word] = draw(table, place) + 1
    return table.state[word] - 1


@jit
def turn_up(table: DealTable, place: int, hidden: int) -> int:
    """Now the card is drawn, where nobody has looked at it."""
    return beneath(table, place, hidden)


@jit
def peek(table: DealTable, place: int, hidden: int, lowest: int, highest: int) -> bool:
    """The dealer looks. What is chosen then has the card behind it: a situation does not tell it, so nobody knows."""
    return lowest <= beneath(table, place, hidden) % 13 <= highest


@jit
def choose(table: DealTable, place: int, legal: int, situation: int) -> int:
    """What the tape says; beyond it the run is cut off."""
    state = table.state
    if state[STOPPED]:
        return legal & -legal
    asked = state[ASKED]
    state[ASKED] = asked + 1
    if asked < state[TAPED]:
        state[PHASE] = state[CURSOR]
        return table.tape[asked]
    state[STOPPED] = 1
    state[SITUATION] = situation
    state[LEGAL] = legal
    return legal & -legal


VERBS: dict[Function, Function] = {
    verbs.draw: draw,
    verbs.draw_private: draw,
    verbs.draw_down: draw_down,
    verbs.turn_up: turn_up,
    verbs.peek: peek,
    verbs.choose: choose,
    verbs.felt: felt,
    verbs.seats: one_seat,
    verbs.show: nothing,
    verbs.split: nothing,
    verbs.say: silence,
}


def story_writer(kinds: Sequence[type]) -> Function:
    """The compiled verb `settle`: the kind and the fields are written to the story."""

    def write(table: Any, happened: Any) -> None:
        raise NotImplementedError("compiled code only")

    @overload(write, strict=False)
    def _write(table, happened):  # type: ignore[no-untyped-def]
        if happened.instance_class not in kinds:
            return lambda table, happened: None
        kind = kinds.index(happened.instance_class)

        def write_fields(table: Any, happened: Any) -> None:
            at = table.state[TOLD]
            table.story[at] = kind
            at += 1
            for number in fields_of(happened):
                table.story[at] = number
                at += 1
            table.state[TOLD] = at

        return write_fields

    @numba.njit(_nrt=False, forceinline=True)
    def settle(table: Any, place: int, happened: Any) -> None:
        if table.state[STOPPED] == 0:
            write(table, happened)

    return settle


def one_round(table: DealTable, rules: Any) -> None:
    """Replaced, when a walk is linked, by the `play` that is walked."""


@jit
def begin(table: DealTable) -> None:
    """Ready for a run along the path."""
    state = table.state
    state[CURSOR], state[ASKED], state[STOPPED], state[TOLD], state[PHASE], state[FILLER] = 0, 0, 0, 0, 0, 0
    for number in range(state[FACE_DOWN]):
        state[FACE_DOWN + 1 + number] = 0
    state[FACE_DOWN] = 0


@shared
def advance(table: DealTable) -> bool:
    """Move the path on to the next one that begins with the known cards; False when all have been walked."""
    state = table.state
    at = state[LENGTH] - 1
    while at >= state[KNOWN]:
        card = table.path[at]
        table.left[card] += 1
        before = -1
        if table.grouped[at] > 1:
            before = at - 1
            while table.places[before] != table.places[at]:
                before -= 1
        card += 1
        while card < table.faces.size and not can_come(table, at, before, card):
            card += 1
        if card < table.faces.size:
            step_to(table, at, before, card)
            return True
        at -= 1
    state[LENGTH] = state[KNOWN]
    return False


@shared
def hold(table: DealTable, cards: Numbers, count: int) -> None:
    """Begin every path with these classes; their own number of deals is counted elsewhere."""
    table.used[0] = table.flags[SUITS_APART] if table.flags[SUITS_ALIKE] else 0
    table.weights[0] = 1
    for at in range(count):
        card = cards[at]
        table.path[at] = card
        table.left[card] -= 1
        table.used[at + 1] = table.used[at] | (1 << table.suit[card] if table.suit[card] < NO_SUIT else 0)
        table.weights[at + 1] = 1
        table.grouped[at], table.equal[at] = 1, 1
    table.state[KNOWN] = table.state[LENGTH] = count


@shared
def release(table: DealTable) -> None:
    """Put the known cards back."""
    for at in range(table.state[KNOWN]):
        table.left[table.path[at]] += 1


@jit
def write_hands(table: DealTable, key: Numbers) -> None:
    """The cards of every place as a set: a number for each suit, those of suits that are alike sorted."""
    bits = table.flags[KEY_BITS]
    for at in range(table.state[CURSOR]):
        face = table.faces[table.path[at]]
        if face >= 52:
            key[4] += np.int64(1) << (58 if face == 52 else 54)
        else:
            key[face // 13] += np.int64(1) << (table.place_number[table.places[at]] * 13 + face % 13) * bits
    if table.flags[SUITS_ALIKE]:
        apart = table.flags[SUITS_APART]
        for one in range(3):
            for other in range(one + 1, 4):
                if not (apart >> one | apart >> other) & 1 and key[one] > key[other]:
                    key[one], key[other] = key[other], key[one]


@shared
def write_key(table: DealTable, key: Numbers) -> None:
    """What has been drawn and chosen, as numbers that are the same for deals the rules cannot tell apart."""
    state = table.state
    for word in range(KEY_WORDS):
        key[word] = 0
    if table.flags[ANY_ORDER]:
        write_hands(table, key)
    else:
        for at in range(state[CURSOR]):
            key[at // 8] += np.int64(table.path[at] + 1) << (at % 8) * 7
    for at in range(state[TAPED]):
        bit = 0
        while table.tape[at] >> bit > 1:
            bit += 1
        key[4] += np.int64(bit) << at * 4 if bit < 16 else np.int64(bit) << 4
