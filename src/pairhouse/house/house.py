"""A house: its database, writers, vault, dealer and pit, opened together."""

from collections.abc import Callable
from typing import Any

from pairhouse.core.places import data_root
from pairhouse.house.floor import furnish
from pairhouse.house.reading import Books
from pairhouse.house.store.database import Database
from pairhouse.house.store.migrate import migrate
from pairhouse.house.store.writer import Command, Writers, now_ms
from pairhouse.house.vault import Vault


def default_url() -> str:
    return f"sqlite:///{data_root() / 'house.db'}"


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
