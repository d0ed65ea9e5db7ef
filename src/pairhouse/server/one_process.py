"""`--workers 0`: one process serves HTTP and keeps the books, for a machine with one core."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pairhouse.house.house import House
from pairhouse.server.app import Application, build_app
from pairhouse.server.bookkeeper import Bookkeeper
from pairhouse.server.desk import Desk
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.process_setup import freeze_gc
from pairhouse.server.protocol import WorkerSettings
from pairhouse.server.serving import PoliteServer
from pairhouse.server.wallets.operator_client import Operators


def build(
    url: str | None = None,
    *,
    house: House | None = None,
    throttle: Throttle | None = None,
    jobs: bool = True,
    pages: Path | None = None,
    is_secure: bool = False,
    operators: Operators | None = None,
) -> Application:
    """The application with a bookkeeper of its own, in one process; the house is opened when it starts."""

    @asynccontextmanager
    async def open_desk() -> AsyncIterator[Desk]:
        opened = house or House(url)
        keeper = Bookkeeper(opened, operators=operators)
        desk = Desk(opened, keeper, throttle=throttle, is_secure=is_secure)
        if jobs:
            keeper.start_jobs()
        try:
            yield desk
        finally:
            desk.close()
            await keeper.close()

    return build_app(open_desk, pages)


def serve_alone(house: House, listener: socket.socket, operators: Operators, settings: WorkerSettings) -> None:
    """Serve until told to stop."""
    throttle = None if settings.is_throttled else Throttle({})
    app = build(house=house, is_secure=settings.is_secure, throttle=throttle, operators=operators)
    freeze_gc()
    PoliteServer(app, settings.trusted_proxies).run(sockets=[listener])
