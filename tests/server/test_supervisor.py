"""The supervisor: workers that cannot start or do not stay are told of, and never end the house."""

import asyncio
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from api_house import SEED_KEY
from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.vault import Vault
from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper
from pairhouse.server.processes import supervisor
from pairhouse.server.processes.protocol import LOADED
from pairhouse.server.processes.supervisor import Supervisor, Worker, start_worker

LIMIT_S = 60


def test_a_worker_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(Refused, match="no HTTP worker") as told:
        start_worker(tmp_path)
    assert told.value.code == "no-workers"


def test_a_worker_for_which_there_is_no_file_number_left_is_told(tmp_path: Path) -> None:
    """As under an attack that takes every one of them; it ended the house."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = []
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
        with suppress(OSError):
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        with pytest.raises(Refused, match="no HTTP worker"):
            start_worker(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for number in taken:
            os.close(number)


def test_whatever_goes_wrong_with_a_worker_goes_no_further(
    new_database: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A connection that cannot be taken up was raised through the supervisor, and the house closed."""
    started = []

    def start(*_: object) -> Worker:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.sendall(LOADED)
        started.append(theirs)
        return Worker(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]), ours)

    async def run() -> None:
        keeper = Bookkeeper(House(new_database("sqlite"), vault=Vault(bytes.fromhex(SEED_KEY))))

        async def broken(_: socket.socket) -> asyncio.Event:
            raise RuntimeError("can't start new thread")

        monkeypatch.setattr(keeper, "connect", broken)
        monkeypatch.setattr(supervisor, "start_worker", start)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            watching = Supervisor(keeper, listener, tmp_path)
            running = asyncio.create_task(watching.run([start()]))
            async with asyncio.timeout(LIMIT_S):
                while len(started) < 3:
                    assert not running.done()
                    await asyncio.sleep(0.01)
                watching.stop()
                await running
        await keeper.close()

    asyncio.run(run())
    for theirs in started:
        theirs.close()


class Fragile:
    """Starts processes that end at once, or cannot be started at all, and notes when."""

    def __init__(self) -> None:
        self.starts: list[float] = []

    def start(self, *_: object) -> Worker:
        self.starts.append(time.monotonic())
        if len(self.starts) % 2 == 0:
            raise Refused("no-workers", "no HTTP worker can be started: no memory")
        ours, theirs = socket.socketpair()
        theirs.close()
        ours.setblocking(False)
        return Worker(subprocess.Popen([sys.executable, "-c", "raise SystemExit(7)"]), ours)


def test_workers_that_do_not_stay_are_started_ever_more_slowly(
    new_database: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    fragile = Fragile()
    monkeypatch.setattr(supervisor, "start_worker", fragile.start)

    async def run() -> None:
        keeper = Bookkeeper(House(new_database("sqlite"), vault=Vault(bytes.fromhex(SEED_KEY))))
        with socket.create_server(("127.0.0.1", 0)) as listener:
            watching = Supervisor(keeper, listener, tmp_path)
            running = asyncio.create_task(watching.run([fragile.start()]))
            async with asyncio.timeout(LIMIT_S):
                while len(fragile.starts) < 5:
                    await asyncio.sleep(0.01)
                assert not running.done()
                watching.stop()
                await running
        await keeper.close()

    asyncio.run(run())
    waits = [later - earlier for earlier, later in zip(fragile.starts, fragile.starts[1:], strict=False)]
    assert all(wait > least for wait, least in zip(waits, (0.1, 0.3, 0.7, 1.5), strict=False)), waits
    assert "an HTTP worker ended and is started again" in caplog.text
    assert "no memory" in caplog.text


def test_what_a_worker_dies_of_is_in_the_log_and_the_house_stays_open(
    new_database: Callable[[str], str], tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\nif 'pairhouse.server.processes.http_worker' in sys.orig_argv: os._exit(7)\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "pairhouse", "serve", "--port", str(port), "--db", new_database("sqlite")]
    environment = {**os.environ, "PYTHONPATH": path, "PAIRHOUSE_CACHE": str(tmp_path), "PAIRHOUSE_SEED_KEY": SEED_KEY}
    with (tmp_path / "log").open("w") as log:
        house = subprocess.Popen([*command, "--workers", "1"], env=environment, stderr=log)
    try:
        until = time.monotonic() + LIMIT_S
        while (tmp_path / "log").read_text().count("an HTTP worker ended") < 3:
            assert time.monotonic() < until
            assert house.poll() is None
            time.sleep(0.05)
    finally:
        house.terminate()
        house.wait(LIMIT_S)
    said = (tmp_path / "log").read_text()
    assert house.returncode == 0
    assert '"status":"7"' in said
    assert "Traceback" not in said
