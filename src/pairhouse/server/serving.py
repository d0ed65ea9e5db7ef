"""A server as we run it: it keeps lines open long enough, takes a settled memory, and stops politely."""

import asyncio
import gc
import socket
from typing import Any

import uvicorn

KEEP_ALIVE_S = 75  # longer than proxies keep a connection, so that they never write to one that is just being closed
GRACE_S = 10
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


def settle_memory() -> None:
    """What was loaded stays for good: looking through it for refuse again and again made some answers late."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


class PoliteServer(uvicorn.Server):
    """Whoever is on a line may ask once more, and is told that the line closes after it.

    Uvicorn closes lines at rest at once; a request that was just on its way there is then lost with the line.
    """

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no new line, let each open one be closed by its next answer, then stop as uvicorn does."""
        for server in self.servers:
            server.close()
        self.server_state.default_headers = [*self.server_state.default_headers, _LAST_WORD]
        lines: set[Any] = self.server_state.connections
        for line in lines:
            if line.cycle is not None and not line.cycle.response_complete:
                line.cycle.keep_alive = False
        until = asyncio.get_running_loop().time() + PATIENCE_S
        while lines and not self.force_exit and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)
