"""A server that stops politely: whoever is on a line may ask once more, and is told that the line closes after it."""

import asyncio
import socket
from typing import Any

import uvicorn

PATIENCE_S = 1.0
_LAST_WORD = (b"connection", b"close")


class PoliteServer(uvicorn.Server):
    """Uvicorn closes lines at rest at once; a request that was just on its way there is then lost with the line."""

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
