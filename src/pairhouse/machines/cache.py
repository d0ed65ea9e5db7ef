"""Compiled rule books kept on disk, so that a second process starts at once.

numba's own cache does not notice when a rule in another file changes. Here every folder is named after the hash of all
source that goes into it, so a changed rule finds an empty folder, and an old one is never read.
"""

import hashlib
import platform
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba

from pairhouse.core.fingerprint import fingerprint
from pairhouse.core.places import cache_root

Function = Callable[..., Any]


@lru_cache(maxsize=64)
def folder(*modules: str) -> Path:
    """The folder for what is compiled from these modules and all they import, on this machine."""
    digest = hashlib.sha256(f"{numba.__version__} {platform.machine()} {platform.python_version()}".encode())
    for module in modules:
        digest.update(fingerprint(module, {}).encode())
    return cache_root() / digest.hexdigest()[:24]


def cached_jit(name: str, *modules: str, **options: Any) -> Callable[[Function], Function]:
    """A `jit` whose result is kept on disk under a name, as long as the source of these modules stays the same."""

    def jit(function: Function) -> Function:
        place = folder(*modules) / name
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError:
            return numba.njit(**options)(function)  # type: ignore[no-any-return]
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(place)
        try:
            return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
        finally:
            numba.config.CACHE_DIR = before

    return jit
