"""`pairhouse serve` as a process: start, what it says when it cannot, a graceful end, and nothing secret in its log."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from api_house import DATABASES, SEED_KEY
from command_line import pairhouse
from guests import BETS, Guest, new_name
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.house.store.database import Database
from pairhouse.server.run import worker_count
from pairhouse.version import __version__
from rushing_player import Rush

SERVE = [sys.executable, "-m", "pairhouse", "serve"]
BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def settings(folder: Path) -> dict[str, str]:
    """Where a server keeps its things. Its prices are there already, so that it counts none beside the tests."""
    sheets = folder / "cache" / "par"
    sheets.mkdir(parents=True, exist_ok=True)
    for _, _, game, options, *_ in FLOOR_PLAN:
        (sheets / f"{find(game).variant(options).rules_hash}-{__version__}.json").write_text('{"wagers": {}}')
    return {**os.environ, "PAIRHOUSE_SEED_KEY": SEED_KEY, "PAIRHOUSE_CACHE": str(folder / "cache")}


@contextmanager
def serving(url: str, folder: Path, *words: str) -> Iterator[tuple[httpx.Client, "subprocess.Popen[str]"]]:
    port = free_port()
    command = [*SERVE, "--db", url, "--port", str(port), *words]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, env=settings(folder), stdout=log, stderr=log, text=True)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
                wait_for(client, process)
                yield client, process
        finally:
            process.kill()
            process.wait()


def wait_for(client: httpx.Client, process: "subprocess.Popen[str]") -> None:
    for _ in range(1200):
        try:
            if client.get("/health").status_code == 200:
                return
        except httpx.TransportError:
            assert process.poll() is None, "the server has gone"
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


@pytest.mark.parametrize("kind", BOTH)
def test_a_server_ends_gracefully_and_says_nothing_secret(
    new_database: Callable[[str], str], tmp_path: Path, kind: str
) -> None:
    with serving(new_database(kind), tmp_path) as (client, process):
        guest = Guest(client, client.post("/guests").json()["token"])
        for table in BETS:
            guest.play(table)
        guest.ask("GET", "/players/me", headers={"Authorization": "Bearer forged-token-1"})
        seed = guest.ask("POST", "/tables/la-paire/seed").json()["revealed"]["server_seed"]
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)
    log = (tmp_path / "log").read_text()
    assert guest.token not in log
    assert seed not in log
    assert "forged-token-1" not in log
    assert "Traceback" not in log
    assert all(line.startswith("{") for line in log.splitlines()), log


@pytest.mark.parametrize("kind", DATABASES)
def test_whatever_was_taken_in_is_answered(new_database: Callable[[str], str], tmp_path: Path, kind: str) -> None:
    """A server told to stop in the middle of a rush: every bet in its books was answered, in whole and with success."""
    url = new_database(kind)
    with serving(url, tmp_path) as (client, process):
        address = (client.base_url.host, client.base_url.port or 80)
        players = [Rush(address, client.post("/guests").json()["token"]) for _ in range(8)]
        quiet = [Rush(address, player.token) for player in players[:4]]
        for player in quiet:
            player.ask("POST", "/tables/la-paire/sit", {})
        for player in players:
            player.start()
        while min(player.answered for player in players) < 5:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)
        for player in players:
            player.join(20)
            assert player.fault is None
        assert [player.line.sock.recv(1) for player in quiet] == [b""] * 4, "a line at rest is closed, not broken off"
        for player in (*players, *quiet):
            player.line.close()
    with closing(Database(url).connect(reading=True)) as books:
        taken_in = books.execute("SELECT count(*) FROM acts").fetchone()[0]
    assert taken_in == sum(player.answered for player in players)
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.mark.parametrize("kind", BOTH)
def test_what_was_open_is_there_after_a_restart(new_database: Callable[[str], str], tmp_path: Path, kind: str) -> None:
    url = new_database(kind)
    with serving(url, tmp_path) as (client, process):
        guest = Guest(client, client.post("/guests").json()["token"])
        waiting = guest.open("three-card-poker")
        process.kill()
    with serving(url, tmp_path) as (client, _):
        again = Guest(client, guest.token)
        assert again.sit("three-card-poker")["round"] == waiting
        assert again.finish(waiting)["state"] == "settled"


@pytest.mark.parametrize("workers", [pytest.param("0", marks=pytest.mark.slow), "1"])
def test_a_second_ctrl_c_waits_for_nobody(new_database: Callable[[str], str], tmp_path: Path, workers: str) -> None:
    """The first waits for a request whose body does not come, for as long as the server is patient."""
    head = b"POST /guests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n"
    with serving(new_database("sqlite"), tmp_path, "--workers", workers) as (client, process):
        address = (client.base_url.host, client.base_url.port or 80)
        with socket.create_connection(address, timeout=60) as slow:
            slow.sendall(head + b"{")
            client.get("/health")  # by then the other has begun
            process.send_signal(signal.SIGINT)
            while is_listening(address):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            process.wait(60)
    assert "graceful shutdown exceeded" not in (tmp_path / "log").read_text(), "what is said when patience has ended"


def is_listening(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, timeout=60).close()
    except OSError:
        return False
    return True


def refused(*words: str, **env: str) -> tuple[int, str]:
    done = pairhouse("serve", *words, env=env)
    return done.returncode, done.stderr


def test_a_port_in_use_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        status, said = refused("--db", f"sqlite:///{tmp_path}/house.db", "--port", str(port))
    assert status == 2
    assert re.fullmatch(
        rf"pairhouse: 127.0.0.1:{port} cannot be listened on: .*; give another --host or --port\.\n", said
    )
    assert not (tmp_path / "house.db").exists()


@pytest.mark.parametrize("given", ["proxy.example", "10.0.0.0/8,", "*", "10.0.0.1/8"])
def test_a_proxy_that_is_no_address_is_told_in_a_sentence(tmp_path: Path, given: str) -> None:
    status, said = refused(
        "--db", f"sqlite:///{tmp_path}/house.db", "--port", str(free_port()), "--trusted-proxy", given
    )
    assert status == 2
    assert re.fullmatch(
        r"pairhouse: '.*' is no address of a proxy; give IP addresses or networks, such as .*\.\n", said
    )
    assert not (tmp_path / "house.db").exists()


@pytest.mark.parametrize(("cores", "workers"), [(1, 0), (2, 1), (3, 1), (4, 2), (8, 4), (64, 4)])
def test_workers_by_cores(monkeypatch: pytest.MonkeyPatch, cores: int, workers: int) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert worker_count(None) == workers
    assert worker_count(3) == 3


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://somewhere/db", "is no database we can use"),
        ("nonsense", "is no database we can use"),
        ("sqlite://", "is no database we can use"),
        ("postgresql://ada:secret@127.0.0.1:1/nothing", "cannot be opened"),
        ("sqlite:////proc/nowhere/house.db", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_is_told_in_a_sentence(url: str, says: str) -> None:
    status, said = refused("--db", url, "--port", str(free_port()), PAIRHOUSE_SEED_KEY=SEED_KEY)
    assert status != 0
    assert says in said
    assert "Traceback" not in said
    assert "secret" not in said


def test_postgresql_needs_a_key_for_its_seeds(new_database: Callable[[str], str]) -> None:
    url = new_database("postgresql")
    status, said = refused("--db", url, "--port", str(free_port()), PAIRHOUSE_SEED_KEY="")
    assert status == 2
    assert "PAIRHOUSE_SEED_KEY" in said


def test_a_body_without_a_length_has_a_size_too(served_house: Any) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(2_000):
            yield b" " * 1_000

    headers = {**served_house.guest().headers, "Content-Type": "application/json", "Idempotency-Key": new_name()}
    try:
        answer = served_house.client.post("/rounds", content=endless(), headers=headers)
    except httpx.WriteError:
        return  # closed while we were still sending
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
