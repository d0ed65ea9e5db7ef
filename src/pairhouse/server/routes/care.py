"""Routes by which players look after themselves, and the policy and notice that everybody may read."""

from datetime import datetime
from typing import Any

import msgspec
from litestar import Request, Response, Router, get, post, put
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from pairhouse.house.care.changes import ConfirmRaise, ExcludeSelf, SeeReminder, SetLimit, SetReminder, TakeBreak
from pairhouse.house.care.exclusions import CODES, barred
from pairhouse.server.desk import Desk, DeskHere, Token
from pairhouse.server.http.callers import visitor
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.models import Care, HousePolicy, NewBreak, NewExclusion, NewLimit, NewReminder, Nothing
from pairhouse.server.processes.protocol import AnyCommand, ChangeCare
from pairhouse.server.reading.care_records import care_record
from pairhouse.server.routes.tables import PathId

AWAY_COOKIE = "pairhouse_away"  # this browser's player is away: it gets no guest and no new account until then
MS_DIGITS_MAX = 14  # up to the year 5138; later ones have no date


def check_not_away(request: Request[Any, Any, Any], now: int) -> None:
    """Nobody new in a browser whose player has just excluded themselves, so that one click does not undo it."""
    kind, until = _away_in(request)
    if until > now:
        raise barred(kind, until)


def _away_in(request: Request[Any, Any, Any]) -> tuple[str, int]:
    """The kind of break that this browser remembers, and until when; nothing until 0 where it remembers none."""
    kind, _, until = request.cookies.get(AWAY_COOKIE, "").partition(":")
    is_one = kind in CODES and until.isdecimal() and until.isascii() and len(until) <= MS_DIGITS_MAX
    return (kind, int(until)) if is_one else ("", 0)


@get("/policy", guards=[visitor], responses=problems())
async def policy(desk: DeskHere) -> HousePolicy:
    """What the jurisdiction of this house asks of pages and play, and the operator's notice and help line."""
    return HousePolicy(policy=desk.books.pit.guard.policy, operator=desk.notice)


@get("/players/me/care", responses=problems(*WITH_SESSION))
async def care(desk: DeskHere, token: Token) -> Care:
    """Your limits and what is left of them, your reminder, and a break or exclusion you have begun."""
    guard, now = desk.books.pit.guard, desk.books.clock()
    return await desk.read_as(token, lambda tx, person: care_record(tx, guard, person, now))


@put("/players/me/limits/{kind:str}/{period:str}", responses=problems(*WITH_SESSION, *WITH_BODY, 404, 409, 422))
async def set_limit(
    kind: PathId, period: PathId, data: JSONBody[NewLimit], desk: DeskHere, token: Token
) -> Response[Care]:
    """Set a limit. A lower one holds at once; a higher one, or none, waits and must then be confirmed."""
    return await desk.answer(ChangeCare(token, SetLimit(kind, period, data.limit)))


@post(
    "/players/me/limits/{kind:str}/{period:str}/confirm",
    status_code=200,
    responses=problems(*WITH_SESSION, *WITH_BODY, 404, 409),
)
async def confirm_raise(
    kind: PathId, period: PathId, desk: DeskHere, token: Token, data: JSONBody[Nothing | None] = None
) -> Response[Care]:
    """Confirm a higher limit that has waited long enough."""
    return await desk.answer(ChangeCare(token, ConfirmRaise(kind, period)))


@put("/players/me/reminder", responses=problems(*WITH_SESSION, *WITH_BODY, 422))
async def set_reminder(data: JSONBody[NewReminder], desk: DeskHere, token: Token) -> Response[Care]:
    """Be reminded of your time and net at an interval of your choosing."""
    return await desk.answer(ChangeCare(token, SetReminder(data.minutes)))


@post("/players/me/reminder/seen", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY))
async def see_reminder(desk: DeskHere, token: Token, data: JSONBody[Nothing | None] = None) -> Response[Care]:
    """Say that you have seen the reminder and go on."""
    return await desk.answer(ChangeCare(token, SeeReminder()))


@post("/players/me/break", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY, 409, 422))
async def take_break(
    data: JSONBody[NewBreak], request: Request[Any, Any, Any], desk: DeskHere, token: Token
) -> Response[Care]:
    """Play nothing for some hours or days. Open rounds can be finished."""
    return await _go_away(request, desk, ChangeCare(token, TakeBreak(data.hours)))


@post("/players/me/self-exclusion", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY, 409, 422))
async def exclude_self(
    data: JSONBody[NewExclusion], request: Request[Any, Any, Any], desk: DeskHere, token: Token
) -> Response[Care]:
    """Play nothing for six months or more. It cannot be taken back. Open rounds can be finished."""
    return await _go_away(request, desk, ChangeCare(token, ExcludeSelf(data.months)))


async def _go_away(request: Request[Any, Any, Any], desk: Desk, command: AnyCommand) -> Response[Care]:
    """Begin a break or an exclusion, and have the browser remember the longest that anybody has begun in it."""
    found = msgspec.json.decode(await desk.do(command), type=Care)
    assert found.away is not None, "a break or an exclusion has begun"
    until = round(datetime.fromisoformat(found.away.until_at).timestamp() * 1000)
    kind, until = max((found.away.kind, until), _away_in(request), key=lambda away: away[1])
    age = max(0, (until - desk.books.clock()) // 1000)
    settings: dict[str, Any] = {"httponly": True, "samesite": "strict", "path": "/", "secure": desk.is_secure}
    cookie = Cookie(key=AWAY_COOKIE, value=f"{kind}:{until}", max_age=age, **settings)
    return Response(found, cookies=[cookie])


router = Router(
    "/",
    route_handlers=[
        policy,
        care,
        set_limit,
        confirm_raise,
        set_reminder,
        see_reminder,
        take_break,
        exclude_self,
    ],
    tags=["care"],
)
