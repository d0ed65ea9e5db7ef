"""Server-sent events as a response that costs little while it is open: one task, and nothing that waits beside it.

The framework's own streams have a second task each, which waits for the reader to go. Here the connection says so.
"""

from collections.abc import AsyncIterator
from typing import Any

from litestar.response import Stream
from litestar.types import Receive, Scope, Send

from pairhouse.server.http.connections import GuardedConnection
from pairhouse.server.live.hub import Reader

HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}
MEDIA_TYPE = "text/event-stream"


class EventStream(Stream):
    """What a reader is sent, on a connection that tells when it is lost."""

    def __init__(self, events: AsyncIterator[bytes], reader: Reader, connection: GuardedConnection) -> None:
        super().__init__(events, media_type=MEDIA_TYPE, headers=HEADERS)
        self.events = events
        connection.streaming()
        connection.on_gone = reader.leave

    def to_asgi_response(self, *given: Any, **named: Any) -> Any:
        """The response as the server calls it."""
        begun = super().to_asgi_response(*given, **named)

        async def respond(scope: Scope, receive: Receive, send: Send) -> None:
            await begun.start_response(send=send)
            async for message in self.events:
                await send({"type": "http.response.body", "body": message, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})

        return respond


def event_stream(events: AsyncIterator[bytes], reader: Reader, connection: GuardedConnection | None) -> Stream:
    """The events of a reader as a response; without a network the application is called without a connection."""
    if connection is None:
        return Stream(events, media_type=MEDIA_TYPE, headers=HEADERS)
    return EventStream(events, reader, connection)
