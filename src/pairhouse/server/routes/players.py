"""Routes of players: guests, accounts, sessions, money."""

from typing import Any

from litestar import Request, Response, Router, delete, get, post
from litestar.params import JSONBody

from pairhouse.core.errors import Refused
from pairhouse.house.bank import recorded_at
from pairhouse.house.history import open_rounds, totals_between
from pairhouse.house.operator_bets import money_of
from pairhouse.house.people import (
    PLAY_MONEY,
    SESSION_MS,
    Person,
    end_session,
    is_password,
    new_guest,
    password_hash,
    password_of,
    person_of,
    refill,
    register,
    sign_in,
)
from pairhouse.house.store.database import Tx
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.round_view import at_text
from pairhouse.server.desk import Desk, DeskHere, Token
from pairhouse.server.http.callers import client_of, newcomer
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.models import Credentials, Keyed, Me, Nothing, OpenRound, SessionTotals, SignedIn
from pairhouse.server.plain import key_of
from pairhouse.server.routes.rounds import KeyHeader

CURRENCY = "PLAY"


def me_of(tx: Tx, person: Person) -> Me:
    """A player's money and open rounds."""
    waiting = open_rounds(tx, person.id)
    money = money_of(tx, person, CURRENCY)
    count, staked, returned = totals_between(tx, person.id, person.since)
    return Me(
        id=person.id,
        name=person.name,
        guest=person.guest,
        currency=money.currency,
        balance=money.balance,
        held=sum(line.staked for line in waiting),
        open_rounds=[OpenRound(line.id, line.table, line.game, line.opened_at, line.staked) for line in waiting],
        session=SessionTotals(at_text(person.since), count, staked, returned),
    )


async def signed_in(desk: Desk, token: str) -> Response[SignedIn]:
    """The answer to a new session, with its cookie."""
    now = desk.house.clock()
    me = await desk.read(lambda tx: me_of(tx, person_of(tx, hash_of(token), now)))
    return Response(SignedIn(token, at_text(now + SESSION_MS), me), cookies=[desk.cookie(token)])


@post("/guests", guards=[newcomer], responses=problems(403, *WITH_BODY))
async def new_guest_session(
    request: Request[Any, Any, Any], desk: DeskHere, data: JSONBody[Nothing | None] = None
) -> Response[SignedIn]:
    """A guest with play money."""
    desk.throttle.check("guest", client_of(request))
    return await signed_in(desk, await desk.write(new_guest))


@post("/players", guards=[newcomer], responses=problems(403, 409, *WITH_BODY))
async def new_player(
    data: JSONBody[Credentials], request: Request[Any, Any, Any], desk: DeskHere
) -> Response[SignedIn]:
    """A named account with play money."""
    desk.throttle.check("sign-in", client_of(request))
    hashed = await desk.think(lambda: password_hash(data.password))
    return await signed_in(desk, await desk.write(lambda tx: register(tx, data.name, hashed)))


@post("/sessions", guards=[newcomer], responses=problems(401, 403, *WITH_BODY))
async def new_session(
    data: JSONBody[Credentials], request: Request[Any, Any, Any], desk: DeskHere
) -> Response[SignedIn]:
    """Sign in. Three failures within half an hour lock the account for half an hour."""
    desk.throttle.check("sign-in", client_of(request))
    stored = await desk.read(lambda tx: password_of(tx, data.name))
    matches = await desk.think(lambda: is_password(stored, data.password))
    answer = await desk.write(lambda tx: sign_in(tx, data.name, matches))
    if isinstance(answer, Refused):
        raise answer
    return await signed_in(desk, answer)


@delete("/sessions", responses=problems(*WITH_SESSION, *WITH_BODY))
async def sign_out(desk: DeskHere, token: Token) -> Response[None]:
    """End this session."""
    await desk.write(lambda tx: end_session(tx, token))
    return Response(None, status_code=204, cookies=[desk.cookie(None)])


@get("/players/me", responses=problems(*WITH_SESSION))
async def me(desk: DeskHere, token: Token) -> Me:
    """Your balance, what is held in open rounds, and what this session has come to."""

    def ask(tx: Tx) -> tuple[Person, Me]:
        person = desk.person(tx, token)
        return person, me_of(tx, person)

    person, found = await desk.read(ask)
    found.balance = await desk.cashier.balance(person, found.balance)
    return found


@post("/players/me/play-money", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY, 409, 422))
async def play_money(desk: DeskHere, token: Token, data: JSONBody[Keyed | None] = None, key: KeyHeader = None) -> Me:
    """Fill your play money up to 1,000.00, once less than 100.00 is left and no round is open."""
    given = key_of(key, data.idempotency_key if data is not None else None)

    def fill(tx: WriteTx) -> Me:
        person = person_of(tx, token, tx.now)
        name = f"refill:{person.id}:{given}"
        filled_at = recorded_at(tx, name)
        if filled_at is None:
            refill(tx, person, sum(line.staked for line in open_rounds(tx, person.id)), name)
            filled_at = tx.now
        return _filled(tx, person, filled_at)

    filled: Me = await desk.write(fill)
    return filled


def _filled(tx: Tx, person: Person, at: int) -> Me:
    """A player as they stood when their money was filled up, however often and however late this is asked."""
    count, staked, returned = totals_between(tx, person.id, person.since, at)
    return Me(
        id=person.id,
        name=person.name,
        guest=person.guest,
        currency=CURRENCY,
        balance=PLAY_MONEY,
        held=0,
        open_rounds=[],
        session=SessionTotals(at_text(person.since), count, staked, returned),
    )


router = Router(
    "/", route_handlers=[new_guest_session, new_player, new_session, sign_out, me, play_money], tags=["players"]
)
