"""Limits on how often one may ask: for a session, for an address whatever it asks, for advice; and they cost a second."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest

from guests import Guest
from pairhouse.core.errors import Refused
from pairhouse.house.live.friends import ALL_MAX, QUIET_MS
from pairhouse.server.app import TOO_MANY_WAIT_S
from pairhouse.server.http import throttle as throttles
from pairhouse.server.http.throttle import RATES, Rate, Throttle
from pairhouse.server.processes.one_process import build
from pairhouse.server.serving import PoliteServer


@contextmanager
def served(url: str, **rates: Rate) -> Iterator[httpx.Client]:
    """A house behind a proxy that tells where callers are, with these limits only."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = PoliteServer(build(url, throttle=Throttle(rates), jobs=False), ["127.0.0.1"])
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    with httpx.Client(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", timeout=30) as client:
        yield client
    server.should_exit = True
    thread.join(20)


def at(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address}


def test_an_address_may_ask_so_often_whatever_it_asks(new_database: Callable[[str], str]) -> None:
    with served(new_database("sqlite"), address=Rate(4, 0.0)) as client:
        for path in ("/tables", "/nothing", "/%00", "/players/me"):
            assert client.get(path, headers=at("203.0.113.7")).status_code != 429
        started = time.monotonic()
        refused = client.get("/nothing", headers=at("203.0.113.7"))
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
        assert refused.headers["retry-after"] == "1"
        assert time.monotonic() - started >= TOO_MANY_WAIT_S
        assert client.get("/tables", headers=at("203.0.113.8")).status_code == 200
        for last in range(4):
            assert client.get("/tables", headers=at(f"2001:db8::{last}")).status_code == 200
        assert client.get("/tables", headers=at("2001:db8::ffff")).status_code == 429, "of one network"


def test_a_session_may_ask_so_often_and_for_advice_less(new_database: Callable[[str], str]) -> None:
    with served(new_database("sqlite"), session=Rate(30, 0.0), advice=Rate(1, 0.0)) as client:
        guest = Guest(client, client.post("/guests").json()["token"])
        waiting = guest.open("three-card-poker")
        assert guest.ask("GET", f"/rounds/{waiting['id']}/advice").status_code == 200
        assert guest.ask("GET", f"/rounds/{waiting['id']}/advice").status_code == 429
        asked = 0
        while guest.ask("GET", "/players/me").status_code == 200:
            asked += 1
            assert asked < 30
        other = Guest(client, client.post("/guests").json()["token"])
        assert other.me()["guest"]


def test_no_address_takes_all_tables_for_friends(new_database: Callable[[str], str]) -> None:
    """Guests are free, and each may have three: one visitor could hold all of them for a day."""
    assert RATES["friends"].burst + RATES["friends"].per_s * QUIET_MS / 1000 < ALL_MAX / 2
    with served(new_database("sqlite"), friends=Rate(4, 0.0)) as client:

        def opens(address: str) -> int:
            guest = Guest(client, client.post("/guests").json()["token"])
            headers = {**guest.headers, **at(address)}
            return client.post("/live", json={"like": "live-la-paire"}, headers=headers).status_code

        assert [opens("203.0.113.7") for _ in range(5)] == [201] * 4 + [429]
        assert opens("203.0.113.8") == 201


def test_a_bucket_fills_again_and_so_many_callers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(throttles, "CALLERS_KEPT", 10)
    limits = Throttle({"public": Rate(2, 0.5)})
    for _ in range(2):
        limits.check("public", "a")
    with pytest.raises(Refused, match="too many requests"):
        limits.check("public", "a")
    seconds[0] += 2
    limits.check("public", "a")
    for number in range(50):
        limits.check("public", str(number))
    assert len(limits._buckets) == 10
