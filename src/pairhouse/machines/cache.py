"""Compiled rule books on disk, so that a second process need not compile them.

numba's own cache does not notice when a rule in another file changes, and writes beside the source. Here every folder
is named after the hash of all source that goes into it, so a changed rule finds an empty folder. No other module asks
numba for its cache.
"""

import hashlib
import os
import platform
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from pairhouse.core.fingerprint import fingerprint, rules_digest, session_digest
from pairhouse.core.places import cache_root

Function = Callable[..., Any]
PACKAGE = __name__.partition(".")[0] + "."
ROOMS = ("analysis", "core", "games", "machines", "rounds")
PRINTS_KEPT = 3
FOLDERS_KEPT = 256  # of compiled rules, a third of a megabyte each: a game has several, and each of its versions
SESSION = "session:"
Source = str | Function  # a module, or a rule: its module, or the rule itself where it was defined in a session


def source_name(source: Source) -> str:
    """The module of a rule; or, for one that was defined in a session, the hash of what it is now."""
    if isinstance(source, str):
        return source
    digest = session_digest(source)
    return f"{SESSION}{digest}" if digest else source.__module__


def is_ours(rule: Function) -> bool:
    """Whether a rule stands in a file of the package."""
    return rule.__module__.startswith(PACKAGE)


def rules_source(rule: Function, kinds: Sequence[type]) -> str:
    """A source that is a rule of somebody's file with all it refers to, linked for these kinds of happening.

    What is compiled names the modules it was made of, so the same rules in a file of another name are another source.
    """
    modules = sorted({rule.__module__, *(kind.__module__ for kind in kinds)})
    return f"{SESSION}{rules_digest(rule, list(kinds))} {' '.join(modules)}"


@lru_cache(maxsize=64)
def folder(*sources: str) -> Path:
    """The folder for what is compiled from these sources (by name) and all they import, on this machine."""
    digest = hashlib.sha256(f"{version('numba')} {platform.machine()} {platform.python_version()}".encode())
    for source in sources:
        digest.update(_fingerprint(source).encode())
    return cache_root() / digest.hexdigest()[:24]


def _fingerprint(source: str) -> str:
    """The hash of a module and all it imports, noted on disk for the next process: that saves parsing them again."""
    if source.startswith(SESSION):
        return source
    if not source.startswith(PACKAGE):
        return fingerprint(source, {})
    place = cache_root() / f"prints-{source_hash()[:24]}"
    try:
        noted = (place / source).read_text("ascii")
        if len(noted) == 64:
            return noted
    except (OSError, UnicodeDecodeError):
        pass
    found = fingerprint(source, {})
    if in_use(place, "prints-*", PRINTS_KEPT):
        with suppress(OSError):
            with NamedTemporaryFile("w", dir=place, prefix="writing-", delete=False) as new:
                new.write(found)
            os.replace(new.name, place / source)
    return found


@lru_cache(maxsize=1)
def source_hash() -> str:
    """A hash of every source file that results may come from; the rooms above them only ask for results."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for file in sorted(file for room in ROOMS for file in (package / room).rglob("*.py")):
        digest.update(f"{file.relative_to(package).as_posix()} ".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def cached_jit(name: str, *sources: Source, **options: Any) -> Callable[[Function], Function]:
    """A `jit` whose result is kept on disk under a name, as long as these sources stay the same."""

    def jit(function: Function) -> Function:
        import numba  # noqa: PLC0415 (modules that only look up folders must not load the compiler)

        home = folder(*map(source_name, sources))
        place = home / name
        if not in_use(home, "[0-9a-f]" * 24, FOLDERS_KEPT, place):
            return numba.njit(**options)(function)
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(place)
        try:
            return numba.njit(cache=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = before

    return jit


def in_use(place: Path, pattern: str, limit: int, inner: Path | None = None) -> bool:
    """Make a folder, or mark it as used now; False where nothing can be written.

    Of the folders beside it that fit the pattern only so many stay, those used last.
    """
    try:
        new = not place.exists()
        (inner or place).mkdir(parents=True, exist_ok=True)
        os.utime(place)
        if new:
            by_age = sorted(place.parent.glob(pattern), key=lambda folder: folder.stat().st_mtime)
            for old in by_age[:-limit]:
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return False
    return True
