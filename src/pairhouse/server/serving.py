"""A server as we run it: it keeps lines open long enough, takes a settled memory, and stops politely."""

import asyncio
import gc
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import uvicorn

KEEP_ALIVE_S = 75  # longer than proxies keep a connection, so that they never write to one that is just being closed
GRACE_S = 10
QUEUE_MAX = 2048
PATIENCE_S = 1.0
_LAST_WORD = (b"connection", b"close")


def settings(app: Any) -> uvicorn.Config:
    """How uvicorn serves for us."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="none",
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
    )


def freeze_gc() -> None:
    """What was loaded stays for good: looking through it for refuse again and again made some answers late."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


class PoliteServer(uvicorn.Server):
    """Whoever is on a line may ask once more, and is told that the line closes after it.

    Uvicorn closes lines at rest at once, and lets go of those nobody has taken yet; a request that was just on its way
    there is then lost with the line.
    """

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take who waits already and no new line, let each be closed by its next answer, then stop as uvicorn does."""
        callers = [caller for listener in sockets or () for caller in _waiting_at(listener)]
        for server in self.servers:
            server.close()
        self.server_state.default_headers = [*self.server_state.default_headers, _LAST_WORD]
        for caller in callers:
            with suppress(OSError):  # who has hung up meanwhile
                await asyncio.get_running_loop().connect_accepted_socket(self._new_line, caller)
        lines: set[Any] = self.server_state.connections
        for line in lines:
            if line.cycle is not None and not line.cycle.response_complete:
                line.cycle.keep_alive = False
        until = asyncio.get_running_loop().time() + PATIENCE_S
        while lines and not self.force_exit and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)

    def _new_line(self) -> asyncio.Protocol:
        """What uvicorn makes of a caller that it takes itself."""
        make: Any = self.config.http_protocol_class
        line: asyncio.Protocol = make(self.config, self.server_state, self.lifespan.state)
        return line


def _waiting_at(listener: socket.socket) -> Iterator[socket.socket]:
    """Those who have come to a listener, and would be turned away if it were closed now."""
    listener.setblocking(False)
    with suppress(OSError):  # nobody is left, or no file for another
        for _ in range(QUEUE_MAX):
            caller, _ = listener.accept()
            caller.setblocking(False)
            yield caller
