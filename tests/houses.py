"""An open house behind the application, as the tests of the API see it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from litestar.testing import TestClient

from guests import Guest, Office
from pairhouse.casino.house import House
from pairhouse.casino.people import new_key
from pairhouse.casino.store.writer import now_ms
from pairhouse.casino.vault import Vault
from pairhouse.server.app import build
from pairhouse.server.throttle import Throttle

DATABASES = ["sqlite", "postgresql"]
SEED_KEY = "6b" * 32


@dataclass
class Clock:
    """The time of day, moved on at will."""

    ahead_ms: int = 0

    def __call__(self) -> int:
        return now_ms() + self.ahead_ms

    def pass_minutes(self, minutes: float) -> None:
        self.ahead_ms += round(minutes * 60_000)


@dataclass
class Open:
    """An open house behind the application, as tests see it."""

    url: str
    house: House
    client: TestClient[Any]
    clock: Clock
    _keys: dict[str, Office] = field(default_factory=dict)

    def guest(self) -> Guest:
        """Somebody new, with play money."""
        return Guest(self.client, self.client.post("/guests").json()["token"])

    def office(self, scope: str = "admin") -> Office:
        """Somebody with an API key."""
        if scope not in self._keys:
            key_id, key = self.house.do(lambda tx: new_key(tx, f"{scope} of the tests", scope))
            self._keys[scope] = Office(self.client, key, key_id)
        return self._keys[scope]


def open_house(url: str, throttle: Throttle | None = None, pages: Path | None = None) -> Iterator[Open]:
    """The application over a database, until the test is over."""
    clock = Clock()
    house = House(url, clock=clock, vault=Vault(bytes.fromhex(SEED_KEY)))
    app = build(house=house, throttle=throttle or Throttle({}), jobs=False, pages=pages)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield Open(url, house, client, clock)
