"""A first look at a game from a file: its parts are looked at and a few rounds dealt, before any command uses it."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random
from types import FunctionType
from typing import Any

from pairhouse.core.cards import Card, pack
from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.core.game import Game, Variant
from pairhouse.core.paytable import Paytable, Row, Wager
from pairhouse.core.rule import is_rule, names_in
from pairhouse.core.verbs import FELT_ROWS, HANDS_PER_SEAT, PLACES, Place
from pairhouse.games.game_parts import JOKERS_MAX, Said, foreign_names, parts_of, wager_parts

ROUNDS = 20
CHOICES_MAX = 1000
DECKS_MAX = 8
FIELD_MAX = (1 << 31) - 1
PAYS_MAX = 10_000_000  # to 1
FINEST = 10_000  # pays are fractions of no more parts; a decimal such as 0.95 is one of many more


def first_look(game: Game) -> Iterator[Said]:
    """What is wrong with a game; what its own code raises while it is looked at is not caught here."""
    yield from parts_of(game)
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", game.id):
        yield f'"{game.id}"', f"the id {shown(game.id)} is not possible; use small letters, digits and hyphens"
    if getattr(getattr(game.play, "__code__", None), "co_argcount", 0) != 2:
        yield "def play(", "play takes the table and the rules: def play(table, rules)"
    yield from _rules_marked(game)
    variant = game.variant()
    decks = game.pack(variant.options)
    if not (isinstance(decks, tuple) and len(decks) == 2 and all(type(number) is int for number in decks)):
        yield "pack=", f"pack gives {shown(decks)}; it gives the decks and the Jokers of each, such as (6, 0)"
        return
    if not 1 <= decks[0] <= DECKS_MAX or not 0 <= decks[1] <= JOKERS_MAX:
        given = f"pack gives {decks[0]} decks with {decks[1]} Jokers each"
        yield "pack=", f"{given}; give 1 to {DECKS_MAX} decks with up to {JOKERS_MAX}"
        return
    if not hasattr(variant.rules, "_fields") or not all(isinstance(value, int | tuple) for value in variant.rules):
        yield "rules=", f"rules gives {shown(variant.rules)}; it gives a NamedTuple of whole numbers"
        return
    found = [*_wagers(game.wagers(variant.options)), *_actions(variant)]
    yield from found
    if not found:
        _deal_some(variant)


def _rules_marked(game: Game) -> Iterator[Said]:
    """Every function of the file that `play` calls must be a rule: the compiled machines know no other."""
    waiting, met = [game.play], set[Any]()
    while waiting:
        function = waiting.pop()
        if function in met or not isinstance(function, FunctionType):
            continue
        met.add(function)
        if not is_rule(function):
            yield f"def {function.__name__}(", f"{function.__name__} is a rule of the game; mark it with @rule"
        for name, line in foreign_names(function).items():
            used = f"{function.__name__} uses {name}"
            given = f"{used}; a rule uses whole numbers, tuples, other rules and the table's verbs"
            yield line, f"{given}, so that the same cards and choices always give the same round"
        named = (function.__globals__.get(name) for name in names_in(function.__code__))
        waiting += [each for each in named if isinstance(each, FunctionType) and each.__module__ == game.module]


def _wagers(wagers: Any) -> Iterator[Said]:
    if not isinstance(wagers, tuple | list) or not all(isinstance(wager, Wager) for wager in wagers):
        yield "wagers=", f"wagers gives {shown(wagers)}; it gives a tuple of Wager(...)"
        return
    ids = Counter(wager.id for wager in wagers)
    for wager in wagers:
        where = f'"{wager.id}"'
        yield from wager_parts(wager)
        if ids[wager.id] > 1:
            yield where, f"two wagers have the id {wager.id}; give each its own"
        if wager.base is not None and wager.base not in ids:
            yield where, f"{wager.id} follows from {shown(wager.base)}, which is no wager; there are {one_of(ids)}"
        yield from _paytable(wager)
    if not any(wager.opens for wager in wagers):
        yield "Wager(", "no wager opens a seat; say opens=True of at least one"


def _paytable(wager: Wager) -> Iterator[Said]:
    where = f'"{wager.id}"'
    table: Any = wager.paytable  # an author may give anything
    if not isinstance(table, Paytable):
        yield (
            where,
            f"the paytable of {wager.id} is {shown(table)}; give, and return, a Paytable(...)",
        )
        return
    if not isinstance(table.rows, tuple | list) or not all(isinstance(each, Row) for each in table.rows):
        yield where, f"the rows of {wager.id} are {shown(table.rows)}; give a tuple, one row too: (row(...),)"
        return
    names = Counter(each.name for each in table.rows)
    for each in table.rows:
        name: Any = each.name
        if not isinstance(name, str) or not name:
            yield where, f"a row of {wager.id} is called {shown(each.name)}; write some words"
        if names[each.name] > 1:
            yield f'"{each.name}"', f"two rows of {wager.id} are called {shown(each.name)}; give each its own name"
        if each.pays.denominator > FINEST:
            given = f"the row {each.name} of {wager.id} pays {float(each.pays)}, which is no exact number"
            yield f'"{each.name}"', f"{given}; write it as Fraction(95, 100)"
        if each.pays > PAYS_MAX:
            yield f'"{each.name}"', f"the row {each.name} of {wager.id} pays {each.pays}; {PAYS_MAX:,} is the most"
        if each.pays < -1:
            yield (
                f'"{each.name}"',
                f"the row {each.name} of {wager.id} pays {each.pays}; no more than the stake is lost",
            )


def _actions(variant: Variant) -> Iterator[Said]:
    for action in variant.game.actions:
        for wager in filter(None, (action.wager, action.base)):
            if wager not in variant.wagers:
                given = f"{action.name} is booked on {shown(wager)}, which is no wager"
                yield f'"{action.name}"', f"{given}; there are {one_of(variant.wagers)}"


def _deal_some(variant: Variant) -> None:
    """A few rounds with random cards and choices; a fault in them is raised where it is made."""
    random, rules = Random(1), variant.rules
    for _ in range(ROUNDS):
        variant.game.play(TryingTable(variant, random), rules)


class TryingTable:
    """A table for one seat at which everything that a game asks for is looked at."""

    def __init__(self, variant: Variant, random: Random) -> None:
        self.variant, self.random = variant, random
        self.cards = list(pack(*variant.pack))
        random.shuffle(self.cards)
        self.dealt, self.asked, self.face_down = count(), count(), Counter[Card]()
        self._felt = [[0] * PLACES for _ in range(FELT_ROWS)]

    def seats(self) -> int:
        return 1

    def felt(self, row: int) -> list[int]:
        return self._felt[row]

    def _check_place(self, place: Place) -> None:
        houses = self.variant.game.places
        seats_end = 2 * HANDS_PER_SEAT  # one seat plays here
        if type(place) is not int or not 0 <= place < seats_end or len(houses) <= place < HANDS_PER_SEAT:
            listed = ", ".join(f"{number} ({name})" for number, name in enumerate(houses))
            given = f"{shown(place)} is no place of {self.variant.game.name}"
            raise Refused(
                "bad-place",
                f"{given}; the house has {listed or 'none'}, a seat spot(seat, hand), from 1 to seats(table)",
            )

    def draw(self, place: Place) -> Card:
        self._check_place(place)
        at = next(self.dealt)
        if at >= len(self.cards):
            raise Refused("too-few-cards", f"a round takes all {len(self.cards)} cards and asks for another")
        return self.cards[at]

    draw_private = draw

    def draw_down(self, place: Place) -> Card:
        card = self.draw(place)
        self.face_down[card] += 1
        return card

    def turn_up(self, place: Place, hidden: Card) -> Card:
        self._check_place(place)
        if not self.face_down[hidden]:
            raise Refused(
                "bad-card", "a card is turned up that does not lie face down; turn each up once, from draw_down"
            )
        self.face_down[hidden] -= 1
        return hidden

    def peek(self, _place: Place, hidden: Card, lowest: int, highest: int) -> bool:
        return lowest <= hidden % 13 <= highest

    def choose(self, place: Place, legal: int, situation: int) -> int:
        actions = self.variant.game.actions
        self._check_place(place)
        if next(self.asked) >= CHOICES_MAX:
            raise Refused("bad-choice", f"a round asks for more than {CHOICES_MAX} choices; does it ever end?")
        if not actions:
            raise Refused("bad-choice", "a choice is asked for and actions is empty; name what can be chosen there")
        if not hasattr(legal, "__index__") or not 0 < legal < 1 << len(actions):
            names = ", ".join(f"{1 << bit} ({action.name})" for bit, action in enumerate(actions))
            raise Refused("bad-choice", f"{shown(legal)} is no set of actions; add up those that are legal: {names}")
        if not hasattr(situation, "__index__") or not 0 <= situation < 1 << 62:
            raise Refused("bad-choice", f"the situation is {shown(situation)}; it is a whole number from 0 to 2^62")
        return self.random.choice([1 << bit for bit in range(len(actions)) if legal >> bit & 1])

    def say(self, _place: Place, phrase: int, _first: int, _second: int) -> None:
        phrases = self.variant.game.phrases
        if not 0 <= phrase < len(phrases):
            raise Refused("bad-phrase", f"phrase {shown(phrase)} is said; phrases has {len(phrases)}, counted from 0")

    def settle(self, place: Place, happened: Any) -> None:
        if place != 0:
            self._check_place(place)
        name = type(happened).__name__
        if not hasattr(type(happened), "_fields"):
            raise Refused("bad-happening", f"{shown(happened)} is settled; settle a NamedTuple of whole numbers")
        for field, value in zip(happened._fields, happened, strict=True):
            if not isinstance(value, int) and not hasattr(value, "__index__"):
                raise Refused(
                    "bad-happening", f"{field} of {name} is {shown(value)}; it holds whole numbers, 0 or more"
                )
            if not 0 <= value <= FIELD_MAX:
                limits = f"it holds whole numbers, 0 or more and {FIELD_MAX:,} at most"
                raise Refused("bad-happening", f"{field} of {name} is {value}; {limits}")
        for wager in self.variant.wagers.values():
            if wager.decided_by is type(happened):
                self._check_times(wager, wager.decide(happened)[1])

    def _check_times(self, wager: Wager, times: Any) -> None:
        if not isinstance(times, int) or times < 0:
            given = f"times of {wager.id} gives {shown(times)}"
            raise Refused("bad-wager", f"{given}; it gives how often its stake is at risk, a whole number")

    def show(self, place: Place) -> None: ...
    def split(self, place: Place) -> None: ...
