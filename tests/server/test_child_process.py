"""Prices are counted by a process beside the server, and it does not outlive the server, however that ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from api_house import SEED_KEY
from pairhouse.server.processes.child_process import PARENT_GONE
from servers import free_port

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what a process has started is read from /proc")


@pytest.fixture
def server(new_database: Callable[[str], str], tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A server whose prices are all still to be counted, the compiler's work included."""
    env = {**os.environ, "PAIRHOUSE_SEED_KEY": SEED_KEY, "PAIRHOUSE_CACHE": str(tmp_path / "cache")}
    words = ["serve", "--db", new_database("sqlite"), "--port", str(free_port())]
    process = subprocess.Popen([sys.executable, "-m", "pairhouse", *words], env=env, stderr=subprocess.DEVNULL)
    yield process
    process.kill()
    process.wait()


def counting(server: "subprocess.Popen[bytes]") -> int:
    """The process that counts, once it is past its start and at work."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children")
    until = time.monotonic() + 240  # many others may want the machine
    while time.monotonic() < until:
        for child in children.read_text().split():
            if b"numba" in Path(f"/proc/{child}/maps").read_bytes():
                return int(child)
        time.sleep(0.05)
    raise AssertionError("nothing is counted")


def is_alive(process: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False


@LINUX
@pytest.mark.parametrize("ended_by", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_who_counts_ends_with_the_server(server: "subprocess.Popen[bytes]", ended_by: signal.Signals) -> None:
    child = counting(server)
    time.sleep(0.5)
    assert is_alive(child)
    server.send_signal(ended_by)
    server.wait(20)
    until = time.monotonic() + 5
    while is_alive(child) and time.monotonic() < until:
        time.sleep(0.02)
    is_left = is_alive(child)
    if is_left:
        os.kill(child, signal.SIGKILL)
    assert not is_left, "it counts for nobody"


def test_a_child_process_says_what_the_command_says() -> None:
    command = [sys.executable, "-m", "pairhouse.server.processes.child_process", "games", "la-paire", "--json"]
    plain = [sys.executable, "-m", "pairhouse", "games", "la-paire", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.read() == subprocess.run(plain, capture_output=True, check=True).stdout
        assert child.wait(30) == 0


def test_without_a_parent_it_ends_at_once() -> None:
    command = [sys.executable, "-m", "pairhouse.server.processes.child_process", "par", "blackjack", "--json"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (PARENT_GONE, b"")
