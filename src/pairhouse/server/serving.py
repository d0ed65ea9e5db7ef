"""Uvicorn as we run it: connections within limits, proxies trusted by name, and a polite end."""

import asyncio
import selectors
import socket
from collections.abc import Callable, Sequence
from typing import Any, cast

import msgspec
import uvicorn

from pairhouse.server.app import Application
from pairhouse.server.http.connections import ConnectionLimits, Connections
from pairhouse.server.processes.resource_limits import raise_file_limit

KEEP_ALIVE_S = 75  # longer than proxies keep a connection, so that they never write to one that is just being closed
GRACE_S = 10
LOOK_EVERY_S = 1.0
LAST_REQUEST_S = 1.0  # so long an idle connection may still ask, once the server is told to stop


def usual_protocol(app: Application) -> type[asyncio.Protocol]:
    """What uvicorn makes for each connection, where it is not told otherwise."""
    usual = uvicorn.Config(app, log_config=None)
    usual.load()
    return usual.http_protocol_class


def with_target(usual: Any) -> type[asyncio.Protocol]:
    """The same, where each request has its target as it was sent: of a whole address, the server passes on the path."""
    if not hasattr(usual, "on_url"):  # a parser that passes on all of it as the path
        return cast(type[asyncio.Protocol], usual)

    class WithTarget(usual):  # type: ignore[misc]
        def on_url(self, url: bytes) -> None:
            super().on_url(url)
            self.scope["state"]["target"] = self.url

    return WithTarget


def settings(
    app: Application, trusted_proxies: Sequence[str] = (), connections: Connections | None = None
) -> uvicorn.Config:
    """How uvicorn serves for us. Its own protocol stands behind the guard of each connection."""
    guarded = (connections or Connections(trusted_proxies=trusted_proxies)).protocol(with_target(usual_protocol(app)))
    return uvicorn.Config(
        app,
        http=guarded,
        server_header=False,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
    )


class PoliteServer(uvicorn.Server):
    """Whoever is on a connection may ask once more, and is told that it closes after that.

    Uvicorn closes idle connections at once, and drops those not yet accepted; a request that was just on its way is
    then lost with its connection.
    """

    def __init__(
        self, app: Application, trusted_proxies: Sequence[str] = (), limits: ConnectionLimits | None = None
    ) -> None:
        files = raise_file_limit()
        limits = limits or ConnectionLimits()
        limits = msgspec.structs.replace(limits, connections=max(16, min(limits.connections, files // 2)))
        self.connections = Connections(limits, trusted_proxies)
        super().__init__(settings(app, trusted_proxies, self.connections))
        self._app = app

    async def main_loop(self) -> None:
        """Serve until told to stop; once a second, close connections that take too long."""
        closing = asyncio.create_task(self._close_late())
        try:
            await super().main_loop()
        finally:
            closing.cancel()

    async def _close_late(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            self.connections.close_late()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept who waits already and nobody new, have every response close its connection, then stop as uvicorn."""
        self._app.begin_stopping()
        loop = asyncio.get_running_loop()
        until = loop.time() + LAST_REQUEST_S
        for listener in sockets or []:
            await _accept_waiting(listener, lambda: loop.time() < until)
        for server in self.servers:
            server.close()
        while self.server_state.connections and not self.force_exit and loop.time() < until:
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)


async def _accept_waiting(listener: socket.socket, has_time: Callable[[], bool]) -> None:
    """Let the event loop accept all who have come to a listener: they would be turned away if it were closed now."""
    with selectors.DefaultSelector() as waiting:
        waiting.register(listener, selectors.EVENT_READ)
        while waiting.select(0) and has_time():
            await asyncio.sleep(0)
