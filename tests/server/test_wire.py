"""An answer written in one piece: the bytes, and the record it leaves, are those of the messages it stands for."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from pairhouse.server.wire import Wire

BODY = b'{"id":"x"}'
HEAD = [(b"x-frame-options", b"DENY"), (b"cache-control", b"no-store")]
DEFAULTS = [(b"date", b"Sun, 15 Nov 2026 14:00:00 GMT"), (b"server", b"uvicorn")]


class Line:
    """A connection that keeps what is written to it."""

    def __init__(self) -> None:
        self.written = b""
        self.is_closed = False
        self.answers = 0

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True

    def answered(self) -> None:
        self.answers += 1


def new_cycle(**changed: Any) -> tuple[RequestResponseCycle, Line]:
    line: Any = Line()
    log = logging.getLogger("test")
    given: dict[str, Any] = {"scope": {"method": "POST"}, "transport": line, "flow": FlowControl(line), "logger": log}
    given |= {"access_logger": log, "access_log": False, "default_headers": DEFAULTS, "keep_alive": True}
    given |= {"message_event": asyncio.Event(), "expect_100_continue": False, "on_response": line.answered}
    return RequestResponseCycle(**given | changed), line


async def send_messages(send: Any, status: int) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(BODY)), *HEAD]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": BODY})


def record(cycle: RequestResponseCycle, line: Line) -> dict[str, Any]:
    """All that is known of a request after its answer. `chunked_encoding` is used while the messages are read only."""
    left = {name: value for name, value in vars(cycle).items() if isinstance(value, bool | int | bytearray)}
    return left | vars(line) | {"is told": cycle.message_event.is_set(), "chunked_encoding": None}


@pytest.mark.parametrize("status", [200, 201])
@pytest.mark.parametrize("expects", [False, True])
def test_it_is_what_the_messages_come_to(status: int, expects: bool) -> None:
    one, line = new_cycle(expect_100_continue=expects)
    asyncio.run(send_messages(one.send, status))
    other, other_line = new_cycle(expect_100_continue=expects)
    assert Wire(HEAD).is_sent(other.send, status, BODY)
    assert record(other, other_line) == record(one, line)
    assert line.answers == 1
    assert line.written.endswith(b"\r\n\r\n" + BODY)


def test_the_date_is_that_of_the_moment() -> None:
    wire = Wire(HEAD)
    for date in (b"first", b"second", b"second"):
        cycle, line = new_cycle(default_headers=[(b"date", date)])
        assert wire.is_sent(cycle.send, 201, BODY)
        assert b"\r\ndate: " + date + b"\r\n" in line.written


def disconnect(cycle: Any) -> None:
    cycle.disconnected = True


def start(cycle: Any) -> None:
    cycle.response_started = True


def pause(cycle: Any) -> None:
    cycle.flow.pause_writing()


def last(cycle: Any) -> None:
    cycle.keep_alive = False


def tell(cycle: Any) -> None:
    cycle.access_log = True


def stop(cycle: Any) -> None:
    """The server is closing: its own headers say that the connection ends with this answer."""
    cycle.default_headers = [*DEFAULTS, (b"connection", b"close")]


@pytest.mark.parametrize("happens", [disconnect, start, pause, last, tell, stop])
def test_anything_unusual_is_left_to_the_messages(happens: Callable[[Any], None]) -> None:
    cycle, line = new_cycle()
    happens(cycle)
    before = record(cycle, line)
    assert not Wire(HEAD).is_sent(cycle.send, 201, BODY)
    assert record(cycle, line) == before


def test_another_server_gets_messages() -> None:
    async def send(_: Any) -> None:
        raise AssertionError("it was not asked to send")

    class Other:
        async def send(self, _: Any) -> None:
            raise AssertionError("it was not asked to send")

    assert not Wire(HEAD).is_sent(send, 201, BODY)
    assert not Wire(HEAD).is_sent(Other().send, 201, BODY)
