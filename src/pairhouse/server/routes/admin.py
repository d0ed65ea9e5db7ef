"""Routes of operators and administrators, with API keys."""

from typing import Annotated

import msgspec
from litestar import Response, Router, get, patch, post
from litestar.params import JSONBody, QueryParameter

from pairhouse.house.people import key_holder
from pairhouse.house.store.database import Tx
from pairhouse.server.desk import AdminKey, DeskHere
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.models import (
    Events,
    GameStatus,
    Hold,
    NewTable,
    PlayerStatus,
    TableChange,
    TableRecord,
    Tables,
    Voided,
    VoidOrder,
    WatchReport,
    WatchStep,
)
from pairhouse.server.models.words import END
from pairhouse.server.pricing.hold import hold_report
from pairhouse.server.processes.protocol import AddTable, ChangeGame, ChangePlayer, ChangeTable, LiftStep, VoidRound
from pairhouse.server.reading.table_records import table_record
from pairhouse.server.reading.watch_records import watch_report
from pairhouse.server.routes.event_pages import events_after
from pairhouse.server.routes.rounds import RoundId
from pairhouse.server.routes.tables import PathId, all_tables

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
        return Tables([table_record(desk.prices, table) for table in all_tables(tx)])

    return await desk.read(ask)


@post("/admin/tables", responses=problems(*WITH_SESSION, 404, 409, *WITH_BODY, 422))
async def new_table(data: JSONBody[NewTable], desk: DeskHere, admin: AdminKey) -> Response[TableRecord]:
    """Put a table on the floor. It opens only if every stake it allows can be paid exactly."""
    return await desk.answer(AddTable(admin, data))


@patch("/admin/tables/{table_id:str}", responses=problems(*WITH_SESSION, 404, *WITH_BODY, 422))
async def set_table(
    table_id: PathId, data: JSONBody[TableChange], desk: DeskHere, admin: AdminKey
) -> Response[TableRecord]:
    """Change the name, limits, advice or status of a table. Open rounds go on as they were dealt."""
    return await desk.answer(ChangeTable(admin, table_id, data))


@patch("/admin/games/{game_id:str}", responses=problems(*WITH_SESSION, 404, *WITH_BODY, 422))
async def set_game(game_id: PathId, data: JSONBody[GameStatus], desk: DeskHere, admin: AdminKey) -> GameStatus:
    """Open or close a game at every table."""
    await desk.do(ChangeGame(admin, game_id, data.status))
    return data


@patch("/admin/players/{player_id:str}", responses=problems(*WITH_SESSION, 404, *WITH_BODY, 422))
async def set_player(player_id: PathId, data: JSONBody[PlayerStatus], desk: DeskHere, admin: AdminKey) -> PlayerStatus:
    """Disable a player, or make them active again."""
    await desk.do(ChangePlayer(admin, player_id, data.status))
    return data


@post(
    "/admin/rounds/{round_id:str}/void", status_code=200, responses=problems(*WITH_SESSION, 404, 409, *WITH_BODY, 422)
)
async def void(round_id: RoundId, data: JSONBody[VoidOrder], desk: DeskHere, admin: AdminKey) -> Voided:
    """Call an open round off: every stake goes back, once."""
    player = msgspec.json.decode(await desk.do(VoidRound(admin, round_id, data.reason)), type=str)
    return Voided(round_id, player, data.reason)


@get("/admin/watch", responses=problems(*WITH_SESSION))
async def watch(desk: DeskHere, admin: AdminKey) -> WatchReport:
    """What the watch has found: its steps, newest first, and the records with the most evidence."""

    def ask(tx: Tx) -> WatchReport:
        key_holder(tx, admin, "operator")
        return watch_report(tx)

    return await desk.read(ask)


@post("/admin/watch/{step_id:str}/lift", status_code=200, responses=problems(*WITH_SESSION, 404, 409))
async def lift(step_id: RoundId, desk: DeskHere, admin: AdminKey) -> Response[WatchStep]:
    """Undo a step of the watch; it begins anew with whom the step was about."""
    return await desk.answer(LiftStep(admin, step_id))


@get("/admin/events", responses=problems(*WITH_SESSION))
async def events(desk: DeskHere, admin: AdminKey, chain: Chain = None, after: After = 0) -> Events:
    """The hash-chained events of a chain in order, a thousand at a time; without a chain, the chains there are."""

    def ask(tx: Tx) -> Events:
        key_holder(tx, admin, "operator")
        return events_after(tx, chain, after)

    return await desk.read(ask)


router = Router(
    "/",
    route_handlers=[hold, tables, new_table, set_table, set_game, set_player, void, watch, lift, events],
    tags=["administration"],
)
