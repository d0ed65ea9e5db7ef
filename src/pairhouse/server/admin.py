"""Routes of operators and administrators, with API keys."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Router, get, patch, post
from litestar.params import Parameter

from pairhouse.casino.floor import add_table, change_game, change_table, read_table, table_ids
from pairhouse.casino.people import change_player, key_holder
from pairhouse.casino.store.database import Tx
from pairhouse.casino.store.writer import WriteTx
from pairhouse.casino.tables import Limits
from pairhouse.core.errors import Refused
from pairhouse.server.books import events_after
from pairhouse.server.desk import Desk, client_of
from pairhouse.server.errors import problems
from pairhouse.server.floor import PathId, table_record
from pairhouse.server.hold import hold_report
from pairhouse.server.models import (
    Events,
    Hold,
    NewTable,
    StatusChange,
    Table,
    TableChange,
    Tables,
    Voided,
    VoidOrder,
)
from pairhouse.server.rounds import RoundId

Chain = Annotated[str, Parameter(pattern=r"^[0-9a-f]{16}$")]


def admin_key(request: Request[Any, Any, Any]) -> str:
    """The key behind a request; whether it may do this is asked with the deed."""
    desk: Desk = request.app.state.desk
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not key:
        desk.throttle.check("sign-in", client_of(request))
        raise Refused(
            "bad-key", "this needs an API key as `Authorization: Bearer ph_...`; make one with `pairhouse key`"
        )
    return key.strip()


@get("/admin/hold", responses=problems(401, 403))
async def hold(desk: Desk, admin: str) -> Hold:
    """Actual against theoretical hold of every wager at every table, with its z-score."""

    def ask(tx: Tx) -> Hold:
        key_holder(tx, admin, "operator")
        return hold_report(tx, desk.prices)

    return await desk.read(ask)


@get("/admin/tables", responses=problems(401, 403))
async def tables(desk: Desk, admin: str) -> Tables:
    """Every table, closed ones too."""

    def ask(tx: Tx) -> Tables:
        key_holder(tx, admin, "operator")
        return Tables([table_record(desk, read_table(tx, table_id)) for table_id in table_ids(tx)])

    return await desk.read(ask)


@post("/admin/tables", responses=problems(401, 403, 404, 409, 413, 415, 422))
async def new_table(data: NewTable, desk: Desk, admin: str) -> Table:
    """Put a table on the floor. It opens only if every stake it allows can be paid exactly."""

    def add(tx: WriteTx) -> Table:
        key_holder(tx, admin, "admin")
        limits = msgspec.convert(data.limits.given() if data.limits else {}, Limits)
        return table_record(desk, add_table(tx, data.id, data.name, data.game, data.options, limits, data.advice))

    added: Table = await desk.write(add)
    return added


@patch("/admin/tables/{table_id:str}", responses=problems(401, 403, 404, 413, 415, 422))
async def set_table(table_id: PathId, data: TableChange, desk: Desk, admin: str) -> Table:
    """Change the name, limits, advice or status of a table. Open rounds go on as they were dealt."""
    change = {name: value for name, value in msgspec.structs.asdict(data).items() if value is not None}
    if data.limits is not None:
        change["limits"] = data.limits.given()

    def set_it(tx: WriteTx) -> Table:
        return table_record(desk, change_table(tx, key_holder(tx, admin, "admin"), table_id, change))

    changed: Table = await desk.write(set_it)
    return changed


@patch("/admin/games/{game_id:str}", responses=problems(401, 403, 404, 413, 415, 422))
async def set_game(game_id: PathId, data: StatusChange, desk: Desk, admin: str) -> StatusChange:
    """Open or close a game at every table."""
    await desk.write(lambda tx: change_game(tx, key_holder(tx, admin, "admin"), game_id, data.status))
    return data


@patch("/admin/players/{player_id:str}", responses=problems(401, 403, 404, 413, 415, 422))
async def set_player(player_id: PathId, data: StatusChange, desk: Desk, admin: str) -> StatusChange:
    """Disable a player, or make them active again."""
    await desk.write(lambda tx: change_player(tx, key_holder(tx, admin, "operator"), player_id, data.status))
    return data


@post("/admin/rounds/{round_id:str}/void", status_code=200, responses=problems(401, 403, 404, 409, 413, 415, 422))
async def void(round_id: RoundId, data: VoidOrder, desk: Desk, admin: str) -> Voided:
    """Call an open round off: every stake goes back, once."""
    pit = desk.house.pit
    player = await desk.write(lambda tx: pit.void(tx, key_holder(tx, admin, "operator"), round_id, data.reason))
    return Voided(round_id, player, data.reason)


@get("/admin/events", responses=problems(401, 403))
async def events(
    desk: Desk, admin: str, chain: Chain | None = None, after: Annotated[int, Parameter(ge=0)] = 0
) -> Events:
    """The hash-chained events of a chain in order, a thousand at a time; without a chain, the chains there are."""

    def ask(tx: Tx) -> Events:
        key_holder(tx, admin, "operator")
        return events_after(tx, chain, after)

    return await desk.read(ask)


router = Router(
    "/",
    route_handlers=[hold, tables, new_table, set_table, set_game, set_player, void, events],
    tags=["administration"],
)
