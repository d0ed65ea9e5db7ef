"""Every route asked again and again: the memory of the house and its processes stays what it was."""

import asyncio
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from direct_house import SEED_KEY
from guests import Guest, new_name
from pairhouse.house.house import House
from pairhouse.house.people import new_key
from pairhouse.house.vault import Vault
from routes import OPERATIONS, Operation
from servers import Server

TURNS = int(os.environ.get("PAIRHOUSE_SOAK_TURNS", "4"))
GROWTH_MAX_MB = 12.0  # pages that the allocator has not given back, and caches of a fixed size that fill
NAMED = {"POST /players", "POST /sessions"}
# Hashing a password takes 64 MiB and a tenth of a second, by design.
HASHING = NAMED | {"POST /players/me/account", "POST /players/me/password", "POST /pit/sessions"}
SKIPPED = {"POST /wallets/{wallet}/sessions"}  # there is no operator here


@pytest.fixture(scope="module")
def server(new_database: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(new_database("sqlite"), tmp_path_factory.mktemp("soak"), words=("--workers", "1", "--no-throttle"))
    started.start()
    try:
        asyncio.run(started.ready())
        yield started
    finally:
        started.stop()


def held_mb(pid: int) -> float:
    """What a process and all that it has started hold in memory."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    own = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return own + sum(held_mb(int(child)) for child in children)


def asks(server: Server, client: httpx.Client) -> dict[str, Callable[[], int]]:
    """For every route a function that asks it once, as who may ask; the status. Those of no document are among them."""
    house = House(server.url, vault=Vault(bytes.fromhex(SEED_KEY)))  # there may be seeds already
    _, key = house.do(lambda tx: new_key(tx, "soak", "admin"))
    house.close()
    guest = Guest(client, client.post("/guests").json()["token"])
    waiting = guest.open("three-card-poker")
    closed = Guest(client, client.post("/guests").json()["token"]).play("la-paire")

    def ask(operation: Operation) -> int:
        given: dict[str, Any] = {"round_id": waiting["id"]}
        if operation.path.endswith("/replay") or operation.path.startswith("/admin/rounds"):
            given["round_id"] = closed["id"]
        if operation.name in NAMED:
            given["body"] = {"name": f"s-{new_name()[:8]}"}
        what = operation.request(**given)
        token = key if "key" in operation.schemes else guest.token
        if operation.name == "DELETE /sessions":
            token = client.post("/guests").json()["token"]
        if operation.schemes:
            what["headers"] |= {"Authorization": f"Bearer {token}"}
        client.cookies.clear()
        return client.request(**what).status_code

    def ask_page(path: str) -> int:
        return client.get(path).status_code

    def watch(path: str) -> int:
        """Begin to read a stream of events, and go away after the first."""
        headers = {"Authorization": f"Bearer {guest.token}"}
        with client.stream("GET", path, headers=headers) as stream:
            assert any(line.startswith("data: ") for line in stream.iter_lines())
            return stream.status_code

    live = client.get("/live").json()["tables"][0]["table"]
    told: dict[str, Callable[[], int]] = {one.name: partial(ask, one) for one in OPERATIONS if one.name not in SKIPPED}
    pages = ["/", "/openapi.json", f"/share/{closed['id']}", f"/share/{closed['id']}.png"]
    told |= {f"GET {path}": partial(ask_page, path) for path in pages}
    stream = f"/tables/{live}/events"
    return told | {f"GET {stream}": partial(watch, stream)}


@pytest.mark.slow
def test_memory_stays_flat_on_every_route(server: Server) -> None:
    assert server.process is not None
    with httpx.Client(base_url=server.base, timeout=60) as client:
        asked = asks(server, client)
        statuses = {name: ask() for name, ask in asked.items()}
        assert all(status < 500 for status in statuses.values()), statuses
        assert sum(status < 400 for status in statuses.values()) > len(asked) / 2, statuses
        assert all(status == 200 for name, status in statuses.items() if "/share/" in name or "/events" in name)
        for ask in asked.values():
            for _ in range(3):
                ask()
        before = held_mb(server.process.pid)
        for name, ask in asked.items():
            for _ in range(2 if name in HASHING else TURNS):
                ask()
        assert held_mb(server.process.pid) - before < GROWTH_MAX_MB


@pytest.mark.slow
def test_memory_stays_flat_on_one_route_at_a_time(server: Server) -> None:
    """Minutes long (`make test-soak`): 700 requests after the first 300 take no more; where passwords are hashed, 70."""
    assert server.process is not None
    grown = {}
    with httpx.Client(base_url=server.base, timeout=60) as client:
        for name, ask in asks(server, client).items():
            if name in NAMED:
                continue
            turns = 100 if name in HASHING else 1_000
            for turn in range(turns):
                ask()
                if turn == turns * 3 // 10:
                    before = held_mb(server.process.pid)
            grown[name] = held_mb(server.process.pid) - before
    print("MB more:", {name: round(growth, 1) for name, growth in grown.items() if growth > 1})  # noqa: T201
    assert all(growth < GROWTH_MAX_MB for growth in grown.values()), grown
