"""One visitor of a house over HTTP: who they are, what they ask, and what happens at the live table they watch."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import msgspec

from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.rounds.live_entries import AnyEntry
from pairhouse.rounds.live_view import LiveView

try:
    import httpx
except ImportError as missing:  # a light install has no client
    how = "install it with: pip install 'pairhouse[server]'"
    raise Refused("no-client", f"visiting a house over HTTP needs httpx; {how}") from missing

DEFAULT_HOUSE = "http://127.0.0.1:8000"
TIMEOUT_S = 30.0
SILENCE_S = 45.0  # a stream that is quiet for longer, without a heartbeat, is lost
AGAIN_S = 0.2


class ListedTable(msgspec.Struct, frozen=True):
    """A live table in the list of a house."""

    table: str
    name: str
    game: str
    seats: int | None
    seated: int


class SeatedPlayer(msgspec.Struct, frozen=True):
    """Somebody at the table."""

    seat: int
    name: str


class News(msgspec.Struct, frozen=True):
    """What happened at a live table since the last news, and how it stands for this visitor."""

    number: int
    now: int
    seated: list[SeatedPlayer]
    entries: list[AnyEntry]
    view: LiveView | None
    seats: int | None = None


class Done(msgspec.Struct, frozen=True):
    """What came of an act at a live table."""

    number: int
    balance: int
    seat: int | None = None


class _Lines(msgspec.Struct):
    tables: list[ListedTable]


_news = msgspec.json.Decoder(News).decode
_done = msgspec.json.Decoder(Done).decode
_lines = msgspec.json.Decoder(_Lines).decode


class HouseClient:
    """A visitor. A request that is not answered is sent again with its key for `patience_s`, so it is done once."""

    def __init__(self, url: str = DEFAULT_HOUSE, patience_s: float = 5.0) -> None:
        try:
            self._http = httpx.AsyncClient(base_url=url.rstrip("/"), timeout=TIMEOUT_S, trust_env=False)
        except httpx.InvalidURL:
            raise _bad_address(url) from None
        if self._http.base_url.scheme not in ("http", "https"):
            raise _bad_address(url)
        self.url = url
        self.patience_s = patience_s
        self.name = ""
        self.unanswered = 0
        self.lost_streams = 0
        self.on_lost: Callable[[], None] = lambda: None  # told once each time that nobody answers at a table

    async def close(self) -> None:
        await self._http.aclose()

    async def come_in(self) -> int:
        """Enter as a guest; the balance one begins with."""
        session = await self.ask("POST", "/guests")
        self._http.headers["Authorization"] = f"Bearer {session['token']}"
        self.name = session["player"]["name"]
        return int(session["player"]["balance"])

    async def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> Any:
        """Ask for something and give the answer; a refusal of the house is raised as one."""
        return msgspec.json.decode(await self._answer(method, path, body, key))

    async def live_tables(self) -> list[ListedTable]:
        """The tables at which several people play."""
        return _lines(await self._answer("GET", "/live")).tables

    async def find_live_table(self, word: str) -> ListedTable:
        """A live table by its id, or the first of a game."""
        found = await self.live_tables()
        for line in found:
            if line.table == word:
                return line
        for line in found:
            if line.game == word:
                return line
        with suppress(Refused):  # a table for friends is in no list
            return await self._unlisted(word)
        known = [line.table for line in found]
        has = f"the live tables are {one_of(known)}" if known else "it has none"
        raise Refused("unknown-table", f"the house has no live table {shown(word)}; {has}")

    async def _unlisted(self, table: str) -> ListedTable:
        """A live table that only its id leads to."""
        news, record = await self.news(quote(table, safe="")), await self.ask("GET", f"/tables/{quote(table, safe='')}")
        return ListedTable(table, record["name"], record["game"]["id"], news.seats, len(news.seated))

    async def act(self, method: str, table: str, what: str, body: Any = None, key: str | None = None) -> Done:
        """Do something at a live table, once for each key."""
        path = f"/tables/{table}/live/{what}"
        return _done(await self._answer(method, path, body, key or secrets.token_hex(12)))

    async def news(self, table: str) -> News:
        """How a live table stands."""
        return _news(await self._answer("GET", f"/tables/{table}/live"))

    async def events(self, table: str) -> AsyncIterator[News]:
        """Everything that happens at a live table; a lost stream is taken up again where it ended."""
        last: int | None = None
        lost_at: float | None = None
        while True:
            headers = {"Last-Event-ID": str(last)} if last is not None else {}
            try:
                timeout = httpx.Timeout(TIMEOUT_S, read=SILENCE_S)
                path = f"/tables/{table}/events"
                async with self._http.stream("GET", path, headers=headers, timeout=timeout) as stream:
                    if stream.status_code >= 500:
                        raise httpx.RemoteProtocolError("the house is closing")
                    if stream.status_code != 200:
                        raise _refusal(stream.status_code, await stream.aread())
                    async for line in stream.aiter_lines():
                        if line.startswith("data: "):
                            news = _news(line[6:])
                            last, lost_at = news.number, None
                            yield news
            except httpx.TransportError as error:
                if lost_at is None:
                    lost_at = time.monotonic()
                    self.on_lost()
                if time.monotonic() - lost_at > self.patience_s:
                    raise self._nobody(error) from None
            self.lost_streams += 1
            await asyncio.sleep(AGAIN_S)

    async def _answer(self, method: str, path: str, body: Any = None, key: str | None = None) -> bytes:
        headers = {"Idempotency-Key": key} if key is not None else {}
        until = time.monotonic() + self.patience_s
        while True:
            try:
                answer = await self._http.request(method, path, json=body, headers=headers)
            except (httpx.TransportError, httpx.UnsupportedProtocol) as error:
                self.unanswered += 1
                if time.monotonic() > until or (method == "POST" and key is None and self.name):
                    raise self._nobody(error) from None
                await asyncio.sleep(AGAIN_S)
                continue
            if answer.status_code in (429, 503) and time.monotonic() < until:
                await asyncio.sleep(min(float(answer.headers.get("retry-after", AGAIN_S)), self.patience_s))
                continue
            if answer.status_code >= 400:
                raise _refusal(answer.status_code, answer.content)
            return answer.content

    def _nobody(self, error: Exception) -> Refused:
        reason = str(error) or type(error).__name__
        return Refused("no-house", f"no house answers at {self.url} ({reason}); start one with `make play`")


def _bad_address(url: str) -> Refused:
    return Refused("bad-address", f"{shown(url)} is not the address of a house; give one such as {DEFAULT_HOUSE}")


def _refusal(status: int, content: bytes) -> Refused:
    """What the house answered, as a refusal with its code."""
    try:
        problem = msgspec.json.decode(content)
        return Refused(str(problem["code"]), str(problem["error"]))
    except (msgspec.DecodeError, KeyError, TypeError):
        return Refused("bad-answer", f"the house answered {status} without saying why; is it a Pairhouse?")
