"""A house: its database, writers, vault, dealer, pit and signed log, opened together."""

import os
from collections.abc import Callable
from functools import partial
from typing import Any

from pairhouse.core.errors import Refused, shown
from pairhouse.core.places import data_root
from pairhouse.house.care.policy import NO_POLICY, Policy
from pairhouse.house.epoch.old_books import EpochKeeper
from pairhouse.house.epoch.seen import SeenFolder, folder_of
from pairhouse.house.floor import ROUND_MS_MOST, check_pace_setting
from pairhouse.house.furnishing import furnish
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.log_keeper import LogKeeper
from pairhouse.house.reading import Books
from pairhouse.house.sealing_key import SealOptions
from pairhouse.house.store.database import Database
from pairhouse.house.store.migrate import migrate
from pairhouse.house.store.writer import Command, Writers, now_ms
from pairhouse.house.vault import Vault

ROUND_TIME_VARIABLE = "PAIRHOUSE_MIN_ROUND_TIME"  # seconds


def default_url() -> str:
    return f"sqlite:///{data_root() / 'house.db'}"


def round_ms_of(seconds: str | float | None) -> int | None:
    """The least time between two rounds of a player, in milliseconds, from seconds; None leaves it to the tables."""
    if seconds is None or seconds == "":
        return None
    try:
        return check_pace_setting(round(float(seconds) * 1000))
    except (ValueError, OverflowError):
        accepted = f"give seconds from 0 to {ROUND_MS_MOST // 1000}"
        raise Refused("bad-pace", f"a minimum round time of {shown(seconds)} is not possible; {accepted}") from None


class House(Books):
    """A house that is open: its books, and the writer that adds to them. Any number may share one PostgreSQL.

    `round_ms_min` is the least time between two rounds of a player at any table, in place of the tables' own.
    A house that deals keeps what it has seen of the books outside them, so that it recognises old ones (`epoch/`).
    """

    def __init__(
        self,
        url: str | None = None,
        clock: Callable[[], int] = now_ms,
        vault: Vault | None = None,
        sealing: SealOptions | None = None,
        policy: Policy = NO_POLICY,
        round_ms_min: int | None = None,
        *,
        deals: bool = True,
    ) -> None:
        database = Database(url or default_url())
        migrate(database)
        super().__init__(database, clock, vault, policy)
        given = round_ms_of(os.environ.get(ROUND_TIME_VARIABLE))
        self.pit.round_ms_min = given if round_ms_min is None else round_ms_min
        try:
            self.log = LogKeeper(database, clock, sealing or SealOptions.from_environment())
        except Refused:
            database.close()
            raise
        seen = SeenFolder(folder_of(database.url))
        watch = EpochKeeper(seen, self.vault, self.pit, self.log.enter_epoch) if deals else None
        self.writers = Writers(database, self.log.certifier, clock, watch=watch)
        try:
            self.log.begin(self.do)
            self.do(partial(furnish, live=LiveFloor(self.vault, self.pit.guard)))
            self.log.sign_new_epoch()
        except BaseException:
            self.writers.close()
            self.log.let_go()
            super().close()
            raise

    def do(self, command: Command) -> Any:
        """Run a command now and wait until it is on disk."""
        return self.writers.do(command)

    def close(self) -> None:
        """Finish what was begun, sign the log, then leave."""
        self.log.close()
        self.writers.close()
        super().close()
