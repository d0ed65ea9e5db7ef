"""What HTTP alone costs a round: the same request to several servers, whose books answer at once with one fixed view.

`python benchmarks/http_path.py` starts every contender as a process of its own, lets 64 keep-alive connections bet on
each in turns, and prints CPU microseconds a request, of the thread that runs Python and of all others. Granian takes
part where it is installed; it is no dependency of ours.
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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
import uvloop

from pairhouse.house.house import House
from pairhouse.house.people import new_guest, person_of
from pairhouse.house.pit import RoundBet
from pairhouse.house.tokens import hash_of
from pairhouse.server.app import build
from pairhouse.server.http.headers import SECURITY_HEADERS
from pairhouse.server.http.throttle import RATES, Throttle
from pairhouse.server.serving import freeze_gc

BODY = b'{"table":"nepal-super-baccarat","seats":[{"player":100}],"client_seed":"bench"}'
CHOICE = b'{"choice":"stand","number":0}'
BETS, CHOICES = ("/rounds", 201, BODY), (f"/rounds/{'0' * 26}/choices", 200, CHOICE)
CONTENDERS = ("framework", "lane", "bare", "granian-framework", "granian-lane", "granian-bare")
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


def house_app(folder: str, name: str) -> Any:
    """The real application; only the writers are others."""

    house = House(f"sqlite:///{folder}/house.db")
    view = fixed_view(house)

    async def answer(_: Any) -> Any:
        return view

    house.writers.run = answer
    limits = {kind: type(rate)(10**9, 1e9) for kind, rate in RATES.items()}
    app = build(house=house, throttle=Throttle(limits), jobs=False)

    async def by_route(scope: Any, receive: Any, send: Any) -> None:
        await app.framework(scope, receive, send)

    return by_route if name.endswith("framework") else app


def bare_app(folder: str) -> Any:
    """The least that any application under the same server costs: read the body, send as much as the house does."""

    body = msgspec.json.encode(fixed_view(House(f"sqlite:///{folder}/house.db")))
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
        app = bare_app(folder) if name.endswith("bare") else house_app(folder, name)
        freeze_gc()
        if name.startswith("granian"):
            serve_granian(app, port)
        else:
            uvicorn.run(app, port=port, log_config=None, access_log=False, lifespan="on", proxy_headers=False)


def serve_granian(app: Any, port: int) -> None:
    """In this process, one thread of Rust beside ours."""
    from granian.constants import Interfaces  # noqa: PLC0415 (no dependency of ours)
    from granian.server.embed import Server  # noqa: PLC0415

    server = Server(app, port=port, interface=Interfaces.ASGI, log_enabled=False)
    uvloop.run(server.serve())


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


def cpu_ns(pid: int) -> tuple[int, int]:
    """CPU time of the main thread and of all others."""
    main, others = 0, 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        used = int(Path(f"/proc/{pid}/task/{thread}/schedstat").read_text().split()[0])
        if int(thread) == pid:
            main = used
        else:
            others += used
    return main, others


async def play(port: int, until: float, counts: list[int], what: tuple[str, int, bytes]) -> None:
    path, status, body = what
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    token = secrets.token_urlsafe(32)
    head = f"POST {path} HTTP/1.1\r\nhost: house\r\ncontent-type: application/json\r\nauthorization: Bearer {token}\r\n"
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
    main, others = (now - then for now, then in zip(cpu_ns(pid), before, strict=True))
    return {"main": main / count / 1000, "others": others / count / 1000, "rate": count / took}


def main(names: list[str], turns: int, seconds: float, what: tuple[str, int, bytes] = BETS) -> None:
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    with contextlib.ExitStack() as stack:
        servers = {name: stack.enter_context(running(name)) for name in names}
        for port, pid in servers.values():
            turn(port, pid, 0.5)
        for _ in range(turns):
            for name, (port, pid) in servers.items():
                found[name].append(turn(port, pid, seconds, what))
    print("| server | CPU µs a request, thread of Python: median (least) | other threads | requests a second |")
    print("|---|---:|---:|---:|")
    for name, lines in found.items():
        mains = [line["main"] for line in lines]
        others, rate = (statistics.median(line[what] for line in lines) for what in ("others", "rate"))
        print(f"| {name} | {statistics.median(mains):.1f} ({min(mains):.1f}) | {others:.1f} | {rate:,.0f} |")
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
        main(
            given.names or ["framework", "lane", "bare"], given.turns, given.seconds, CHOICES if given.choices else BETS
        )
