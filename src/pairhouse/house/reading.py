"""The books of a house, open for reading."""

from collections.abc import Callable
from pathlib import Path

from pairhouse.house.care.policy import NO_POLICY, Policy
from pairhouse.house.dealer import Dealer
from pairhouse.house.pit import Pit
from pairhouse.house.store.database import Database
from pairhouse.house.store.writer import now_ms
from pairhouse.house.vault import Vault, find_vault


class Books:
    """A database, the vault its seeds are sealed with, and the rounds in it."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], int] = now_ms,
        vault: Vault | None = None,
        policy: Policy = NO_POLICY,
    ) -> None:
        self.database = database
        self.clock = clock
        self.vault = vault or find_vault(self._key_file())
        self.dealer = Dealer(self.vault)
        self.pit = Pit(self.dealer, policy)

    def _key_file(self) -> Path | None:
        """Beside an SQLite file; a database server needs a key from the environment."""
        if not self.database.is_sqlite:
            return None
        path = Path(str(self.database.url.database))
        return path.with_name(path.name + ".key")

    def close(self) -> None:
        """Close what readers have left open."""
        self.database.close()
