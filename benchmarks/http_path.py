"""What HTTP alone costs a round: the application over a bookkeeper that answers at once with one fixed view.

`python benchmarks/http_path.py` starts the application, and the least that any application costs under the same server,
as processes of their own, lets 64 keep-alive connections bet on each in turns, and prints CPU microseconds a request.
"""

import argparse
import asyncio
import contextlib
import json
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import uvicorn

from pairhouse.house.commands import RoundBet
from pairhouse.house.house import House
from pairhouse.house.people import new_guest, person_of
from pairhouse.house.tokens import hash_of
from pairhouse.server.app import build_app
from pairhouse.server.desk import Desk
from pairhouse.server.http.headers import SECURITY_HEADERS
from pairhouse.server.http.throttle import RATES, Throttle
from pairhouse.server.processes.process_setup import freeze_gc

BODY = b'{"table":"nepal-super-baccarat","seats":[{"player":100}],"client_seed":"bench"}'
CHOICE = b'{"choice":"stand","number":0}'
BETS, CHOICES = ("/rounds", 201, BODY), (f"/rounds/{'0' * 26}/choices", 200, CHOICE)
CONTENDERS = ("application", "bare")
PLAYERS = 64


def fixed_view(house: Any) -> Any:
    """A round of baccarat that was really played."""

    token = hash_of(house.do(new_guest))
    player = house.do(lambda tx: person_of(tx, token, tx.now)).id
    house.do(lambda tx: house.dealer.sit(tx, player, "nepal-super-baccarat"))
    bet = RoundBet(
        table="nepal-super-baccarat", seats=[{"player": 100}], client_seed="bench", key="benchmark", body_hash="x"
    )
    return house.do(lambda tx: house.pit.open_round(tx, token, bet))


class Ready:
    """A bookkeeper that has its answer ready."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    async def do(self, _: Any) -> bytes:
        return self._answer

    def post(self, _: Any) -> None:
        pass


def house_app(folder: str) -> Any:
    """The real application; only the bookkeeper is another."""
    house = House(f"sqlite:///{folder}/house.db", round_ms_min=0)
    limits = {kind: type(rate)(10**9, 1e9) for kind, rate in RATES.items()}
    desk = Desk(house, Ready(msgspec.json.encode(fixed_view(house))), throttle=Throttle(limits))

    @contextlib.asynccontextmanager
    async def open_desk() -> AsyncIterator[Desk]:
        yield desk

    return build_app(open_desk)


def bare_app(folder: str) -> Any:
    """The least that any application under the same server costs: read the body, send as much as the house does."""

    body = msgspec.json.encode(fixed_view(House(f"sqlite:///{folder}/house.db", round_ms_min=0)))
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    headers += [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            for event in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{event}.complete"})
            return
        await receive()
        await send({"type": "http.response.start", "status": 201, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


def serve(name: str, port: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        app = bare_app(folder) if name == "bare" else house_app(folder)
        freeze_gc()
        uvicorn.run(app, port=port, log_config=None, access_log=False, lifespan="on", proxy_headers=False)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running(name: str) -> Iterator[tuple[int, int]]:
    port = free_port()
    process = subprocess.Popen([sys.executable, __file__, "--serve", name, "--port", str(port)])
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            if process.poll() is not None:
                raise SystemExit(f"{name} did not start")
            time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()


def cpu_ns(pid: int) -> int:
    return sum(int(file.read_text().split()[0]) for file in Path(f"/proc/{pid}/task").glob("*/schedstat"))


async def play(port: int, until: float, counts: list[int], what: tuple[str, int, bytes]) -> None:
    path, status, body = what
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    token = secrets.token_urlsafe(32)
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    head += f"authorization: Bearer {token}\r\n"
    number = 0
    while time.perf_counter() < until:
        number += 1
        key = f"{head}idempotency-key: benchmark-{number}\r\ncontent-length: {len(body)}\r\n\r\n"
        writer.write(key.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith((b"HTTP/1.1 201", b"HTTP/1.1 %d" % status)):
            raise SystemExit(answer.decode())
        size = int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(size)
    counts.append(number)
    writer.close()


async def load(port: int, seconds: float, what: tuple[str, int, bytes]) -> int:
    counts: list[int] = []
    until = time.perf_counter() + seconds
    await asyncio.gather(*(play(port, until, counts, what) for _ in range(PLAYERS)))
    return sum(counts)


def turn(port: int, pid: int, seconds: float, what: tuple[str, int, bytes] = BETS) -> dict[str, float]:
    before = cpu_ns(pid)
    started = time.perf_counter()
    count = asyncio.run(load(port, seconds, what))
    took = time.perf_counter() - started
    return {"cpu": (cpu_ns(pid) - before) / count / 1000, "rate": count / took}


def main(names: list[str], turns: int, seconds: float, what: tuple[str, int, bytes] = BETS) -> None:
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    with contextlib.ExitStack() as stack:
        servers = {name: stack.enter_context(running(name)) for name in names}
        for port, pid in servers.values():
            turn(port, pid, 0.5)
        for _ in range(turns):
            for name, (port, pid) in servers.items():
                found[name].append(turn(port, pid, seconds, what))
    print("| | CPU µs a request: median (least) | requests a second |")
    print("|---|---:|---:|")
    for name, lines in found.items():
        used = [line["cpu"] for line in lines]
        rate = statistics.median(line["rate"] for line in lines)
        print(f"| {name} | {statistics.median(used):.1f} ({min(used):.1f}) | {rate:,.0f} |")
    print(json.dumps({"turns": turns, "seconds": seconds, "load": os.getloadavg()[0]}), file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CONTENDERS))
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--choices", action="store_true", help="choices instead of bets")
    parser.add_argument("--serve", choices=CONTENDERS)
    parser.add_argument("--port", type=int)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve, given.port)
    else:
        main(given.names or list(CONTENDERS), given.turns, given.seconds, CHOICES if given.choices else BETS)
