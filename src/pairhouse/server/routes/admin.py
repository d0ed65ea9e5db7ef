"""Routes of operators and administrators, with API keys."""

from typing import Annotated

import msgspec
from litestar import Router, get, patch, post
from litestar.params import JSONBody, QueryParameter

from pairhouse.house.floor import add_table, change_game, change_table, read_table, table_ids
from pairhouse.house.people import change_player, key_holder
from pairhouse.house.store.database import Tx
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.table_limits import Limits
from pairhouse.server.desk import AdminKey, DeskHere
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.models import (
    Events,
    GameStatus,
    Hold,
    NewTable,
    PlayerStatus,
    Table,
    TableChange,
    Tables,
    Voided,
    VoidOrder,
)
from pairhouse.server.models.words import END
from pairhouse.server.pricing.hold import hold_report
from pairhouse.server.routes.event_pages import events_after
from pairhouse.server.routes.rounds import RoundId
from pairhouse.server.routes.tables import PathId, table_record

After = Annotated[int, QueryParameter(ge=0, le=2**63 - 1)]
Chain = Annotated[str | None, QueryParameter(pattern=rf"^[0-9a-f]{{16}}{END}")]


@get("/admin/hold", responses=problems(*WITH_SESSION))
async def hold(desk: DeskHere, admin: AdminKey) -> Hold:
    """Actual against theoretical hold of every wager at every table, with its z-score."""

    def ask(tx: Tx) -> Hold:
        key_holder(tx, admin, "operator")
        return hold_report(tx, desk.prices)

    return await desk.read(ask)


@get("/admin/tables", responses=problems(*WITH_SESSION))
async def tables(desk: DeskHere, admin: AdminKey) -> Tables:
    """Every table, closed ones too."""

    def ask(tx: Tx) -> Tables:
        key_holder(tx, admin, "operator")
        return Tables([table_record(desk, read_table(tx, table_id)) for table_id in table_ids(tx)])

    return await desk.read(ask)


@post("/admin/tables", responses=problems(*WITH_SESSION, 404, 409, *WITH_BODY, 422))
async def new_table(data: JSONBody[NewTable], desk: DeskHere, admin: AdminKey) -> Table:
    """Put a table on the floor. It opens only if every stake it allows can be paid exactly."""

    def add(tx: WriteTx) -> Table:
        by = key_holder(tx, admin, "admin")
        limits = msgspec.convert(data.limits.given() if data.limits else {}, Limits)
        return table_record(desk, add_table(tx, data.id, data.name, data.game, data.options, limits, data.advice, by))

    added: Table = await desk.write(add)
    return added


@patch("/admin/tables/{table_id:str}", responses=problems(*WITH_SESSION, 404, *WITH_BODY, 422))
async def set_table(table_id: PathId, data: JSONBody[TableChange], desk: DeskHere, admin: AdminKey) -> Table:
    """Change the name, limits, advice or status of a table. Open rounds go on as they were dealt."""
    change = {name: value for name, value in msgspec.structs.asdict(data).items() if value is not None}
    if data.limits is not None:
        change["limits"] = data.limits.given()

    def set_it(tx: WriteTx) -> Table:
        return table_record(desk, change_table(tx, key_holder(tx, admin, "admin"), table_id, change))

    changed: Table = await desk.write(set_it)
    return changed


@patch("/admin/games/{game_id:str}", responses=problems(*WITH_SESSION, 404, *WITH_BODY, 422))
async def set_game(game_id: PathId, data: JSONBody[GameStatus], desk: DeskHere, admin: AdminKey) -> GameStatus:
    """Open or close a game at every table."""
    await desk.write(lambda tx: change_game(tx, key_holder(tx, admin, "admin"), game_id, data.status))
    return data


@patch("/admin/players/{player_id:str}", responses=problems(*WITH_SESSION, 404, *WITH_BODY, 422))
async def set_player(player_id: PathId, data: JSONBody[PlayerStatus], desk: DeskHere, admin: AdminKey) -> PlayerStatus:
    """Disable a player, or make them active again."""
    await desk.write(lambda tx: change_player(tx, key_holder(tx, admin, "operator"), player_id, data.status))
    return data


@post(
    "/admin/rounds/{round_id:str}/void", status_code=200, responses=problems(*WITH_SESSION, 404, 409, *WITH_BODY, 422)
)
async def void(round_id: RoundId, data: JSONBody[VoidOrder], desk: DeskHere, admin: AdminKey) -> Voided:
    """Call an open round off: every stake goes back, once."""
    pit = desk.house.pit
    player = await desk.write(lambda tx: pit.void(tx, key_holder(tx, admin, "operator"), round_id, data.reason))
    return Voided(round_id, player, data.reason)


@get("/admin/events", responses=problems(*WITH_SESSION))
async def events(desk: DeskHere, admin: AdminKey, chain: Chain = None, after: After = 0) -> Events:
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
