"""Whether the parts of a game from a file are of the right kind: each fault with words to find its line by."""

import dis
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from types import FunctionType, ModuleType
from typing import Any

from pairhouse.core.errors import one_of, shown
from pairhouse.core.game import ROUNDING, Action, Game
from pairhouse.core.options import Option
from pairhouse.core.paytable import Wager
from pairhouse.core.rule import is_rule
from pairhouse.core.verbs import HANDS_PER_SEAT, MAX_SEATS

Said = tuple[str | int, str]  # the line or words to find it by, and what is wrong there
TEXTS, LISTS = ("id", "name", "cites", "summary"), {"options": Option, "places": str, "actions": Action, "phrases": str}
WORD = re.compile(r"[a-z0-9]+([-+][a-z0-9]+)*")
WAGER_ID = re.compile(WORD.pattern, re.IGNORECASE | re.ASCII)  # card-A and card-10 of La Pair'e
JOKERS_MAX, KEY_MAX = 4, 2
PURE = {"math"}
CHANGING = (list, dict, set, bytearray)
DOES_MORE = {"print", "open", "input", "eval", "exec", "id", "hash", "globals", "locals", "setattr", "float", "str"}


def parts_of(game: Game) -> Iterator[Said]:
    """Texts that are none, lists that are none, numbers that no table has."""
    for name in TEXTS:
        if not isinstance(getattr(game, name), str) or not getattr(game, name):
            yield f"{name}=", f"{name} is {shown(getattr(game, name))}; write some words"
    for name, kind in LISTS.items():
        given: Any = getattr(game, name)
        if not isinstance(given, tuple | list) or not all(isinstance(each, kind) for each in given):
            one = '("one", "two")' if kind is str else f"({kind.__name__}(...),)"
            yield f"{name}=", f"{name} is {shown(given)}; give a tuple, of one too: {one}"
            return
    if type(game.seats_max) is not int or not 1 <= game.seats_max <= MAX_SEATS:
        yield "seats_max=", f"seats_max is {shown(game.seats_max)}; a table has 1 to {MAX_SEATS} seats"
    elif type(game.seats_per_player) is not int or not 1 <= game.seats_per_player <= game.seats_max:
        given = f"seats_per_player is {shown(game.seats_per_player)}"
        yield "seats_per_player=", f"{given}; a player has 1 to {game.seats_max} of the seats"
    if len(set(game.places)) < len(game.places) or len(game.places) > HANDS_PER_SEAT:
        yield "places=", f"places is {shown(game.places)}; give up to {HANDS_PER_SEAT} names, each its own"
    yield from _shortcuts(game)
    yield from _options(game)
    yield from _actions(game)


def foreign_names(function: FunctionType) -> dict[str, int]:
    """What a rule names that could make two rounds with the same cards differ, or does more than deal, by line."""
    found: dict[str, int] = {}
    line = function.__code__.co_firstlineno
    for step in dis.get_instructions(function.__code__):
        line = step.positions.lineno or line if step.positions else line
        if _differs(step.opname, step.argval, function):
            found.setdefault(step.argval, line)
    return found


def _differs(step: str, name: Any, function: FunctionType) -> bool:
    if step in ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR"):
        return True
    if step == "IMPORT_NAME":
        return name not in PURE
    if step not in ("LOAD_GLOBAL", "LOAD_NAME"):
        return False
    if name not in function.__globals__:
        return name in DOES_MORE
    value = function.__globals__[name]
    return name not in PURE if isinstance(value, ModuleType) else _is_foreign(value, function)


def _is_foreign(value: Any, function: FunctionType) -> bool:
    """What rounds could change, or a function of others; one of the same file that is no rule is told otherwise."""
    if isinstance(value, CHANGING):
        return True
    if isinstance(value, type) or not callable(value) or is_rule(value):
        return False
    module = getattr(value, "__module__", None) or ""
    return module != function.__module__ and module.partition(".")[0] not in {"pairhouse", *PURE}


def _shortcuts(game: Game) -> Iterator[Said]:
    for field in fields(game.shortcuts):
        given = getattr(game.shortcuts, field.name)
        if field.type in ("bool", bool) and not isinstance(given, bool):
            yield f"{field.name}=", f"{field.name} is {shown(given)}; write True or False"
        elif field.type not in ("bool", bool) and given is not None and not callable(given):
            yield f"{field.name}=", f"{field.name} is {shown(given)}; give a function"


def _options(game: Game) -> Iterator[Said]:
    names = Counter([option.name for option in game.options])
    for option in game.options:
        where = f'"{option.name}"'
        if option.name == ROUNDING.name:
            yield where, f"every game has an option {ROUNDING.name} already; give this one another name"
        elif names[option.name] > 1:
            yield where, f"two options are called {option.name}; give each its own name"
        if not isinstance(option.choices, tuple | list) or not option.choices:
            yield where, f"the choices of {option.name} are {shown(option.choices)}; give a tuple, of one too: (8,)"
        elif option.default not in option.choices:
            given = f"{option.name} is {shown(option.default)} unless another is chosen"
            yield where, f"{given}, which is none of its choices; they are {one_of(option.choices)}"


def _actions(game: Game) -> Iterator[Said]:
    names = Counter(action.name for action in game.actions)
    keys = Counter(action.key for action in game.actions)
    for action in game.actions:
        where = f'"{action.name}"'
        if not isinstance(action.name, str) or not WORD.fullmatch(action.name):
            yield where, f"the action {shown(action.name)} is not possible; use small letters, digits and hyphens"
        if names[action.name] > 1:
            yield where, f"two actions are called {action.name}; give each its own name"
        if keys[action.key] > 1:
            yield where, f"two actions have the key {shown(action.key)}; give each its own"
        if not isinstance(action.key, str) or not 1 <= len(action.key) <= KEY_MAX:
            yield where, f"the key of {action.name} is {shown(action.key)}; give one letter or digit"


def wager_parts(wager: Wager) -> Iterator[Said]:
    """Its id, its name, and how many times the base is staked on it."""
    where = f'"{wager.id}"'
    if not isinstance(wager.id, str) or not WAGER_ID.fullmatch(wager.id):
        given = f"the wager {shown(wager.id)} is not possible"
        yield where, f"{given}; use letters, digits, hyphens and plus signs"
    if not isinstance(wager.name, str) or not wager.name:
        yield where, f"the name of {wager.id} is {shown(wager.name)}; write some words"
    multiple: Any = wager.multiple  # an author may give anything
    if isinstance(multiple, bool) or not isinstance(multiple, int | Fraction) or not multiple > 0:
        given = f"the multiple of {wager.id} is {shown(multiple)}"
        yield where, f"{given}; give a number above 0, such as 2 or Fraction(1, 2)"
    if not isinstance(wager.decided_by, type) or not hasattr(wager.decided_by, "_fields"):
        yield where, f"{wager.id} is decided by {shown(wager.decided_by)}; what decides a wager is a NamedTuple"
