"""The memory of a GPU thread: plain addresses, and constants that are read rather than branched over.

numba makes a branch for each item of a constant tuple, and asks of every index of an array whether it is negative.
Threads that run in step would walk through all those branches one after another. Under numba's simulator of a GPU
everything is plain Python.
"""

from importlib import import_module
from typing import Any

from numba import config

from pairhouse.machines.link import Function

try:
    from numba import cuda as numba_cuda
except (ImportError, AttributeError):  # an extra; and it asks for a name that numpy 2.5 has dropped
    numba_cuda = None

cuda: Any = numba_cuda
SIMULATED = bool(getattr(config, "ENABLE_CUDASIM", False))


class Lookup:
    """A row of constants of a rule book."""

    def __init__(self, items: tuple[int, ...]) -> None:
        self.items = items

    def __getitem__(self, at: int) -> int:
        return self.items[at]


def constant(value: Any) -> Any:
    """A global of a rule book as compiled code should see it."""
    if type(value) is tuple and len(value) > 2 and all(type(item) is int for item in value):
        return Lookup(value)
    return value


def _pointed(array: Any) -> Any:
    """An array as it is handed on."""
    return array


def _row_of(rows: Any, row: int) -> Any:
    """A row of the felt."""
    return rows[row]


def _stay_apart() -> None:
    """Keep the function that calls this from being inlined: it is called rarely, and its callers are to stay small."""


def _compiled(plain: Function) -> Function:
    """The intrinsic of the same name for a real GPU, where there is a compiler for one."""
    if SIMULATED:
        return plain
    try:
        words = import_module("pairhouse.machines.simulate.gpu_intrinsics")
    except ImportError:
        return plain
    return getattr(words, plain.__name__.removeprefix("_"))


pointed, row_of, stay_apart = _compiled(_pointed), _compiled(_row_of), _compiled(_stay_apart)
READY = SIMULATED or pointed is not _pointed  # whether there is a compiler for a GPU, or a simulator of one
