"""The doors of a house, seen from inside: processes that listen, and are opened again when they fall shut."""

import asyncio
import logging
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.server.line import Asked, Line
from pairhouse.server.reception import Reception
from pairhouse.server.serving import GRACE_S, PATIENCE_S

log = logging.getLogger("pairhouse.doors")

STOP_LIMIT_S = GRACE_S + PATIENCE_S + 4
SOON_S = 5.0
TRIES_MAX = 4  # a door that falls shut so often so soon after it was opened will not do better the next time


class Opened(NamedTuple):
    """A door: its process, and our end of the line to it."""

    process: "subprocess.Popen[bytes]"
    line: socket.socket


def open_door(listener: socket.socket) -> Opened:
    """A process that takes requests, and asks us as soon as we take up the line."""
    inside, outside = socket.socketpair()
    with outside:
        given = (listener.fileno(), outside.fileno())
        command = [sys.executable, "-m", "pairhouse.server.door", *map(str, given)]
        try:
            return Opened(subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=given), inside)
        except OSError as error:
            inside.close()
            raise Refused("doors-shut", f"no process for HTTP can be started: {error.strerror}") from None


class Doors:
    """Some doors on one listening socket."""

    def __init__(self, reception: Reception, listener: socket.socket) -> None:
        self._reception = reception
        self._listener = listener
        self._open: set[subprocess.Popen[bytes]] = set()
        self._closing = asyncio.Event()

    async def keep_open(self, opened: Sequence[Opened]) -> None:
        """These, or others in their place, until they are closed."""
        for end in await asyncio.gather(*map(self._keep_one, opened), return_exceptions=True):
            if end is not None:
                raise end

    async def _keep_one(self, door: Opened) -> None:
        try:
            await self._keep(door)
        except Refused:
            self.close()
            raise

    async def _keep(self, door: Opened) -> None:
        tries = 0
        while True:
            since = time.monotonic()
            status = await self._until_shut(door)
            if self._closing.is_set():
                return
            log.warning("a door fell shut and is opened again", extra={"status": status})
            tries = tries + 1 if time.monotonic() - since < SOON_S else 1
            if tries == TRIES_MAX:
                sentence = f"the process for HTTP ended {tries} times in a row, the last time with status {status}"
                raise Refused("doors-shut", f"{sentence}; the log says why, and --doors 0 does without")
            door = open_door(self._listener)

    async def _until_shut(self, door: Opened) -> int:
        """Answer what is asked at a door, until it is shut; its exit status."""
        process, line = door
        self._open.add(process)
        loop, asked, gone = asyncio.get_running_loop(), Asked[msgspec.Raw], asyncio.Event()
        await loop.create_unix_connection(lambda: Line(asked, self._reception.heard, gone.set), sock=line)
        await gone.wait()  # not in a thread: there are few, and others need them while the door is open
        status = await asyncio.to_thread(process.wait)
        self._open.discard(process)
        return status

    def close(self) -> None:
        """Take no new callers, and let every door finish what it has begun."""
        self._closing.set()
        self._listener.close()
        for process in self._open:
            process.terminate()

    def slam(self) -> None:
        """Shut them now, whoever stands in them."""
        for process in self._open:
            process.kill()
