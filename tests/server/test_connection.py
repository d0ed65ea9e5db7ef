"""The connection between a worker and the bookkeeper: whole records, however the bytes are cut; an answer for each."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.errors import Refused
from pairhouse.server.processes.connection import BookkeeperConnection, Connection
from pairhouse.server.processes.protocol import (
    AnyCommand,
    CommandRequest,
    CommandResult,
    Failure,
    NewGuest,
    ReadMetrics,
    SessionSeen,
)

failures = st.builds(Failure, st.just("refused"), st.text(max_size=9), st.text(max_size=9))
results = st.builds(CommandResult, st.integers(0, 2**40), st.binary(max_size=300), st.none() | failures)
LIMIT_S = 30


def nothing(*_: Any) -> None:
    pass


class Pipe(asyncio.Transport):
    """Keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.writes = 0

    def write(self, data: Any) -> None:
        self.written += data
        self.writes += 1


async def written(turns: list[list[Any]]) -> Pipe:
    """What these come to, sent in so many turns of the loop."""
    pipe, connection = Pipe(), Connection[Any](CommandResult, nothing, nothing)
    connection.connection_made(pipe)
    for records in turns:
        for record in records:
            connection.send(record)
        await asyncio.sleep(0)
    return pipe


async def received(data: bytes, cuts: list[int]) -> list[Any]:
    found: list[Any] = []
    connection = Connection[Any](CommandResult, found.extend, nothing)
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for start, end in pairwise(places):
        connection.data_received(data[start:end])
    return found


@given(turns=st.lists(st.lists(results, max_size=20), max_size=3), cuts=st.lists(st.integers(0, 10_000), max_size=6))
def test_records_come_whole_and_in_order_however_they_are_cut(
    turns: list[list[CommandResult]], cuts: list[int]
) -> None:
    pipe = asyncio.run(written(turns))
    assert asyncio.run(received(pipe.written, cuts)) == [result for turn in turns for result in turn]


def test_what_is_sent_in_one_turn_goes_in_few_messages() -> None:
    pipe = asyncio.run(written([[CommandResult(n, b"x") for n in range(20)]]))
    assert pipe.writes == 3, "two of eight, and the rest"


def test_a_connection_that_is_lost_says_so_and_takes_what_is_sent() -> None:
    async def lose() -> list[str]:
        told: list[str] = []
        connection = Connection[Any](CommandResult, nothing, lambda: told.append("lost"))
        connection.connection_made(Pipe())
        connection.connection_lost(None)
        connection.send(CommandResult(1, b""))
        await asyncio.sleep(0)
        return told

    assert asyncio.run(lose()) == ["lost"]


@asynccontextmanager
async def two_ends(
    answer: Callable[[Connection[CommandRequest], CommandRequest], None],
) -> AsyncIterator[BookkeeperConnection]:
    """A worker's end, whose other end answers so."""
    ours, theirs = socket.socketpair()
    lost = asyncio.Event()

    def done(requests: list[CommandRequest]) -> None:
        for request in requests:
            answer(end, request)

    end = Connection[CommandRequest](CommandRequest, done, nothing)
    transport, _ = await asyncio.get_running_loop().create_unix_connection(lambda: end, sock=ours)
    worker = BookkeeperConnection()
    await worker.open(theirs, lost.set)
    async with asyncio.timeout(LIMIT_S):
        yield worker
        transport.close()
        await lost.wait()


def test_each_command_has_its_own_answer() -> None:
    waiting: list[CommandRequest] = []

    def backwards(end: Connection[CommandRequest], request: CommandRequest) -> None:
        waiting.append(request)
        while len(waiting) == 3:
            for one in reversed(waiting):
                failure = Failure("refused", "no", "not-allowed") if one.command == ReadMetrics() else None
                end.send(CommandResult(one.number, type(one.command).__name__.encode(), failure))
            waiting.clear()

    async def ask() -> list[Any]:
        commands: list[AnyCommand] = [NewGuest(), ReadMetrics(), SessionSeen("x")]
        async with two_ends(backwards) as worker:
            return await asyncio.gather(*map(worker.do, commands), return_exceptions=True)

    first, refused, last = asyncio.run(ask())
    assert (first, last) == (b"NewGuest", b"SessionSeen")
    assert isinstance(refused, Refused)
    assert refused.code == "not-allowed"


def test_an_answer_nobody_waits_for_is_dropped() -> None:
    held: list[Callable[[], None]] = []

    def hold(end: Connection[CommandRequest], request: CommandRequest) -> None:
        held.append(lambda: end.send(CommandResult(request.number, b"late")))
        if len(held) == 2:
            for answer in held:
                answer()

    async def ask() -> bytes:
        async with two_ends(hold) as worker:
            worker.do(NewGuest()).cancel()
            return await worker.do(NewGuest())

    assert asyncio.run(ask()) == b"late"


def test_a_record_that_cannot_be_encoded_is_told_to_its_sender_alone() -> None:
    async def ask() -> bytes:
        async with two_ends(lambda end, request: end.send(CommandResult(request.number, b"done"))) as worker:
            first = worker.do(NewGuest())
            with pytest.raises(UnicodeEncodeError):
                worker.do(SessionSeen("\ud800"))
            return await first

    assert asyncio.run(ask()) == b"done"


def test_a_post_has_no_number() -> None:
    async def ask() -> CommandRequest:
        came: asyncio.Future[CommandRequest] = asyncio.get_running_loop().create_future()
        async with two_ends(lambda _, request: came.set_result(request)) as worker:
            worker.post(SessionSeen("x"))
            return await came

    assert asyncio.run(ask()) == CommandRequest(0, SessionSeen("x"))
