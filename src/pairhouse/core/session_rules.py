"""Rules without a source file: typed at a prompt, in a notebook's cell, or made by `exec`.

Such a game is described by what its functions do: each function as syntax where its source is known, as the
interpreter's code where it is not, with the constants, classes and other functions it refers to. The description
changes when any of them changes. One made from the interpreter's code holds for that version of Python only.
"""

import ast
import dis
import enum
import functools
import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent
from typing import Any

from pairhouse.core.errors import Refused, shown
from pairhouse.core.rule import is_rule
from pairhouse.core.syntax import syntax_text

PLAIN = (bool, int, float, complex, str, bytes, Fraction, type(None), type(...), range)
SESSION_MODULES = ("__main__", "__mp_main__", "builtins")
# What Python itself writes into a dataclass or a named tuple; their fields are described by the annotations.
GENERATED = {
    "__init__", "__new__", "__repr__", "__eq__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__", "__setattr__",
    "__delattr__", "__getstate__", "__setstate__", "__getnewargs__", "__replace__", "__annotate_func__", "_make",
    "_replace", "_asdict",
}  # fmt: skip


# What things are made of; the first kind that fits.
PARTS: tuple[tuple[Any, Callable[[Any], Iterable[Any]]], ...] = (
    (enum.Enum, lambda member: [type(member), member.name, member.value]),
    ((tuple, list), lambda items: [type(items), *items]),
    ((set, frozenset), lambda items: sorted(items, key=repr)),
    (Mapping, lambda mapping: [part for pair in mapping.items() for part in pair]),
    (functools.partial, lambda partial: [partial.func, partial.args, partial.keywords]),
    (types.MethodType, lambda method: [method.__func__, method.__self__]),
    ((staticmethod, classmethod), lambda method: [method.__func__]),
    (property, lambda made: [made.fget]),
    (functools.cached_property, lambda made: [made.func]),
    (types.BuiltinFunctionType, lambda builtin: [str(builtin.__module__), builtin.__qualname__]),
)


def _parts(thing: Any) -> tuple[str, Iterable[Any]]:
    """A word for something, and what it is made of."""
    for kinds, parts in PARTS:
        if isinstance(thing, kinds):
            return type(thing).__name__, parts(thing)
    if is_dataclass(thing):
        values = [getattr(thing, field.name) for field in fields(thing) if field.compare]
        return "record", [type(thing), *values]
    for name in ("__wrapped__", "py_func"):  # a cache around a function, and a compiled function
        if callable(getattr(thing, name, None)):
            return name, [getattr(thing, name)]
    what = f"the rules refer to {shown(thing)}, of which no hash can tell whether it has changed"
    raise Refused("no-rules-hash", f"{what}; use numbers, text, tuples, named tuples, functions and classes")


def source_file(module: str | None) -> Path | None:
    """The source file of a module that can be imported; None where there is none."""
    if not module or module in SESSION_MODULES:
        return None
    try:
        spec = find_spec(module)
    except (ImportError, AttributeError, ValueError):
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)


def is_from_session(thing: Any) -> bool:
    """Whether a function or class stands in no source file that another process could import."""
    code = getattr(thing, "__code__", None)
    typed = code is not None and code.co_filename.startswith("<")
    return typed or source_file(getattr(thing, "__module__", None)) is None


def has_session_rules(game: Any) -> bool:
    """Whether any function that a game is made of was defined in a session."""
    parts = [getattr(game, field.name) for field in fields(game)]
    return any(isinstance(part, types.FunctionType) and is_from_session(part) for part in parts)


class Description:
    """Words that say what something is made of, and the modules with source files that it refers to.

    What stands in a module of `opened` is described by itself, as what was typed in a session is.
    """

    def __init__(self, thing: Any, opened: frozenset[str] = frozenset()) -> None:
        self.opened = opened
        self.words: list[str] = []
        self.modules: set[str] = set()
        self._numbers: dict[int, int] = {}
        self._described: list[Any] = []  # held, so that no other object gets the id of one of them
        self._add(thing)

    @property
    def digest(self) -> str:
        return sha256("\n".join(self.words).encode()).hexdigest()

    def _add(self, thing: Any) -> None:
        if isinstance(thing, PLAIN) and not isinstance(thing, enum.Enum):
            self.words.append(f"{type(thing).__name__} {thing!r}")
        elif id(thing) in self._numbers:
            self.words.append(f"the same as {self._numbers[id(thing)]}")
        else:
            self._numbers[id(thing)] = len(self._numbers)
            self._described.append(thing)
            self._add_new(thing)

    def _add_all(self, word: str, things: Iterable[Any]) -> None:
        self.words.append(f"{word} (")
        for thing in things:
            self._add(thing)
        self.words.append(")")

    def _add_new(self, thing: Any) -> None:
        if isinstance(thing, types.FunctionType):
            self._add_function(thing)
        elif isinstance(thing, type):
            self._add_class(thing)
        elif isinstance(thing, types.ModuleType):
            self._refer_to(thing.__name__, thing.__name__)
        elif hasattr(thing, "tobytes") and hasattr(thing, "dtype"):
            self.words.append(f"array {thing.dtype} {thing.shape} {sha256(thing.tobytes()).hexdigest()}")
        else:
            self._add_all(*_parts(thing))

    def _refer_to(self, module: str, name: str) -> None:
        """Something in a source file: its module is hashed as a whole."""
        self.words.append(name)
        self.modules.add(module)

    def _add_class(self, thing: type) -> None:
        has_file = source_file(thing.__module__) is not None and thing.__module__ not in self.opened
        if has_file or thing.__module__ in ("builtins", "typing"):
            self._refer_to(thing.__module__, f"{thing.__module__}.{thing.__qualname__}")
            return
        annotations = getattr(thing, "__annotations__", {})
        self.words.append(f"class {thing.__name__} {[(name, str(kind)) for name, kind in annotations.items()]}")
        self._add_all("bases", thing.__bases__)
        generated = GENERATED if is_dataclass(thing) or issubclass(thing, tuple) else set()
        for name, value in sorted(vars(thing).items()):
            if name not in generated and (name == "_field_defaults" or _is_described(name, value)):
                self.words.append(name)
                self._add(value)

    def _add_function(self, function: types.FunctionType) -> None:
        if not is_from_session(function) and function.__module__ not in self.opened:
            self._refer_to(function.__module__, f"{function.__module__}.{function.__qualname__}")
            return
        self.words.append(f"function {function.__name__} {'rule' if is_rule(function) else ''}")
        self.words.append(_source_of(function) or " ".join(code_words(function.__code__, function.__doc__)))
        self._add_all("defaults", [function.__defaults__, function.__kwdefaults__])
        for name, value in sorted(_names_used(function).items()):
            self.words.append(name)
            self._add(value)


def _is_described(name: str, value: Any) -> bool:
    """Whether an attribute of a class is part of the rules: its functions are, and its public constants."""
    if isinstance(value, types.FunctionType | property | staticmethod | classmethod | functools.cached_property):
        return True
    return not name.startswith("_") and not inspect.isdatadescriptor(value)


def _names_used(function: types.FunctionType) -> dict[str, Any]:
    """Every global and every variable of an outer function that a function uses, with its value now."""
    scope = inspect.getclosurevars(function).nonlocals if function.__closure__ else {}
    names = global_names(function.__code__)
    return {name: function.__globals__[name] for name in names if name in function.__globals__} | dict(scope)


def global_names(code: types.CodeType) -> set[str]:
    """The global names that some code reads, its inner functions included."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= global_names(constant)
    return names


def _source_of(function: Callable[..., Any]) -> str:
    """The syntax of a function, if its source is known and is that of the very code that runs; else nothing."""
    try:
        source = dedent(inspect.getsource(function))
        (tree,) = ast.parse(source).body
        compiled = compile(source, "<rules>", "exec", dont_inherit=True)
    except (OSError, TypeError, SyntaxError, ValueError):
        return ""
    code = function.__code__
    for inner in compiled.co_consts:
        if isinstance(inner, types.CodeType) and isinstance(tree, ast.FunctionDef) and inner.co_name == code.co_name:
            return syntax_text(source) if code_words(inner, None) == code_words(code, None) else ""
    return ""


def code_words(code: types.CodeType, docstring: str | None) -> list[str]:
    """What the interpreter runs: everything of a function's code but its place and its docstring."""
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    words = [code.co_code.hex(), repr(counts), repr(code.co_names), repr(code.co_varnames), repr(code.co_freevars)]
    words += [repr(code.co_cellvars), code.co_exceptiontable.hex()]
    for at, constant in enumerate(code.co_consts):
        if isinstance(constant, types.CodeType):
            words += code_words(constant, None)
        elif isinstance(constant, frozenset):
            words.append(repr(sorted(constant, key=repr)))
        else:
            words.append("" if at == 0 and constant == docstring else f"{type(constant).__name__} {constant!r}")
    return words
