"""The reception: where the lines of the doors end, and the house answers what is asked on them.

A deed that a door has read is done at once, in a sweep with others. Everything else is a request for the framework, and
so is telling what was raised.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import msgspec

from pairhouse.house.commands import MoneyElsewhere, RoundBet, RoundChoice
from pairhouse.server.app import Application
from pairhouse.server.desk import Desk
from pairhouse.server.http.callers import RAISED
from pairhouse.server.http.errors import BROKEN
from pairhouse.server.http.headers import Headers
from pairhouse.server.lane import encode
from pairhouse.server.line import Asked, Line, Request, Told
from pairhouse.server.metrics import STARTED, note

log = logging.getLogger("pairhouse.server")

Asks = Asked[msgspec.Raw]
_request = msgspec.msgpack.Decoder(Request).decode


class Reception:
    """Answers for an application that is open."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._desk: Desk = app.state.desk
        self._going: set[asyncio.Task[None]] = set()

    def heard(self, line: Line[Asks], asks: list[Asks]) -> None:
        """Begin to answer these."""
        started = time.perf_counter()
        for asked in asks:
            deed = asked.bet or asked.choice
            if deed is None:
                self._begin(self._ask_framework(line, asked))
            else:
                self._do(line, asked, deed, started)

    def _do(self, line: Line[Asks], asked: Asks, deed: RoundBet | RoundChoice, started: float) -> None:
        desk, told = self._desk, partial(self._told, line, asked, deed, started)
        try:
            desk.throttle.check("session", asked.token)
            desk.house.writers.call(desk.cashier.command(asked.token, deed), told)
        except Exception as error:
            told(error)

    def _told(self, line: Line[Asks], asked: Asks, deed: RoundBet | RoundChoice, started: float, answer: Any) -> None:
        """What came of a deed: a view, or something raised. Others wait behind it, so nothing is raised from here."""
        if isinstance(answer, MoneyElsewhere):
            self._begin(self._do_elsewhere(line, asked, deed, started, answer.wallet))
            return
        try:
            if isinstance(answer, Exception):
                raise answer
            line.say(Told(asked.number, asked.status, None, encode(answer)))
            note("POST", asked.status, time.perf_counter() - started)
        except Exception as error:  # told by the framework's handlers, like any other
            self._begin(self._ask_framework(line, asked, {RAISED: error, STARTED: started}))

    async def _do_elsewhere(
        self, line: Line[Asks], asked: Asks, deed: RoundBet | RoundChoice, started: float, wallet: str
    ) -> None:
        answer: Any
        try:
            answer = await self._desk.cashier.do_elsewhere(wallet, asked.token, deed)
        except Exception as error:
            answer = error
        self._told(line, asked, deed, started, answer)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._going.add(task)
        task.add_done_callback(self._going.discard)

    async def _ask_framework(self, line: Line[Asks], asked: Asks, known: dict[str, Any] | None = None) -> None:
        request = _request(asked.request)
        answer = Answer()
        try:
            receive = _once(request.body, answer.is_whole)
            await self._app.framework(scope_of(request) | (known or {}), receive, answer.take)
            line.say(Told(asked.number, answer.status, answer.headers, b"".join(answer.parts)))
        except Exception as error:  # the framework answers whatever is raised in it; this is for what is not
            log.error("broken", exc_info=error, extra={"path": request.path, "method": request.method})
            line.say(Told(asked.number, 500, None, encode(BROKEN)))


class Answer:
    """The messages of an answer, put together."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: Headers = []
        self.parts: list[bytes] = []
        self.is_whole = asyncio.Event()

    async def take(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        else:
            self.parts.append(message.get("body", b""))
            if not message.get("more_body"):
                self.is_whole.set()


def _once(body: bytes, answered: asyncio.Event) -> Callable[[], Awaitable[Any]]:
    """A way to receive a body that has come whole."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        if waiting:
            return waiting.pop()
        await answered.wait()  # the door knows whether the caller has hung up; here nobody does before the answer
        return {"type": "http.disconnect"}

    return receive


def scope_of(request: Request) -> dict[str, Any]:
    """A request as the framework takes it."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": request.http_version,
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.raw_path,
        "query_string": request.query,
        "root_path": "",
        "headers": request.headers,
        "client": request.client,
        "server": request.server,
        "state": {},
    }
