"""Makes a backup while the house is open: SQLite's own online copy, or pg_dump in one snapshot."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import func, select, text

from pairhouse.core.errors import Refused
from pairhouse.house.backup import postgresql_tools
from pairhouse.house.backup.manifest import FILES, FORMAT, Manifest, sha256_of, sync, write_manifest
from pairhouse.house.epoch import books_epoch
from pairhouse.house.store.chain import HEADS
from pairhouse.house.store.database import Database, Tx
from pairhouse.house.store.schema import events
from pairhouse.version import __version__

_COUNT = select(func.count()).select_from(events)
_SCHEMA = text("SELECT version_num FROM alembic_version")


def make_backup(database: Database, folder: Path) -> Manifest:
    """Write one state of the books to a new folder. It appears under its name when it is complete."""
    if folder.exists():
        raise Refused("bad-folder", f"{folder} is there already; give the name of a new folder")
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    try:
        part.mkdir(mode=0o700, parents=True)
        manifest = _write_all(database, part)
        part.rename(folder)
        sync(folder.parent)
    except OSError as error:
        raise Refused("bad-folder", f"the backup cannot be written to {folder}: {error.strerror}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return manifest


def _write_all(database: Database, folder: Path) -> Manifest:
    path = folder / FILES[database.kind]
    with (_copied if database.is_sqlite else _dumped)(database, path) as tx:
        here = books_epoch(tx)
        schema, count = str(tx.value(_SCHEMA, {})), int(tx.value(_COUNT, {}))
        chains = {chain: (int(number), str(seal)) for chain, number, seal in tx.all(HEADS, {})}
    path.chmod(0o600)
    sync(path)
    manifest = Manifest(
        format=FORMAT,
        books=here.id,
        epoch=here.epoch,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
        schema=schema,
        database=database.kind,
        file=path.name,
        bytes=path.stat().st_size,
        sha256=sha256_of(path),
        events=count,
        chains=chains,
    )
    write_manifest(folder, manifest)
    sync(folder)
    return manifest


@contextmanager
def _copied(database: Database, path: Path) -> Iterator[Tx]:
    """SQLite's online copy, which writers go on beside; read from the copy itself, after its pages were checked."""
    with closing(database.connect(reading=True)) as source, closing(sqlite3.connect(path)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
        found = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            raise Refused("bad-books", f"the database is damaged, so there is no backup of it: {found}")
        yield Tx(database.cursor(copy), "sqlite")


@contextmanager
def _dumped(database: Database, path: Path) -> Iterator[Tx]:
    """pg_dump in the very snapshot that the manifest is read from."""
    with database.reading() as tx:
        snapshot = str(tx.value(text("SELECT pg_export_snapshot()"), {}))
        words = ["--format=custom", f"--snapshot={snapshot}", f"--file={path}"]
        postgresql_tools.run("pg_dump", database.url, words)
        yield tx
