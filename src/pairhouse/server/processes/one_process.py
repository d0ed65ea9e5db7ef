"""`--workers 0`: one process serves HTTP and keeps the books, for a machine with one core."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pairhouse.house.care.policy import NO_NOTICE, OperatorNotice
from pairhouse.house.house import House
from pairhouse.house.watch_log import OFF
from pairhouse.server.app import Application, build_app
from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper
from pairhouse.server.desk import Desk, SealedBy
from pairhouse.server.http.headers import Hosts
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.pricing.solver import SolverLimits
from pairhouse.server.processes.process_setup import freeze_gc
from pairhouse.server.processes.protocol import WorkerSettings
from pairhouse.server.serving import PoliteServer
from pairhouse.server.wallets.operator_client import Operators


def build(
    url: str | None = None,
    *,
    house: House | None = None,
    throttle: Throttle | None = None,
    jobs: bool = True,
    deals: bool = False,
    pages: Path | None = None,
    is_secure: bool = False,
    operators: Operators | None = None,
    solver_limits: SolverLimits | None = None,
    notice: OperatorNotice = NO_NOTICE,
    watch: str = OFF,
) -> Application:
    """The application with a bookkeeper of its own, in one process; the house is opened when it starts.

    `deals` is for a house without jobs that deals at live tables all the same.
    """

    @asynccontextmanager
    async def open_desk() -> AsyncIterator[Desk]:
        opened = house or House(url)
        keeper = Bookkeeper(opened, operators=operators, watch=watch)
        desk = Desk(
            opened,
            keeper,
            throttle=throttle,
            is_secure=is_secure,
            solver_limits=solver_limits,
            notice=notice,
            sealed_by=SealedBy(opened.log.key.public_key.hex(), opened.log.epoch),
        )
        keeper.on_moved.append(desk.hub.moved)
        if jobs or deals:
            keeper.start_jobs(dealing_only=not jobs)
        try:
            yield desk
        finally:
            await desk.close()
            await keeper.close()

    return build_app(open_desk, pages)


def serve_alone(
    house: House, listener: socket.socket, operators: Operators, settings: WorkerSettings, watch: str
) -> None:
    """Serve until told to stop."""
    throttle = None if settings.is_throttled else Throttle({})
    app = build(
        house=house,
        is_secure=settings.is_secure,
        throttle=throttle,
        operators=operators,
        notice=settings.notice,
        watch=watch,
    )
    app.hosts, app.is_secure = Hosts(settings.allowed_hosts), settings.is_secure
    freeze_gc()
    PoliteServer(app, settings.trusted_proxies).run(sockets=[listener])
