"""Guessing passwords gets slower for who guesses, and for nobody else; a name that nobody has is no exception."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from pairhouse.house import people
from pairhouse.server.bookkeeping import sign_in_delays
from pairhouse.server.bookkeeping.sign_in_delays import (
    DELAY_MAX_S,
    FORGOTTEN_AFTER_S,
    FREE_FAILURES,
    PAIRS_KEPT,
    SignInDelays,
    delay_after,
)
from pairhouse.server.desk import Desk
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.processes.one_process import build
from pairhouse.server.processes.protocol import RetryLater
from pairhouse.server.serving import PoliteServer

GOOD = "a long sentence"


class Seconds:
    """Time that tests move on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def wait_of(delays: SignInDelays, pair: tuple[str, str]) -> int:
    try:
        delays.check(pair)
    except RetryLater as later:
        return later.retry_after_s
    return 0


def test_each_failure_doubles_the_wait_of_that_pair_alone() -> None:
    seconds = Seconds()
    delays = SignInDelays(seconds)
    waits = []
    for _ in range(14):
        delays.failed(("ann", "203.0.113.7"))
        waits.append(wait_of(delays, ("ann", "203.0.113.7")))
        seconds.now += waits[-1]
    assert waits == [0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800]
    assert wait_of(delays, ("ann", "203.0.113.8")) == wait_of(delays, ("bob", "203.0.113.7")) == 0
    delays.succeeded(("ann", "203.0.113.7"))
    delays.failed(("ann", "203.0.113.7"))
    assert wait_of(delays, ("ann", "203.0.113.7")) == 0


def test_failures_long_ago_are_forgotten() -> None:
    seconds = Seconds()
    delays = SignInDelays(seconds)
    for _ in range(FREE_FAILURES):
        delays.failed(("ann", "here"))
    seconds.now += FORGOTTEN_AFTER_S + delay_after(FREE_FAILURES)
    delays.failed(("ann", "here"))
    assert wait_of(delays, ("ann", "here")) == 0


def test_it_keeps_so_many_pairs_and_waits_have_an_end() -> None:
    delays = SignInDelays()
    for number in range(PAIRS_KEPT + 10):
        delays.failed((str(number), "here"))
    assert len(delays._pairs) == PAIRS_KEPT
    assert delay_after(10**6) == DELAY_MAX_S


@pytest.fixture(scope="module")
def house(new_database: Callable[[str], str]) -> Iterator[httpx.Client]:
    """Behind a proxy that tells where callers are."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = PoliteServer(build(new_database("sqlite"), throttle=Throttle({}), jobs=False), ["127.0.0.1"])
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    with httpx.Client(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", timeout=30) as client:
        while not server.started:
            time.sleep(0.01)
        yield client
    server.should_exit = True
    thread.join(20)


def sign_in(client: httpx.Client, name: str, password: str, address: str) -> httpx.Response:
    body = {"name": name, "password": password}
    return client.post("/sessions", json=body, headers={"X-Forwarded-For": address})


def test_the_victim_signs_in_while_somebody_guesses(house: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in_delays, "FIRST_DELAY_S", 600.0)  # a busy machine takes its time
    assert house.post("/players", json={"name": "victim", "password": GOOD}).status_code == 201
    guessed = {
        name: [sign_in(house, name, "not the sentence", "203.0.113.7") for _ in range(FREE_FAILURES + 1)]
        for name in ("victim", "nobody")
    }
    for answers in guessed.values():
        assert [answer.status_code for answer in answers] == [401] * FREE_FAILURES + [429]
        assert answers[-1].json()["code"] == "locked-out"
        assert 1 < int(answers[-1].headers["retry-after"]) <= 600
    first, second = ([answer.content for answer in answers[:-1]] for answers in guessed.values())
    assert first == second
    assert sign_in(house, "victim", GOOD, "203.0.113.7").status_code == 429, "the right password is not looked at"
    assert sign_in(house, "victim", GOOD, "203.0.113.8").status_code == 201


def test_a_password_that_has_to_wait_is_not_compared(house: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of a second of a core each: players and staff, known or not."""
    monkeypatch.setattr(sign_in_delays, "FIRST_DELAY_S", 600.0)
    compare, compared = people.is_password, [0]

    def count(hashed: str | None, password: str) -> bool:
        compared[0] += 1
        return compare(hashed, password)

    monkeypatch.setattr(people, "is_password", count)
    for path in ("/sessions", "/pit/sessions"):
        compared[0] = 0
        body, where = {"name": "anybody", "password": "not the sentence"}, {"X-Forwarded-For": "203.0.113.11"}
        told = [house.post(path, json=body, headers=where).status_code for _ in range(FREE_FAILURES + 4)]
        assert told == [401] * FREE_FAILURES + [429] * 4
        assert compared[0] == FREE_FAILURES


@pytest.mark.parametrize("thief_wants", ["a session", "another password"])
def test_a_password_is_no_longer_any_good_once_it_was_changed(
    house: httpx.Client, monkeypatch: pytest.MonkeyPatch, thief_wants: str
) -> None:
    """A thief gives the old password while its owner changes it: it was right when it was compared, and comes too late."""
    name, new = "robbed-" + thief_wants.replace(" ", "-"), "another long sentence"
    token = house.post("/players", json={"name": name, "password": GOOD}).json()["token"]
    stolen = sign_in(house, name, GOOD, "203.0.113.9").json()["token"]
    owner, thief = ({"Authorization": f"Bearer {one}"} for one in (token, stolen))
    match, changes = Desk.match_password, [{"password": GOOD, "new_password": new}]

    async def match_slowly(desk: Desk, *given: Any) -> str | None:
        found = await match(desk, *given)
        if changes:
            changed = await asyncio.to_thread(house.post, "/players/me/password", json=changes.pop(), headers=owner)
            assert changed.status_code == 204
        return found

    monkeypatch.setattr(Desk, "match_password", match_slowly)
    if thief_wants == "a session":
        assert sign_in(house, name, GOOD, "203.0.113.9").status_code == 401
    else:
        body = {"password": GOOD, "new_password": "the thief's own sentence"}
        assert house.post("/players/me/password", json=body, headers=thief).status_code in (401, 403)
    assert sign_in(house, name, new, "203.0.113.10").status_code == 201
    assert house.get("/players/me", headers=thief).status_code == 401
