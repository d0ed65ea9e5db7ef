"""Many who watch: slow readers slow nobody, those who are gone are dropped, and one player has only so many streams."""

import asyncio
import contextlib
import gc
import secrets
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Request

from api_house import Open, served
from direct_house import new_database
from guests import Guest
from live_pit import BACCARAT, Pit
from live_reader import Reader
from pairhouse.rounds.shared_seeds import seed_commitment
from pairhouse.server.http.connections import ConnectionLimits
from pairhouse.server.live import hub

TABLE = "la-paire"
SLOW = 50


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    url = f"sqlite:///{tmp_path_factory.mktemp('hub')}/house.db"
    with served(url, deals=True, limits=ConnectionLimits(stuck_s=1.0)) as house:
        clock = {"betting": 120_000, "seeds": 500, "pause": 100}
        made = house.client.put(f"/admin/tables/{TABLE}/live", json=clock, headers=house.office().headers)
        assert made.status_code == 200, made.text
        yield house


@pytest.fixture(scope="module")
def bettor(house: Open) -> Guest:
    guest = house.guest()
    guest.ask("POST", f"/tables/{TABLE}/live/seat", key=secrets.token_hex(8), json={})
    return guest


def bet(guest: Guest, stake: int) -> int:
    body = {"stakes": {"card-7": stake, "red": 100}, "seed": seed_commitment("mine")}
    answer = guest.ask("PUT", f"/tables/{TABLE}/live/bet", key=secrets.token_hex(8), json=body)
    assert answer.status_code == 200, answer.text
    number: int = answer.json()["number"]
    return number


def slow_line(house: Open) -> socket.socket:
    """Somebody who asks for the events of a table and then reads nothing."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", house.client.base_url.port))
    line.sendall(f"GET /tables/{TABLE}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return line


def times_to_hear(reader: Reader, guest: Guest, count: int) -> list[float]:
    took = []
    for number in range(count):
        newest = bet(guest, 100 * (number % 50 + 1))
        began = time.monotonic()
        reader.until(lambda news, newest=newest: news["number"] >= newest)
        took.append(time.monotonic() - began)
    return sorted(took)


def test_slow_readers_slow_nobody_and_are_dropped_in_the_end(house: Open, bettor: Guest) -> None:
    reader = Reader(str(house.client.base_url), TABLE)
    reader.until(lambda news: news["view"] is not None)
    alone = times_to_hear(reader, bettor, 30)
    lines = [slow_line(house) for _ in range(SLOW)]
    beside = times_to_hear(reader, bettor, 150)
    assert beside[75] < 10 * alone[15] + 0.1, (alone, beside)
    assert beside[-1] < 2, beside
    until = time.monotonic() + 4
    while time.monotonic() < until:
        bet(bettor, 100)
    assert all(is_ended(line) for line in lines)
    times_to_hear(reader, bettor, 3)
    reader.close()


def test_a_message_is_made_once_whatever_spectators_say_they_have_seen(tmp_path: Path) -> None:
    """Else somebody who names another number each time would fill the memory of a quiet table's worker."""
    pit = Pit(new_database("sqlite", tmp_path))
    pit.tick(BACCARAT)

    async def read(question: Callable[[Any], Any]) -> Any:
        with pit.house.database.reading() as tx:
            return question(tx)

    watched = hub.Hub(pit.floor, pit.clock, read)

    async def first_message(after: int) -> bytes:
        reader, came = watched.join(BACCARAT, None), list[bytes]()

        async def send(message: bytes) -> None:
            came.append(message)
            reader.leave()

        await watched.send_events(reader, after, send)
        return came[0]

    async def all_of(numbers: list[int]) -> list[bytes]:
        return await asyncio.gather(*map(first_message, numbers))

    newest = asyncio.run(all_of([*range(1, 60), 10**18, 2**62]))
    assert len({id(message) for message in newest}) == 1
    assert b'"entry":"open"' in asyncio.run(first_message(0))
    pit.house.close()


def is_ended(line: socket.socket) -> bool:
    """Whether the other end has closed this connection, behind what it had sent before."""
    line.settimeout(2)
    with line, contextlib.suppress(ConnectionResetError):
        try:
            while line.recv(1 << 20):
                pass
        except TimeoutError:
            return False
    return True


def watching(house: Open, bettor: Guest) -> int:
    """How many watch the table when something happens there."""
    number = bet(bettor, 100)
    until = time.monotonic() + 10
    while time.monotonic() < until:
        news = house.client.get(f"/tables/{TABLE}/live").json()
        if news["number"] >= number:
            found: int = news["watching"]
            return found
        time.sleep(0.02)
    raise AssertionError("the bet was never told")


def test_lines_that_are_half_open_or_broken_are_forgotten(house: Open, bettor: Guest) -> None:
    """One end stops sending, or is gone without a word of HTTP: nobody is sent anything there any more."""
    reader = Reader(str(house.client.base_url), TABLE)
    reader.until(lambda news: True)
    assert until_equal(lambda: watching(house, bettor), 1), "those of other tests are gone"
    with contextlib.ExitStack() as opened:
        lines = [opened.enter_context(slow_line(house)) for _ in range(20)]
        for line in lines:
            line.settimeout(5)
            assert b"200 OK" in line.recv(1 << 16)
        assert until_equal(lambda: drained(lines) + watching(house, bettor), 21)
        for line in lines[:10]:
            line.shutdown(socket.SHUT_WR)
        for line in lines[10:]:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset, not an end
            line.close()
        assert until_equal(lambda: drained(lines[:10]) + watching(house, bettor), 1)
        assert all(is_ended(line) for line in lines[:10])
    times_to_hear(reader, bettor, 3)
    reader.close()


def drained(lines: list[socket.socket]) -> int:
    """Read what has come, so that nobody is taken for a slow reader; 0, to be added to what is counted then."""
    for line in lines:
        line.settimeout(0)
        with contextlib.suppress(BlockingIOError, ConnectionResetError):
            while line.recv(1 << 16):
                pass
    return 0


def until_equal(found: Callable[[], int], wanted: int) -> bool:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if found() == wanted:
            return True
        time.sleep(0.1)
    return False


def test_an_open_stream_holds_nothing_of_its_request(house: Open) -> None:
    """What the framework needs for a request is half of the memory of a stream, and may not stay with it."""
    readers = [Reader(str(house.client.base_url), TABLE) for _ in range(20)]
    for reader in readers:
        reader.until(lambda news: True)
    gc.collect()
    assert (
        sum(issubclass(type(one), Request) for one in gc.get_objects()) < 5
    )  # of a dead proxy only its type may be asked
    for reader in readers:
        reader.close()


def test_quiet_streams_give_a_sign_of_life(house: Open, bettor: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "HEARTBEAT_S", 0.3)
    monkeypatch.setattr(hub, "LOOK_S", 0.1)
    time.sleep(2.1)  # the look that has begun
    reader = Reader(str(house.client.base_url), TABLE)
    first = reader.until(lambda news: True)
    until = time.monotonic() + 10
    while b": still here" not in reader.raw and time.monotonic() < until:
        time.sleep(0.05)
    assert b": still here" in reader.raw
    assert reader.news == [first]
    reader.close()


def test_one_player_has_only_so_many_streams(house: Open, bettor: Guest) -> None:
    url = str(house.client.base_url)
    readers = [Reader(url, TABLE, bettor.token) for _ in range(hub.STREAMS_OF_PLAYER_MAX)]
    for reader in readers:
        told = reader.until(lambda news: True)
        assert told["view"]["seat"] == 1
    answer: Any = bettor.ask("GET", f"/tables/{TABLE}/events")
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-at-once")
    for reader in readers:
        reader.close()
