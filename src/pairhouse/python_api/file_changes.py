"""Forget a game that was loaded from a file, so that the file as it is now is loaded."""

import importlib
import sys
from pathlib import Path

from pairhouse.core.fingerprint import forget_sources
from pairhouse.games.catalogue import GAMES, SOURCES, read_source
from pairhouse.machines.cache import folder

_stamps: dict[str, int] = {}


def forget(source: str) -> None:
    """Forget the game of a file, where the file has changed since it was loaded, and every hash of its source."""
    is_file, (path, _) = read_source(source)
    file = Path(path).resolve()
    if not is_file or not file.is_file():
        return
    changed = file.stat().st_mtime_ns
    if _stamps.get(str(file), changed) != changed:
        sys.modules.pop(file.stem, None)
        for game_id in [each for each, known in SOURCES.items() if known.startswith(str(file))]:
            GAMES.pop(game_id, None)
            SOURCES.pop(game_id, None)
        importlib.invalidate_caches()
        forget_sources()
        folder.cache_clear()
    _stamps[str(file)] = changed
