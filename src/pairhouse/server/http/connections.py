"""Limits on connections: how many, from whom, how long they may take, and how large a request's head may be.

The HTTP server reads whatever it is sent for as long as it is sent, so a guard stands before it on every connection:
it hands on the head of a request only when it is whole, and within limits. It parses nothing but the end of a head.
"""

import asyncio
import ipaddress
import socket
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from http import HTTPStatus
from typing import Any, cast

import msgspec

from pairhouse.server.metrics import count_refused
from pairhouse.server.models import Problem

END_OF_HEAD = b"\r\n\r\n"
NEW, IDLE, HEAD, REQUEST, RESPONSE, STREAM, CLOSING = range(7)  # what a connection is at
WAITING = (NEW, IDLE, HEAD)
STREAM_BUFFER = 32_768  # bytes that the system keeps for the reader of a stream, at most twice

REFUSALS = {
    408: ("too-slow", "the request did not come in time; send it again on a new connection"),
    414: ("url-too-long", "the address is longer than any address here"),
    429: ("too-many-connections", "too many connections from your address; close some"),
    431: ("head-too-large", "the headers of the request are too many or too long"),
    503: ("busy", "too many are connected just now; try again in a moment"),
}


class ConnectionLimits(msgspec.Struct, frozen=True):
    """What one HTTP worker allows. Times are seconds, sizes bytes."""

    head_bytes: int = 16_384
    head_lines: int = 100
    url_bytes: int = 2_048
    ahead_bytes: int = 262_144  # after a head, until it is answered: its body, and requests sent ahead
    ahead_lines: int = 8_192
    ahead_heads: int = 64
    thrown_away_bytes: int = 4_194_304  # of one that is told why it is closed
    first_byte_s: float = 10.0
    head_s: float = 10.0
    request_s: float = 60.0  # until the response begins
    response_s: float = 120.0
    stuck_s: float = 30.0  # of a stream whose reader takes nothing
    idle_s: float = 90.0  # longer than the server keeps connections alive by itself
    closing_s: float = 2.0
    connections: int = 10_000
    per_address: int = 256  # connections of an address; of one behind a proxy, requests at once


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Whom an address stands for: one IPv4 address, or the network of an IPv6 address, of which everybody has many."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 6:
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


class Connections:
    """All connections of an HTTP worker."""

    def __init__(self, limits: ConnectionLimits | None = None, trusted_proxies: Sequence[str] = ()) -> None:
        self.limits = limits or ConnectionLimits()
        self.open: set[GuardedConnection] = set()
        self.by_address: Counter[str] = Counter()
        self.requests_behind_proxies: Counter[str] = Counter()
        self._proxies = [ipaddress.ip_network(proxy) for proxy in trusted_proxies]
        self.is_proxy = lru_cache(maxsize=1024)(self._is_proxy)

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)

    def protocol(self, server_protocol: type[asyncio.Protocol]) -> type[asyncio.Protocol]:
        """What the server is to make for each connection: its own protocol, behind a guard."""

        def guarded(*, app_state: dict[str, Any], **words: Any) -> GuardedConnection:
            make = cast(Callable[..., asyncio.Protocol], server_protocol)
            return GuardedConnection(self, lambda guard: make(app_state={**app_state, "connection": guard}, **words))

        return cast(type[asyncio.Protocol], guarded)

    def admit(self, connection: "GuardedConnection") -> int | None:
        """Note a new connection; the status it is refused with, if it is."""
        address = connection.address
        if address and self.by_address[address] >= self.limits.per_address:
            return 429
        if len(self.open) >= self.limits.connections:
            victim = self._least_missed()
            if victim is None:
                return 503
            victim.drop("crowded-out")
        self.open.add(connection)
        if address:
            self.by_address[address] += 1
        return None

    def _least_missed(self) -> "GuardedConnection | None":
        """Of those at which nothing is going on: one of the address that has most, and of these the oldest."""
        idle = [one for one in self.open if one.state in WAITING]
        return max(idle, key=lambda one: (self.by_address[one.address], -one.since), default=None)

    def leave(self, connection: "GuardedConnection") -> None:
        """Forget a connection."""
        if connection in self.open:
            self.open.discard(connection)
            _count_down(self.by_address, connection.address)

    def begin_behind_proxy(self, address: str) -> bool:
        """Note a request that came by a proxy; whether its sender may have one more."""
        if self.requests_behind_proxies[address] >= self.limits.per_address:
            return False
        self.requests_behind_proxies[address] += 1
        return True

    def end_behind_proxy(self, address: str) -> None:
        """A request that came by a proxy is answered."""
        _count_down(self.requests_behind_proxies, address)

    def close_late(self) -> None:
        """Close every connection that has taken too long. Called once a second."""
        now = time.monotonic()
        for connection in list(self.open):
            connection.close_if_late(now)


def _count_down(counts: Counter[str], name: str) -> None:
    if counts[name] > 1:
        counts[name] -= 1
    else:
        counts.pop(name, None)


class GuardedConnection(asyncio.Protocol):
    """One connection: what comes is passed to the server's own protocol once a head is whole."""

    def __init__(self, connections: Connections, make: Callable[["GuardedConnection"], asyncio.Protocol]) -> None:
        self.connections = connections
        self.limits = connections.limits
        self.address = ""  # empty for a proxy, which stands for many
        self.is_proxy = False
        self.state = NEW
        self.is_gone = False
        self.since = time.monotonic()  # when the state began; of a request, when its first byte came
        self._server = make(self)
        self.on_gone: Callable[[], None] | None = None  # is told when the connection is lost
        self._is_stuck = False
        self._head = self._passed_last = b""
        self._ahead_bytes = self._ahead_lines = self._ahead_heads = self._thrown_away = 0

    def connection_made(self, transport: Any) -> None:
        self._transport: asyncio.Transport = transport
        peer = transport.get_extra_info("peername")
        if isinstance(peer, tuple):
            self.is_proxy = self.connections.is_proxy(peer[0])
            self.address = "" if self.is_proxy else network_of(peer[0])
        refusal = self.connections.admit(self)
        self._server.connection_made(transport)
        if refusal is not None:
            self._refuse(refusal)
            transport.close()

    def data_received(self, data: bytes) -> None:
        if self.state in WAITING:
            self._take_head(data)
        elif self.state != CLOSING:
            self._take_ahead(data)
        else:
            self._thrown_away += len(data)
            if self._thrown_away > self.limits.thrown_away_bytes and not self.is_gone:
                self.drop("")

    def _take_head(self, data: bytes) -> None:
        if self.state != HEAD:
            self.state, self.since = HEAD, time.monotonic()
        limits, known = self.limits, len(self._passed_last)
        data = self._head + data if self._head else data
        look = self._passed_last + data if known else data  # the start of a head may have been sent ahead
        end = look.find(END_OF_HEAD, 0, limits.head_bytes)
        until = end if end >= 0 else len(look)
        url = look.find(b"\n", known, until)
        if (url if url >= 0 else until) > limits.url_bytes:
            self._refuse(414)
        elif until >= limits.head_bytes or look.count(b"\n", 0, until) > limits.head_lines:
            self._refuse(431)
        elif end < 0:
            self._head = data
        else:
            self._head = b""
            self.state = REQUEST
            self._ahead_bytes = self._ahead_lines = self._ahead_heads = 0
            self._take_ahead(data)

    def _take_ahead(self, data: bytes) -> None:
        self._ahead_bytes += len(data)
        self._ahead_lines += data.count(b"\n")
        self._ahead_heads += data.count(END_OF_HEAD)
        if (
            self._ahead_bytes > self.limits.ahead_bytes
            or self._ahead_lines > self.limits.ahead_lines
            or self._ahead_heads > self.limits.ahead_heads
        ):
            count_refused("too-much-ahead")
            self.state, self.since = CLOSING, time.monotonic()  # what is being answered may still go out
        else:
            self._passed_last = data[1 - len(END_OF_HEAD) :]
            self._server.data_received(data)

    def begin(self, scope: Any) -> bool:
        """The application has a request of this connection; whether whoever sent it may have one more."""
        if self.state in WAITING:  # one that was sent ahead
            self.state, self.since = REQUEST, time.monotonic()
        return not self.is_proxy or self.connections.begin_behind_proxy(network_of(scope["client"][0]))

    def answering(self) -> None:
        """Its response has begun."""
        if self.state == REQUEST:
            self.state, self.since = RESPONSE, time.monotonic()

    def streaming(self) -> None:
        """Its response is a stream, which lasts as long as its reader takes what is sent.

        A reader that is gone without a word acknowledges nothing: the system then ends the connection by itself.
        """
        if self.state in (REQUEST, RESPONSE):
            self.state, self.since = STREAM, time.monotonic()
            raw = self._transport.get_extra_info("socket")
            if raw is not None and raw.family in (socket.AF_INET, socket.AF_INET6):
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, STREAM_BUFFER)
                raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(self.limits.stuck_s * 1000))

    def answered(self, scope: Any | None) -> None:
        """Its response is complete. The scope is that of a request that could begin."""
        if self.state in (REQUEST, RESPONSE, STREAM):
            self.state, self.since = IDLE, time.monotonic()
        if self.is_proxy and scope is not None:
            self.connections.end_behind_proxy(network_of(scope["client"][0]))

    def close_if_late(self, now: float) -> None:
        """Close it where it has been at the same for too long."""
        limits = self.limits
        if self.state == STREAM and not self._is_stuck:
            return
        allowed = {
            NEW: limits.first_byte_s,
            IDLE: limits.idle_s,
            HEAD: limits.head_s,
            REQUEST: limits.request_s,
            RESPONSE: limits.response_s,
            STREAM: limits.stuck_s,
            CLOSING: limits.closing_s,
        }[self.state]
        if now - self.since < allowed:
            return
        if self.state in (HEAD, REQUEST):
            self._refuse(408)
        else:
            self.drop("late" if self.state != CLOSING else "")

    def drop(self, reason: str) -> None:
        """Break it off."""
        if reason:
            count_refused(reason)
        self.connections.leave(self)
        self.state, self.is_gone = CLOSING, True
        self._transport.abort()

    def _refuse(self, status: int) -> None:
        """Say why, and read no further: what still comes is thrown away until the other end has had time to read."""
        code, sentence = REFUSALS[status]
        count_refused(code)
        body = msgspec.json.encode(Problem(code, sentence))
        head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
        more = f"content-length: {len(body)}\r\nconnection: close\r\ncache-control: no-store\r\n\r\n"
        is_in_work = self.state == REQUEST
        self._head = b""
        self.state, self.since = CLOSING, time.monotonic()
        if self._transport.is_closing():
            return
        self._transport.write((head + more).encode() + body)
        if is_in_work:
            self._transport.close()  # the application may still answer, and is told that nobody listens
        elif self._transport.can_write_eof():
            self._transport.write_eof()

    def eof_received(self) -> bool | None:
        return self._server.eof_received()

    def pause_writing(self) -> None:
        if self.state == STREAM:
            self._is_stuck, self.since = True, time.monotonic()
        self._server.pause_writing()

    def resume_writing(self) -> None:
        self._is_stuck = False
        self._server.resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        self.is_gone = True
        self.connections.leave(self)
        self._server.connection_lost(error)
        if self.on_gone is not None:
            self.on_gone()
