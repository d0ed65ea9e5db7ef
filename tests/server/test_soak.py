"""Every route asked again and again: the memory of the house and its processes stays what it was."""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from guests import Guest, new_name
from pairhouse.house.house import House
from pairhouse.house.people import new_key
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


def asker(server: Server, client: httpx.Client) -> Callable[[Operation], int]:
    """A function that asks an operation once, as who may ask; the status."""
    house = House(server.url)
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

    return ask


@pytest.mark.slow
def test_memory_stays_flat_on_every_route(server: Server) -> None:
    assert server.process is not None
    asked = [one for one in OPERATIONS if one.name not in SKIPPED]
    with httpx.Client(base_url=server.base, timeout=60) as client:
        ask = asker(server, client)
        statuses = {one.name: ask(one) for one in asked}
        assert all(status < 500 for status in statuses.values()), statuses
        assert sum(status < 400 for status in statuses.values()) > len(asked) / 2, statuses
        for operation in asked:
            for _ in range(3):
                ask(operation)
        before = held_mb(server.process.pid)
        for operation in asked:
            for _ in range(2 if operation.name in HASHING else TURNS):
                ask(operation)
        assert held_mb(server.process.pid) - before < GROWTH_MAX_MB


@pytest.mark.slow
def test_memory_stays_flat_on_one_route_at_a_time(server: Server) -> None:
    """Minutes long (`make test-soak`): 700 requests after the first 300 take no more; where passwords are hashed, 70."""
    assert server.process is not None
    grown = {}
    with httpx.Client(base_url=server.base, timeout=60) as client:
        ask = asker(server, client)
        for operation in OPERATIONS:
            if operation.name in NAMED | SKIPPED:
                continue
            turns = 100 if operation.name in HASHING else 1_000
            for turn in range(turns):
                ask(operation)
                if turn == turns * 3 // 10:
                    before = held_mb(server.process.pid)
            grown[operation.name] = held_mb(server.process.pid) - before
    assert all(growth < GROWTH_MAX_MB for growth in grown.values()), grown
