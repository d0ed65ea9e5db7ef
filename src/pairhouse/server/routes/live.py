"""Routes of live tables: look, watch, sit, bet, open a seed, choose, leave; and what a supervisor does there."""

import hashlib
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, Router, delete, get, post, put
from litestar.params import HeaderParameter, JSONBody

from pairhouse.house.floor import FRIENDS, read_table
from pairhouse.house.live.acts import (
    AnyLiveAct,
    ExposeCard,
    LeaveSeat,
    LiveBet,
    LiveChoice,
    LiveDone,
    LiveReady,
    LiveSeed,
    MakeLive,
    TakeSeat,
    VoidLive,
)
from pairhouse.house.live.closed_rounds import live_round_record
from pairhouse.house.live.seating import count_seated
from pairhouse.house.live.table_log import live_numbers, read_live_table
from pairhouse.house.people import person_of
from pairhouse.house.store.database import Tx
from pairhouse.rounds.live_record import LiveRecord
from pairhouse.rounds.live_round import CLOSED, LiveSettings
from pairhouse.rounds.text_keys import table_keys
from pairhouse.server.desk import AdminKey, Desk, DeskHere, PlayerRequest
from pairhouse.server.http.callers import caller, client_of, has_session, visitor
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.http.idempotency import KeyHeader, key_of
from pairhouse.server.live.event_stream import EventStream
from pairhouse.server.models.live import (
    FriendsTable,
    LiveClock,
    LiveExposure,
    LiveNews,
    LiveResultLines,
    LiveTableLine,
    LiveTables,
    LiveVoid,
    NewFriendsTable,
    NewLiveBet,
    NewLiveChoice,
    NewSeat,
    OpenedSeed,
)
from pairhouse.server.processes.protocol import ActLive, OpenForFriends, SuperviseLive
from pairhouse.server.routes.tables import PathId

ORDERS = problems(*WITH_SESSION, *WITH_BODY, 404, 409, 422)
ACTS = problems(*WITH_SESSION, *WITH_BODY, 402, 404, 409, 422)
LastEvent = Annotated[str | None, HeaderParameter(name="Last-Event-ID", max_length=20)]


def key_and_hash(path: str, data: object, header: str | None) -> dict[str, str]:
    """The idempotency key of a request, and what names its content."""
    content = path.encode() + b"\n" + msgspec.json.encode(data, order="deterministic")
    return {"key": key_of(header, None), "body_hash": hashlib.sha256(content).hexdigest()}


async def do_act(request: PlayerRequest, act: AnyLiveAct) -> Response[LiveDone]:
    return await request.desk.answer(ActLive(request.token, act))


@get("/live", guards=[visitor], responses=problems())
async def live_tables(desk: DeskHere) -> LiveTables:
    """Every table at which several people play, and how many sit there; a closed one until its round is over."""

    def ask(tx: Tx) -> LiveTables:
        found = []
        for table_id, number in live_numbers(tx):
            if table_id.startswith(FRIENDS):
                continue
            floor, table = read_table(tx, table_id), read_live_table(tx, table_id)
            live = None if floor.is_live else desk.hub.floor.at_table(tx, table_id, table, floor).live
            if live is not None and (not live.bets or live.phase == CLOSED):
                continue
            seated = count_seated(tx, table_id)
            game = floor.betting.variant.game.id
            key = table_keys(floor.name, "").get("name_key", msgspec.UNSET)
            found.append(LiveTableLine(table_id, floor.name, game, table.settings.seats, seated, number, key))
        return LiveTables(found)

    return await desk.read(ask)


@post("/live", status_code=201, responses=problems(*WITH_SESSION, *WITH_BODY, 404, 409))
async def open_for_friends(data: JSONBody[NewFriendsTable], request: PlayerRequest) -> FriendsTable:
    """Open a table for friends: like a live table, and found by its link alone. Quiet for a day, it is closed."""
    request.desk.throttle.check("friends", client_of(request))
    return FriendsTable(msgspec.json.decode(await request.desk.do(OpenForFriends(request.token, data.like)), type=str))


@get("/tables/{table_id:str}/live", guards=[visitor], responses=problems(404))
async def live_table(table_id: PathId, desk: DeskHere, request: Request[Any, Any, Any]) -> LiveNews:
    """How a live table stands, as you may see it: with your own cards if you sit there, otherwise as a spectator."""
    player_id = await reader_of(desk, request)
    return await desk.hub.news(table_id, player_id, 2**62)


@get("/tables/{table_id:str}/live/results", guards=[visitor], responses=problems(404))
async def live_results(table_id: PathId, desk: DeskHere) -> LiveResultLines:
    """What the last rounds of a live table came to, for its roads. A table with a shoe shows them with the shoe."""

    def ask(tx: Tx) -> LiveResultLines:
        read_live_table(tx, table_id)
        variant = read_table(tx, table_id).betting.variant
        shows = variant.game.shoe_line is not None
        return LiveResultLines(desk.recent.of(tx, table_id, variant.rules_hash) if shows else [])

    return await desk.read(ask)


@get("/live/rounds/{round_id:str}", guards=[visitor], responses=problems(404, 409))
async def live_round(round_id: PathId, desk: DeskHere, request: Request[Any, Any, Any]) -> LiveRecord:
    """A closed round of a live table with seeds, cards and payments, to be verified: yours if you have bet in it."""
    player_id = await reader_of(desk, request)
    return await desk.read(lambda tx: live_round_record(tx, round_id, player_id))


@get("/tables/{table_id:str}/events", guards=[visitor], include_in_schema=False)  # docs/api.md describes it
async def live_events(
    table_id: PathId, desk: DeskHere, request: Request[Any, Any, Any], last_event: LastEvent = None
) -> EventStream:
    """Everything that happens at a live table, as server-sent events. `Last-Event-ID` goes on where you were."""
    player_id = await reader_of(desk, request)
    await desk.read(lambda tx: read_live_table(tx, table_id))
    reader = desk.hub.join(table_id, player_id)
    after = int(last_event) if last_event is not None and last_event.isdecimal() else 2**62
    connection = request.scope.get("state", {}).get("connection")
    return EventStream(partial(desk.hub.send_events, reader, after), reader, connection)


async def reader_of(desk: Desk, request: Request[Any, Any, Any]) -> str | None:
    """The player who reads, if they are signed in; None is a spectator."""
    if not has_session(request):
        return None
    token = caller(request)
    person = await desk.read(lambda tx: person_of(tx, token, desk.books.clock()))
    return person.id


@post("/tables/{table_id:str}/live/seat", status_code=200, responses=ACTS)
async def take_seat(
    table_id: PathId, data: JSONBody[NewSeat], request: PlayerRequest, key: KeyHeader = None
) -> Response[LiveDone]:
    """Take a seat at a live table."""
    keys = key_and_hash(f"/tables/{table_id}/live/seat", data, key)
    return await do_act(request, TakeSeat(table=table_id, seat=data.seat, chip=data.chip, **keys))


@delete("/tables/{table_id:str}/live/seat", status_code=200, responses=ACTS)
async def leave_seat(table_id: PathId, request: PlayerRequest, key: KeyHeader = None) -> Response[LiveDone]:
    """Leave a live table. A bet is never withdrawn by it: the seat is yours until the next round opens."""
    return await do_act(request, LeaveSeat(table=table_id, **key_and_hash(f"/tables/{table_id}/live/leave", None, key)))


@put("/tables/{table_id:str}/live/bet", responses=ACTS)
async def place_bet(
    table_id: PathId, data: JSONBody[NewLiveBet], request: PlayerRequest, key: KeyHeader = None
) -> Response[LiveDone]:
    """Bet on the coming round, in place of an earlier bet; without stakes it is taken back."""
    keys = key_and_hash(f"/tables/{table_id}/live/bet", data, key)
    return await do_act(request, LiveBet(table=table_id, stakes=dict(data.stakes), seed=data.seed, **keys))


@post("/tables/{table_id:str}/live/ready", status_code=200, responses=ACTS)
async def say_ready(table_id: PathId, request: PlayerRequest, key: KeyHeader = None) -> Response[LiveDone]:
    """Say that your bets are made: when everybody has said so, nobody waits for the clock."""
    return await do_act(request, LiveReady(table=table_id, **key_and_hash(f"/tables/{table_id}/live/ready", None, key)))


@post("/tables/{table_id:str}/live/seed", status_code=200, responses=ACTS)
async def open_seed(
    table_id: PathId, data: JSONBody[OpenedSeed], request: PlayerRequest, key: KeyHeader = None
) -> Response[LiveDone]:
    """Open the seed you committed to with your bet, after no more bets and before the cards."""
    keys = key_and_hash(f"/tables/{table_id}/live/seed", data, key)
    return await do_act(request, LiveSeed(table=table_id, seed=data.seed, **keys))


@post("/tables/{table_id:str}/live/choices", status_code=200, responses=ACTS)
async def choose(
    table_id: PathId, data: JSONBody[NewLiveChoice], request: PlayerRequest, key: KeyHeader = None
) -> Response[LiveDone]:
    """Decide, when it is your turn."""
    keys = key_and_hash(f"/tables/{table_id}/live/choices", data, key)
    return await do_act(request, LiveChoice(table=table_id, number=data.number, word=data.choice, **keys))


@put("/admin/tables/{table_id:str}/live", responses=ORDERS)
async def make_live(table_id: PathId, data: JSONBody[LiveClock], desk: DeskHere, admin: AdminKey) -> Response[int]:
    """Make a table one at which several people play; the number of its newest entry."""
    settings = msgspec.convert(msgspec.structs.asdict(data), LiveSettings)
    return await desk.answer(SuperviseLive(admin, table_id, MakeLive(settings)))


@post("/admin/tables/{table_id:str}/live/void", status_code=200, responses=ORDERS)
async def void_live(table_id: PathId, data: JSONBody[LiveVoid], desk: DeskHere, admin: AdminKey) -> Response[int]:
    """Call the round of a live table off: every stake that is not decided yet goes back."""
    return await desk.answer(SuperviseLive(admin, table_id, VoidLive(data.reason, data.cards)))


@post(
    "/admin/tables/{table_id:str}/live/exposed",
    status_code=200,
    responses=ORDERS,
)
async def expose_card(table_id: PathId, data: JSONBody[LiveExposure], desk: DeskHere, admin: AdminKey) -> Response[int]:
    """Mark a card that was seen by accident: everybody may see it now, and the round goes on."""
    return await desk.answer(SuperviseLive(admin, table_id, ExposeCard(data.card, data.reason)))


router = Router(
    "/",
    route_handlers=[
        live_tables,
        open_for_friends,
        live_table,
        live_results,
        live_events,
        live_round,
        take_seat,
        leave_seat,
        place_bet,
        say_ready,
        open_seed,
        choose,
        make_live,
        void_live,
        expose_card,
    ],
    tags=["live tables"],
)
