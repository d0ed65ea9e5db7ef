"""Puts a backup back. The next house that opens it begins a new epoch: see `house/epoch/old_books.py`."""

import os
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import inspect
from sqlalchemy.exc import SQLAlchemyError

from pairhouse.core.errors import Refused
from pairhouse.house.backup import postgresql_tools
from pairhouse.house.backup.manifest import Manifest, read_manifest, sync
from pairhouse.house.epoch import books_epoch
from pairhouse.house.epoch.closed import check_closed
from pairhouse.house.epoch.seen import SeenBooks, SeenFolder, folder_of
from pairhouse.house.store.chain import HEADS
from pairhouse.house.store.database import Database, StoreFailed, Tx
from pairhouse.house.store.migrate import known_revisions

UNKNOWN_BOOKS = "unknown"


class Restored(NamedTuple):
    """A backup that was put back, and where the file is that it replaced, if there was one."""

    manifest: Manifest
    replaced: Path | None


class Present(NamedTuple):
    """The books that are there already: their id, and the last event of each chain."""

    id: str
    chains: Mapping[str, tuple[int, str]]


def restore(folder: Path, database: Database, replace: str | None) -> Restored:
    """Put a backup back in the place of a database that is closed.

    Books that are newer than the backup, or other books, are replaced only if their id is given as `replace`.
    """
    manifest = read_manifest(folder)
    if manifest.database != database.kind:
        sentence = f"{folder} is a backup of {manifest.database}; the database given is {database.kind}"
        raise Refused("bad-backup", f"{sentence}, and one cannot be put into the other")
    if manifest.schema not in known_revisions():
        sentence = f"{folder} was made by version {manifest.version}, whose schema this version does not know"
        raise Refused("bad-backup", f"{sentence}; restore it with that version or a newer one")
    seen = SeenFolder(folder_of(database.url))
    check_closed(database, seen)
    _check_replaceable(_present(database), manifest, replace)
    before = seen.books()
    _announce(seen, before, manifest)
    try:
        return Restored(manifest, _put_back(folder / manifest.file, database))
    except Refused:
        seen.remember_again(before)
        raise


def _put_back(file: Path, database: Database) -> Path | None:
    """Put the file of a backup in the place of the database; where the file is that it replaced."""
    if database.is_sqlite:
        return _put_back_file(file, Path(str(database.url.database)))
    words = ["--clean", "--if-exists", "--no-owner", "--single-transaction", "--exit-on-error"]
    postgresql_tools.run("pg_restore", database.url, [*words, str(file)])
    return None


def _present(database: Database) -> Present | None:
    """The books in the place of which a backup shall be put; None if there are none."""
    if database.is_sqlite and not Path(str(database.url.database)).exists():
        return None
    try:
        with database.engine_connection() as connection:
            tables = set(inspect(connection).get_table_names())
        if not tables:
            return None
        if not {"epochs", "events", "ties", "signed_log"} <= tables:
            return Present(UNKNOWN_BOOKS, {})
        with database.reading() as tx:
            return _read_present(tx)
    except (StoreFailed, SQLAlchemyError):
        return Present(UNKNOWN_BOOKS, {})  # damaged; whoever says so may replace it
    finally:
        database.close()


def _read_present(tx: Tx) -> Present:
    here = books_epoch(tx)
    chains = {chain: (int(number), str(seal)) for chain, number, seal in tx.all(HEADS, {})}
    return Present(here.id, chains)


def _check_replaceable(present: Present | None, manifest: Manifest, replace: str | None) -> None:
    if present is None or replace == present.id:
        return
    if present.id == UNKNOWN_BOOKS:
        sentence = "the database holds something that cannot be read as books"
    elif present.id != manifest.books:
        sentence = f"the database holds other books ({present.id}) than {manifest.words}"
    elif all(_has(manifest, chain, end) for chain, end in present.chains.items()):
        return
    else:
        sentence = f"the database is newer than {manifest.words}: what happened since would be lost"
    raise Refused("newer-books", f"{sentence}; make a backup of it, then give --replace {present.id}")


def _has(manifest: Manifest, chain: str, end: tuple[int, str]) -> bool:
    """Whether a backup has a chain as far as the books do."""
    number, seal = manifest.chains.get(chain, (0, ""))
    return number > end[0] or (number, seal) == end


def _announce(seen: SeenFolder, before: SeenBooks | None, manifest: Manifest) -> None:
    """Have the next opening begin a new epoch; on disk before the database is touched."""
    epoch = max(manifest.epoch, before.epoch if before is not None and before.id == manifest.books else 0)
    seen.remember(SeenBooks(manifest.books, epoch, f"restored from the backup of {manifest.made_at}"))


def _put_back_file(source: Path, target: Path) -> Path | None:
    """Copy the file beside its place, force it to the disk, and exchange it for the one that is there."""
    new = target.with_name(f".{target.name}.restoring")
    replaced = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, new)
        new.chmod(0o600)
        sync(new)
        if target.exists():
            replaced = target.with_name(f"{target.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}")
            for ending in ("-wal", "-shm"):
                beside = target.with_name(target.name + ending)
                if beside.exists():
                    os.replace(beside, replaced.with_name(replaced.name + ending))
            os.replace(target, replaced)
        os.replace(new, target)
        sync(target.parent)
    except OSError as error:
        raise Refused("bad-file", f"{target} cannot be written: {error.strerror}") from None
    return replaced
