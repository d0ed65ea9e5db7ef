"""The bookkeeper answers alike whether it is called directly or over a connection: same status, headers and bytes."""

import asyncio
import gc
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from api_house import SEED_KEY
from guests import new_name
from pairhouse.house.house import House
from pairhouse.house.store.database import OutcomeUnknown, StoreFailed
from pairhouse.house.vault import Vault
from pairhouse.server.app import Application, build_app
from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper
from pairhouse.server.desk import Desk
from pairhouse.server.http.callers import BODY_MAX_BYTES
from pairhouse.server.http.throttle import Rate, Throttle
from pairhouse.server.metrics import HTTP
from pairhouse.server.processes.connection import BookkeeperConnection
from pairhouse.server.processes.protocol import BookkeeperClient

BET = b'{"table":"la-paire","wagers":{"card-A":500},"client_seed":"luck"}'
MUCH = b"{" + b",".join(b'"card-%d":50000' % rank for rank in range(2, 11)) + b"}"
NOWHERE = "/rounds/00000000000000000000000000/choices"
CHOICE = b'{"choice":"play","number":0}'
DIRECT, CONNECTED = "direct", "connected"
SCOPE = {
    "type": "http",
    "method": "POST",
    "root_path": "",
    "scheme": "http",
    "http_version": "1.1",
    "client": ("203.0.113.7", 1),
    "server": ("house", 80),
    "asgi": {"version": "3.0"},
}
Lines = list[tuple[bytes, bytes]]
Answer = tuple[int, Lines, bytes]


@dataclass
class Ways:
    """One bookkeeper, and an application for each way to it, asked without a server."""

    apps: dict[str, Application]
    runner: asyncio.Runner
    house: House

    async def _ask(self, app: Application, path: str, headers: Lines, chunks: list[bytes], **scope: Any) -> Answer:
        waiting = [
            {"type": "http.request", "body": chunk, "more_body": n + 1 < len(chunks)} for n, chunk in enumerate(chunks)
        ]
        sent: list[Any] = []

        async def receive() -> Any:
            return waiting.pop(0) if waiting else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        path, _, query = path.partition("?")
        full = dict(SCOPE, path=path, raw_path=path.encode(), query_string=query.encode(), headers=headers, state={})
        async with asyncio.timeout(60):
            await app(full | scope, receive, send)
        start, *parts = sent
        return start["status"], list(start["headers"]), b"".join(part.get("body", b"") for part in parts)

    def ask(self, path: str, headers: Lines, *chunks: bytes, way: str = DIRECT, **scope: Any) -> Answer:
        return self.runner.run(self._ask(self.apps[way], path, headers, list(chunks) or [b""], **scope))

    def ask_all(self, path: str, headers: Lines, *chunks: bytes, **scope: Any) -> Answer:
        """The answer by every way, which must be the same."""
        answer, other = [self.ask(path, headers, *chunks, way=way, **scope) for way in (DIRECT, CONNECTED)]
        assert other == answer
        return answer

    def guest(self) -> str:
        """A session of somebody who sits at La Pair'e and at Three Card Poker."""
        token: str = msgspec.json.decode(self.ask("/guests", heading(b""))[2])["token"]
        for table in ("la-paire", "three-card-poker"):
            assert self.ask(f"/tables/{table}/sit", heading(b"", token))[0] == 200
        return token


def heading(body: bytes, token: str | None = None, **other: str | None) -> Lines:
    """The usual headers with some of them changed, left out (None) or added."""
    given: dict[str, str | None] = {
        "host": "house:8000",
        "content-type": "application/json",
        "authorization": f"Bearer {token}" if token else None,
        "idempotency-key": new_name() if token else None,
        "content-length": str(len(body)),
    }
    given |= {name.replace("_", "-"): value for name, value in other.items()}
    return [(name.encode(), value.encode("latin-1")) for name, value in given.items() if value is not None]


@contextmanager
def ways(url: str, throttle: Throttle) -> Iterator[Ways]:
    house = House(url, vault=Vault(bytes.fromhex(SEED_KEY)))
    with asyncio.Runner() as runner:
        close = asyncio.Event()
        apps: dict[str, Application] = {}
        opened = runner.run(_open(house, throttle, apps, close))
        yield Ways(apps, runner, house)
        close.set()
        runner.run(asyncio.wait_for(opened, 30))


async def _open(
    house: House, throttle: Throttle, apps: dict[str, Application], close: asyncio.Event
) -> "asyncio.Task[None]":
    """Opens the applications in a task of its own, which must be the one that closes them."""
    is_open = asyncio.Event()

    async def stay() -> None:
        keeper = Bookkeeper(house)
        async with connected(keeper) as connection:
            apps[DIRECT], apps[CONNECTED] = (_app(house, way, throttle) for way in (keeper, connection))
            async with apps[DIRECT].lifespan(), apps[CONNECTED].lifespan():
                is_open.set()
                await close.wait()
        await keeper.close()

    task = asyncio.create_task(stay())
    await is_open.wait()
    return task


@asynccontextmanager
async def connected(keeper: Bookkeeper) -> AsyncIterator[BookkeeperConnection]:
    """A worker's connection to a bookkeeper, without a process."""
    ours, theirs = socket.socketpair()
    gone = await keeper.connect(ours)
    connection = BookkeeperConnection()
    await connection.open(theirs, lambda: None)
    yield connection
    theirs.shutdown(socket.SHUT_RDWR)
    await gone.wait()


def _app(house: House, bookkeeper: BookkeeperClient, throttle: Throttle) -> Application:
    @asynccontextmanager
    async def open_desk() -> AsyncIterator[Desk]:
        desk = Desk(house, bookkeeper, throttle=throttle)
        yield desk
        await desk.close()

    return build_app(open_desk)


@pytest.fixture(scope="module")
def both(new_database: Callable[[str], str]) -> Iterator[Ways]:
    with ways(new_database("sqlite"), Throttle({})) as opened:
        yield opened


def counted() -> float:
    """How many responses were counted so far."""
    return sum(s.value for m in HTTP.collect() for s in m.samples if s.name == "pairhouse_requests_total")


@pytest.mark.parametrize("first", [DIRECT, CONNECTED])
def test_a_bet_and_its_repetition_by_another_way(both: Ways, first: str) -> None:
    head = heading(BET, both.guest())
    before = counted()
    answer = both.ask("/rounds", head, BET, way=first)
    assert answer[0] == 201
    assert both.ask_all("/rounds", head, BET) == answer
    assert counted() == before + 3


@pytest.mark.parametrize("first", [DIRECT, CONNECTED])
def test_a_choice_and_its_repetition_by_another_way(both: Ways, first: str) -> None:
    token = both.guest()
    bet = b'{"table":"three-card-poker","seats":[{"ante":500}],"client_seed":"luck"}'
    view = msgspec.json.decode(both.ask("/rounds", heading(bet, token), bet, way=first)[2])
    body = b'{"choice":"fold","number":0}'
    head, path = heading(body, token), f"/rounds/{view['id']}/choices"
    answer = both.ask(path, head, body, way=first)
    assert answer[0] == 200
    assert both.ask_all(path, head, body) == answer
    seen = heading(b"", token)
    for look in (f"/rounds/{view['id']}", "/players/me", "/players/me/rounds", "/players/me/seeds", "/tables"):
        assert both.ask_all(look, seen, method="GET")[0] == 200


def test_every_usual_and_unusual_way_to_be_in_order(both: Ways) -> None:
    token = both.guest()
    cookie = {"authorization": None, "cookie": f"pairhouse_session={token}"}
    fine: list[tuple[str, Lines, list[bytes]]] = [
        ("/rounds", heading(BET, token, content_type="application/json; charset=utf-8"), [BET]),
        ("/rounds", heading(BET, token, content_length=None, transfer_encoding="chunked"), [BET[:9], BET[9:]]),
        ("/rounds", heading(BET, token), [BET[:9], BET[9:]]),
        ("/rounds?x=1", heading(BET, token), [BET]),
        ("/rounds/", heading(BET, token), [BET]),
        ("/rounds", heading(BET, token, **cookie, x_pairhouse="1"), [BET]),
        ("/rounds", heading(BET, token, host=None), [BET]),
        ("/rounds", [*heading(BET, token), (b"accept", b"a"), (b"accept", b"b")], [BET]),
    ]
    for path, head, chunks in fine:
        assert both.ask_all(path, head, *chunks)[0] == 201, (path, head)


def with_key(key: str) -> bytes:
    return BET[:-1] + b',"idempotency_key":"%s"}' % key.encode()


def test_a_key_in_the_body_or_twice(both: Ways) -> None:
    token = both.guest()
    body = with_key("the-same-key")
    for head in (heading(body, token, idempotency_key=None), heading(body, token, idempotency_key="the-same-key")):
        assert both.ask_all("/rounds", head, body)[0] == 201


WRONG: dict[str, tuple[int, str, bytes, dict[str, str | None]]] = {
    "no JSON": (400, "/rounds", b"{", {}),
    "no body": (400, "/rounds", b"", {}),
    "a list": (400, "/rounds", b"[]", {}),
    "not UTF-8": (400, "/rounds", b'{"table":"\xff"}', {}),
    "a lone surrogate": (400, "/rounds", BET.replace(b"luck", rb"\ud800"), {}),
    "too deep": (400, "/rounds", b'{"table":' + b"[" * 20_000 + b"]" * 20_000 + b"}", {}),
    "a fraction": (400, "/rounds", BET.replace(b"500", b"0.5"), {}),
    "text for a number": (400, "/rounds", BET.replace(b"500", b'"500"'), {}),
    "an unknown field": (400, "/rounds", BET.replace(b'"table"', b'"admin":1,"table"'), {}),
    "a field too few": (400, "/rounds", b'{"table":"la-paire"}', {}),
    "text behind it": (400, "/rounds", BET + b"x", {}),
    "a long seed": (400, "/rounds", BET.replace(b"luck", b"x" * 65), {}),
    "too large": (413, "/rounds", b" " * (BODY_MAX_BYTES + 1), {}),
    "said to be too large": (413, "/rounds", BET, {"content_length": str(BODY_MAX_BYTES + 1)}),
    "a length that is none": (400, "/rounds", BET, {"content_length": "many"}),
    "a form": (415, "/rounds", BET, {"content_type": "application/x-www-form-urlencoded"}),
    "no type": (415, "/rounds", BET, {"content_type": None}),
    "a short key": (400, "/rounds", BET, {"idempotency_key": "short"}),
    "a long key": (400, "/rounds", BET, {"idempotency_key": "x" * 65}),
    "a key with a space": (400, "/rounds", BET, {"idempotency_key": "with a space"}),
    "a key beyond ASCII": (400, "/rounds", BET, {"idempotency_key": "schlüssel"}),
    "an empty key": (400, "/rounds", BET, {"idempotency_key": ""}),
    "no key": (422, "/rounds", BET, {"idempotency_key": None}),
    "two different keys": (422, "/rounds", with_key("another-key"), {}),
    "no session": (401, "/rounds", BET, {"authorization": None}),
    "an unknown session": (401, "/rounds", BET, {"authorization": "Bearer unknown"}),
    "an empty session": (401, "/rounds", BET, {"authorization": "Bearer "}),
    "another scheme": (401, "/rounds", BET, {"authorization": "Basic eA=="}),
    "a cookie from elsewhere": (403, "/rounds", BET, {"authorization": None, "cookie": "pairhouse_session=x"}),
    "a wrong host": (400, "/rounds", BET, {"host": "a/b"}),
    "seats and wagers": (422, "/rounds", BET[:-1] + b',"seats":[{"red":500}]}', {}),
    "an unknown table": (404, "/rounds", BET.replace(b"la-paire", b"no-table"), {}),
    "an unknown wager": (422, "/rounds", BET.replace(b"card-A", b"card-Z"), {}),
    "too high a stake": (422, "/rounds", BET.replace(b"500", b"500000000"), {}),
    "more than there is": (402, "/rounds", BET.replace(b'{"card-A":500}', MUCH), {}),
    "another commitment": (409, "/rounds", BET[:-1] + b',"commitment":"' + b"0" * 64 + b'"}', {}),
    "another game": (422, "/rounds", BET[:-1] + b',"game":"blackjack"}', {}),
    "an unknown round": (404, NOWHERE, CHOICE, {}),
    "a round with a strange name": (400, "/rounds/nothing/choices", CHOICE, {}),
    "a round with a line in its name": (400, NOWHERE.replace("/choices", "\n/choices"), CHOICE, {}),
    "no number": (400, NOWHERE, b'{"choice":"play"}', {}),
    "a choice too long": (400, NOWHERE, CHOICE.replace(b"play", b"x" * 33), {}),
    "a choice without a key": (422, NOWHERE, CHOICE, {"idempotency_key": None}),
    "a choice as a form": (415, NOWHERE, CHOICE, {"content_type": "text/plain"}),
    "an unknown address": (404, "/rounds/x/y", BET, {}),
}


@pytest.mark.parametrize("case", list(WRONG))
def test_a_wrong_request_is_refused_in_the_same_words(both: Ways, case: str) -> None:
    status, path, body, other = WRONG[case]
    head = heading(body, both.guest(), **other)
    answer = both.ask_all(path, head, body)
    assert answer[0] == status, answer
    assert msgspec.json.decode(answer[2])["error"]


def test_a_second_bet_names_the_round_that_is_open(both: Ways) -> None:
    token = both.guest()
    bet = b'{"table":"three-card-poker","seats":[{"ante":500}],"client_seed":"luck"}'
    view = msgspec.json.decode(both.ask("/rounds", heading(bet, token), bet)[2])
    refused = both.ask_all("/rounds", heading(bet, token), bet)
    assert refused[0] == 409
    assert msgspec.json.decode(refused[2])["round"] == view["id"]


@pytest.mark.parametrize("method", ["GET", "PUT", "HEAD", "OPTIONS"])
def test_other_methods(both: Ways, method: str) -> None:
    head = heading(BET, both.guest())
    assert both.ask_all("/rounds", head, BET, method=method)[0] in (204, 405)


@pytest.mark.parametrize(
    ("raised", "status"),
    [(StoreFailed("disk full"), 503), (OutcomeUnknown("gone"), 503), (RuntimeError("a secret seed"), 500)],
)
def test_what_breaks_is_told_in_the_same_words(
    both: Ways, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, raised: Exception, status: int
) -> None:
    head = heading(BET, both.guest())
    monkeypatch.setattr(both.house.writers, "call", lambda _, told: told(raised))
    answer = both.ask_all("/rounds", head, BET)
    assert answer[0] == status
    assert b"secret" not in answer[2]
    assert len([record for record in caplog.records if record.name == "pairhouse.server"]) == 2, "one line for each"
    assert ("a secret seed" in caplog.text) == (status == 500), "the trace is in the log"


@pytest.mark.parametrize("way", [DIRECT, CONNECTED])
def test_an_answer_that_cannot_be_encoded_is_broken(both: Ways, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """Nobody else of its batch may suffer from it."""
    head = heading(BET, both.guest())
    later = lambda _, told: asyncio.get_running_loop().call_soon(told, object())  # noqa: E731 (as a batch tells it)
    monkeypatch.setattr(both.house.writers, "call", later)
    status, _, body = both.ask("/rounds", head, BET, way=way)
    assert (status, msgspec.json.decode(body)["code"]) == (500, "broken")


@pytest.mark.parametrize("way", [DIRECT, CONNECTED])
def test_a_bookkeeper_that_is_closing_says_so(both: Ways, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    head = heading(BET, both.guest())
    monkeypatch.setattr(both.house.writers, "_is_closed", True)
    for path in ("/rounds", "/guests"):
        body = BET if path == "/rounds" else b""
        assert both.ask(path, head if body else heading(b""), body, way=way)[0] == 503


def test_all_ways_take_from_the_same_limits(new_database: Callable[[str], str]) -> None:
    limits = Throttle({"session": Rate(6, 0.0001), "stranger": Rate(3, 0.0001)})
    with ways(new_database("sqlite"), limits) as opened:
        ends = []
        for way in (DIRECT, CONNECTED):
            token = opened.guest()  # two of the six are spent on sitting down
            told = [opened.ask("/rounds", heading(BET, token), BET, way=way) for _ in range(5)]
            assert [status for status, *_ in told] == [201] * 4 + [429]
            ends.append(told[-1])
        assert ends[0] == ends[1]
        assert (b"retry-after", b"1") in ends[0][1]
        unknown = [opened.ask("/rounds", heading(BET, new_name()), BET, way=way)[0] for way in opened.apps]
        assert unknown == [401, 401]
        more = [opened.ask("/rounds", heading(BET, new_name()), BET, way=way)[0] for way in opened.apps]
        assert more == [401, 429]


def test_nothing_is_kept_of_an_answer(both: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    token = both.guest()
    monkeypatch.setattr(both.house.writers, "call", lambda _, told: told(msgspec.Raw(b'{"id":"ready"}')))

    def ask(times: int) -> int:
        for _ in range(times):
            both.ask_all("/rounds", heading(BET, token), BET)
            both.ask_all("/rounds", heading(b"{", token), b"{")
        gc.collect()
        return sys.getallocatedblocks()

    before = ask(100)
    assert ask(500) - before < 400, "less than one block for each answer"
