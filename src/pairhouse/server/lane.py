"""The short way for the two requests a round is made of: a bet and a choice.

A request that is plainly in order is read, done and answered here, with the same records, limits and deeds as in the
framework's routes. Whatever is not plainly in order goes to the framework as it came, and so does everything that is
raised: what is wrong with a request, and how that is told, is decided there alone.
"""

import time
from typing import Any

import msgspec
from litestar.types import ASGIApp, Receive

from pairhouse.server.desk import Desk
from pairhouse.server.http.callers import RAISED
from pairhouse.server.http.headers import ALWAYS
from pairhouse.server.metrics import STARTED, note
from pairhouse.server.plain import reader_for
from pairhouse.server.wire import Wire

encode = msgspec.json.Encoder().encode


class Lane:
    """Both requests, from the server to the cashier and back."""

    def __init__(self, desk: Desk, framework: ASGIApp) -> None:
        self._desk = desk
        self._framework = framework
        self._wire = Wire(ALWAYS)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or have the framework answer it."""
        read = reader_for(scope)
        if read is None:
            await self._framework(scope, receive, send)
            return
        started = time.perf_counter()
        message = await receive()
        plain = read(scope["headers"], message.get("body", b""))
        if plain is None:
            await self._framework(scope, _again(message, receive), send)
            return
        try:
            self._desk.throttle.check("session", plain.token)
            body = encode(await self._desk.cashier.do(plain.token, plain.deed))
        except Exception as error:  # told by the framework's handlers, like any other
            scope[RAISED], scope[STARTED] = error, started
            await self._framework(scope, _again(message, receive), send)
            return
        await self._wire.answer(send, plain.status, body)
        note("POST", plain.status, time.perf_counter() - started)


def _again(message: Any, receive: Any) -> Receive:
    """A way to receive that begins with what was received already."""
    waiting = [message]

    async def one() -> Any:
        return waiting.pop() if waiting else await receive()

    return one
