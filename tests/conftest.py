"""Hypothesis: no time limits on noisy machines, and the same examples on every run of the whole suite.

What a house keeps beside its database (sealing keys, heads) is in a folder that goes when the tests end.
"""

import atexit
import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from pairhouse.games.catalogue import GAMES, SOURCES

if "PAIRHOUSE_DATA" not in os.environ:
    os.environ["PAIRHOUSE_DATA"] = tempfile.mkdtemp(prefix="pairhouse-data-")
    atexit.register(shutil.rmtree, os.environ["PAIRHOUSE_DATA"], ignore_errors=True)

TESTS = Path(__file__).parent

quiet = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("suite", deadline=None, max_examples=40, suppress_health_check=quiet, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=2000, suppress_health_check=quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

# Tests play as fast as they can, and only tests of the watch start it.
os.environ.setdefault("PAIRHOUSE_MIN_ROUND_TIME", "0")
os.environ.setdefault("PAIRHOUSE_WATCH", "off")


COMPUTES, WAITS = ("analysis", "gallery", "machines"), ("web",)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mix the tests that compute among those that wait for a browser, file by file, after all others.

    While one worker waits the others have the cores. The pages stay last: their houses know the seeds of the server.
    """
    files = [(file, list(tests)) for file, tests in groupby(items, key=lambda item: item.path)]
    placed = []
    for rooms in (COMPUTES, WAITS):
        group = [
            tests for file, tests in files if file.parent.relative_to(TESTS).parts[:1] in [(room,) for room in rooms]
        ]
        all_of_it, before = sum(map(len, group)), 0
        for tests in group:
            placed.append((before / all_of_it, tests))
            before += len(tests)
    mixed = [test for _, tests in sorted(placed, key=lambda one: one[0]) for test in tests]
    last = set(mixed)
    items[:] = [item for item in items if item not in last] + mixed


def pytest_collection_finish() -> None:
    """Spare the collector from rescanning what thousands of tests have loaded: it took a sixth of all time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="module", autouse=True)
def _games_as_shipped() -> Iterator[None]:
    """Games that the tests of a file load are gone when it ends."""
    games, sources = dict(GAMES), dict(SOURCES)
    yield
    GAMES.clear()
    SOURCES.clear()
    GAMES.update(games)
    SOURCES.update(sources)
