"""Let the compiler see a rule book whole: rules reach the loop they are laid into before machine code is made of them.

numba makes machine code of every function as soon as it is compiled, which rewrites the function in a way that later
keeps a loop around it from running several rounds at once. Here a copy is put aside first, and that copy is laid into
the loop. Where numba's inside is not as expected nothing is changed, and loops are merely slower.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from numba.core import codegen

_one_at_a_time = Lock()


def _put_aside(library: Any) -> None:
    """Keep a copy of a function's optimised form, to be linked into others."""
    module = library._final_module.clone()
    own = [f.name for f in library._final_module.functions if not f.is_declaration and f.linkage.name == "external"]
    for name in own:
        module.get_function(name).linkage = "linkonce_odr"
    library._shared_module = module


@contextmanager
def seen_whole() -> Iterator[None]:
    """While this is open, functions that are compiled keep a clean copy for the loops they are laid into."""
    library = getattr(codegen, "CPUCodeLibrary", None)
    optimise = getattr(library, "_optimize_final_module", None)
    if library is None or optimise is None:
        yield
        return

    def optimise_and_keep(self: Any) -> None:
        optimise(self)
        if getattr(self, "_shared_module", self) is None:
            _put_aside(self)

    with _one_at_a_time:
        library._optimize_final_module = optimise_and_keep
        try:
            yield
        finally:
            library._optimize_final_module = optimise
