"""The database file and what SQLite writes beside it are for their owner only."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pairhouse.house.house import House
from pairhouse.house.store.database import Database
from pairhouse.house.vault import KEY_VARIABLE


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


def test_nobody_else_may_read_a_new_database_or_an_old_one(
    open_umask: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    house = House(f"sqlite:///{tmp_path}/house.db")
    assert set(modes(tmp_path)) >= {"house.db", "house.db-wal", "house.db-shm", "house.db.key"}
    private = {name for name, mode in modes(tmp_path).items() if mode == 0o600}
    assert private >= {"house.db", "house.db-wal", "house.db-shm", "house.db.key"}
    house.close()
    (tmp_path / "house.db").chmod(0o664)
    house = House(f"sqlite:///{tmp_path}/house.db")
    private = {name for name, mode in modes(tmp_path).items() if mode == 0o600}
    assert private >= {"house.db", "house.db-wal", "house.db-shm", "house.db.key"}
    house.close()


def test_a_connection_drops_no_lock_of_another(tmp_path: Path) -> None:
    """The system drops all locks of a process on a file when any of its descriptors is closed: books were lost so."""
    path = tmp_path / "house.db"
    database = Database(f"sqlite:///{path}")
    first = database.connect()
    first.execute("CREATE TABLE plain (id INTEGER)")
    before = locks_on(path)
    assert before
    database.connect(reading=True).close()
    assert locks_on(path) >= before
    first.close()


def locks_on(path: Path) -> set[str]:
    """The locks of this process on a database and the file of its shared memory, as the system lists them."""
    files = {str(part.stat().st_ino) for part in (path, path.with_name("house.db-shm"))}
    lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return {" ".join(line[1:]) for line in lines if line[4] == str(os.getpid()) and line[5].split(":")[-1] in files}
