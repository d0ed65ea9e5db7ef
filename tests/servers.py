"""Real server processes that can be killed, and a client that keeps a journal of every answer it was given."""

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx

from command_line import pairhouse
from direct_house import SEED_KEY, TABLES, random_seats
from pairhouse.games.catalogue import find
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.version import __version__

PARTS = {
    "HTTP workers killed": b"pairhouse.server.processes.http_worker",
    "signing processes killed": b"pairhouse.house.seal.keys",
}
START_LIMIT_S = 240.0  # many others may want the machine


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def environment(folder: Path) -> dict[str, str]:
    """Servers that find every par sheet counted already: counting is not what is tested here."""
    cache = folder / "cache" / "par"
    cache.mkdir(parents=True, exist_ok=True)
    for table in FLOOR_PLAN:
        variant = find(table.game).variant(table.options)
        (cache / f"{variant.rules_hash}-{__version__}.json").write_text('{"wagers":{}}')
    return {**os.environ, "PAIRHOUSE_CACHE": str(folder / "cache"), "PAIRHOUSE_SEED_KEY": SEED_KEY}


class Server:
    """`pairhouse serve`, as a process of its own."""

    def __init__(
        self,
        url: str,
        folder: Path,
        port: int | None = None,
        prefix: tuple[str, ...] = (),
        words: tuple[str, ...] = (),
    ) -> None:
        self.url = url
        self.folder = folder
        self.port = port or free_port()
        self.prefix = prefix
        self.words = words
        self.base = f"http://127.0.0.1:{self.port}"
        self.log = (folder / f"server-{self.port}.log").open("ab")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Server":
        command = [*self.prefix, sys.executable, "-m", "pairhouse", "serve", "--db", self.url, "--port", str(self.port)]
        command += self.words
        self.process = subprocess.Popen(command, env=environment(self.folder), stdout=self.log, stderr=self.log)
        return self

    def kill(self) -> None:
        """As a power cut would: nothing is finished, nothing is said."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def workers(self) -> list[int]:
        """The HTTP workers it has started."""
        return self.children(b"pairhouse.server.processes.http_worker")

    def children(self, program: bytes) -> list[int]:
        """The processes it has started that run this module."""
        assert self.process is not None
        found = []
        for folder in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == self.process.pid and program in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
        return found

    def stop(self) -> None:
        """As an operator would."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()

    async def ready(self) -> None:
        """Until it answers."""
        until = time.monotonic() + START_LIMIT_S
        async with httpx.AsyncClient(base_url=self.base, timeout=2) as client:
            while time.monotonic() < until:
                assert self.process is not None
                assert self.process.poll() is None, self.told()
                try:
                    if (await client.get("/health")).status_code == 200:
                        return
                except httpx.TransportError:
                    await asyncio.sleep(0.05)
        raise AssertionError(f"no server after {START_LIMIT_S} s: {self.told()}")

    def told(self) -> str:
        return Path(self.log.name).read_text()[-2000:]


def decided(view: dict[str, Any]) -> tuple[int, int]:
    """What of the stakes of a round is decided so far, and what was paid for it."""
    if view["returned"] is not None:
        return view["staked"], view["returned"]
    settled = [event for event in view["view"]["events"] if event["event"] == "settled"]
    if not TABLES[view["table"]].pays_when_decided:
        return 0, 0
    return sum(event.get("stake", 0) for event in settled), sum(event.get("returned", 0) for event in settled)


class Visitor:
    """A player behind a network: asks until there is an answer, and knows what the balance must be."""

    def __init__(self, number: int, servers: list[Server], seed: int) -> None:
        self.number = number
        self.servers = servers
        self.rng = random.Random(seed)
        self.client = httpx.AsyncClient(timeout=30)
        self.count: Counter[str] = Counter()
        self.keys = 0
        self.balance = 0
        self.failed_at = 0.0  # when this request was first left without an answer
        self.open: dict[str, dict[str, Any]] = {}
        self.closed: dict[str, dict[str, Any]] = {}
        self.seated: set[str] = set()
        self.is_done = False

    async def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> httpx.Response:
        """One request with one key, sent until it is answered; answers that say nothing was done are asked again."""
        headers = {"Idempotency-Key": key} if key else {}
        self.failed_at = 0.0
        while True:
            base = self.rng.choice(self.servers).base
            try:
                answer = await self.client.request(method, base + path, json=body, headers=headers)
            except httpx.TransportError:
                self.failed_at = self.failed_at or time.time()
                self.count["unanswered"] += 1
                await asyncio.sleep(self.rng.uniform(0.1, 0.5))
                continue
            if answer.status_code in (429, 503):
                self.count[str(answer.status_code)] += 1
                await asyncio.sleep(0.2)
                continue
            assert answer.status_code < 500, answer.text
            return answer

    def new_key(self) -> str:
        self.keys += 1
        return f"visitor-{self.number}-{self.keys}"

    async def come_in(self) -> None:
        answer = (await self.ask("POST", "/guests")).json()
        self.client.headers["Authorization"] = f"Bearer {answer['token']}"
        self.balance = answer["player"]["balance"]

    async def play(self) -> None:
        """Until told to stop."""
        while not self.is_done:
            await self.step()

    async def step(self) -> None:
        """Something a player might do now."""
        table = self.rng.choice(list(TABLES))
        if table in self.open:
            await self.choose(table)
            return
        if table not in self.seated or self.rng.random() < 0.02:
            answer = await self.ask("POST", f"/tables/{table}/sit")
            assert answer.json()["balance"] == self.balance
            self.seated.add(table)
        if self.rng.random() < 0.03:
            await self.ask("POST", f"/tables/{table}/seed")
        await self.bet(table)

    async def bet(self, table: str) -> None:
        seats = random_seats(self.rng, TABLES[table])
        body = {"table": table, "seats": seats, "client_seed": f"seed {self.rng.randrange(10**6)}"}
        answer = await self.ask("POST", "/rounds", body, self.new_key())
        if answer.status_code == 402:
            await self.refill()
            return
        assert answer.status_code == 201, answer.text
        view = answer.json()
        if datetime.fromisoformat(view["opened_at"]).timestamp() < self.failed_at:
            self.count["bets done but unanswered"] += 1
        self.count["bets"] += 1
        self._booked(view, view["staked"])

    async def choose(self, table: str, word: str | None = None) -> None:
        view = self.open[table]
        awaiting = view["view"]["awaiting"]
        said = word or self.rng.choice(awaiting["options"])
        body = {"choice": said, "number": len(view["choices"])}
        answer = await self.ask("POST", f"/rounds/{view['id']}/choices", body, self.new_key())
        if answer.status_code == 402:
            await self.choose(table, next(option for option in awaiting["options"] if option not in awaiting["costs"]))
            return
        assert answer.status_code == 200, answer.text
        self.count["choices"] += 1
        self._booked(answer.json(), awaiting.get("costs", {}).get(said, 0))

    def _booked(self, view: dict[str, Any], staked: int) -> None:
        """What the answer says must be what follows from all answers before it."""
        before = self.open.get(view["table"])
        self.balance += decided(view)[1] - (decided(before)[1] if before is not None else 0) - staked
        assert view["balance"] == self.balance, (view["id"], view["balance"], self.balance)
        if view["state"] == "open":
            self.open[view["table"]] = view
        else:
            self.open.pop(view["table"], None)
            self.closed[view["id"]] = view

    async def refill(self) -> None:
        """Finish what is open, then ask for play money."""
        for table in list(self.open):
            while table in self.open:
                await self.choose(table)
        answer = await self.ask("POST", "/players/me/play-money", key=self.new_key())
        if answer.status_code == 200:
            self.balance = 100_000
            assert answer.json()["balance"] == self.balance
            self.count["refills"] += 1
        else:
            assert answer.json()["code"] == "not-needed"

    async def check(self) -> None:
        """Nothing that was acknowledged is lost, nothing was done twice, and what is open goes on."""
        me = (await self.ask("GET", "/players/me")).json()
        assert me["balance"] == self.balance
        assert {line["id"] for line in me["open_rounds"]} == {view["id"] for view in self.open.values()}
        assert me["held"] == sum(view["staked"] - decided(view)[0] for view in self.open.values())
        for view in self.open.values():
            found = (await self.ask("GET", f"/rounds/{view['id']}")).json()
            assert found["view"] == view["view"]
        for view in self.closed.values():
            found = (await self.ask("GET", f"/rounds/{view['id']}")).json()
            found.pop("seal", None)  # the proof that the books have it comes a little later
            assert {**found, "shoe": None, "proof": None} == {**view, "shoe": None, "proof": None}
        for table in list(self.open)[:3]:
            while table in self.open:
                await self.choose(table)

    async def leave(self) -> None:
        await self.client.aclose()


def audit_of(url: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """`pairhouse audit`, as an operator runs it."""
    return pairhouse("audit", "--db", url, env=environment(folder), timeout=600)


async def played(players: list[Visitor], playing: list["asyncio.Task[None]"], more: int) -> None:
    """Until so many more bets were answered, however fast the machine is."""
    before = sum(player.count["bets"] for player in players)
    while sum(player.count["bets"] for player in players) < before + more:
        if failed := [task for task in playing if task.done()]:
            await failed[0]
        await asyncio.sleep(0.01)


async def kill_at_random(
    url: str, folder: Path, *, kills: int, visitors: int, seed: int, processes: int = 1
) -> Counter[str]:
    """Players at play, servers killed under them again and again; in the end the books must be what players saw.

    Before a server is killed its HTTP workers or the process that holds its sealing key may be; and it may be killed
    again while it opens, when it signs a head and hands it to the anchors.
    """
    rng = random.Random(seed)
    killed: Counter[str] = Counter()
    servers = [Server(url, folder).start() for _ in range(processes)]
    players = [Visitor(number, servers, seed * 1000 + number) for number in range(visitors)]
    try:
        await asyncio.gather(*(server.ready() for server in servers))
        await asyncio.gather(*(player.come_in() for player in players))
        playing = [asyncio.create_task(player.play()) for player in players]
        for _ in range(kills):
            await played(players, playing, 5)
            await asyncio.sleep(rng.expovariate(1 / 0.3))
            server = rng.choice(servers)
            for name, program in PARTS.items():
                for process in server.children(program) if rng.random() < 0.5 else ():
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
                        killed[name] += 1
                    await asyncio.sleep(rng.expovariate(1 / 0.3))
            server.kill()
            server.start()
            if rng.random() < 0.2:
                await asyncio.sleep(rng.uniform(0, 3))
                server.kill()
                server.start()
                killed["servers killed while they opened"] += 1
            await server.ready()
        for player in players:
            player.is_done = True
        await asyncio.gather(*playing)
        await asyncio.gather(*(player.check() for player in players))
    finally:
        for server in servers:
            server.stop()
        await asyncio.gather(*(player.leave() for player in players))
    for player in players:
        killed += player.count
    return killed
