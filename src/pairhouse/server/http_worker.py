"""`python -m pairhouse.server.http_worker CONNECTION`: an HTTP worker, as a process of its own.

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

from pairhouse.house.reading import Books
from pairhouse.house.store.database import Database
from pairhouse.server.app import build_app
from pairhouse.server.connection import BookkeeperConnection
from pairhouse.server.desk import Desk
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.logs import set_up_logs
from pairhouse.server.process_setup import freeze_gc, loop_factory
from pairhouse.server.protocol import LOADED, BookkeeperClient, ReadSettings, WorkerSettings
from pairhouse.server.serving import PoliteServer

BOOKKEEPER_GONE = 3  # the exit status of a worker that has lost its bookkeeper


@asynccontextmanager
async def open_desk(settings: WorkerSettings, bookkeeper: BookkeeperClient) -> AsyncIterator[Desk]:
    """A desk that reads the books on connections of its own."""
    books = Books(Database(settings.database))
    throttle = None if settings.is_throttled else Throttle({})
    desk = Desk(books, bookkeeper, throttle=throttle, is_secure=settings.is_secure)
    try:
        yield desk
    finally:
        desk.close()
        books.close()


async def serve(listener: socket.socket, connection: socket.socket) -> None:
    """Serve until told to stop."""
    bookkeeper = BookkeeperConnection()
    await bookkeeper.open(connection, partial(os._exit, BOOKKEEPER_GONE))
    settings = msgspec.json.decode(await bookkeeper.do(ReadSettings()), type=WorkerSettings)
    app = build_app(partial(open_desk, settings, bookkeeper))
    freeze_gc()
    await PoliteServer(app, settings.trusted_proxies).serve(sockets=[listener])


def main() -> None:
    """Say that all is loaded, be given the listening socket for it, and serve."""
    set_up_logs()
    connection = socket.socket(fileno=int(sys.argv[1]))
    connection.sendall(LOADED)
    _, found, _, _ = socket.recv_fds(connection, len(LOADED), 1)
    if not found:  # the house is closing, or gone
        return
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(serve(socket.socket(fileno=found[0]), connection))


if __name__ == "__main__":
    main()
