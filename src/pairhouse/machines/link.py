"""Translate a rule book to machine code, unchanged: each rule is compiled with the machine's verbs in place of ours.

`link` copies a rule with a new set of globals in which every table verb is the machine's own compiled function and
every other rule is linked likewise. Nothing is registered process-wide, so several machines (and a test that alters
one rule) live side by side, and the same code serves the CPU and, with another `jit`, CUDA.
"""

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from pairhouse.core.rule import is_rule, names_in
from pairhouse.core.session_rules import is_from_session

Function = Callable[..., Any]


def link(
    function: Function,
    verbs: Mapping[Function, Function],
    jit: Callable[[Function], Function],
    outer_jit: Callable[[Function], Function] | None = None,
    constant: Callable[[Any], Any] = lambda value: value,
) -> Function:
    """The compiled twin of a rule as it stands now, for a machine with these verbs.

    `outer_jit` compiles the function itself where it should be treated otherwise than the rules it calls;
    `constant` says what a global that is not a function becomes.
    """
    linker = _Linker(verbs, jit, constant)
    return outer_jit(linker.copy(function)) if outer_jit is not None else linker.link(function)


def calls(function: Function, verb: Function) -> bool:
    """Whether a rule calls a verb, itself or by another rule."""
    waiting, met = [function], {function}
    while waiting:
        rule = waiting.pop()
        for value in (rule.__globals__.get(name) for name in names_in(rule.__code__)):
            if value is verb:
                return True
            if isinstance(value, FunctionType) and is_rule(value) and value not in met:
                met.add(value)
                waiting.append(value)
    return False


class _Linker:
    def __init__(
        self,
        verbs: Mapping[Function, Function],
        jit: Callable[[Function], Function],
        constant: Callable[[Any], Any],
    ) -> None:
        self.jit, self.constant = jit, constant
        self.linked: dict[Function, Function] = dict(verbs)

    def link(self, function: Function) -> Function:
        if function not in self.linked:
            self.linked[function] = self.jit(self.copy(function))
        return self.linked[function]

    def copy(self, function: Function) -> Function:
        if not isinstance(function, FunctionType):
            raise TypeError(f"{function!r} is not a Python function and cannot be compiled")
        names = names_in(function.__code__)
        scope = {name: self._resolve(value) for name, value in function.__globals__.items() if name in names}
        # Compiled code that is read back from disk imports the module of each function it was made of: one that was
        # defined in a session gets ours.
        module = __name__ if is_from_session(function) else function.__module__
        scope |= {"__name__": module, "__builtins__": __builtins__}
        copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
        copy.__module__, copy.__qualname__ = module, function.__qualname__
        return copy

    def _resolve(self, value: Any) -> Any:
        if isinstance(value, FunctionType) and (value in self.linked or is_rule(value)):
            return self.link(value)
        return self.constant(value)
