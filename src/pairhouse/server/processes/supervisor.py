"""The supervisor: starts HTTP workers, restarts those that fall, and stops them."""

import asyncio
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pairhouse.core.errors import Refused
from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper
from pairhouse.server.metrics import FOLDER_VARIABLE
from pairhouse.server.processes.protocol import LOADED

log = logging.getLogger("pairhouse.supervisor")

STEADY_S = 5.0  # a worker that has lived so long is restarted at once
WAIT_MAX_S = 10.0
REAP_EVERY_S = 0.02
STOP_LIMIT_S = 15.0  # longer than a worker takes to stop politely


class Worker(NamedTuple):
    """An HTTP worker: its process, and our end of the connection to it."""

    process: "subprocess.Popen[bytes]"
    connection: socket.socket


def start_worker(metrics_folder: Path) -> Worker:
    """A process that serves HTTP as soon as it has loaded and is given a listening socket.

    It is in a process group of its own, so that a Ctrl-C reaches it by way of this process only.
    """
    try:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = _start_process(theirs.fileno(), metrics_folder)
            except OSError:
                ours.close()
                raise
    except OSError as error:
        raise Refused("no-workers", f"no HTTP worker can be started: {error.strerror}") from None
    ours.setblocking(False)
    return Worker(process, ours)


def _start_process(number: int, metrics_folder: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "pairhouse.server.processes.http_worker", str(number)]
    environment = {**os.environ, FOLDER_VARIABLE: str(metrics_folder)}
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=(number,), env=environment, process_group=0)


class Supervisor:
    """Some workers on one listening socket. Whatever befalls them, the house goes on."""

    def __init__(self, keeper: Bookkeeper, listener: socket.socket, metrics_folder: Path) -> None:
        self._keeper = keeper
        self._listener = listener
        self._metrics_folder = metrics_folder
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopping = asyncio.Event()

    async def run(self, workers: Sequence[Worker]) -> None:
        """Keep these running, or others in their place, until they are stopped."""
        await asyncio.gather(*map(self._keep_running, workers))

    async def _keep_running(self, worker: Worker | None) -> None:
        wait_s = 0.0
        while not self._stopping.is_set():
            started = time.monotonic()
            if worker is not None:
                status = await self._whatever_happens(worker)
                if self._stopping.is_set():
                    return
                log.warning("an HTTP worker ended and is started again", extra={"status": status})
            wait_s = 0.0 if time.monotonic() - started >= STEADY_S else min(WAIT_MAX_S, 2 * wait_s + 0.1)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), wait_s)
            worker = self._restarted()

    async def _whatever_happens(self, worker: Worker) -> int | None:
        """Do a worker's commands until it ends; its exit status. Nothing that goes wrong with it goes further."""
        try:
            return await self._until_ended(worker)
        except Exception:
            log.exception("an HTTP worker is given up")
            worker.process.kill()
            worker.connection.close()
            status = await self._until_reaped(worker.process)
            self._running.discard(worker.process)
            return status

    async def _until_reaped(self, process: "subprocess.Popen[bytes]") -> int:
        """Wait for a process that ends; by asking again and again, since there may be no thread to wait in."""
        while (status := process.poll()) is None:
            await asyncio.sleep(REAP_EVERY_S)
        return status

    def _restarted(self) -> Worker | None:
        """Another worker; None where there is none to be had just now."""
        if self._stopping.is_set():
            return None
        try:
            return start_worker(self._metrics_folder)
        except Refused as refused:
            log.error(str(refused))
            return None

    async def _until_ended(self, worker: Worker) -> int:
        """Do a worker's commands until it ends; its exit status."""
        process, connection = worker
        self._running.add(process)
        if await self._hand_listener(connection):
            gone = await self._keeper.connect(connection)
            await gone.wait()  # not in a thread: there are few, and others need them while the worker runs
        connection.close()
        status = await self._until_reaped(process)
        self._running.discard(process)
        return status

    async def _hand_listener(self, connection: socket.socket) -> bool:
        """Give a worker the listening socket once it has loaded; whether it lives and may serve."""
        try:
            said = await asyncio.get_running_loop().sock_recv(connection, len(LOADED))
            if said != LOADED or self._stopping.is_set():
                return False
            socket.send_fds(connection, [LOADED], [self._listener.fileno()])
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """Take no new connections, and have every worker finish what it has begun."""
        self._stopping.set()
        self._listener.close()
        for process in self._running:
            process.terminate()

    def kill(self) -> None:
        """End them now, whoever is connected."""
        for process in self._running:
            process.kill()
