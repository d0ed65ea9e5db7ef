"""The desk: what every route works with. It reads the books itself, and has the bookkeeper change them."""

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import Cookie
from litestar.di import NamedDependency

from pairhouse.core.errors import Refused, shown
from pairhouse.house.care.policy import NO_NOTICE, OperatorNotice
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.recent_results import RecentResults
from pairhouse.house.people import SEEN_EVERY_MS, SESSION_MS, Person, matched_password, person_of
from pairhouse.house.reading import Books
from pairhouse.house.store.database import Tx
from pairhouse.server.http.callers import COOKIE, caller
from pairhouse.server.http.errors import in_words
from pairhouse.server.http.responses import ReadyJson
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.live.hub import Hub
from pairhouse.server.pricing.drill_book import DrillBook
from pairhouse.server.pricing.price_book import PriceBook
from pairhouse.server.pricing.solver import Solver, SolverLimits
from pairhouse.server.processes.protocol import AnyCommand, BookkeeperClient, MaySignIn, SessionSeen
from pairhouse.server.reading.pit_shoes import ShoeReader
from pairhouse.server.reading.readers import Readers
from pairhouse.server.work_queue import WorkQueue

T = TypeVar("T")


class SealedBy(NamedTuple):
    """The public half of the key that seals the books, and their epoch, as the bookkeeper knows them."""

    public_key: str
    epoch: int


UNKNOWN_SEAL = SealedBy("", 1)


class Desk:
    """The books for reading, the way to the bookkeeper, prices, and the limits on how often one may ask."""

    def __init__(
        self,
        books: Books,
        bookkeeper: BookkeeperClient,
        *,
        throttle: Throttle | None = None,
        is_secure: bool = False,
        solver_limits: SolverLimits | None = None,
        notice: OperatorNotice = NO_NOTICE,
        sealed_by: SealedBy = UNKNOWN_SEAL,
    ) -> None:
        self.books = books
        self.bookkeeper = bookkeeper
        self.throttle = throttle or Throttle()
        self.prices = PriceBook()
        self.drills = DrillBook()
        self.solver = Solver(solver_limits)
        self.is_secure = is_secure
        self.notice = notice
        self.sealed_by = sealed_by
        self._readers = Readers(books.database)
        self.hub = Hub(LiveFloor(books.vault, books.pit.guard), books.clock, self.read)
        self.recent = RecentResults()
        self.shoes = ShoeReader(self.hub.floor)
        # Hashing one takes 64 MiB and a tenth of a second of a core, by design.
        self.passwords = WorkQueue("sign in or register", threads=1, most=32, yields=True)
        self.pictures = WorkQueue("ask for pictures", threads=1, most=8)
        self.counting = WorkQueue("ask for statistics", threads=1, most=16)

    async def do(self, command: AnyCommand) -> bytes:
        """Have the bookkeeper do a command; its answer as JSON, once it is on disk."""
        return await self.bookkeeper.do(command)

    async def answer(self, command: AnyCommand) -> ReadyJson[Any]:
        """Have the bookkeeper do a command; its answer is the body of the response."""
        return ReadyJson(await self.bookkeeper.do(command))

    async def read(self, question: Callable[[Tx], T]) -> T:
        """Ask the books."""
        return await self._readers.read(question)

    async def read_as(self, token_hash: str, question: Callable[[Tx, Person], T]) -> T:
        """Ask the books as the player of a session. Reading counts as being there, which is noted once a minute."""
        people: list[Person] = []

        def ask(tx: Tx) -> T:
            people.append(person_of(tx, token_hash, self.books.clock()))
            return question(tx, people[0])

        try:
            return await self._readers.read(ask)
        finally:
            if people and self.books.clock() - people[0].seen_at >= SEEN_EVERY_MS:
                self.bookkeeper.post(SessionSeen(token_hash))

    async def match_password(self, name: str, network: str, stored: str | None, password: str) -> str | None:
        """The digest of the stored password if this is it; not even compared while the name waits for that network."""
        await self.do(MaySignIn(name, network))
        return await self.passwords.run(lambda: matched_password(stored, password))

    def cookie(self, token: str | None) -> Cookie:
        """The session for a browser: not for scripts, not for other sites. Without a token it is taken away."""
        age = SESSION_MS // 1000 if token else 0
        settings: dict[str, Any] = {"httponly": True, "samesite": "strict", "path": "/", "secure": self.is_secure}
        return Cookie(key=COOKIE, value=token or "", max_age=age, **settings)

    async def close(self) -> None:
        """End what was started beside the event loop."""
        await self.solver.close()
        await self.drills.close()
        for queue in (self.passwords, self.pictures, self.counting):
            queue.close()
        self._readers.close()
        self.books.database.close()


DeskHere = NamedDependency[Desk]
Token = NamedDependency[str]  # the hash of a player's session token
AdminKey = NamedDependency[str]


def desk_of(request: Request[Any, Any, Any]) -> Desk:
    """The desk of this application."""
    desk: Desk = request.app.state.desk
    return desk


class PlayerRequest(Request[Any, Any, Any]):
    """A request that knows the desk and its player. Injected dependencies would cost a task group each time."""

    @property
    def desk(self) -> Desk:
        return desk_of(self)

    @property
    def token(self) -> str:
        """The player's session, as the hash of its token."""
        return caller(self)

    async def json(self) -> Any:
        """The body, read strictly as what the route takes: a number is no text, and nothing is guessed."""
        body = await self.body()
        field = self.route_handler.parsed_data_field
        try:
            found = decoder_of(field.annotation if field is not None else Any).decode(body)
        except msgspec.ValidationError as error:
            raise Refused("bad-request", in_words(f"body: {error}")) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Refused("bad-request", "body: this is not JSON, or nested too deeply") from None
        json.loads(body, object_pairs_hook=check_names)
        return found


def check_names(pairs: list[tuple[str, Any]]) -> None:
    """Each name of a JSON object stands there once: of two, some readers take the first and some the last."""
    if len(dict(pairs)) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for number, name in enumerate(names) if name in names[:number])
        raise Refused("bad-request", f"body: {shown(twice)} is given twice; give it once")


@lru_cache(maxsize=256)
def decoder_of(model: Any) -> msgspec.json.Decoder[Any]:
    """What reads a body as a record."""
    return msgspec.json.Decoder(model)
