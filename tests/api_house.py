"""A house behind the HTTP application, in this process or behind a real server, for the tests of the API."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from litestar.testing import TestClient

from guests import Guest, Office
from pairhouse.house.care.policy import EXAMPLE_NOTICE, NO_POLICY, Policy, find_notice
from pairhouse.house.house import House
from pairhouse.house.people import new_key
from pairhouse.house.store.writer import now_ms
from pairhouse.house.vault import Vault
from pairhouse.server.http.connections import ConnectionLimits
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.processes.one_process import build
from pairhouse.server.serving import PoliteServer
from routes import OPERATIONS

DATABASES = ["sqlite", "postgresql"]
SEED_KEY = "6b" * 32


@dataclass
class Clock:
    """The time of day, which tests can move forward."""

    ahead_ms: int = 0

    def __call__(self) -> int:
        return now_ms() + self.ahead_ms

    def pass_minutes(self, minutes: float) -> None:
        self.ahead_ms += round(minutes * 60_000)


@dataclass
class Open:
    """A house with a client of its HTTP application."""

    url: str
    house: House
    client: Any
    clock: Clock
    _keys: dict[str, Office] = field(default_factory=dict)

    def guest(self) -> Guest:
        """A new guest, with play money. Whoever used this client before may have gone on a break."""
        self.client.cookies.clear()
        return Guest(self.client, self.client.post("/guests").json()["token"])

    def office(self, scope: str = "admin") -> Office:
        """An operator or administrator with an API key."""
        if scope not in self._keys:
            key_id, key = self.house.do(lambda tx: new_key(tx, f"{scope} of the tests", scope))
            self._keys[scope] = Office(self.client, key, key_id)
        return self._keys[scope]


def is_declared(answer: httpx.Response) -> None:
    """Check that the OpenAPI document declares the status of an answer. (Tests provoke 500 on purpose.)"""
    for operation in OPERATIONS:
        if operation.method == answer.request.method and operation.fits(answer.request.url.path):
            assert str(answer.status_code) in {*operation.told["responses"], "500"}, operation.name


def open_house(
    url: str, throttle: Throttle | None = None, pages: Path | None = None, policy: Policy = NO_POLICY
) -> Iterator[Open]:
    """The application over a database, until the test is over."""
    clock = Clock()
    house = House(url, clock=clock, vault=Vault(bytes.fromhex(SEED_KEY)), policy=policy)
    notice = find_notice(str(EXAMPLE_NOTICE), None)
    app = build(house=house, throttle=throttle or Throttle({}), jobs=False, pages=pages, notice=notice)
    with TestClient(app, raise_server_exceptions=False) as client:
        client.event_hooks = {"response": [is_declared]}
        yield Open(url, house, client, clock)


@contextmanager
def served(url: str, *, deals: bool = False, limits: ConnectionLimits | None = None) -> Iterator[Open]:
    """A house behind a real server on a port of this machine, with a real HTTP client."""
    clock = Clock()
    house = House(url, clock=clock, vault=Vault(bytes.fromhex(SEED_KEY)))
    app = build(house=house, throttle=Throttle({}), jobs=False, deals=deals)
    listener = socket.create_server(("127.0.0.1", 0))
    server = PoliteServer(app, limits=limits)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with httpx.Client(base_url=address, timeout=30) as client:
        while not server.started:
            time.sleep(0.01)
        yield Open(url, house, client, clock)
    server.should_exit = True
    thread.join(30)
    listener.close()
