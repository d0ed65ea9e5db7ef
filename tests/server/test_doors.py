"""Doors: processes before the house that may fall shut, whose house may go, and a line that carries any bytes."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guests import new_name
from pairhouse.core.errors import Refused
from pairhouse.house.commands import RoundBet, RoundChoice
from pairhouse.server.app import build
from pairhouse.server.doors import open_door
from pairhouse.server.line import Asked, Line, Request, Told
from pairhouse.server.reception import Asks, Reception
from pairhouse.server.serving import PoliteServer, settings
from servers import Server, audit_of, environment, free_port

BET = {"table": "la-paire", "wagers": {"card-A": 500}, "client_seed": "luck"}
LIMIT_S = 60.0
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what a process has started is read from /proc")


@contextmanager
def serving(url: str, folder: Path) -> Iterator[Server]:
    server = Server(url, folder).start()
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


@LINUX
def test_a_door_that_falls_shut_is_opened_again(new_database: Callable[[str], str], tmp_path: Path) -> None:
    """Whoever stood in it asks again with the same key, and has what the first time brought."""
    url = new_database("sqlite")
    with serving(url, tmp_path) as server, httpx.Client(base_url=server.base, timeout=30) as client:
        token = client.post("/guests").json()["token"]
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": new_name()}
        assert client.post("/tables/la-paire/sit", headers=headers).status_code == 200
        first = client.post("/rounds", json=BET, headers=headers)
        [door] = server.doors()
        os.kill(door, signal.SIGKILL)
        until(lambda: server.doors() not in ([], [door]), "no new door")
        again = None
        while again is None:
            try:
                again = client.post("/rounds", json=BET, headers=headers)
            except httpx.TransportError:
                time.sleep(0.05)
        assert (again.status_code, again.json()) == (201, first.json())
        assert "a door fell shut" in server.told()
    assert audit_of(url, tmp_path).returncode == 0


def test_who_asks_much_at_once_and_hangs_up_leaves_no_trace(new_database: Callable[[str], str], tmp_path: Path) -> None:
    """Nothing of ours is broken then: a line of the log for each would let anybody fill it."""
    with serving(new_database("sqlite"), tmp_path) as server:
        for _ in range(30):
            with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT_S) as caller:
                caller.sendall(b"GET /health HTTP/1.1\r\nHost: house\r\n\r\n" * 20)
                caller.recv(10)
        assert httpx.get(f"{server.base}/health", timeout=30).status_code == 200
    assert "ERROR" not in server.told()


@LINUX
def test_a_door_does_not_outlive_its_house(new_database: Callable[[str], str], tmp_path: Path) -> None:
    with serving(new_database("sqlite"), tmp_path) as server:
        [door] = server.doors()
        server.kill()
        until(lambda: not Path(f"/proc/{door}").exists() or "Z" in Path(f"/proc/{door}/stat").read_text(), "it stays")
        server.start()
        asyncio.run(server.ready())


def test_doors_that_do_not_stay_open_are_told(new_database: Callable[[str], str], tmp_path: Path) -> None:
    """Whatever breaks them, the house says so in a sentence and ends."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\nif 'pairhouse.server.door' in sys.orig_argv: os._exit(7)\n"
    )
    command = [sys.executable, "-m", "pairhouse", "serve", "--port", str(free_port()), "--db", new_database("sqlite")]
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command,
        env=environment(tmp_path) | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert "the process for HTTP ended 4 times in a row, the last time with status 7" in done.stderr
    assert "Traceback" not in done.stderr


@LINUX
@pytest.mark.parametrize("count", [0, 3])
def test_as_many_doors_as_are_asked_for(new_database: Callable[[str], str], tmp_path: Path, count: int) -> None:
    server = Server(new_database("sqlite"), tmp_path, words=("--doors", str(count))).start()
    try:
        asyncio.run(server.ready())
        assert len(server.doors()) == count
        tokens = {httpx.post(f"{server.base}/guests", timeout=30).json()["token"] for _ in range(8)}
        assert len(tokens) == 8
    finally:
        server.stop()
    assert server.process is not None
    assert server.process.returncode in (0, -signal.SIGTERM)


def test_many_doors_leave_threads_for_other_work(new_database: Callable[[str], str], tmp_path: Path) -> None:
    """More doors than the event loop has threads of its own: what is slow is still done beside the loop."""
    server = Server(new_database("sqlite"), tmp_path, words=("--doors", "16")).start()
    try:
        asyncio.run(server.ready())
        person = {"name": new_name(), "password": "correct horse battery"}
        assert httpx.post(f"{server.base}/players", json=person, timeout=20).status_code == 201
    finally:
        server.stop()


@pytest.mark.parametrize("closed", [(0,), (0, 1, 2)])
def test_doors_open_where_standard_files_are_closed(
    new_database: Callable[[str], str], tmp_path: Path, closed: tuple[int, ...]
) -> None:
    shell = ("sh", "-c", 'exec "$@" ' + " ".join(f"{number}>&-" for number in closed), "sh")
    server = Server(new_database("sqlite"), tmp_path, prefix=shell, words=("--doors", "1")).start()
    try:
        asyncio.run(server.ready())
    finally:
        server.stop()
    assert server.process is not None
    assert server.process.returncode == 0


def test_a_large_file_comes_whole_through_a_door(tmp_path: Path) -> None:
    """The framework gives it in pieces, for as long as nobody hangs up."""
    content = os.urandom(3_000_000)
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "large.bin").write_bytes(content)
    request = Request("GET", "/large.bin", b"/large.bin", b"", [], b"", ("127.0.0.1", 9), None, "http", "1.1")
    asked = msgspec.msgpack.decode(msgspec.msgpack.encode(Asked(1, request)), type=Asks)

    async def answer() -> bytes:
        app = build(f"sqlite:///{tmp_path}/house.db", pages=tmp_path, jobs=False)
        wire = Wire()
        async with app.lifespan():
            line = Line[Asks](Asks, lambda *_: None)
            line.connection_made(wire)
            Reception(app).heard(line, [asked])
            async with asyncio.timeout(LIMIT_S):
                while not wire.written:
                    await asyncio.sleep(0.01)
        return wire.written

    [told] = asyncio.run(heard(Told, asyncio.run(answer()), []))
    assert (told.status, told.body) == (200, content)


def test_who_looks_is_not_waited_for(new_database: Callable[[str], str], tmp_path: Path) -> None:
    """Nothing is read with a look, so a body that was announced for one need not come."""
    head = b"GET /health HTTP/1.1\r\nHost: house\r\nContent-Length: 10\r\n\r\n"
    with (
        serving(new_database("sqlite"), tmp_path) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT_S) as caller,
    ):
        caller.sendall(head)
        assert caller.recv(12) == b"HTTP/1.1 200"


def test_a_door_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        pytest.raises(Refused, match="no process for HTTP") as told,
    ):
        open_door(listener)
    assert told.value.code == "doors-shut"


def test_a_door_knows_nothing_of_the_books() -> None:
    """Neither their database nor the framework: it is a small process that is there at once."""
    heavy = ("sqlalchemy", "psycopg", "litestar", "cryptography", "argon2", "numpy", "numba")
    code = f"import pairhouse.server.door, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def greet(scope: Any, receive: Any, send: Any) -> None:
    """An application that says hello."""
    if scope["type"] == "lifespan":
        for part in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{part}.complete"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


def answer_to(caller: socket.socket) -> bytes:
    """All that comes until the other end hangs up."""
    with caller, caller.makefile("rb") as heard:
        return heard.read()


def test_who_was_not_let_in_yet_is_answered_before_the_doors_close() -> None:
    """The system takes calls in our name; those of the last moment are no others than those before."""
    config = settings(greet)
    listener = socket.create_server(("127.0.0.1", 0))

    async def call_at_the_end() -> list[bytes]:
        server = PoliteServer(config)
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup([listener])
        callers = [socket.create_connection(listener.getsockname(), timeout=LIMIT_S) for _ in range(5)]
        for caller in callers:
            caller.sendall(b"GET / HTTP/1.1\r\nHost: house\r\n\r\n")
        await server.shutdown([listener])
        return [answer_to(caller) for caller in callers]

    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        answers = runner.run(call_at_the_end())
    assert all(answer.startswith(b"HTTP/1.1 200") and b"connection: close" in answer for answer in answers)


words = st.text(max_size=20)
headers = st.lists(st.tuples(st.binary(max_size=9), st.binary(max_size=9)), max_size=4)
requests = st.builds(
    Request, words, words, st.binary(max_size=9), st.binary(max_size=9), headers, st.binary(max_size=300),
    st.none() | st.tuples(words, st.integers(0, 65_535)), st.none(), words, words,
)  # fmt: skip
bets = st.builds(
    RoundBet, table=words, seats=st.lists(st.dictionaries(words, st.integers(1, 2**60), max_size=3), max_size=3),
    client_seed=words, key=words, body_hash=words, commitment=st.none() | words, game=st.none() | words,
)  # fmt: skip
choices = st.builds(RoundChoice, round_id=words, word=words, number=st.integers(0, 99), key=words, body_hash=words)
asks = st.builds(
    Asked, st.integers(0, 2**40), requests, words, st.integers(0, 599), st.none() | bets, st.none() | choices
)
tells = st.builds(Told, st.integers(0, 2**40), st.integers(100, 599), st.none() | headers, st.binary(max_size=300))


class Wire(asyncio.Transport):
    """Keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""

    def write(self, data: Any) -> None:
        self.written += data


async def said(turns: list[list[Any]]) -> bytes:
    """What is on the wire after these were said, in so many turns of the loop."""
    wire, line = Wire(), Line[Any](Told, lambda *_: None)
    line.connection_made(wire)
    for records in turns:
        for record in records:
            line.say(record)
        await asyncio.sleep(0)
    return wire.written


async def heard(kind: Any, data: bytes, cuts: list[int]) -> list[Any]:
    found: list[Any] = []
    line = Line[Any](kind, lambda _, records: found.extend(records))
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for first, end in pairwise(places):
        line.data_received(data[first:end])
    return found


@given(turns=st.lists(st.lists(tells, max_size=3), max_size=3), cuts=st.lists(st.integers(0, 10_000), max_size=6))
def test_a_line_carries_what_is_told_however_it_is_cut(turns: list[list[Told]], cuts: list[int]) -> None:
    data = asyncio.run(said(turns))
    assert asyncio.run(heard(Told, data, cuts)) == [told for turn in turns for told in turn]


@given(turn=st.lists(asks, min_size=1, max_size=4), cuts=st.lists(st.integers(0, 10_000), max_size=6))
def test_a_line_carries_what_is_asked_however_it_is_cut(turn: list[Asked[Request]], cuts: list[int]) -> None:
    found = asyncio.run(heard(Asks, asyncio.run(said([turn])), cuts))
    opened = [msgspec.structs.replace(a, request=msgspec.msgpack.decode(a.request, type=Request)) for a in found]
    assert opened == turn
