"""What every route works with: the house, who is asking, and the way to read and to write."""

import asyncio
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import Cookie

from pairhouse.casino.house import House
from pairhouse.casino.people import SESSION_MS, hash_of
from pairhouse.casino.store.database import Tx
from pairhouse.casino.store.writer import Command
from pairhouse.core.errors import Refused
from pairhouse.server.prices import PriceBook
from pairhouse.server.throttle import Throttle

COOKIE = "pairhouse_session"
SAME_SITE_HEADER = "x-pairhouse"
READERS = 4
T = TypeVar("T")


class Desk:
    """The house, with threads that read from it and the limits on how often it may be asked."""

    def __init__(self, house: House, *, throttle: Throttle, prices: PriceBook, is_secure: bool = False) -> None:
        self.house = house
        self.throttle = throttle
        self.prices = prices
        self.is_secure = is_secure
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")

    async def write(self, command: Command) -> Any:
        """Run a command; answered once it is on disk."""
        return await self.house.writers.run(command)

    async def read(self, question: Callable[[Tx], T]) -> T:
        """Ask the books."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._ask, question)

    def _ask(self, question: Callable[[Tx], T]) -> T:
        with self.house.database.reading() as tx:
            return question(tx)

    async def think(self, work: Callable[[], T]) -> T:
        """Run something slow beside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(None, work)

    def cookie(self, token: str | None) -> Cookie:
        """The session for a browser: not for scripts, not for other sites. Without a token it is taken away."""
        age = SESSION_MS // 1000 if token else 0
        settings: dict[str, Any] = {"httponly": True, "samesite": "strict", "path": "/", "secure": self.is_secure}
        return Cookie(key=COOKIE, value=token or "", max_age=age, **settings)

    def close(self) -> None:
        self._readers.shutdown(wait=True)
        self.house.close()


def client_of(request: Request[Any, Any, Any]) -> str:
    """The address a request comes from."""
    return request.client.host if request.client else "unknown"


def token_of(request: Request[Any, Any, Any]) -> str:
    """The hash of the session token. A cookie counts for changes only with a header that other sites cannot send."""
    given = request.headers.get("authorization")
    if given is not None:
        scheme, _, token = given.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Refused("not-signed-in", "give the session as `Authorization: Bearer TOKEN`")
        return hash_of(token.strip())
    token = request.cookies.get(COOKIE, "")
    if not token:
        raise Refused("not-signed-in", "sign in first: POST /guests gives a guest session with play money")
    if request.method not in ("GET", "HEAD") and request.headers.get(SAME_SITE_HEADER) != "1":
        raise Refused("cross-site", "a change with the session cookie needs the header `X-Pairhouse: 1`")
    return hash_of(token)


def caller(request: Request[Any, Any, Any]) -> str:
    """The session behind a request, as the hash of its token, within the limit on its requests."""
    token_hash = token_of(request)
    desk: Desk = request.app.state.desk
    desk.throttle.check("session", token_hash)
    return token_hash


def desk_of(request: Request[Any, Any, Any]) -> Desk:
    """The desk this application stands behind."""
    desk: Desk = request.app.state.desk
    return desk


class Asked(Request[Any, Any, Any]):
    """A request that knows the desk and its caller. Injected dependencies would cost a task group each time."""

    @property
    def desk(self) -> Desk:
        return desk_of(self)

    @property
    def token(self) -> str:
        """The caller's session, as the hash of its token."""
        return caller(self)


def key_of(header: str | None, in_body: str | None) -> str:
    """The idempotency key, from the header or the body."""
    if header is not None and in_body is not None and header != in_body:
        raise Refused("bad-idempotency-key", "the header and the body give two different keys; give one")
    key = header or in_body
    if key is None:
        sentence = "this needs a key of your own, so that asking twice does it once: give the header `Idempotency-Key`"
        raise Refused("bad-idempotency-key", sentence)
    return key


def body_hash(path: str, body: Any) -> str:
    """What names the content of a request: its meaning, not the spelling of its JSON."""
    return hashlib.sha256(path.encode() + b"\n" + msgspec.json.encode(body, order="deterministic")).hexdigest()
