"""HTTP workers as processes: equal answers however many there are, and what happens when one falls."""

import asyncio
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest

from guests import new_name
from servers import Server, audit_of

BET = {"table": "la-paire", "wagers": {"card-A": 500}, "client_seed": "luck"}
LIMIT_S = 60.0
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what a process has started is read from /proc")
COUNTS = [0, 1, 2]


@contextmanager
def serving(url: str, folder: Path, *words: str, prefix: tuple[str, ...] = ()) -> Iterator[Server]:
    server = Server(url, folder, prefix=prefix, words=words).start()
    try:
        asyncio.run(server.ready())
        yield server
    finally:
        server.stop()


def until(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + LIMIT_S
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.02)


@pytest.fixture(scope="module")
def servers(new_database: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """The same books behind a server with no worker, one and two."""
    url, folder = new_database("sqlite"), tmp_path_factory.mktemp("workers")
    started = [Server(url, folder, words=("--no-throttle", "--workers", str(count))).start() for count in COUNTS]
    try:
        for server in started:
            asyncio.run(server.ready())
        yield started
    finally:
        for server in started:
            server.stop()


def told(server: Server, request: bytes) -> bytes:
    """All that comes back, apart from the date."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT_S) as caller:
        caller.sendall(request)
        with caller.makefile("rb") as stream:
            return re.sub(rb"date: [^\r]*", b"date: then", stream.read())


def request(method: str, path: str, headers: str = "", body: bytes = b"") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
    return f"{head}{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body


def test_the_same_bytes_however_many_workers_there_are(servers: list[Server]) -> None:
    token = httpx.post(f"{servers[0].base}/guests").json()["token"]
    bearer = f"Authorization: Bearer {token}\r\n"
    cookie = f"Cookie: pairhouse_session={token}\r\nX-Pairhouse: 1\r\n"
    key = f"Idempotency-Key: {new_name()}\r\n"
    bet = msgspec.json.encode(BET)
    asked = {
        request("POST", "/tables/la-paire/sit", bearer): 200,
        request("POST", "/rounds", bearer + key, bet): 201,
        request("POST", "/rounds", cookie + key, bet): 201,
        request("POST", "/rounds", cookie.replace("X-P", "X-Q") + key, bet): 403,
        request("POST", "/rounds", bearer, bet): 422,
        request("POST", "/rounds", bearer + key, bet.replace(b"500", b"600")): 409,
        request("POST", "/rounds", bearer + key, b"{"): 400,
        request("POST", "/rounds", key, bet): 401,
        request("POST", "/tables/nothing/sit", bearer): 404,
        request("PUT", "/rounds", bearer): 405,
        request("GET", "/players/me", cookie): 200,
        request("GET", "/players/me/rounds", bearer): 200,
        request("GET", "/players/me/seeds", bearer): 200,
        request("GET", "/tables"): 200,
        request("GET", "/games/la-paire/rules"): 200,
        request("GET", "/openapi.json"): 200,
        request("GET", "/admin/hold", bearer): 401,
        request("GET", "/nothing"): 404,
        request("GET", "/"): 200,
        request("OPTIONS", "/rounds"): 204,
    }
    for one, status in asked.items():
        first, *others = [told(server, one) for server in servers]
        assert int(first.split()[1]) == status, first
        assert others == [first] * len(others), one


def test_metrics_speak_for_all_workers(servers: list[Server]) -> None:
    """Whichever worker is asked. Of each request the connection is closed, so that both take some."""
    for server in servers:
        before = counted(server)
        for _ in range(20):
            told(server, request("GET", "/nothing"))
        assert counted(server) == before + 20
        assert "pairhouse_wallet_calls_due" in httpx.get(f"{server.base}/metrics").text


def counted(server: Server) -> float:
    text = httpx.get(f"{server.base}/metrics").text
    found = re.search(r'^pairhouse_requests_total\{method="GET",status="404"\} (\S+)$', text, re.MULTILINE)
    return float(found[1]) if found else 0.0


@LINUX
def test_as_many_workers_as_are_asked_for(servers: list[Server]) -> None:
    assert [len(server.workers()) for server in servers] == COUNTS
    for server in servers:
        assert len({httpx.post(f"{server.base}/guests").json()["token"] for _ in range(8)}) == 8


@LINUX
def test_a_worker_that_falls_is_started_again(new_database: Callable[[str], str], tmp_path: Path) -> None:
    """Whoever was connected asks again with the same key, and has what the first time brought."""
    url = new_database("sqlite")
    with (
        serving(url, tmp_path, "--workers", "1") as server,
        httpx.Client(base_url=server.base, timeout=30) as client,
    ):
        token = client.post("/guests").json()["token"]
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": new_name()}
        assert client.post("/tables/la-paire/sit", headers=headers).status_code == 200
        first = client.post("/rounds", json=BET, headers=headers)
        [worker] = server.workers()
        os.kill(worker, signal.SIGKILL)
        until(lambda: server.workers() not in ([], [worker]), "no new worker")
        again = None
        while again is None:
            try:
                again = client.post("/rounds", json=BET, headers=headers)
            except httpx.TransportError:
                time.sleep(0.05)
        assert (again.status_code, again.json()) == (201, first.json())
        assert "an HTTP worker ended" in server.told()
        assert counted_bets(client) == 2, "what the fallen worker counted is not lost"
    assert audit_of(url, tmp_path).returncode == 0


def counted_bets(client: httpx.Client) -> float:
    text = client.get("/metrics").text
    return (
        sum(
            float(value)
            for value in re.findall(r'^pairhouse_requests_total\{method="POST",status="201"\} (\S+)$', text, re.M)
        )
        - 1
    )  # the guest


@LINUX
def test_a_killed_server_leaves_no_worker_and_frees_its_port(
    new_database: Callable[[str], str], tmp_path: Path
) -> None:
    """Whether its worker was at work, or was just being started again and had not finished loading."""
    with serving(new_database("sqlite"), tmp_path, "--workers", "1") as server:
        [worker] = server.workers()
        server.kill()
        until(lambda: has_ended(worker), "the worker stays")
        server.start()
        asyncio.run(server.ready())
        [worker] = server.workers()
        os.kill(worker, signal.SIGKILL)
        until(lambda: server.workers() not in ([], [worker]), "no new worker")
        server.kill()
        server.start()
        asyncio.run(server.ready())


def has_ended(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or ") Z" in status.read_text()


def test_who_asks_much_at_once_and_hangs_up_leaves_no_trace(servers: list[Server]) -> None:
    """Nothing of ours is broken then: a line of the log for each would let anybody fill it."""
    server = servers[COUNTS.index(1)]
    for _ in range(30):
        with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT_S) as caller:
            caller.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
            caller.recv(10)
    assert httpx.get(f"{server.base}/health", timeout=30).status_code == 200
    assert "ERROR" not in server.told()


def test_who_looks_is_not_waited_for(servers: list[Server]) -> None:
    """Nothing is read with a look, so a body that was announced for one need not come."""
    head = b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"
    for server in servers:
        with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT_S) as caller:
            caller.sendall(head)
            assert caller.recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize("closed", [pytest.param((0,), marks=pytest.mark.slow), (0, 1, 2)])
def test_workers_start_where_standard_files_are_closed(
    new_database: Callable[[str], str], tmp_path: Path, closed: tuple[int, ...]
) -> None:
    shell = ("sh", "-c", 'exec "$@" ' + " ".join(f"{number}>&-" for number in closed), "sh")
    with serving(new_database("sqlite"), tmp_path, "--workers", "1", prefix=shell) as server:
        pass
    assert server.process is not None
    assert server.process.returncode == 0


@pytest.mark.parametrize(
    ("workers", "trusted"),
    [
        pytest.param("0", None, marks=pytest.mark.slow),
        ("1", "10.0.0.0/8,192.0.2.1"),
        pytest.param("1", "127.0.0.1", marks=pytest.mark.slow),
        ("0", "127.0.0.1"),
    ],
)
def test_the_callers_address_is_told_by_a_trusted_proxy_only(
    new_database: Callable[[str], str], tmp_path: Path, workers: str, trusted: str | None
) -> None:
    """The limit on guests counts addresses: one forged anew for each request would escape it."""
    words = ("--workers", workers, *(("--trusted-proxy", trusted) if trusted else ()))
    with (
        serving(new_database("sqlite"), tmp_path, *words) as server,
        httpx.Client(base_url=server.base, timeout=30) as client,
    ):
        forged = [{"X-Forwarded-For": f"203.0.113.{number}"} for number in range(75)]
        statuses = [client.post("/guests", headers=headers).status_code for headers in forged]
    is_believed = trusted == "127.0.0.1"
    assert (429 in statuses) != is_believed, "each address may have 60 at once"
