"""Under every attack honest players go on playing, the log holds no trace of it, and memory has an end."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from attackers import ATTACKS, attack_for
from guests import Guest
from servers import Server

SECONDS = 2.0
MEMORY_MAX_MB = 900.0  # the house, its worker and the solver; one attack took 4,488


@pytest.fixture(scope="module")
def server(new_database: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With limits as they are shipped."""
    started = Server(new_database("sqlite"), tmp_path_factory.mktemp("attacked"), words=("--workers", "1"))
    started.start()
    try:
        asyncio.run(started.ready())
        yield started
    finally:
        started.stop()


async def play_on(server: Server, address: str, until: float) -> int:
    """A player at another address who plays round after round; how many were settled."""
    transport = httpx.AsyncHTTPTransport(local_address=address, retries=3)
    async with httpx.AsyncClient(base_url=server.base, timeout=30, transport=transport) as client:
        token = (await client.post("/guests")).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        assert (await client.post("/tables/la-paire/sit", headers=headers)).status_code == 200
        settled = 0
        while time.monotonic() < until or settled < 3:
            body = {"table": "la-paire", "wagers": {"card-A": 100}, "client_seed": "honest"}
            key = {"Idempotency-Key": f"honest-{address[-3:].replace('.', '-')}-{settled:04}"}
            answer = await client.post("/rounds", json=body, headers={**headers, **key})
            assert answer.status_code == 201, answer.text
            settled += 1
        return settled


@pytest.mark.parametrize("number", range(len(ATTACKS)), ids=list(ATTACKS))
def test_honest_players_play_on(server: Server, number: int) -> None:
    name = list(ATTACKS)[number]

    async def both() -> int:
        attack = asyncio.create_task(attack_for(name, server.port, SECONDS))
        await asyncio.sleep(0.5)
        settled = await play_on(server, f"127.0.2.{number + 1}", time.monotonic() + SECONDS - 1)
        await attack
        return settled

    assert asyncio.run(both()) >= 3
    told = server.told()
    assert "Traceback" not in told, told
    assert held_mb(server) < MEMORY_MAX_MB
    assert server.process is not None
    assert server.process.poll() is None


def held_mb(server: Server) -> float:
    assert server.process is not None
    found, waiting = 0.0, [server.process.pid]
    while waiting:
        pid = waiting.pop()
        with open(f"/proc/{pid}/task/{pid}/children") as children, open(f"/proc/{pid}/statm") as held:
            waiting += map(int, children.read().split())
            found += int(held.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return found


def test_a_worker_that_is_killed_again_and_again_comes_back(server: Server) -> None:
    """The house stays open, and its books with it."""
    for _ in range(3):
        until = time.monotonic() + 60
        while not (found := server.workers()):
            assert time.monotonic() < until
            time.sleep(0.02)
        os.kill(found[0], signal.SIGKILL)
        while server.workers() == found:
            time.sleep(0.02)
    asyncio.run(server.ready())
    assert server.process is not None
    assert server.process.poll() is None
    with httpx.Client(base_url=server.base, timeout=30) as client:
        guest = Guest(client, client.post("/guests").json()["token"])
        assert guest.play("la-paire")["state"] == "settled"
