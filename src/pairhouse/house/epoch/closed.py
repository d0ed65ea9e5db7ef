"""Whether a house is closed: some commands change its database as a whole, and nobody else may have it open."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from pairhouse.core.errors import Refused
from pairhouse.house.epoch.seen import SeenFolder
from pairhouse.house.store.database import Database

_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND backend_type = 'client backend'"
)


def check_closed(database: Database, seen: SeenFolder) -> None:
    """Refused while a house has its database open."""
    if database.is_sqlite:
        is_open = seen.is_in_use() or _is_locked(Path(str(database.url.database)))
    else:
        with database.reading() as tx:
            is_open = int(tx.value(_OTHERS, {})) > 0
        database.close()
    if is_open:
        raise Refused("house-open", "a house has this database open; stop it first")


def _is_locked(path: Path) -> bool:
    """Whether another process has an SQLite file open."""
    if not path.exists():
        return False
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
        except sqlite3.OperationalError:
            return True
        except sqlite3.DatabaseError:  # damaged: nobody can use it
            return False
    return False
