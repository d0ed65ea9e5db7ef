"""`python -m pairhouse.server.processes.http_worker CONNECTION`: an HTTP worker, as a process of its own.

It parses and validates requests, authenticates and limits callers, serves the pages, reads the books itself, forwards
every command that changes them to the bookkeeper, and encodes responses. It keeps nothing. When the connection is lost
the bookkeeper is gone, and it ends at once. It is given the listening socket once it has loaded: one that is still
loading when the house is killed does not keep a new one from listening on the port.
"""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import msgspec

from pairhouse.games.catalogue import load_named_modules
from pairhouse.house.reading import Books
from pairhouse.house.store.database import Database
from pairhouse.server.app import build_app
from pairhouse.server.desk import Desk, SealedBy
from pairhouse.server.http.headers import Hosts
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.logs import set_up_logs
from pairhouse.server.processes.connection import BookkeeperConnection
from pairhouse.server.processes.process_setup import freeze_gc, loop_factory
from pairhouse.server.processes.protocol import LOADED, ReadSettings, WorkerSettings
from pairhouse.server.serving import PoliteServer

BOOKKEEPER_GONE = 3  # the exit status of a worker that has lost its bookkeeper


@asynccontextmanager
async def open_desk(settings: WorkerSettings, bookkeeper: BookkeeperConnection) -> AsyncIterator[Desk]:
    """A desk that reads the books on connections of its own."""
    books = Books(Database(settings.database), policy=settings.policy)
    throttle = None if settings.is_throttled else Throttle({})
    desk = Desk(
        books,
        bookkeeper,
        throttle=throttle,
        is_secure=settings.is_secure,
        notice=settings.notice,
        sealed_by=SealedBy(settings.sealing_key, settings.epoch),
    )
    bookkeeper.on_moved = desk.hub.moved
    try:
        yield desk
    finally:
        await desk.close()
        books.close()


async def serve(listener: socket.socket, connection: socket.socket) -> None:
    """Serve until told to stop."""
    bookkeeper = BookkeeperConnection()
    await bookkeeper.open(connection, partial(os._exit, BOOKKEEPER_GONE))
    settings = msgspec.json.decode(await bookkeeper.do(ReadSettings()), type=WorkerSettings)
    app = build_app(partial(open_desk, settings, bookkeeper))
    app.hosts, app.is_secure = Hosts(settings.allowed_hosts), settings.is_secure
    freeze_gc()
    await PoliteServer(app, settings.trusted_proxies).serve(sockets=[listener])


def main() -> None:
    """Say that all is loaded, be given the listening socket for it, and serve."""
    set_up_logs()
    load_named_modules()
    connection = socket.socket(fileno=int(sys.argv[1]))
    connection.sendall(LOADED)
    _, found, _, _ = socket.recv_fds(connection, len(LOADED), 1)
    if not found:  # the house is closing, or gone
        return
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(serve(socket.socket(fileno=found[0]), connection))


if __name__ == "__main__":
    main()
