"""The house: its books, its writers, its vault and its pit, opened together."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pairhouse.casino.floor import furnish
from pairhouse.casino.pit import Pit
from pairhouse.casino.seats import Dealer
from pairhouse.casino.store.database import Database
from pairhouse.casino.store.migrate import migrate
from pairhouse.casino.store.writer import Command, Writers, now_ms
from pairhouse.casino.vault import Vault, find_vault

DATA_VARIABLE = "PAIRHOUSE_DATA"


def data_folder() -> Path:
    """Where the embedded house keeps its file: under the user's data folder, unless PAIRHOUSE_DATA says otherwise."""
    given = os.environ.get(DATA_VARIABLE)
    if given:
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "pairhouse"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "pairhouse"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "pairhouse"


def default_url() -> str:
    return f"sqlite:///{data_folder() / 'house.db'}"


class House:
    """A house that is open. Any number of them may share one PostgreSQL database."""

    def __init__(self, url: str | None = None, clock: Callable[[], int] = now_ms, vault: Vault | None = None) -> None:
        self.database = Database(url or default_url())
        migrate(self.database)
        self.clock = clock
        self.vault = vault or find_vault(self._key_file())
        self.dealer = Dealer(self.vault)
        self.pit = Pit(self.dealer)
        self.writers = Writers(self.database, clock)
        self.do(furnish)

    def _key_file(self) -> Path | None:
        """Beside an SQLite file; a database server needs a key from the environment."""
        if not self.database.is_sqlite:
            return None
        path = Path(str(self.database.url.database))
        return path.with_name(path.name + ".key")

    def do(self, command: Command) -> Any:
        """Run a command now and wait until it is on disk."""
        return self.writers.do(command)

    def close(self) -> None:
        """Finish what was begun, then leave."""
        self.writers.close()
