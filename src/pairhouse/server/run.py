"""Run the house: its books in this process, its doors beside it; stopped gracefully by SIGTERM or Ctrl-C."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence

from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.store.database import StoreFailed
from pairhouse.server.app import Application, build
from pairhouse.server.doors import STOP_LIMIT_S, Doors, Opened, open_door
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.logs import set_up_logs
from pairhouse.server.reception import Reception
from pairhouse.server.serving import QUEUE_MAX, PoliteServer, freeze_gc, settings
from pairhouse.server.wallets.operator_client import Operators, read_settings

ERRORS = 2  # the number of standard error, the last of the three that every process has


def usual_doors() -> int:
    """One, where there is a core for it; a door needs a system that hands sockets on."""
    if os.name != "posix":
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(cores > 1)


def open_books(url: str | None) -> House:
    """The house over a database, or one sentence that says why it cannot be opened."""
    try:
        return House(url)
    except StoreFailed as failed:
        raise Refused("bad-database", str(failed).partition("\n")[0].rstrip(".")) from None


def fill_standard() -> None:
    """Open nothing for input, output and errors that are closed: what has their numbers cannot be handed to a door."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= ERRORS:
        pass
    os.close(opened)


def run(
    url: str | None,
    host: str,
    port: int,
    *,
    is_secure: bool,
    is_throttled: bool,
    wallets: Sequence[str] = (),
    doors: int | None = None,
) -> None:
    """Listen first, so that a port in use is told before anything else happens."""
    fill_standard()
    is_person = set_up_logs()
    operators = Operators(read_settings(wallets))
    try:
        listener = socket.create_server((host, port), reuse_port=False, backlog=QUEUE_MAX)
    except OSError as error:
        reason = str(error.strerror).partition(" (while")[0]  # what follows names the address once more
        raise Refused("bad-port", f"{host}:{port} cannot be listened on: {reason}; give another --port") from None
    opened = [open_door(listener) for _ in range(usual_doors() if doors is None else doors)]
    house = open_books(url)
    where = house.database.url.render_as_string(hide_password=True)
    logging.getLogger("pairhouse").info("open", extra={"address": f"http://{host}:{port}", "books": where})
    if is_person:
        sys.stderr.write(f"Pairhouse is open at http://{host}:{port}  (play money; Ctrl-C closes it)\nBooks: {where}\n")
    limits = None if is_throttled else Throttle({})
    app = build(house=house, is_secure=is_secure, throttle=limits, operators=operators)
    freeze_gc()
    if opened:
        with asyncio.Runner(loop_factory=settings(app).get_loop_factory()) as runner:
            runner.run(_behind_doors(app, listener, opened))
    else:
        PoliteServer(settings(app)).run(sockets=[listener])


async def _behind_doors(app: Application, listener: socket.socket, opened: Sequence[Opened]) -> None:
    """Open the house, and answer at its doors; when told to stop, close the doors, then the house."""
    told, loop = asyncio.Event(), asyncio.get_running_loop()
    for word in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(word, told.set)
    async with app.lifespan():
        doors = Doors(Reception(app), listener)
        keeping = asyncio.create_task(doors.keep_open(opened))
        stopping = asyncio.create_task(told.wait())
        await asyncio.wait((keeping, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        doors.close()
        loop.add_signal_handler(signal.SIGINT, doors.slam)  # who asks a second time will not wait
        await asyncio.wait((keeping,), timeout=STOP_LIMIT_S)
        doors.slam()
        await asyncio.wait((keeping,))
    await keeping  # raises what kept them from staying open, now that the house is closed
