"""`@rule` marks a function as part of the rule book.

It only records the function, so that playing a hand in Python costs nothing extra. The compiled machines look here
to know which functions they may translate (see `machines/link.py`).
"""

from collections.abc import Callable, Mapping
from types import CodeType, FunctionType
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


def with_rules(function: F, changes: Mapping[Callable[..., Any], Callable[..., Any]], module: str) -> F:
    """A rule with some of the rules it calls, directly or not, replaced by others; what it was made of stays as it is.

    So a side bet is added to its host: the host calls a rule that does nothing at the moment when the bet is decided.
    What is copied belongs to `module`, whose source names it.
    """
    copies: dict[Callable[..., Any], Callable[..., Any]] = dict(changes)

    def copied(rule_called: Any) -> Any:
        if rule_called in copies:
            return copies[rule_called]
        scope: dict[str, Any] = {}
        code = rule_called.__code__
        copy = FunctionType(code, scope, rule_called.__name__, rule_called.__defaults__, rule_called.__closure__)
        copy.__module__, copy.__qualname__, copy.__doc__ = module, rule_called.__qualname__, rule_called.__doc__
        copies[rule_called] = rule(copy)
        names, known = names_in(code), rule_called.__globals__
        scope.update({name: known[name] for name in names if name in known})
        scope.update(
            {name: copied(value) for name, value in scope.items() if isinstance(value, FunctionType) and is_rule(value)}
        )
        scope |= {"__name__": module, "__builtins__": known["__builtins__"]}
        return copy

    found: F = copied(function)
    return found


def names_in(code: CodeType) -> set[str]:
    """Every name that some code mentions, its inner functions included."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= names_in(constant)
    return names
