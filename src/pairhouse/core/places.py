"""Where things are kept on this machine."""

import os
import sys
from pathlib import Path


def cache_root() -> Path:
    """For what can be made again: `PAIRHOUSE_CACHE`, or the user's cache folder."""
    given = os.environ.get("PAIRHOUSE_CACHE")
    return Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pairhouse"


def data_root() -> Path:
    """For what must not be lost: `PAIRHOUSE_DATA`, or the user's data folder."""
    given = os.environ.get("PAIRHOUSE_DATA")
    if given:
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "pairhouse"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "pairhouse"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "pairhouse"
