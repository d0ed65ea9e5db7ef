"""Uvicorn as we run it: connections stay open long enough, proxies are trusted by name, and it stops politely."""

import asyncio
import selectors
import socket
from collections.abc import Callable, Sequence

import uvicorn

from pairhouse.server.app import Application

KEEP_ALIVE_S = 75  # longer than proxies keep a connection, so that they never write to one that is just being closed
GRACE_S = 10
LAST_REQUEST_S = 1.0  # so long an idle connection may still ask, once the server is told to stop


def settings(app: Application, trusted_proxies: Sequence[str] = ()) -> uvicorn.Config:
    """How uvicorn serves for us."""
    return uvicorn.Config(
        app,
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

    def __init__(self, app: Application, trusted_proxies: Sequence[str] = ()) -> None:
        super().__init__(settings(app, trusted_proxies))
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept who waits already and nobody new, have every response close its connection, then stop as uvicorn."""
        self._app.is_stopping = True
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
