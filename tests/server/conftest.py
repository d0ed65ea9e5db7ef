"""Houses to test against: every test of the API runs on SQLite and on a real PostgreSQL, with a clock it can move."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from argon2 import PasswordHasher

from api_house import DATABASES, SEED_KEY, Open, open_house, served
from pairhouse.house import people
from pairhouse.house.house import House
from pairhouse.house.vault import KEY_VARIABLE
from postgres import furnished_database


@pytest.fixture(scope="session", autouse=True)
def seed_key() -> Iterator[None]:
    """The key that seals server seeds."""
    before = os.environ.get(KEY_VARIABLE)
    os.environ[KEY_VARIABLE] = SEED_KEY
    yield
    if before is None:
        del os.environ[KEY_VARIABLE]
    else:
        os.environ[KEY_VARIABLE] = before


@pytest.fixture(scope="session", autouse=True)
def quick_hashing() -> Iterator[None]:
    """Passwords are hashed as always, but with little work: how much is the library's default, not ours to test."""
    patch = pytest.MonkeyPatch()
    quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    patch.setattr(people, "_hasher", lambda: quick)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Made once, copied for each test: a database with its schema and tables, by kind."""
    return {}


@pytest.fixture(scope="session")
def new_database(
    request: pytest.FixtureRequest, furnished: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], str]:
    """A function that gives the address of a fresh house's database."""

    def sqlite() -> str:
        folder = tmp_path_factory.mktemp("books")
        if "sqlite" not in furnished:
            House(f"sqlite:///{folder / 'template.db'}").close()
            furnished["sqlite"] = str(folder / "template.db")
        for kind in ("", ".seal"):  # the books, and the key that seals them
            shutil.copy(furnished["sqlite"] + kind, folder / f"house.db{kind}")
        return f"sqlite:///{folder / 'house.db'}"

    return lambda kind: sqlite() if kind == "sqlite" else furnished_database()


@pytest.fixture(scope="module", params=DATABASES)
def house(request: pytest.FixtureRequest, new_database: Callable[[str], str]) -> Iterator[Open]:
    """A house that the tests of a file share: each brings players of its own, and leaves the floor as it was."""
    yield from open_house(new_database(request.param))


@pytest.fixture(params=DATABASES)
def own_house(request: pytest.FixtureRequest, new_database: Callable[[str], str]) -> Iterator[Open]:
    """A house for one test, which may move its clock and close its tables."""
    yield from open_house(new_database(request.param))


@pytest.fixture(scope="module")
def sqlite_house(new_database: Callable[[str], str]) -> Iterator[Open]:
    """A house for what does not ask the database for anything of its own."""
    yield from open_house(new_database("sqlite"))


@pytest.fixture(scope="module", params=DATABASES)
def served_house(request: pytest.FixtureRequest, new_database: Callable[[str], str]) -> Iterator[Open]:
    """A house behind a real server."""
    with served(new_database(request.param)) as opened:
        yield opened
