"""`--workers 0`: one process serves HTTP and keeps the books, for a machine with one core."""

import socket

from pairhouse.house.house import House
from pairhouse.server.app import build
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.process_setup import freeze_gc
from pairhouse.server.protocol import WorkerSettings
from pairhouse.server.serving import PoliteServer
from pairhouse.server.wallets.operator_client import Operators


def serve_alone(house: House, listener: socket.socket, operators: Operators, settings: WorkerSettings) -> None:
    """Serve until told to stop."""
    throttle = None if settings.is_throttled else Throttle({})
    app = build(house=house, is_secure=settings.is_secure, throttle=throttle, operators=operators)
    freeze_gc()
    PoliteServer(app, settings.trusted_proxies).run(sockets=[listener])
