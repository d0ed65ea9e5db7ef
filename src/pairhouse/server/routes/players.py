"""Routes of players: guests, accounts, sessions, money."""

from typing import Any

import msgspec
from litestar import Request, Response, Router, delete, get, post
from litestar.params import JSONBody

from pairhouse.house.people import (
    HOUSE_WALLET,
    SESSION_MS,
    Person,
    password_hash,
    password_of,
    person_of,
)
from pairhouse.house.store.database import Tx
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.round_view import at_text
from pairhouse.server.desk import Desk, DeskHere, Token
from pairhouse.server.http.callers import client_of, newcomer
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.http.idempotency import KeyHeader, key_of
from pairhouse.server.models import Credentials, Keyed, Me, Nothing, SignedIn
from pairhouse.server.processes.protocol import (
    AnyCommand,
    AskBalance,
    FillPlayMoney,
    NewGuest,
    Register,
    SignIn,
    SignOut,
)
from pairhouse.server.reading.player_records import player_record
from pairhouse.server.routes.care import check_not_away


async def sign_in_by(desk: Desk, command: AnyCommand) -> Response[SignedIn]:
    """Have a new session made; its token, its player and its cookie."""
    token = msgspec.json.decode(await desk.do(command), type=str)
    now = desk.books.clock()
    me = await desk.read(lambda tx: player_record(tx, person_of(tx, hash_of(token), now), now))
    return Response(SignedIn(token, at_text(now + SESSION_MS), me), cookies=[desk.cookie(token)])


@post("/guests", guards=[newcomer], responses=problems(403, *WITH_BODY))
async def new_guest_session(
    request: Request[Any, Any, Any], desk: DeskHere, data: JSONBody[Nothing | None] = None
) -> Response[SignedIn]:
    """A guest with play money."""
    desk.throttle.check("guest", client_of(request))
    check_not_away(request, desk.books.clock())
    return await sign_in_by(desk, NewGuest())


@post("/players", guards=[newcomer], responses=problems(403, 409, *WITH_BODY))
async def new_player(
    data: JSONBody[Credentials], request: Request[Any, Any, Any], desk: DeskHere
) -> Response[SignedIn]:
    """A named account with play money."""
    desk.throttle.check("sign-in", client_of(request))
    check_not_away(request, desk.books.clock())
    hashed = await desk.passwords.run(lambda: password_hash(data.password))
    return await sign_in_by(desk, Register(data.name, hashed))


@post("/sessions", guards=[newcomer], responses=problems(401, 403, *WITH_BODY))
async def new_session(
    data: JSONBody[Credentials], request: Request[Any, Any, Any], desk: DeskHere
) -> Response[SignedIn]:
    """Sign in. After three wrong passwords a name waits, longer each time, for the address that gave them."""
    address = client_of(request)
    desk.throttle.check("sign-in", address)
    stored = await desk.read(lambda tx: password_of(tx, data.name))
    matched = await desk.match_password(data.name, address, stored, data.password)
    return await sign_in_by(desk, SignIn(data.name, matched, address))


@delete("/sessions", responses=problems(*WITH_SESSION, *WITH_BODY))
async def sign_out(desk: DeskHere, token: Token) -> Response[None]:
    """End this session."""
    await desk.do(SignOut(token))
    return Response(None, status_code=204, cookies=[desk.cookie(None)])


@get("/players/me", responses=problems(*WITH_SESSION))
async def me(desk: DeskHere, token: Token) -> Me:
    """Your balance, what is held in open rounds, and what this session has come to."""

    def ask(tx: Tx, person: Person) -> tuple[str, Me]:
        return person.wallet, player_record(tx, person, desk.books.clock())

    wallet, found = await desk.read_as(token, ask)
    if wallet != HOUSE_WALLET:
        found.balance = msgspec.json.decode(await desk.do(AskBalance(token)), type=int)
    return found


@post("/players/me/play-money", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY, 409, 422))
async def play_money(
    desk: DeskHere, token: Token, data: JSONBody[Keyed | None] = None, key: KeyHeader = None
) -> Response[Me]:
    """Fill your play money up to 1,000.00, once less than 100.00 is left and no round is open."""
    return await desk.answer(FillPlayMoney(token, key_of(key, data.idempotency_key if data is not None else None)))


router = Router(
    "/", route_handlers=[new_guest_session, new_player, new_session, sign_out, me, play_money], tags=["players"]
)
