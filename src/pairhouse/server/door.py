"""`python -m pairhouse.server.door LISTENER LINE`: a door of the house, as a process of its own.

It listens on the socket that the house has opened, reads requests, and asks the house on the line it was given; it
decides nothing and keeps nothing. So the house, which has one interpreter for its books, spends none of it on HTTP.
When the line is lost the house is gone, and the door closes at once.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from pairhouse.house.commands import RoundBet
from pairhouse.server.http.headers import ALWAYS, SAFE_METHODS
from pairhouse.server.line import Asked, Line, Request, Told
from pairhouse.server.logs import set_up_logs
from pairhouse.server.plain import BODY_MAX_BYTES, Plain, reader_for
from pairhouse.server.serving import PoliteServer, freeze_gc, settings
from pairhouse.server.wire import Wire, note_hung_up

HOUSE_GONE = 3  # the exit status of a door whose house is gone


class Door:
    """An application that asks the house."""

    def __init__(self, line: socket.socket, lost: Callable[[], None]) -> None:
        self._socket = line
        self._lost = lost
        self._wire = Wire(ALWAYS)
        self._waiting: dict[int, asyncio.Future[Told]] = {}
        self._number = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Ask the house, and pass on what it tells."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        read = reader_for(scope)
        body = b"" if scope["method"] in SAFE_METHODS else await _body_of(receive)
        if body is None:
            return
        told = await self._ask(scope, body, read(scope["headers"], body) if read is not None else None)
        note_hung_up(send)
        if told.headers is None:
            await self._wire.answer(send, told.status, told.body)
            return
        await send({"type": "http.response.start", "status": told.status, "headers": told.headers})
        await send({"type": "http.response.body", "body": told.body})

    def _ask(self, scope: Any, body: bytes, plain: Plain | None) -> "asyncio.Future[Told]":
        self._number = number = self._number + 1
        asked = Asked(number, _request(scope, body))
        if plain is not None:
            token, deed, status = plain
            bet, choice = (deed, None) if isinstance(deed, RoundBet) else (None, deed)
            asked = Asked(number, asked.request, token, status, bet, choice)
        answer = self._waiting[number] = self._loop.create_future()
        self._line.say(asked)
        return answer

    def _told(self, _: Line[Told], answers: list[Told]) -> None:
        for told in answers:
            answer = self._waiting.pop(told.number)
            if not answer.done():  # the caller may have gone
                answer.set_result(told)

    async def open(self) -> None:
        """Take up the line. It is never hung up from here."""
        self._loop = asyncio.get_running_loop()
        make = partial(Line[Told], Told, self._told, self._lost)
        _, self._line = await self._loop.create_unix_connection(make, sock=self._socket)

    async def _live(self, receive: Any, send: Any) -> None:
        await receive()
        await self.open()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})


async def _body_of(receive: Any) -> bytes | None:
    """The body of a request, or as much of it as shows that it is too large; None when the caller hangs up."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body") and len(body) <= BODY_MAX_BYTES:
        message = await receive()
        body += message.get("body", b"")
    return None if message["type"] == "http.disconnect" else body


def _request(scope: Any, body: bytes) -> Request:
    return Request(
        scope["method"],
        scope["path"],
        scope["raw_path"],
        scope["query_string"],
        scope["headers"],
        body,
        scope["client"],
        scope["server"],
        scope["scheme"],
        scope["http_version"],
    )


def main() -> None:
    """Serve until told to stop, by the house or by a Ctrl-C that both of us hear."""
    listener, line = (socket.socket(fileno=int(number)) for number in sys.argv[1:3])
    set_up_logs()
    freeze_gc()
    server = PoliteServer(settings(Door(line, partial(os._exit, HOUSE_GONE))))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # uvicorn hears it while it serves, and sends it again after that
    server.run(sockets=[listener])


if __name__ == "__main__":
    main()
