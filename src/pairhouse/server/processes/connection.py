"""The connection between an HTTP worker and the bookkeeper: records in MessagePack over a pair of Unix sockets.

A message has its length in four bytes before it, and holds a list of records. What is sent in one turn of the event
loop goes in few messages, the first of them early enough for the other end to begin.
"""

import asyncio
from collections.abc import Callable
from socket import socket
from typing import Any, Generic, TypeVar

import msgspec

from pairhouse.server.processes.protocol import AnyCommand, CommandRequest, CommandResult, TableMoved, error_of

T = TypeVar("T")
_SIZE_BYTES = 4
_LIST = b"\xdd"  # in MessagePack a list of up to 2**32 items: this byte, and their number in four
_FLUSH_AT = 8  # the other end may begin with these while the rest of a long list is still being made
_encode = msgspec.msgpack.Encoder().encode


class Connection(asyncio.Protocol, Generic[T]):
    """One end of it. `received` is given the records of each message, `lost` is called when the other end is gone."""

    def __init__(self, record: Any, received: Callable[[list[T]], None], lost: Callable[[], None]) -> None:
        self._decode = msgspec.msgpack.Decoder(list[record]).decode
        self._received = received
        self._lost = lost
        self._incomplete = b""
        self._unsent: list[bytes] = []
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        data = self._incomplete + data if self._incomplete else data
        start, end = 0, len(data)
        while end - start >= _SIZE_BYTES:
            after = start + _SIZE_BYTES + int.from_bytes(data[start : start + _SIZE_BYTES], "big")
            if after > end:
                break
            self._received(self._decode(data[start + _SIZE_BYTES : after]))
            start = after
        self._incomplete = data[start:]

    def send(self, record: object) -> None:
        """Send a record, together with what else is sent in this turn of the loop.

        Each is encoded by itself, so that one that cannot be is told to its sender and keeps nobody else waiting.
        """
        content = _encode(record)
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(content)
        if len(self._unsent) == _FLUSH_AT:
            self._flush()

    def _flush(self) -> None:
        if not self._unsent:
            return
        message = b"".join((_LIST, len(self._unsent).to_bytes(_SIZE_BYTES, "big"), *self._unsent))
        self._unsent.clear()
        if self._transport is not None:
            self._transport.write(len(message).to_bytes(_SIZE_BYTES, "big") + message)

    def connection_lost(self, _: Exception | None) -> None:
        self._transport = None
        self._lost()


class BookkeeperConnection:
    """The worker's end: sends commands, and gives each its answer."""

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._number = 0
        self.on_moved: Callable[[str, int], None] | None = None  # is told of new entries at live tables

    async def open(self, given: socket, lost: Callable[[], None]) -> None:
        """Take up the connection. It is never closed from here."""
        self._loop = asyncio.get_running_loop()

        def make() -> Connection[CommandResult]:
            return Connection(CommandResult, self._answered, lost)

        _, self._connection = await self._loop.create_unix_connection(make, sock=given)

    def do(self, command: AnyCommand) -> "asyncio.Future[bytes]":
        """Have a command done; its answer as JSON, once it is on disk."""
        self._number = number = self._number + 1
        self._connection.send(CommandRequest(number, command))
        answer = self._waiting[number] = self._loop.create_future()
        return answer

    def post(self, command: AnyCommand) -> None:
        """Have a command done whose answer nobody waits for."""
        self._connection.send(CommandRequest(0, command))

    def _answered(self, results: list[CommandResult]) -> None:
        for result in results:
            if result.number == 0:
                moved = msgspec.json.decode(result.body, type=TableMoved)
                if self.on_moved is not None:
                    self.on_moved(moved.table, moved.number)
                continue
            answer = self._waiting.pop(result.number)
            if answer.done():  # the caller has gone
                continue
            if result.failure is None:
                answer.set_result(result.body)
            else:
                answer.set_exception(error_of(result.failure))
