"""`kill -9` of dealers, workers and PostgreSQL under a crowd at live tables: nothing acknowledged is lost or doubled.

`make test-live-faults` asks for a hundred kills on each database (PAIRHOUSE_LIVE_KILLS); the suite takes three.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from direct_house import new_database
from live_kills import Killings, open_live_tables
from pairhouse.house.sealing_key import KEY_VARIABLE
from postgres import start
from servers import audit_of

KILLS = int(os.environ.get("PAIRHOUSE_LIVE_KILLS", "3"))
SEED = int(os.environ.get("PAIRHOUSE_FAULT_SEED", "1"))
GOES_ON_S = 5.0 if KILLS > 3 else 20.0  # beside the whole suite there may be no time for a dealer


@pytest.fixture
def postgres() -> Iterator[Any]:
    """A server of its own, with everything written to the disk, that a test may kill."""
    folder = Path(tempfile.mkdtemp(prefix="pairhouse-pg-"))
    folder.chmod(0o755)
    started = start(folder)
    yield started
    started.stop()
    shutil.rmtree(folder, ignore_errors=True)


def killed(killings: Killings, folder: Path) -> None:
    asyncio.run(killings.run(KILLS))
    killings.check_books()
    print(f"\n{KILLS} kills: {killings.told()}")  # noqa: T201
    assert killings.count["bet"] > 2 * KILLS
    done = audit_of(killings.url, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout)  # noqa: T201
    assert max(killings.went_on_s) < GOES_ON_S, sorted(killings.went_on_s)[-5:]


def test_one_house_on_sqlite(tmp_path: Path) -> None:
    url = new_database("sqlite", tmp_path)
    open_live_tables(url)
    killed(Killings(url, tmp_path, SEED, 1), tmp_path)


@pytest.mark.slow
def test_two_houses_on_postgresql(postgres: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables go on while one of two houses is gone, and when PostgreSQL loses a process and recovers."""
    monkeypatch.setenv(
        KEY_VARIABLE, str(tmp_path / "sealing.key")
    )  # other servers of the tests have a database so named
    new_database("sqlite", tmp_path)  # sets the key that seeds are sealed with
    url = str(postgres.get_uri())
    open_live_tables(url)
    killed(Killings(url, tmp_path, SEED, 2, postgres), tmp_path)
