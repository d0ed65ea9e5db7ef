"""A database that cannot write: a clear answer, no half-done money, and all is well once it can again."""

import asyncio
import contextlib
import os
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from direct_house import new_database
from postgres import start
from servers import Server, Visitor, audit_of

BET = {"table": "la-paire", "wagers": {"card-A": 200}, "client_seed": "lucky"}


async def one_try(visitor: Visitor, key: str) -> tuple[int, dict[str, Any]]:
    """A bet, asked for once."""
    url = visitor.servers[0].base + "/rounds"
    answer = await visitor.client.post(url, json=BET, headers={"Idempotency-Key": key})
    return answer.status_code, answer.json()


async def come_in(server: Server) -> Visitor:
    await server.ready()
    visitor = Visitor(1, [server], 1)
    await visitor.come_in()
    await visitor.ask("POST", "/tables/la-paire/sit")
    return visitor


def audited_after(run: Callable[[Server], Coroutine[Any, Any, None]], url: str, folder: Path) -> None:
    """Let this happen to a server; the books are clean afterwards."""
    server = Server(url, folder).start()
    try:
        asyncio.run(run(server))
        done = audit_of(url, folder)
        assert done.returncode == 0, done.stdout + done.stderr
    finally:
        server.stop()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, with little room. It takes rights that not every machine gives."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    yield folder
    if mounted.returncode == 0:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(disk: Path) -> int:
    """Take all the room that is left; how much that was."""
    size = 0
    with (disk / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                size += file.write(b"\0" * 4096)
        except OSError:
            return size


def test_a_full_disk(small_disk: Path, tmp_path: Path) -> None:
    """The books stand on a disk that fills up, and has room again later."""
    if not os.path.ismount(small_disk):
        pytest.skip("mounting a small disk is not allowed here; the limit on file sizes below is tested instead")
    url = new_database("sqlite", small_disk)

    async def run(server: Server) -> None:
        visitor = await come_in(server)
        fill(small_disk)
        refused = 0
        for number in range(60):
            status, answer = await one_try(visitor, f"full-key-{number}")
            if status == 503:
                assert answer["code"] == "books-unavailable"
                assert "nothing was changed" in answer["error"]
                refused += 1
            else:
                visitor._booked(answer, 200)
        assert refused > 0
        me = (await visitor.ask("GET", "/players/me")).json()
        assert me["balance"] == visitor.balance, "reading goes on, and shows no half-done bet"
        (small_disk / "ballast").unlink()
        for number in range(60):
            status, answer = await one_try(visitor, f"room-key-{number}")
            assert status == 201, answer
            visitor._booked(answer, 200)
        await visitor.check()
        await visitor.leave()

    server = Server(url, tmp_path).start()
    try:
        asyncio.run(run(server))
        assert audit_of(url, tmp_path).returncode == 0
    finally:
        server.stop()


def test_files_that_may_not_grow(tmp_path: Path) -> None:
    """A limit on the size of files stops the server from writing; it is taken away while it runs."""
    url = new_database("sqlite", tmp_path)

    async def run(server: Server) -> None:
        visitor = await come_in(server)
        assert server.process is not None
        largest = max(file.stat().st_size for file in tmp_path.glob("house_*"))
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
        statuses = []
        for number in range(40):
            status, answer = await one_try(visitor, f"small-key-{number}")
            statuses.append(status)
            if status == 201:
                visitor._booked(answer, 200)
        assert set(statuses) <= {201, 503}
        assert 503 in statuses
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        status, answer = await one_try(visitor, "after-the-limit")
        assert status == 201, answer
        visitor._booked(answer, 200)
        await visitor.check()
        await visitor.leave()

    server = Server(url, tmp_path).start()
    try:
        asyncio.run(run(server))
        assert audit_of(url, tmp_path).returncode == 0
    finally:
        server.stop()


def test_a_locked_database(tmp_path: Path) -> None:
    """Another process holds the books for longer than a writer waits."""
    url = new_database("sqlite", tmp_path)

    async def run(server: Server) -> None:
        visitor = await come_in(server)
        other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        status, answer = await one_try(visitor, "locked-key")
        assert (status, answer["code"]) == (503, "books-unavailable")
        assert "database is locked" in server.told(), "why is for the operator's log"
        assert "nothing was changed" in answer["error"]
        assert 4 < time.monotonic() - began < 25
        assert (await visitor.ask("GET", "/players/me")).json()["balance"] == visitor.balance
        other.execute("ROLLBACK")
        other.close()
        status, answer = await one_try(visitor, "locked-key")
        assert status == 201
        visitor._booked(answer, 200)
        await visitor.check()
        await visitor.leave()

    server = Server(url, tmp_path).start()
    try:
        asyncio.run(run(server))
        assert audit_of(url, tmp_path).returncode == 0
    finally:
        server.stop()


@pytest.fixture
def postgres() -> Iterator[Any]:
    """A PostgreSQL of its own, that may be stopped."""
    with tempfile.TemporaryDirectory(prefix="pairhouse-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = start(Path(folder))
        yield server
        server.stop()


@pytest.fixture
def small_tablespace(postgres: Any) -> Iterator[Path]:
    """A disk with little room, that this PostgreSQL keeps a database's tables on. Mounting takes rights."""
    with tempfile.TemporaryDirectory(prefix="pairhouse-disk-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        command = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", folder]
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            pytest.skip(f"mounting a small disk is not allowed here: {mounted.stderr.strip()}")
        tables = Path(folder) / "tables"
        tables.mkdir()
        if postgres.system_user is not None:
            shutil.chown(tables, postgres.system_user)
        yield tables
        postgres.stop()
        subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_under_postgresql(postgres: Any, small_tablespace: Path, tmp_path: Path) -> None:
    """The tables stand on a disk that fills up under players of every game, and has room again later."""
    uri = str(postgres.get_uri())
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(f"CREATE TABLESPACE small LOCATION '{small_tablespace}'".encode())
        connection.execute("CREATE DATABASE crowded TABLESPACE small")
    url = uri.replace("/postgres?", "/crowded?")

    async def run(server: Server) -> None:
        visitor = await come_in(server)
        others = [Visitor(number, [server], number) for number in range(2, 5)]
        for other in others:
            await other.come_in()
        fill(small_tablespace.parent)
        playing = [asyncio.create_task(other.play()) for other in others]  # each deed is asked for until it is done
        refused = 0
        for number in range(400):
            status, answer = await one_try(visitor, f"full-key-{number}")
            if status == 503:
                assert answer["code"] == "books-unavailable"
                assert "nothing was changed" in answer["error"]
                assert "No space" not in answer["error"], "what the database said is for us"
                refused += 1
            else:
                visitor._booked(answer, 200)
            if refused == 10:
                break
        assert refused == 10
        assert "No space left on device" in server.told()
        me = (await visitor.ask("GET", "/players/me")).json()
        assert me["balance"] == visitor.balance, "reading goes on, and shows no half-done bet"
        (small_tablespace.parent / "ballast").unlink()
        for number in range(20):
            status, answer = await one_try(visitor, f"room-key-{number}")
            assert status == 201, answer
            visitor._booked(answer, 200)
        for other in others:
            other.is_done = True
        await asyncio.gather(*playing)
        for player in (visitor, *others):
            await player.check()
            await player.leave()

    audited_after(run, url, tmp_path)


@pytest.fixture
def small_postgres() -> Iterator[tuple[Any, Path]]:
    """A PostgreSQL of its own that has everything, its log of changes too, on a disk with little room."""
    with tempfile.TemporaryDirectory(prefix="pairhouse-pg-", ignore_cleanup_errors=True) as folder:
        disk = Path(folder)
        disk.chmod(0o755)
        command = ["mount", "-t", "tmpfs", "-o", "size=128m,mode=755", "tmpfs", folder]
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            pytest.skip(f"mounting a small disk is not allowed here: {mounted.stderr.strip()}")
        server = start(disk)
        yield server, disk
        server.stop()
        subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.slow
def test_a_disk_that_is_full_for_all_of_postgresql(small_postgres: tuple[Any, Path], tmp_path: Path) -> None:
    """PostgreSQL cannot write its own log and ends. With room again it starts, and nothing is lost or done twice."""
    postgres, disk = small_postgres
    url = str(postgres.get_uri())

    async def run(server: Server) -> None:
        visitor, other = await come_in(server), Visitor(2, [server], 2)
        await other.come_in()
        fill(disk)
        playing = asyncio.create_task(other.play())  # each deed is asked for until it is done
        refused: list[str] = []
        for number in range(400):
            status, answer = await one_try(visitor, f"full-key-{number}")
            if status == 503:
                assert answer["code"] in ("books-unavailable", "outcome-unknown"), answer
                assert "No space" not in answer["error"], "what the database said is for us"
                refused.append(f"full-key-{number}")
            else:
                visitor._booked(answer, 200)
            if len(refused) == 10:
                break
            with contextlib.suppress(psycopg.Error), psycopg.connect(url, autocommit=True) as connection:
                connection.execute("SELECT pg_switch_wal()")  # as if it had written so much already
        assert len(refused) == 10
        assert "No space left on device" in (disk / "data" / "log").read_text(errors="replace")
        (disk / "ballast").unlink()
        with contextlib.suppress(psycopg.Error):
            postgres.start()  # as systemd would, if it has ended
        for key in [*refused, *(f"room-key-{number}" for number in range(10))]:
            answer = await until_dealt(visitor, key)
            visitor._booked(answer, 200)
        other.is_done = True
        await playing
        for player in (visitor, other):
            await player.check()
            await player.leave()

    audited_after(run, url, tmp_path)


async def until_dealt(visitor: Visitor, key: str) -> dict[str, Any]:
    """Ask for a bet with one key until it is dealt."""
    for _ in range(300):
        status, answer = await one_try(visitor, key)
        if status in (200, 201):
            return answer
        assert status == 503, answer
        await asyncio.sleep(0.2)
    raise AssertionError("the house does not go on")


def test_postgresql_goes_away_and_comes_back(postgres: Any, tmp_path: Path) -> None:
    """Connections are cut under load, then the database is stopped and started; players only ever see 503."""
    url = str(postgres.get_uri())

    async def run(server: Server) -> None:
        players = [await come_in(server)] + [Visitor(number, [server], number) for number in range(2, 6)]
        for player in players[1:]:
            await player.come_in()
        playing = [asyncio.create_task(player.play()) for player in players]
        for _ in range(3):
            await asyncio.sleep(0.5)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
                )
        postgres.stop()
        status, answer = await one_try(players[0], "while-it-is-away")
        assert (status, answer["code"]) == (503, "books-unavailable")
        postgres.start()
        await asyncio.sleep(1)
        for player in players:
            player.is_done = True
        await asyncio.gather(*playing)
        assert sum(player.count["503"] for player in players) > 0
        assert sum(player.count["bets"] for player in players) > 10
        for player in players:
            await player.check()
            await player.leave()

    audited_after(run, url, tmp_path)
