"""The short way for bets and choices, and a door, answer as the routes do: same status, same headers, same bytes."""

import asyncio
import gc
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute

from api_house import SEED_KEY
from guests import new_name
from pairhouse.house.house import House
from pairhouse.house.store.database import OutcomeUnknown, StoreFailed
from pairhouse.house.vault import Vault
from pairhouse.server.app import Application, build
from pairhouse.server.door import Door
from pairhouse.server.http.callers import check_body
from pairhouse.server.http.throttle import Rate, Throttle
from pairhouse.server.line import Line
from pairhouse.server.metrics import REGISTRY, measured
from pairhouse.server.plain import BODY_MAX_BYTES
from pairhouse.server.reception import Asks, Reception

BET = b'{"table":"la-paire","wagers":{"card-A":500},"client_seed":"luck"}'
MUCH = b"{" + b",".join(b'"card-%d":50000' % rank for rank in range(2, 11)) + b"}"
NOWHERE = "/rounds/00000000000000000000000000/choices"
CHOICE = b'{"choice":"play","number":0}'
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
Told = tuple[int, Lines, bytes]


@dataclass
class Ways:
    """One application, asked without a server: by the short way, by its routes alone, or through a door."""

    app: Application
    runner: asyncio.Runner
    house: House
    door: Door | None = None
    routed: int = 0

    async def _ask(self, way: Any, path: str, headers: Lines, chunks: list[bytes], **scope: Any) -> Told:
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
        await way(full | scope, receive, send)
        start, *parts = sent
        return start["status"], list(start["headers"]), b"".join(part.get("body", b"") for part in parts)

    def ask(self, path: str, headers: Lines, *chunks: bytes, way: str = "lane", **scope: Any) -> Told:
        app = {"lane": self.app, "route": self.app.framework, "door": self.door}[way]
        return self.runner.run(self._ask(app, path, headers, list(chunks) or [b""], **scope))

    def ask_all(self, path: str, headers: Lines, *chunks: bytes, **scope: Any) -> Told:
        """What is told by every way, which must be the same."""
        told, *others = [self.ask(path, headers, *chunks, way=way, **scope) for way in ("lane", "route", "door")]
        assert others == [told, told]
        return told

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
def ways(url: str, throttle: Throttle, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ways]:
    house = House(url, vault=Vault(bytes.fromhex(SEED_KEY)))
    app = build(house=house, throttle=throttle, jobs=False)
    with asyncio.Runner() as runner:
        opened = Ways(app, runner, house)
        whole = Litestar.__call__

        async def counted(self: Any, *words: Any) -> None:
            opened.routed += 1
            await whole(self, *words)

        monkeypatch.setattr(Litestar, "__call__", counted)
        close = asyncio.Event()
        staffed = runner.run(_staff(app, close))
        opened.door, line = runner.run(_door(app))
        yield opened
        line.close()
        close.set()
        runner.run(asyncio.wait_for(staffed, 30))


async def _staff(app: Application, close: asyncio.Event) -> "asyncio.Task[None]":
    """Opens the application in a task of its own, which must be the one that closes it."""
    is_open = asyncio.Event()

    async def stay() -> None:
        async with app.lifespan():
            is_open.set()
            await close.wait()

    task = asyncio.create_task(stay())
    await is_open.wait()
    return task


async def _door(app: Application) -> tuple[Door, asyncio.BaseTransport]:
    """A door that is no process: the same two ends, and the line between them, whose end at the house is given too."""
    inside, outside = socket.socketpair()
    make = partial(Line[Asks], Asks, Reception(app).heard)
    line, _ = await asyncio.get_running_loop().create_unix_connection(make, sock=inside)
    door = Door(outside, lambda: None)
    await door.open()
    return door, line


@pytest.fixture(scope="module")
def both(new_database: Callable[[str], str]) -> Iterator[Ways]:
    with pytest.MonkeyPatch.context() as patch, ways(new_database("sqlite"), Throttle({}), patch) as opened:
        yield opened


def answered() -> float:
    """How many answers were counted so far."""
    return sum(s.value for m in REGISTRY.collect() for s in m.samples if s.name == "pairhouse_requests_total")


def test_a_bet_and_its_repetition_by_another_way(both: Ways) -> None:
    head = heading(BET, both.guest())
    before, counted = both.routed, answered()
    quick = both.ask("/rounds", head, BET)
    assert both.routed == before, "a plain bet goes the short way"
    assert quick[0] == 201
    assert both.ask("/rounds", head, BET, way="door") == quick
    assert both.routed == before, "at a door too"
    assert both.ask_all("/rounds", head, BET) == quick
    assert both.routed == before + 1
    assert answered() == counted + 5


def test_a_bet_at_a_door(both: Ways) -> None:
    head = heading(BET, both.guest())
    before = both.routed
    told = both.ask("/rounds", head, BET, way="door")
    assert (told[0], both.routed) == (201, before)
    assert both.ask_all("/rounds", head, BET) == told


def test_a_choice_and_its_repetition_by_another_way(both: Ways) -> None:
    token = both.guest()
    bet = b'{"table":"three-card-poker","seats":[{"ante":500}],"client_seed":"luck"}'
    view = msgspec.json.decode(both.ask("/rounds", heading(bet, token), bet)[2])
    body = b'{"choice":"fold","number":0}'
    head, path, before = heading(body, token), f"/rounds/{view['id']}/choices", both.routed
    quick = both.ask(path, head, body)
    assert (both.routed, quick[0]) == (before, 200)
    assert both.ask_all(path, head, body) == quick


def test_what_is_in_order_in_an_unusual_way_is_in_order(both: Ways) -> None:
    """Each of these goes to the routes, which accept it."""
    token = both.guest()
    cookie = {"authorization": None, "cookie": f"pairhouse_session={token}"}
    unusual: list[tuple[str, Lines, list[bytes]]] = [
        ("/rounds", heading(BET, token, content_type="application/json; charset=utf-8"), [BET]),
        ("/rounds", heading(BET, token, content_length=None, transfer_encoding="chunked"), [BET[:9], BET[9:]]),
        ("/rounds", heading(BET, token), [BET[:9], BET[9:]]),
        ("/rounds?x=1", heading(BET, token), [BET]),
        ("/rounds/", heading(BET, token), [BET]),
        ("/rounds", heading(BET, token, **cookie, x_pairhouse="1"), [BET]),
        ("/rounds", heading(BET, token, host=None), [BET]),
        ("/rounds", [*heading(BET, token), (b"accept", b"a"), (b"accept", b"b")], [BET]),
    ]
    for path, head, chunks in unusual:
        before = both.routed
        quick = both.ask(path, head, *chunks)
        assert (both.routed, quick[0]) == (before + 1, 201), (path, head)
        assert both.ask(path, head, *chunks, way="route") == quick
        if len(chunks) == 1:
            assert both.ask(path, head, *chunks, way="door") == quick
        else:  # a door has waited for all of it
            assert both.ask(path, head, *chunks, way="door")[2] == quick[2]


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
    told = both.ask_all(path, head, body)
    assert told[0] == status, told
    assert msgspec.json.decode(told[2])["error"]


@pytest.mark.parametrize("method", ["GET", "PUT", "HEAD", "OPTIONS"])
def test_other_methods_go_to_the_routes(both: Ways, method: str) -> None:
    head = heading(BET, both.guest())
    assert both.ask_all("/rounds", head, BET, method=method)[0] in (204, 405)


@pytest.mark.parametrize(
    ("raised", "status"),
    [(StoreFailed("disk full"), 503), (OutcomeUnknown("gone"), 503), (RuntimeError("a promise broken"), 500)],
)
def test_what_breaks_is_told_in_the_same_words(
    both: Ways, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, raised: Exception, status: int
) -> None:
    async def broken(_: Any) -> Any:
        raise raised

    head = heading(BET, both.guest())
    monkeypatch.setattr(both.house.writers, "run", broken)
    monkeypatch.setattr(both.house.writers, "call", lambda _, told: told(raised))
    answers, lines = [], []
    for way in ("lane", "route", "door"):
        answers.append(both.ask("/rounds", head, BET, way=way))
        lines.append([(record.name, record.message) for record in caplog.records])
        caplog.clear()
    assert answers == answers[:1] * 3
    assert lines == lines[:1] * 3
    assert answers[0][0] == status
    assert lines[0]


def test_an_answer_that_cannot_be_written_is_broken(both: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a door nobody else of its batch may suffer from it."""

    async def strange(_: Any) -> Any:
        return object()

    head = heading(BET, both.guest())
    monkeypatch.setattr(both.house.writers, "run", strange)
    later = lambda _, told: asyncio.get_running_loop().call_soon(told, object())  # noqa: E731 (as a batch tells it)
    monkeypatch.setattr(both.house.writers, "call", later)
    quick, at_door = (both.ask("/rounds", head, BET, way=way) for way in ("lane", "door"))
    assert quick == at_door
    assert (quick[0], msgspec.json.decode(quick[2])["code"]) == (500, "broken")


def test_what_even_the_framework_does_not_answer_is_answered_at_a_door(
    both: Ways, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("a promise broken")

    monkeypatch.setattr(both.app, "framework", broken)
    status, _, body = both.ask("/health", heading(b""), way="door", method="GET")
    assert (status, msgspec.json.decode(body)["code"]) == (500, "broken")
    assert [record.message for record in caplog.records] == ["broken"]


def test_all_ways_take_from_the_same_limits(
    new_database: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Throttle({"session": Rate(6, 0.0001), "stranger": Rate(3, 0.0001)})
    with ways(new_database("sqlite"), limits, monkeypatch) as opened:
        ends = []
        for way in ("lane", "route", "door"):
            token = opened.guest()  # two of the six are spent on sitting down
            told = [opened.ask("/rounds", heading(BET, token), BET, way=way) for _ in range(5)]
            assert [status for status, *_ in told] == [201] * 4 + [429]
            ends.append(told[-1])
        assert ends == ends[:1] * 3
        assert (b"retry-after", b"1") in ends[0][1]
        unknown = [opened.ask("/rounds", heading(BET, new_name()), BET, way=way)[0] for way in ("lane", "door") * 2]
        assert unknown == [401] * 3 + [429]


def test_ready_bytes_are_passed_on(both: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ready(_: Any) -> Any:
        return msgspec.Raw(b'{"id":"ready"}')

    head = heading(BET, both.guest())
    monkeypatch.setattr(both.house.writers, "run", ready)
    quick = both.ask("/rounds", head, BET)
    assert quick[2] == b'{"id":"ready"}'
    assert both.ask("/rounds", head, BET, way="route") == quick


def test_nothing_is_kept_of_an_answer(both: Ways, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ready(_: Any) -> Any:
        return msgspec.Raw(b'{"id":"ready"}')

    token = both.guest()
    monkeypatch.setattr(both.house.writers, "run", ready)

    def ask(times: int) -> int:
        for _ in range(times):
            both.ask("/rounds", heading(BET, token), BET)
            both.ask("/rounds", heading(b"{", token), b"{")
        gc.collect()
        return sys.getallocatedblocks()

    before = ask(100)
    assert ask(500) - before < 400, "less than one block for each answer"


@pytest.mark.parametrize("path", ["/rounds", "/rounds/{round_id:str}/choices"])
def test_the_routes_check_nothing_that_the_lane_does_not(both: Ways, path: str) -> None:
    """Whoever adds a guard, a parameter or a layer to these routes has to think of the lane: this fails until then."""
    route = next(route for route in both.app.routes if route.path == path)
    assert isinstance(route, HTTPRoute)
    handler, _ = route.route_handler_map["POST"]
    assert list(handler.resolve_guards()) == []
    assert list(handler.resolve_middleware()) == [measured]
    assert handler.resolve_before_request() is check_body
    assert handler.after_request is None
    assert handler.resolve_after_response() is None
    assert both.app.after_request is None
    assert not both.app.before_send
    assert handler.resolve_request_max_body_size() == BODY_MAX_BYTES
    assert set(handler.parsed_fn_signature.parameters) - {"round_id"} == {"data", "request", "key"}
