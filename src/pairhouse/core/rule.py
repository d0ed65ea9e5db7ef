"""`@rule` marks a function as part of the rule book.

It only records the function, so that playing a hand in Python costs nothing extra. The compiled machines look here
to know which functions they may translate (see `machines/link.py`).
"""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_recorded: set[Callable[..., Any]] = set()


def rule(function: F) -> F:
    """Record a rule: ordinary Python here, machine code inside a compiled machine.

    A rule uses integers, tuples, named tuples and the table verbs only, and refers to other rules by name
    (`from module import rule_name`), so that every machine can run the same source.
    """
    _recorded.add(function)
    return function


def is_rule(function: object) -> bool:
    """Whether this very function was marked with `@rule`."""
    return callable(function) and function in _recorded
