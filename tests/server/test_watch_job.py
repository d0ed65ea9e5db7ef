"""The watch as a job: a real process weighs real rounds, its failures lose nothing, and two houses take turns."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from direct_house import Guest, enrich, new_database
from pairhouse.house.house import House
from pairhouse.house.watch_log import highest_records, read_cursor
from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper
from pairhouse.server.reading.watch_records import watch_report
from pairhouse.server.watch.job import LOOK_EVERY_S, STAND_BY_S, ChildFailed, Watch

TABLE = "nepal-super-baccarat"


def play(house: House, rounds: int) -> None:
    guest = Guest(house, random.Random(1))
    enrich(house, guest.id)
    guest.sit(TABLE)
    for _ in range(rounds):
        guest.bet(TABLE, [{"player": 1_000}])


def rounds_known(house: House) -> int:
    """Of the players, as the books have it."""
    with house.database.reading() as tx:
        found = watch_report(tx)
        assert len(found.records) == len(highest_records(tx, 100))
    return sum(record.figures.rounds for record in found.records if record.player is not None)


async def looked(watch: Watch) -> float:
    """Look until all is read; how long it wants to wait then. The first look takes long, and is cut short."""
    while (wait := await watch.look()) == 0:
        pass
    return wait


async def with_watch(house: House, test: Callable[[Watch, Bookkeeper], Any]) -> None:
    keeper = Bookkeeper(house, watch="warn")
    watch = Watch(house, "warn", keeper.write, keeper.read)
    try:
        await test(watch, keeper)
    finally:
        await watch.close()
        await keeper.close()


def test_a_process_of_its_own_weighs_what_was_played(tmp_path: Path) -> None:
    house = House(new_database("sqlite", tmp_path))

    async def look(watch: Watch, keeper: Bookkeeper) -> None:
        assert await looked(watch) == LOOK_EVERY_S
        assert not watch.is_weighing()  # nothing was played, so nothing was started
        await asyncio.to_thread(play, house, 5)
        assert await looked(watch) == LOOK_EVERY_S
        assert rounds_known(house) == 5
        await asyncio.to_thread(play, house, 3)
        assert watch.is_weighing()
        os.kill(watch.child_pid or 0, signal.SIGKILL)
        with pytest.raises(ChildFailed):
            await watch.look()
        assert await looked(watch) == LOOK_EVERY_S  # a new one begins where the books stand
        assert rounds_known(house) == 8

    asyncio.run(with_watch(house, look))


def test_of_two_houses_one_looks_and_the_other_stands_by(tmp_path: Path) -> None:
    house = House(new_database("sqlite", tmp_path))

    async def look(first: Watch, keeper: Bookkeeper) -> None:
        second = Watch(house, "warn", keeper.write, keeper.read)
        try:
            await asyncio.to_thread(play, house, 2)
            assert await looked(first) == LOOK_EVERY_S
            assert await looked(second) == LOOK_EVERY_S
            await asyncio.to_thread(play, house, 2)
            assert await looked(first) == LOOK_EVERY_S
            assert await second.look() == STAND_BY_S
            await asyncio.to_thread(play, house, 2)
            assert await looked(second) == LOOK_EVERY_S  # the first has not looked for a while
            assert await first.look() == STAND_BY_S
            assert rounds_known(house) == 6
        finally:
            await second.close()

    asyncio.run(with_watch(house, look))


def test_a_failure_is_logged_and_the_next_look_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house = House(new_database("sqlite", tmp_path))
    monkeypatch.setattr(sys, "executable", "/bin/false")

    async def look(watch: Watch, keeper: Bookkeeper) -> None:
        await asyncio.to_thread(play, house, 2)
        assert await watch._look_again() == STAND_BY_S
        assert (await keeper.read(read_cursor)).revision == 0

    asyncio.run(with_watch(house, look))
    assert "watch failed" in caplog.text


def test_a_house_that_weighs_no_shoe_loads_no_compiler() -> None:
    """The process that weighs stays as long as people play, and a compiler would be half of its memory."""
    program = "import sys, pairhouse.server.watch.child\nassert 'numba' not in sys.modules, 'the compiler was loaded'"
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
