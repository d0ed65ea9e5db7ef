"""A server told to stop: who waits or is connected is answered once more, and told that the connection closes."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from pairhouse.server.app import Application
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.processes.one_process import build
from pairhouse.server.serving import PoliteServer
from rushing_player import Rush

LIMIT_S = 60.0
LOOK = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def application(url: str) -> Application:
    return build(url, throttle=Throttle({}), jobs=False)


def test_a_polite_server_loses_no_request_on_its_way(new_database: Callable[[str], str]) -> None:
    """Each connection is closed by an answer that says so; who then comes anew is turned away at the door."""
    url = new_database("sqlite")
    for _ in range(3):
        listener = socket.create_server(("127.0.0.1", 0))
        server = PoliteServer(application(url))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        address = listener.getsockname()[:2]
        with httpx.Client(base_url=f"http://{address[0]}:{address[1]}", timeout=30) as client:
            players = [Rush(address, client.post("/guests").json()["token"]) for _ in range(8)]
        for player in players:
            player.start()
        while min(player.answered for player in players) < 5:
            time.sleep(0.01)
        server.should_exit = True
        for player in players:
            player.join(20)
            player.line.close()
        thread.join(20)
        assert [(player.fault, player.ended_by) for player in players] == [(None, ConnectionRefusedError)] * 8


def test_who_was_not_accepted_yet_is_answered_before_the_listener_closes(new_database: Callable[[str], str]) -> None:
    """The system takes connections in our name; those of the last moment are no others than those before."""
    server = PoliteServer(application(new_database("sqlite")))
    config = server.config
    listener = socket.create_server(("127.0.0.1", 0))

    async def call_at_the_end() -> list[socket.socket]:
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup([listener])
        callers = [socket.create_connection(listener.getsockname(), timeout=LIMIT_S) for _ in range(50)]
        for caller in callers:
            caller.sendall(LOOK)
        await server.shutdown([listener])  # the loop has had no turn to accept any of them
        return callers

    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        answers = [whole(caller) for caller in runner.run(call_at_the_end())]
    assert all(answer.startswith(b"HTTP/1.1 200") and b"connection: close" in answer for answer in answers)


def whole(caller: socket.socket) -> bytes:
    """All that comes until the other end hangs up."""
    with caller, caller.makefile("rb") as stream:
        return stream.read()


def test_who_is_connected_may_ask_once_more(new_database: Callable[[str], str]) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    server = PoliteServer(application(new_database("sqlite")))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    with socket.create_connection(listener.getsockname(), timeout=LIMIT_S) as quiet:
        caller = socket.create_connection(listener.getsockname(), timeout=LIMIT_S)
        caller.sendall(LOOK)
        first = caller.recv(65_536)
        assert b"connection: close" not in first
        server.should_exit = True
        while server.servers[0].sockets:
            time.sleep(0.01)
        caller.sendall(LOOK)
        last = whole(caller)
        assert last.startswith(b"HTTP/1.1 200")
        assert b"connection: close" in last
        assert quiet.recv(1) == b"", "who has nothing to ask is not waited for long"
    thread.join(20)
    assert not thread.is_alive()


def test_a_large_file_comes_whole_to_who_reads_slowly(new_database: Callable[[str], str], tmp_path: Path) -> None:
    """The server is told to stop in the middle of it."""
    content = bytes(range(256)) * 40_000
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "large.bin").write_bytes(content)
    listener = socket.create_server(("127.0.0.1", 0))
    server = PoliteServer(build(new_database("sqlite"), pages=tmp_path, jobs=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    caller = socket.create_connection(listener.getsockname(), timeout=LIMIT_S)
    caller.sendall(b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
    first = caller.recv(1000)
    server.should_exit = True
    assert (first + whole(caller)).endswith(content)
    thread.join(20)
