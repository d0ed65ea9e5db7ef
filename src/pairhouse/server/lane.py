"""The short way for the two requests a round is made of: a bet and a choice.

A request that is plainly in order is read, done and answered here, with the same records, limits and deeds as in the
framework's routes. Whatever is not plainly in order goes to the framework as it came, and so does everything that is
raised: what is wrong with a request, and how that is told, is decided there alone.
"""

import re
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
from litestar.types import ASGIApp, Receive

from pairhouse.casino.people import hash_of
from pairhouse.server.callers import RAISED, Headers, bearer_in
from pairhouse.server.desk import Desk, decoder_of
from pairhouse.server.metrics import STARTED, note
from pairhouse.server.models import NewChoice, NewRound
from pairhouse.server.rounds import KEY, ROUND_ID, choose, open_round, read_bet, read_choice
from pairhouse.server.wire import Wire

Deed = Callable[[Desk, str, Any, str | None], Awaitable[Any]]  # for whom (the hash of a token), the body, the key

BODY_MAX_BYTES = 65_536
_HOST = re.compile(rb"[0-9A-Za-z.:\[\]-]+")
_KEY = re.compile(KEY.encode())
_CHOICES = re.compile(f"/rounds/({ROUND_ID})/choices")
_JSON = (b"content-type", b"application/json")
_encode = msgspec.json.Encoder().encode


class Way(NamedTuple):
    """What is read from a request, what is done with it, and the status of the answer."""

    read: Callable[[bytes], Any]
    do: Deed
    status: int


def _bet(desk: Desk, token: str, data: NewRound, key: str | None) -> Awaitable[Any]:
    return desk.cashier.open_round(token, read_bet(data, key))


_BET = Way(decoder_of(NewRound).decode, _bet, open_round.status_code)
_read_choice = decoder_of(NewChoice).decode


def way_of(scope: Any) -> Way | None:
    """The short way for a request, where there is one."""
    if scope["type"] != "http" or scope["method"] != "POST" or scope.get("query_string") or scope.get("root_path"):
        return None
    path = scope["path"]
    if path == "/rounds":
        return _BET
    found = _CHOICES.fullmatch(path)
    if found is None:
        return None
    round_id = found[1]

    def do(desk: Desk, token: str, data: NewChoice, key: str | None) -> Awaitable[Any]:
        return desk.cashier.choose(token, read_choice(round_id, data, key))

    return Way(_read_choice, do, choose.status_code)


def plainly(headers: Headers, body: bytes, read: Callable[[bytes], Any]) -> tuple[str, Any, str | None] | None:
    """The token, body and key of a request; None where anything about it is unusual, let alone wrong."""
    given = dict(headers)
    if len(given) != len(headers) or len(body) > BODY_MAX_BYTES or given.get(b"content-length") != b"%d" % len(body):
        return None
    key = given.get(b"idempotency-key")
    if given.get(b"content-type") != b"application/json" or (key is not None and not _KEY.fullmatch(key)):
        return None
    token = bearer_in(given.get(b"authorization", b"").decode("latin-1"))
    if not token or not _HOST.fullmatch(given.get(b"host", b"")):
        return None
    try:
        return token, read(body), key.decode() if key is not None else None
    except (ValueError, RecursionError):  # msgspec's own errors are ValueErrors
        return None


class Lane:
    """Both requests, from the server to the cashier and back."""

    def __init__(self, desk: Desk, framework: ASGIApp, head: Headers) -> None:
        self._desk = desk
        self._framework = framework
        self._head = head
        self._wire = Wire(head)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or have the framework answer it."""
        way = way_of(scope)
        if way is None:
            await self._framework(scope, receive, send)
            return
        started = time.perf_counter()
        message = await receive()
        asked = plainly(scope["headers"], message.get("body", b""), way.read)
        if asked is None:
            await self._framework(scope, _again(message, receive), send)
            return
        token, data, key = asked
        token_hash = hash_of(token)
        try:
            self._desk.throttle.check("session", token_hash)
            body = _encode(await way.do(self._desk, token_hash, data, key))
        except Exception as error:  # told by the framework's handlers, like any other
            scope[RAISED], scope[STARTED] = error, started
            await self._framework(scope, _again(message, receive), send)
            return
        if not self._wire.is_sent(send, way.status, body):
            headers = [_JSON, (b"content-length", b"%d" % len(body)), *self._head]
            await send({"type": "http.response.start", "status": way.status, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        note("POST", way.status, time.perf_counter() - started)


def _again(message: Any, receive: Any) -> Receive:
    """A way to receive that begins with what was received already."""
    waiting = [message]

    async def one() -> Any:
        return waiting.pop() if waiting else await receive()

    return one
