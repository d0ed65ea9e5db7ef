"""A house: its database, writers, vault, dealer and pit, opened together."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pairhouse.core.places import data_root
from pairhouse.house.dealer import Dealer
from pairhouse.house.floor import furnish
from pairhouse.house.pit import Pit
from pairhouse.house.store.database import Database
from pairhouse.house.store.migrate import migrate
from pairhouse.house.store.writer import Command, Writers, now_ms
from pairhouse.house.vault import Vault, find_vault


def default_url() -> str:
    return f"sqlite:///{data_root() / 'house.db'}"


class Books:
    """The books of a house, open for reading: database, vault, and the rounds in them."""

    def __init__(self, database: Database, clock: Callable[[], int] = now_ms, vault: Vault | None = None) -> None:
        self.database = database
        self.clock = clock
        self.vault = vault or find_vault(self._key_file())
        self.dealer = Dealer(self.vault)
        self.pit = Pit(self.dealer)

    def _key_file(self) -> Path | None:
        """Beside an SQLite file; a database server needs a key from the environment."""
        if not self.database.is_sqlite:
            return None
        path = Path(str(self.database.url.database))
        return path.with_name(path.name + ".key")

    def close(self) -> None:
        """Close what readers have left open."""
        self.database.close()


class House(Books):
    """A house that is open: its books, and the writer that adds to them. Any number may share one PostgreSQL."""

    def __init__(self, url: str | None = None, clock: Callable[[], int] = now_ms, vault: Vault | None = None) -> None:
        database = Database(url or default_url())
        migrate(database)
        super().__init__(database, clock, vault)
        self.writers = Writers(database, clock)
        self.do(furnish)

    def do(self, command: Command) -> Any:
        """Run a command now and wait until it is on disk."""
        return self.writers.do(command)

    def close(self) -> None:
        """Finish what was begun, then leave."""
        self.writers.close()
        super().close()
