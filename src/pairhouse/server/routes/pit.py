"""Routes of the pit: the staff signs in, looks at the floor, and acts with a reason."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, Router, delete, get, post
from litestar.params import JSONBody, QueryParameter

from pairhouse.core.errors import Refused
from pairhouse.house.pit_orders import PitAct
from pairhouse.house.staff import SHIFT_MS, Member, counted_as, member_of, member_password
from pairhouse.house.store.database import Tx
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.round_view import at_text
from pairhouse.server.desk import AdminKey, Desk, DeskHere
from pairhouse.server.http.callers import client_of, newcomer
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.models.pit import NewPitAct, PitDone, PitFloor, PitShoe, PitShoes, Shift, StaffCredentials
from pairhouse.server.processes.protocol import ActInPit, BeginShift, EndShift
from pairhouse.server.reading.pit_floor import pit_floor
from pairhouse.server.reading.pit_shoes import FollowedShoe, priced_shoe, shoe_without_prices

Sought = Annotated[str, QueryParameter(max_length=64)]


@post("/pit/sessions", guards=[newcomer], responses=problems(401, 403, *WITH_BODY))
async def begin(data: JSONBody[StaffCredentials], request: Request[Any, Any, Any], desk: DeskHere) -> Shift:
    """Sign in as somebody of the staff. After three wrong passwords a name waits, longer each time."""
    address = client_of(request)
    desk.throttle.check("sign-in", address)
    stored = await desk.read(lambda tx: member_password(tx, data.name))
    matched = await desk.match_password(counted_as(data.name), address, stored, data.password)
    token = msgspec.json.decode(await desk.do(BeginShift(data.name, matched, address)), type=str)
    now = desk.books.clock()
    member: Member = await desk.read(lambda tx: member_of(tx, hash_of(token), now))
    return Shift(token, member.name, member.role, at_text(now + SHIFT_MS))


@delete("/pit/sessions", responses=problems(*WITH_SESSION))
async def end(desk: DeskHere, admin: AdminKey) -> Response[None]:
    """End this session of the staff."""
    await desk.do(EndShift(admin))
    return Response(None, status_code=204)


@get("/pit/floor", responses=problems(*WITH_SESSION))
async def look(desk: DeskHere, admin: AdminKey, find: Sought = "") -> PitFloor:
    """The floor at a glance: tables, their phase, who sits there, stakes, last rounds, warnings, corrections.

    Of each table the first hundred people are listed; with `find`, those whose name has these letters in it.
    """

    def ask(tx: Tx) -> PitFloor:
        now = desk.books.clock()
        return pit_floor(tx, desk.hub.floor, member_of(tx, hash_of(admin), now), now, find)

    return await desk.read(ask)


@get("/pit/shoes", responses=problems(*WITH_SESSION, 503))
async def followed_shoes(desk: DeskHere, admin: AdminKey) -> PitShoes:
    """What somebody who has followed every card of a shoe would have now: the exact price of each wager of it."""

    def ask(tx: Tx) -> list[FollowedShoe]:
        member_of(tx, hash_of(admin), desk.books.clock())
        return desk.shoes.in_use(tx)

    shoes: list[FollowedShoe] = await desk.read(ask)
    return PitShoes([await _priced(desk, shoe) for shoe in shoes])


async def _priced(desk: Desk, shoe: FollowedShoe) -> PitShoe:
    try:
        now, before = await desk.solver.prices(shoe.variant, shoe.lots)
    except Refused as refused:
        if refused.code.startswith("solver"):
            raise
        return shoe_without_prices(shoe, str(refused))
    return priced_shoe(shoe, now, before)


@post("/pit/acts", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY, 404, 409, 422))
async def act(data: JSONBody[NewPitAct], desk: DeskHere, admin: AdminKey) -> Response[PitDone]:
    """Act in the pit: each act names its reason, and is sealed with it and with who did it."""
    return await desk.answer(ActInPit(admin, msgspec.convert(msgspec.structs.asdict(data), PitAct)))


router = Router("/", route_handlers=[begin, end, look, followed_shoes, act], tags=["pit"])
