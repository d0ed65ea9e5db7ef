"""Limits on connections, on a real server: whatever somebody sends or holds back, others are answered."""

import asyncio
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import msgspec
import pytest

from guests import Guest
from pairhouse.server.http.connections import ConnectionLimits, Connections, GuardedConnection, network_of
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.processes.one_process import build
from pairhouse.server.serving import PoliteServer

PATIENCE_S = 30.0
SHORT = ConnectionLimits(
    first_byte_s=0.5,
    head_s=0.5,
    request_s=4.0,
    response_s=1.5,
    idle_s=3.0,
    closing_s=0.3,
    per_address=40,
    connections=60,
)
LOOK = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Front:
    """A server with short limits, and its address."""

    def __init__(self, server: PoliteServer, address: tuple[str, int]) -> None:
        self.server = server
        self.address = address

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(self.address, timeout=PATIENCE_S, source_address=(source, 0))

    def send(self, *parts: bytes, source: str = "127.0.0.1") -> bytes:
        """All that comes back for these bytes, until the server closes the connection."""
        with self.connect(source) as line:
            try:
                for part in parts:
                    line.sendall(part)
            except OSError:
                pass  # it has closed already
            return received(line)


def received(line: socket.socket) -> bytes:
    found = b""
    try:
        while part := line.recv(65_536):
            found += part
    except OSError:
        pass
    return found


@contextmanager
def opened(url: str, limits: ConnectionLimits, proxies: tuple[str, ...] = ()) -> Iterator[Front]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = PoliteServer(build(url, throttle=Throttle({}), jobs=False), proxies, limits)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Front(server, listener.getsockname()[:2])
    server.should_exit = True
    thread.join(PATIENCE_S)


@pytest.fixture(scope="module")
def front(new_database: Callable[[str], str]) -> Iterator[Front]:
    with opened(new_database("sqlite"), SHORT) as served:
        yield served


@pytest.fixture(autouse=True)
def honest(front: Front) -> Iterator[None]:
    """After every attack a player plays a round, and no connection is left over."""
    yield
    with httpx.Client(base_url="http://{}:{}".format(*front.address), timeout=PATIENCE_S) as client:
        assert Guest(client, client.post("/guests").json()["token"]).play("la-paire")["state"] == "settled"
    until = time.monotonic() + PATIENCE_S
    while front.server.connections.open:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert not front.server.connections.by_address


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@pytest.mark.parametrize(
    ("head", "status", "code"),
    [
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20_000 + b"\r\n\r\n", 431, "head-too-large"),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 200 + b"\r\n", 431, "head-too-large"),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 200, 431, "head-too-large"),
        (b"GET /" + b"a" * 3_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414, "url-too-long"),
        (b"GET /" + b"a" * 3_000, 414, "url-too-long"),
        (b"GET /health HTTP/1.1\r\nHost: local", 408, "too-slow"),
        (b"POST /guests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{", 408, "too-slow"),
    ],
    ids=["long header", "many headers", "many and unfinished", "long address", "long and unfinished", "slow head", "slow body"],
)  # fmt: skip
def test_beyond_a_limit(front: Front, head: bytes, status: int, code: str) -> None:
    answer = front.send(head)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer
    assert msgspec.json.decode(answer.partition(b"\r\n\r\n")[2])["code"] == code


def test_a_head_without_end_takes_no_memory(front: Front) -> None:
    """One unfinished request of 100 MB took a gigabyte."""
    before = peak_mb()
    part = b"X-Long: " + b"x" * 1_000_000
    answer = front.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n", *[part] * 100)
    assert not answer or answer.startswith(b"HTTP/1.1 431"), answer
    assert peak_mb() - before < 20


def test_requests_sent_ahead_have_a_limit(front: Front) -> None:
    """While one is being answered (and the answer not read), others may wait, but not without end."""
    before = peak_mb()
    with front.connect() as line:
        line.settimeout(5)
        sent = 0
        try:
            while sent < 50_000_000:
                sent += line.send(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000)
        except OSError:
            pass
    assert sent < 50_000_000
    assert peak_mb() - before < 60


def test_nothing_said_and_nothing_more_said(front: Front) -> None:
    """A connection that never asks is closed soon, one that has asked a little later."""
    with front.connect() as silent, front.connect() as asked:
        asked.sendall(LOOK)
        assert asked.recv(65_536).startswith(b"HTTP/1.1 200")
        started = time.monotonic()
        assert received(silent) == b""
        first = time.monotonic() - started
        assert received(asked) == b""
        assert SHORT.first_byte_s - 0.1 < first < time.monotonic() - started


def test_who_does_not_read_the_answer_is_not_waited_for(front: Front) -> None:
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(front.address)
        line.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
        until = time.monotonic() + PATIENCE_S
        while front.server.connections.open:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_a_thousand_idle_sockets_from_one_address_shut_nobody_out(front: Front) -> None:
    with ExitStack() as stack:
        idle = [stack.enter_context(front.connect("127.0.0.2")) for _ in range(1_009)]
        assert front.server.connections.by_address["127.0.0.2"] <= SHORT.per_address
        assert front.send(LOOK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")).startswith(b"HTTP/1.1 200")
        assert any(received(line).startswith(b"HTTP/1.1 429") for line in reversed(idle))


def test_a_full_house_closes_the_idle_of_whoever_has_most(front: Front) -> None:
    with ExitStack() as stack:
        for number in range(40):
            stack.enter_context(front.connect("127.0.0.2"))
            if number < 20:
                stack.enter_context(front.connect("127.0.0.3"))
        until = time.monotonic() + PATIENCE_S
        while len(front.server.connections.open) < SHORT.connections and time.monotonic() < until:
            time.sleep(0.005)
        for number in range(4, 9):
            answer = front.send(LOOK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), source=f"127.0.0.{number}")
            assert answer.startswith(b"HTTP/1.1 200")


def test_a_request_in_any_pieces_is_answered(front: Front) -> None:
    """Cut anywhere, alone or behind others: the guard hands every byte on."""
    one = LOOK.replace(b"\r\n\r\n", b"\r\nX-A: b\r\n\r\n")
    body = b'{"name":"x","password":"0123456789 "}\r\n\r\n'
    two = b"POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    two += b"Content-Length: %d\r\n\r\n" % len(body) + body
    last = LOOK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    whole = one + two + last
    for cut in range(1, len(whole), 3):
        with front.connect() as line:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line.sendall(whole[:cut])
            time.sleep(0.002)
            line.sendall(whole[cut:])
            answers = received(line)
            assert [part[:3] for part in answers.split(b"HTTP/1.1 ")[1:]] == [b"200", b"400", b"200"], (cut, answers)


def test_behind_a_proxy_the_forwarded_address_counts(new_database: Callable[[str], str]) -> None:
    """The proxy's own connections are not limited; requests at once are, by the address it tells."""
    limits = msgspec.structs.replace(SHORT, per_address=3, request_s=PATIENCE_S)
    head = b"POST /guests HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: %s\r\nContent-Type: application/json\r\n"
    with opened(new_database("sqlite"), limits, ("127.0.0.1",)) as front, ExitStack() as stack:
        waiting = [stack.enter_context(front.connect()) for _ in range(4)]
        for line in waiting:
            line.sendall(head % b"203.0.113.7" + b"Content-Length: 2\r\n\r\n")
            time.sleep(0.05)
        assert waiting[3].recv(65_536).startswith(b"HTTP/1.1 429")
        other = head % b"203.0.113.8" + b"Connection: close\r\nContent-Length: 2\r\n\r\n{}"
        assert front.send(other).startswith(b"HTTP/1.1 201")
        for line in waiting[:3]:
            line.sendall(b"{}")
            assert line.recv(65_536).startswith(b"HTTP/1.1 201")
        assert not front.server.connections.requests_behind_proxies


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_whom_an_address_stands_for(address: str, network: str) -> None:
    assert network_of(address) == network


class Wire(asyncio.Transport):
    """A transport that notes what was done to it."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1)})
        self.done: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if name in ("write", "write_eof", "abort", "close"):
            return lambda *_: self.done.append(name)
        if name in ("is_closing", "can_write_eof"):
            return lambda: name == "can_write_eof"
        return super().__getattribute__(name)


def test_a_request_that_takes_too_long_is_told_so_and_never_written_to_again() -> None:
    connections = Connections(SHORT)
    guard = GuardedConnection(connections, lambda _: asyncio.Protocol())
    wire = Wire()
    guard.connection_made(wire)
    guard.data_received(LOOK)
    guard.close_if_late(guard.since + SHORT.request_s / 2)
    assert wire.done == []
    guard.close_if_late(guard.since + SHORT.request_s)
    assert wire.done == ["write", "close"]
