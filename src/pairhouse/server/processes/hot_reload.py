"""`pairhouse serve FILE --watch`: a house that begins anew whenever the file of its game is saved.

Whoever watches has loaded the program, never the file, and starts no thread: each house is forked from it, where the
system can, and so is ready at once.
"""

import runpy
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from multiprocessing import Process, get_all_start_methods, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import given, read_source

LOOK_S = 0.05
CAN_FORK = "fork" in get_all_start_methods()
LOADED = ("pairhouse.server.run", "pairhouse.server.app")


def stamps(files: Sequence[Path]) -> list[tuple[str, int]]:
    """Every Python file beside those that are watched, with the time of its last change."""
    beside = {found for file in files for found in file.parent.glob("*.py")}
    return sorted((str(found), found.stat().st_mtime_ns) for found in beside if found.exists())


def serve_and_reload(games: Sequence[str], words: Sequence[str], *, has_books: bool) -> None:
    """Serve in a process of its own; end it and begin anew when a file has changed.

    A file that cannot be loaded is told, and the house goes on with what it had. Without a database of its own every
    house begins with new books: rounds of other rules could not be replayed.
    """
    files = [Path(read_source(game)[1][0]) for game in games]
    plain = [word for word in words if word != "--watch"]
    if not any(word.startswith("--workers") for word in plain):
        plain += ["--workers", "0"]  # one process is ready sooner, and enough for somebody who designs
    for module in LOADED if CAN_FORK else ():
        import_module(module)
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="pairhouse-watch-") as folder:
        house: BaseProcess | None = None
        seen: list[tuple[str, int]] = []
        number = 0
        try:
            while True:
                now = stamps(files)
                if now != seen and _can_be_loaded(games):
                    _stop(house)
                    number += 1
                    books = [] if has_books else ["--db", f"sqlite:///{folder}/books-{number}.db"]
                    house = _process(_serve, [*plain, *books])
                seen = now
                time.sleep(LOOK_S)
        except KeyboardInterrupt:
            pass
        finally:
            _stop(house)


def _can_be_loaded(games: Sequence[str]) -> bool:
    """Whether every game can be loaded, tried in a process of its own, which says why not."""
    trial = _process(_try, games)
    trial.join()
    return trial.exitcode == 0


def _process(target: Callable[..., None], *given: Any) -> BaseProcess:
    """A process that does this, begun."""
    made: BaseProcess = (get_context("fork").Process if CAN_FORK else Process)(target=target, args=given)
    made.start()
    return made


def _serve(words: Sequence[str]) -> None:
    """A house with this command line."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.argv = ["pairhouse", *words]
    runpy.run_module("pairhouse", run_name="__main__")


def _try(games: Sequence[str]) -> None:
    try:
        for words in games:
            given(words).variant()
    except Refused as refused:
        sys.stderr.write(f"pairhouse: {refused}.\n")
        sys.exit(2)


def _stop(house: BaseProcess | None) -> None:
    if house is not None and house.is_alive():
        house.terminate()
        house.join(timeout=3)
        if house.is_alive():
            house.kill()
            house.join()
