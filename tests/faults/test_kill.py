"""`kill -9` under load, again and again: nothing acknowledged is lost, nothing is done twice, the books stay clean.

`make test-faults` asks for hundreds of kills (PAIRHOUSE_KILLS); the suite takes a few on each database.
"""

import asyncio
import os
from pathlib import Path

import pytest

from direct_house import DATABASES, new_database
from servers import audit_of, kill_at_random

KILLS = int(os.environ.get("PAIRHOUSE_KILLS", "5"))


@pytest.mark.parametrize("kind", DATABASES)
def test_killed_at_random_moments(kind: str, tmp_path: Path) -> None:
    """On PostgreSQL two processes share the books, and one of them is killed while the other goes on."""
    url = new_database(kind, tmp_path)
    seed = int(os.environ.get("PAIRHOUSE_FAULT_SEED", "1"))
    processes = 1 if kind == "sqlite" else 2
    count = asyncio.run(kill_at_random(url, tmp_path, kills=KILLS, visitors=6, seed=seed, processes=processes))
    print(f"\n{kind}: {KILLS} kills, {dict(sorted(count.items()))}")  # noqa: T201
    assert count["bets"] > 4 * KILLS
    assert count["choices"] > 0 < count["unanswered"]
    done = audit_of(url, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout)  # noqa: T201
