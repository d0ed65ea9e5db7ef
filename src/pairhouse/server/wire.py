"""A whole answer in one piece: status, headers and body joined once, where uvicorn itself stands behind `send`.

The messages of ASGI cost a fifth of a bet's way through HTTP: every header is searched for characters that ours cannot
hold, each time anew. This writes the same bytes and leaves uvicorn's record of the request in the same state. It does
so for the one series of uvicorn it was compared with; in any other case `is_sent` is False, and messages do it.
"""

from http import HTTPStatus
from typing import Any

import uvicorn

from pairhouse.server.http.headers import Headers

KNOWN = "0.54."
_JSON = (b"content-type", b"application/json")


def _known_cycle() -> Any:
    """Uvicorn's record of a request; None where it is another one than we know, or has another parser."""
    try:
        from uvicorn.protocols.http.httptools_impl import RequestResponseCycle  # noqa: PLC0415 (not on every system)
    except ImportError:
        return None
    return RequestResponseCycle if uvicorn.__version__.startswith(KNOWN) else None


_CYCLE = _known_cycle()


def note_hung_up(send: Any) -> None:
    """Uvicorn tells only the last of the requests on a line that its caller has hung up; another may learn it here."""
    cycle: Any = getattr(send, "__self__", None)
    if type(cycle) is _CYCLE and cycle.transport.is_closing():
        cycle.disconnected = True


class Wire:
    """Answers of JSON with headers that are always the same."""

    def __init__(self, head: Headers) -> None:
        self._lines_of_head = head
        self._head = joined(head) + b"\r\n"
        self._lines: dict[int, bytes] = {}
        self._defaults: Headers = []  # uvicorn's own, with the date: another list each second
        self._defaults_joined = b""
        self._is_last = False

    async def answer(self, send: Any, status: int, body: bytes) -> None:
        """Answer in one piece, or by messages."""
        if not self.is_sent(send, status, body):
            headers = [_JSON, (b"content-length", b"%d" % len(body)), *self._lines_of_head]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})

    def is_sent(self, send: Any, status: int, body: bytes) -> bool:
        """Write an answer now, if that is all there is to do."""
        cycle: Any = getattr(send, "__self__", None)
        if type(cycle) is not _CYCLE:
            return False
        if cycle.response_started or cycle.disconnected or cycle.flow.write_paused or cycle.access_log:
            return False
        if not cycle.keep_alive:  # the connection is closed after it, and the headers say so
            return False
        if cycle.default_headers is not self._defaults:
            self._defaults, self._defaults_joined = cycle.default_headers, joined(cycle.default_headers)
            self._is_last = any(name == b"connection" for name, _ in self._defaults)
        if self._is_last:  # the server is stopping: the answer says that the connection closes after it
            return False
        size = b"content-type: application/json\r\ncontent-length: %d\r\n" % len(body)
        line = self._lines.get(status) or self._line(status)
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        cycle.transport.write(b"".join((line, self._defaults_joined, size, self._head, body)))
        cycle.message_event.set()
        cycle.on_response()
        return True

    def _line(self, status: int) -> bytes:
        line = self._lines[status] = b"HTTP/1.1 %d %b\r\n" % (status, HTTPStatus(status).phrase.encode())
        return line


def joined(headers: Headers) -> bytes:
    return b"".join([b"%b: %b\r\n" % line for line in headers])
