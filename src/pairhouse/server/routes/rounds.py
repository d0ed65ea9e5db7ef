"""Routes of rounds: bet, choose, look, replay, advice."""

from typing import Annotated, Any

from litestar import Router, get, post
from litestar.params import HeaderParameter, JSONBody, PathParameter, QueryParameter

from pairhouse.core.errors import Refused
from pairhouse.house.floor import read_table
from pairhouse.house.history import past_rounds
from pairhouse.house.store.database import Tx
from pairhouse.rounds.round_view import RoundView
from pairhouse.server.desk import Asked, DeskHere, Token
from pairhouse.server.http.callers import visitor
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.models import Advice, History, NewChoice, NewRound
from pairhouse.server.models.words import END
from pairhouse.server.plain import BET_STATUS, CHOICE_STATUS, KEY, ROUND_ID, read_bet, read_choice
from pairhouse.server.pricing.advice import advice_for
from pairhouse.server.routes.tables import IdQuery

RoundId = Annotated[str, PathParameter(pattern=f"^{ROUND_ID}{END}")]
KeyHeader = Annotated[str | None, HeaderParameter(name="Idempotency-Key", pattern=f"^{KEY}{END}")]
RoundQuery = Annotated[str | None, QueryParameter(pattern=f"^{ROUND_ID}{END}")]
Limit = Annotated[int, QueryParameter(ge=1, le=100)]


@post("/rounds", status_code=BET_STATUS, responses=problems(*WITH_SESSION, *WITH_BODY, 402, 404, 409, 422))
async def open_round(data: JSONBody[NewRound], request: Asked, key: KeyHeader = None) -> RoundView:
    """Bet and deal. Settled at once where the game asks nothing; otherwise the first view, and what is asked."""
    desk, token = request.desk, request.token
    return await desk.cashier.do(token, read_bet(data, key))


@post(
    "/rounds/{round_id:str}/choices",
    status_code=CHOICE_STATUS,
    responses=problems(*WITH_SESSION, *WITH_BODY, 402, 404, 409, 422),
)
async def choose(round_id: RoundId, data: JSONBody[NewChoice], request: Asked, key: KeyHeader = None) -> RoundView:
    """Answer what the round asks. A further stake is taken with it, or nothing happens."""
    desk, token = request.desk, request.token
    return await desk.cashier.do(token, read_choice(round_id, data, key))


@get("/rounds/{round_id:str}", responses=problems(*WITH_SESSION, 404, 409))
async def look(round_id: RoundId, desk: DeskHere, token: Token) -> RoundView:
    """A round of yours: its view while it is open, its whole log after."""

    def ask(tx: Tx) -> RoundView:
        return desk.house.pit.view(tx, round_id, desk.person(tx, token).id)

    return await desk.read(ask)


@get("/rounds/{round_id:str}/replay", guards=[visitor], responses=problems(404, 409))
async def replayed(round_id: RoundId, desk: DeskHere) -> RoundView:
    """A round that is over, for anybody, marked as a replay."""
    return await desk.read(lambda tx: desk.house.pit.public_replay(tx, round_id))


@get("/rounds/{round_id:str}/advice", responses=problems(*WITH_SESSION, 404, 409))
async def advice(round_id: RoundId, desk: DeskHere, token: Token) -> Advice:
    """What each legal action is worth, given all that the player has seen; at tables that allow advice."""

    def ask(tx: Tx) -> tuple[RoundView, Any]:
        person = desk.person(tx, token)
        view = desk.house.pit.view(tx, round_id, person.id)
        table = read_table(tx, view.table)
        if not table.advice:
            raise Refused("no-advice", f"table {table.id} gives no advice")
        return view, desk.house.pit.find(tx, round_id, person.id).variant

    view, variant = await desk.read(ask)
    if view.view.awaiting is None:
        raise Refused("nothing-asked", "the round asks nothing now, so there is nothing to advise")
    return await desk.think(lambda: advice_for(variant, view.view))


@get("/players/me/rounds", responses=problems(*WITH_SESSION))
async def history(
    desk: DeskHere,
    token: Token,
    game: IdQuery = None,
    table: IdQuery = None,
    before: RoundQuery = None,
    limit: Limit = 20,
) -> History:
    """Your rounds, newest first. `before` takes the id that the last page gave as `next`."""

    def ask(tx: Tx) -> History:
        person = desk.person(tx, token)
        found = past_rounds(tx, person.id, game=game, table=table, before=before, limit=limit + 1)
        return History(found[:limit], found[limit - 1].id if len(found) > limit else None)

    return await desk.read(ask)


router = Router("/", route_handlers=[replayed, open_round, choose, look, advice, history], tags=["rounds"])
