"""Routes of rounds: bet, choose, look, replay, history, advice."""

from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from pairhouse.core.errors import Refused
from pairhouse.house.commands import RoundBet, RoundChoice
from pairhouse.house.floor import read_table
from pairhouse.house.history import past_rounds
from pairhouse.house.log_reader import seal_of_round
from pairhouse.house.people import Person
from pairhouse.house.store.database import Tx
from pairhouse.rounds.round_view import OPEN, RoundView
from pairhouse.server.desk import DeskHere, PlayerRequest, Token
from pairhouse.server.http.callers import visitor
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.http.idempotency import KeyHeader, body_hash, key_of
from pairhouse.server.http.responses import ReadyJson
from pairhouse.server.models import AdviceRecord, History, NewChoice, NewRound, SealedRound
from pairhouse.server.models.words import END
from pairhouse.server.processes.protocol import MakeChoice, PlaceBet
from pairhouse.server.routes.tables import IdQuery
from pairhouse.server.routes.times import TimeQuery, period_of

ROUND_ID = rf"^[0-9A-Z]{{26}}{END}"
RoundId = Annotated[str, PathParameter(pattern=ROUND_ID)]
RoundQuery = Annotated[str | None, QueryParameter(pattern=ROUND_ID)]
Limit = Annotated[int, QueryParameter(ge=1, le=100)]


def bet_in(data: NewRound, header: str | None) -> RoundBet:
    """The bet a request makes."""
    if (data.seats is None) == (data.wagers is None):
        raise Refused("bad-seats", "give `seats`, one object of stakes for each seat, or `wagers` for one seat")
    return RoundBet(
        table=data.table,
        seats=data.seats if data.seats is not None else [data.wagers or {}],
        client_seed=data.client_seed,
        key=key_of(header, data.idempotency_key),
        body_hash=body_hash("/rounds", data),
        commitment=data.commitment,
        game=data.game,
        decline=tuple(data.decline or ()),
        free_bet=data.free_bet or None,
    )


def choice_in(round_id: str, data: NewChoice, header: str | None) -> RoundChoice:
    """The choice a request makes."""
    return RoundChoice(
        round_id=round_id,
        word=data.choice,
        number=data.number,
        key=key_of(header, data.idempotency_key),
        body_hash=body_hash(f"/rounds/{round_id}/choices", data),
    )


@post("/rounds", responses=problems(*WITH_SESSION, *WITH_BODY, 402, 404, 409, 422))
async def open_round(data: JSONBody[NewRound], request: PlayerRequest, key: KeyHeader = None) -> Response[RoundView]:
    """Bet and deal. Settled at once where the game asks nothing; otherwise the first view, and what is asked."""
    return await request.desk.answer(PlaceBet(request.token, bet_in(data, key)))


@post(
    "/rounds/{round_id:str}/choices",
    status_code=200,
    responses=problems(*WITH_SESSION, *WITH_BODY, 402, 404, 409, 422),
)
async def choose(
    round_id: RoundId, data: JSONBody[NewChoice], request: PlayerRequest, key: KeyHeader = None
) -> Response[RoundView]:
    """Answer what the round asks. A further stake is taken with it, or nothing happens."""
    return await request.desk.answer(MakeChoice(request.token, choice_in(round_id, data, key)))


@get("/rounds/{round_id:str}", responses=problems(*WITH_SESSION, 404, 409))
async def look(round_id: RoundId, desk: DeskHere, token: Token) -> SealedRound:
    """A round of yours: its view while it is open, its whole log after, and the proof that the books have it."""

    def ask(tx: Tx, person: Person) -> SealedRound:
        view = desk.books.pit.view(tx, round_id, person.id)
        seal = seal_of_round(tx, round_id) if view.state != OPEN else None
        fields = {name: getattr(view, name) for name in view.__struct_fields__}
        return SealedRound(**fields, seal=msgspec.UNSET if seal is None else seal)

    return await desk.read_as(token, ask)


@get("/rounds/{round_id:str}/replay", guards=[visitor], responses=problems(404, 409))
async def replayed(round_id: RoundId, desk: DeskHere) -> RoundView:
    """A round that is over, for anybody, marked as a replay."""
    return await desk.read(lambda tx: desk.books.pit.public_replay(tx, round_id))


@get("/rounds/{round_id:str}/advice", responses=problems(*WITH_SESSION, 404, 409))
async def advice(round_id: RoundId, desk: DeskHere, token: Token) -> Response[AdviceRecord]:
    """What each legal action is worth, given all that the player has seen; at tables that allow advice."""
    desk.throttle.check("advice", token)
    pit = desk.books.pit

    def ask(tx: Tx, person: Person) -> tuple[RoundView, Any]:
        view = pit.view(tx, round_id, person.id)
        table = read_table(tx, view.table)
        if not table.advice:
            raise Refused("no-advice", f"table {table.id} gives no advice")
        return view, pit.find(tx, round_id, person.id).variant

    view, variant = await desk.read_as(token, ask)
    if view.view.awaiting is None:
        raise Refused("nothing-asked", "the round asks nothing now, so there is nothing to advise")
    return ReadyJson(await desk.solver.advise(variant, view.view))


@get("/players/me/rounds", responses=problems(*WITH_SESSION))
async def history(
    desk: DeskHere,
    token: Token,
    game: IdQuery = None,
    table: IdQuery = None,
    before: RoundQuery = None,
    since: TimeQuery = None,
    until: TimeQuery = None,
    limit: Limit = 20,
) -> History:
    """Your rounds, newest first. `before` takes the id that the last page gave as `next`."""

    def ask(tx: Tx, person: Person) -> History:
        period = period_of(since, until)
        found = past_rounds(tx, person.id, game=game, table=table, before=before, limit=limit + 1, period=period)
        return History(found[:limit], found[limit - 1].id if len(found) > limit else None)

    return await desk.read_as(token, ask)


router = Router("/", route_handlers=[replayed, open_round, choose, look, advice, history], tags=["rounds"])
