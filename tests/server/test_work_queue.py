"""Slow work has queues of its own: who asks for pictures or statistics without end holds up nobody who signs in."""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from api_house import open_house
from guests import new_name
from pairhouse.core.errors import Refused
from pairhouse.server import desk
from pairhouse.server.http.throttle import RATES, Rate, Throttle
from pairhouse.server.processes.resource_limits import YIELDING
from pairhouse.server.work_queue import WorkQueue


def test_a_queue_takes_so_many_and_goes_on_when_they_are_done() -> None:
    async def fill() -> None:
        queue, may_end = WorkQueue("ask for pictures", threads=1, most=2), threading.Event()
        begun = [asyncio.create_task(queue.run(may_end.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="too many ask for pictures just now"):
            await queue.run(may_end.wait)
        may_end.set()
        assert await asyncio.gather(*begun) == [True, True]
        assert await queue.run(lambda: "drawn") == "drawn"
        queue.close()

    asyncio.run(fill())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread has no priority of its own")
def test_work_that_yields_lets_the_rest_of_the_house_go_first() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    async def ask(yields: bool) -> int:
        queue = WorkQueue("sign in", threads=1, most=1, yields=yields)
        try:
            return await queue.run(priority)
        finally:
            queue.close()

    own = priority()
    assert asyncio.run(ask(yields=False)) == own
    assert asyncio.run(ask(yields=True)) == min(19, own + YIELDING)
    assert priority() == own


def test_one_password_is_compared_at_a_time_behind_all_else(
    new_database: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once: list[tuple[int, bool]] = []
    busy = threading.Semaphore(1)

    def compare(_: str | None, __: str) -> None:
        alone = busy.acquire(blocking=False)
        at_once.append((os.getpriority(os.PRIO_PROCESS, threading.get_native_id()), alone))
        time.sleep(0.05)
        busy.release()

    monkeypatch.setattr(desk, "matched_password", compare)
    named = {"name": new_name()[:12], "password": "long enough 1"}
    for house in open_house(new_database("sqlite")):
        with ThreadPoolExecutor(3) as callers:
            told = [callers.submit(house.client.post, "/sessions", json=named) for _ in range(3)]
        assert [answer.result().status_code for answer in told] == [401] * 3
    expected = min(19, os.getpriority(os.PRIO_PROCESS, 0) + (YIELDING if sys.platform == "linux" else 0))
    assert at_once == [(expected, True)] * 3


def test_pictures_and_statistics_fill_no_queue_but_their_own(new_database: Callable[[str], str]) -> None:
    for house in open_house(new_database("sqlite")):
        guest = house.guest()
        closed = guest.play("la-paire")["id"]
        queues = house.client.app.state.desk
        for queue in (queues.pictures, queues.counting):
            queue._begun = queue._most
        drawn = house.client.get(f"/share/{closed}.png")
        assert (drawn.status_code, drawn.json()["code"]) == (503, "busy")
        assert drawn.headers["retry-after"] == "1"
        assert guest.ask("GET", "/players/me/statistics").status_code == 503
        named = {"name": new_name()[:12], "password": "long enough 1"}
        assert house.client.post("/players", json=named).status_code == 201
        assert house.client.post("/sessions", json=named).status_code == 201


def test_an_address_has_so_many_pictures_and_a_player_so_many_statistics(new_database: Callable[[str], str]) -> None:
    rates = {"picture": Rate(2, 0.0), "statistics": Rate(3, 0.0)}
    assert rates.keys() < RATES.keys()
    for house in open_house(new_database("sqlite"), Throttle(rates)):
        guest, other = house.guest(), house.guest()
        closed = guest.play("la-paire")["id"]
        asked = [house.client.get(f"/share/{closed}.png").status_code for _ in range(3)]
        assert asked == [200, 200, 429]
        assert house.client.get(f"/share/{closed}").status_code == 200
        ways = ("/players/me/statistics", "/players/me/rounds.csv", "/players/me/statistics", "/players/me/statistics")
        assert [guest.ask("GET", way).status_code for way in ways] == [200, 200, 200, 429]
        assert other.ask("GET", "/players/me/statistics").status_code == 200
