"""Server-sent events as a response that costs little while it is open.

The framework finds the route, knows the caller and refuses who may not watch. Its answer only says what is to be
sent; that happens once it is done with the request and has let go of everything it needed for it.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from litestar import Response
from litestar.types import Receive, Scope, Send

from pairhouse.server.http.connections import GuardedConnection
from pairhouse.server.live.hub import Reader

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
KEPT_IN_STATE = "event-stream"
SendBytes = Callable[[bytes], Awaitable[None]]
SendEvents = Callable[[SendBytes], Awaitable[None]]


class EventStream(Response[None]):
    """What a reader will be sent, on a connection that tells when it is lost."""

    def __init__(self, send_events: SendEvents, reader: Reader, connection: GuardedConnection) -> None:
        super().__init__(None)
        self._send_events = send_events
        connection.streaming()
        connection.on_gone = reader.leave

    def to_asgi_response(self, *given: Any, **named: Any) -> Any:
        """Nothing is sent yet: `stream_of` finds what is to be sent."""

        async def respond(scope: Scope, receive: Receive, send: Send) -> None:
            scope["state"][KEPT_IN_STATE] = self._send_events

        return respond


def stream_of(scope: Any) -> SendEvents | None:
    """The events that answer a request, if the framework has answered with some."""
    found: SendEvents | None = scope.get("state", {}).pop(KEPT_IN_STATE, None)
    return found


async def send_stream(send_events: SendEvents, begin: Send, send: Send) -> None:
    """The head of the response, and then events for as long as there are any."""
    await begin({"type": "http.response.start", "status": 200, "headers": HEADERS})

    def send_bytes(message: bytes) -> Awaitable[None]:
        return send({"type": "http.response.body", "body": message, "more_body": True})

    await send_events(send_bytes)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def forget_request(scope: Any, keys: set[str]) -> None:
    """Let go of the headers of a request, and of what the framework has added to it since it had these keys."""
    for key in scope.keys() - keys:
        del scope[key]
    scope["state"].clear()
    scope["headers"].clear()
