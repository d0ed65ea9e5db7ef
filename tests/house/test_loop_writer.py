"""The writer on the event loop answers every command, even when the database file is damaged while it is open."""

import asyncio
from pathlib import Path
from unittest import mock

import pytest

from direct_house import new_books
from pairhouse.house.house import House
from pairhouse.house.people import new_guest
from pairhouse.house.store.database import StoreFailed


def test_a_damaged_file_is_answered_as_a_failure_of_the_store(tmp_path: Path) -> None:
    """Callers see `StoreFailed`, never an error of the driver."""
    house = House(new_books("sqlite", tmp_path))

    async def damage_and_ask() -> None:
        assert await house.writers.run(lambda _: 1) == 1
        with next(tmp_path.glob("house_*.db")).open("r+b") as file:
            file.write(b"no database at all " * 2000)
        with next(tmp_path.glob("house_*.db-wal")).open("r+b") as file:
            file.truncate(0)
        for _ in range(2):
            with pytest.raises(StoreFailed, match="nothing was changed: database disk image is malformed"):
                await asyncio.wait_for(house.writers.run(new_guest), 5)

    asyncio.run(damage_and_ask())
    house.writers.close()


def test_a_database_that_cannot_be_opened_is_answered(tmp_path: Path) -> None:
    house = House(new_books("sqlite", tmp_path))

    async def ask() -> int:
        answer: int = await asyncio.wait_for(house.writers.run(lambda _: 1), 5)
        return answer

    shut = mock.patch.object(house.database, "connect", side_effect=StoreFailed("no file can be opened"))
    with shut, pytest.raises(StoreFailed, match="no file"):
        asyncio.run(ask())
    assert asyncio.run(ask()) == 1
    house.close()
