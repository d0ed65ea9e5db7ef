"""What every route works with: the house, who is asking, and the way to read and to write."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import Cookie
from litestar.di import NamedDependency

from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.people import SEEN_EVERY_MS, SESSION_MS, Person, person_of
from pairhouse.house.store.database import Tx
from pairhouse.house.store.writer import Command
from pairhouse.server.http.callers import COOKIE, caller
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.pricing.price_book import PriceBook
from pairhouse.server.wallets.cashier import Cashier
from pairhouse.server.wallets.operator_client import Operators

READERS = 4
T = TypeVar("T")


class Desk:
    """The house, with threads that read from it and the limits on how often it may be asked."""

    def __init__(
        self,
        house: House,
        *,
        throttle: Throttle,
        prices: PriceBook,
        is_secure: bool = False,
        operators: Operators | None = None,
    ) -> None:
        self.house = house
        self.throttle = throttle
        self.prices = prices
        self.is_secure = is_secure
        self.cashier = Cashier(house, operators or Operators(), self.write, self.read)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")

    def write(self, command: Command) -> Awaitable[Any]:
        """Run a command; answered once it is on disk."""
        return self.house.writers.run(command)

    async def read(self, question: Callable[[Tx], T]) -> T:
        """Ask the books."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._ask, question)

    def _ask(self, question: Callable[[Tx], T]) -> T:
        with self.house.database.reading() as tx:
            return question(tx)

    def person(self, tx: Tx, token_hash: str) -> Person:
        """Whose session this is. Looking counts as being there, so it is written down from time to time."""
        now = self.house.clock()
        person = person_of(tx, token_hash, now)
        if now - person.seen_at >= SEEN_EVERY_MS:
            self.house.writers.submit(lambda write: person_of(write, token_hash, write.now))
        return person

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


DeskHere = NamedDependency[Desk]
Token = NamedDependency[str]  # the hash of a player's session token
AdminKey = NamedDependency[str]


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

    async def json(self) -> Any:
        """The body, read strictly as what the route takes: a number is no text, and nothing is guessed."""
        body = await self.body()
        field = self.route_handler.parsed_data_field
        try:
            return decoder_of(field.annotation if field is not None else Any).decode(body)
        except msgspec.ValidationError as error:
            raise Refused("bad-request", f"body: {error}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Refused("bad-request", "body: this is not JSON, or nested too deeply") from None


@cache
def decoder_of(model: Any) -> msgspec.json.Decoder[Any]:
    """What reads a body as a record."""
    return msgspec.json.Decoder(model)
