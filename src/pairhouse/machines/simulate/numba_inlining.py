"""Inline rules into the simulation loop before numba turns them into machine code (decision 18).

numba finishes every function as soon as it is compiled, in a way that later keeps a loop around it from running several
rounds at once. Within `clean_copies` each function keeps a copy from before that step, and the copy is inlined into the
loop. This replaces a private method of numba, so it is done for the versions it was tested with only; with any other
the loops are slower and give the same tallies.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numba
from numba.core import codegen

TESTED = (0, 61), (0, 69)  # versions of numba: from the first, to before the last; as in pyproject.toml

_one_at_a_time = Lock()


def is_tested() -> bool:
    """Whether this is a version of numba whose inside is known."""
    return TESTED[0] <= numba.version_info.short < TESTED[1]


def _keep_copy(library: Any) -> None:
    """Keep a copy of a function's optimised form, for other functions to inline."""
    module = library._final_module.clone()
    own = [f.name for f in library._final_module.functions if not f.is_declaration and f.linkage.name == "external"]
    for name in own:
        module.get_function(name).linkage = "linkonce_odr"
    library._shared_module = module


@contextmanager
def clean_copies() -> Iterator[None]:
    """While this is open, functions that are compiled keep a clean copy for the loops they are inlined into."""
    library = getattr(codegen, "CPUCodeLibrary", None)
    optimise = getattr(library, "_optimize_final_module", None)
    if library is None or optimise is None or not is_tested():
        yield
        return

    def optimise_and_keep(self: Any) -> None:
        optimise(self)
        if getattr(self, "_shared_module", self) is None:
            _keep_copy(self)

    with _one_at_a_time:
        library._optimize_final_module = optimise_and_keep
        try:
            yield
        finally:
            library._optimize_final_module = optimise
