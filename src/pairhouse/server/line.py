"""The line between a door and the house: what is asked and what is told, many at a time.

Both ends are processes of one machine and of one version. A message has its length in four bytes before it, and holds a
list of records in MessagePack. What is said in one turn of the event loop goes in few messages, the first of them early
enough for the other end to begin.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from pairhouse.house.commands import RoundBet, RoundChoice
from pairhouse.server.http.headers import Headers

T = TypeVar("T")
_SIZE = 4
_AT_ONCE = 8  # who waits for the rest of a long list has nothing to do meanwhile
_encode = msgspec.msgpack.Encoder().encode


class Request(msgspec.Struct, array_like=True, frozen=True):
    """A request as it came in at a door."""

    method: str
    path: str
    raw_path: bytes
    query: bytes
    headers: Headers
    body: bytes
    client: tuple[str, int] | None
    server: tuple[str, int | None] | None
    scheme: str
    http_version: str


class Asked(msgspec.Struct, Generic[T], array_like=True, frozen=True):
    """A request with its number on this line; with the deed it is, for whom, and what status that has, where plain."""

    number: int
    request: T  # the house looks into it only where it must
    token: str = ""
    status: int = 0
    bet: RoundBet | None = None
    choice: RoundChoice | None = None


class Told(msgspec.Struct, array_like=True, frozen=True):
    """The answer to a request. Without headers it has those of every answer in JSON."""

    number: int
    status: int
    headers: Headers | None
    body: bytes


def _nothing() -> None:
    pass


class Line(asyncio.Protocol, Generic[T]):
    """One end of it. `heard` is given the records of each message, `lost` is called when the other end is gone."""

    def __init__(
        self, record: Any, heard: Callable[["Line[T]", list[T]], None], lost: Callable[[], None] = _nothing
    ) -> None:
        self._decode = msgspec.msgpack.Decoder(list[record]).decode
        self._heard = heard
        self._lost = lost
        self._rest = b""
        self._unsaid: list[Any] = []
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        data = self._rest + data if self._rest else data
        first, end = 0, len(data)
        while end - first >= _SIZE:
            after = first + _SIZE + int.from_bytes(data[first : first + _SIZE], "big")
            if after > end:
                break
            self._heard(self, self._decode(data[first + _SIZE : after]))
            first = after
        self._rest = data[first:]

    def say(self, record: object) -> None:
        """Something for the other end; it goes together with what else is said in this turn."""
        if not self._unsaid:
            self._loop.call_soon(self._send)
        self._unsaid.append(record)
        if len(self._unsaid) == _AT_ONCE:
            self._send()

    def _send(self) -> None:
        if self._unsaid:
            content, self._unsaid = _encode(self._unsaid), []
            if self._transport is not None:
                self._transport.write(len(content).to_bytes(_SIZE, "big") + content)

    def connection_lost(self, _: Exception | None) -> None:
        self._transport = None
        self._lost()
