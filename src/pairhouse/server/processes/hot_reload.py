"""`pairhouse serve FILE --watch`: a house that begins anew whenever the file of its game is saved."""

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing import Process, get_all_start_methods, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import given, read_source

LOOK_S = 0.1
COMMAND = "import sys; from pairhouse.cli.main import main; sys.argv[0] = 'pairhouse'; main()"


def stamps(files: Sequence[Path]) -> list[tuple[str, int]]:
    """Every Python file beside those that are watched, with the time of its last change."""
    beside = {found for file in files for found in file.parent.glob("*.py")}
    return sorted((str(found), found.stat().st_mtime_ns) for found in beside if found.exists())


def serve_and_reload(games: Sequence[str], words: Sequence[str], *, has_books: bool) -> None:
    """Serve in a process of its own; when a file changes and can be loaded, end it and begin anew.

    A file that cannot be loaded is told, and the house goes on with what it had. Without a database of its own every
    house begins with new books: rounds of other rules could not be replayed.
    """
    files = [Path(read_source(game)[1][0]) for game in games]
    plain = [word for word in words if word != "--watch"]
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="pairhouse-watch-") as folder:
        house: subprocess.Popen[bytes] | None = None
        seen: list[tuple[str, int]] = []
        number = 0
        try:
            while True:
                now = stamps(files)
                if now != seen and _can_be_loaded(games):
                    _stop(house)
                    number += 1
                    books = [] if has_books else ["--db", f"sqlite:///{folder}/books-{number}.db"]
                    house = subprocess.Popen([sys.executable, "-c", COMMAND, *plain, *books])
                seen = now
                time.sleep(LOOK_S)
        except KeyboardInterrupt:
            pass
        finally:
            _stop(house)


def _can_be_loaded(games: Sequence[str]) -> bool:
    """Whether every game can be loaded, tried in a process of its own, which says why not."""
    if "fork" in get_all_start_methods():
        trial: BaseProcess = get_context("fork").Process(target=_try, args=(games,))
    else:
        trial = Process(target=_try, args=(games,))
    trial.start()
    trial.join()
    return trial.exitcode == 0


def _try(games: Sequence[str]) -> None:
    try:
        for words in games:
            given(words).variant()
    except Refused as refused:
        sys.stderr.write(f"pairhouse: {refused}.\n")
        sys.exit(2)


def _stop(house: "subprocess.Popen[bytes] | None") -> None:
    if house is not None and house.poll() is None:
        house.terminate()
        try:
            house.wait(timeout=3)
        except subprocess.TimeoutExpired:
            house.kill()
            house.wait()
