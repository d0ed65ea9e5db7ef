"""Routes of free bets: an operator grants and withdraws them. Players see theirs in `GET /players/me`."""

from litestar import Response, Router, post
from litestar.params import JSONBody

from pairhouse.house.free_bets import FreeBetTerms, Scope
from pairhouse.server.desk import AdminKey, DeskHere
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.http.idempotency import KeyHeader, key_of
from pairhouse.server.models import FreeBetRecord, NewFreeBet
from pairhouse.server.processes.protocol import GrantFreeBet, WithdrawFreeBet
from pairhouse.server.routes.rounds import RoundId


@post("/admin/free-bets", responses=problems(*WITH_SESSION, 404, 409, *WITH_BODY, 422))
async def grant_free_bet(
    data: JSONBody[NewFreeBet], desk: DeskHere, admin: AdminKey, key: KeyHeader = None
) -> Response[FreeBetRecord]:
    """Grant a player a free bet. Asked again with the same key, it is granted once."""
    scope = Scope(tuple(data.tables), tuple(data.games), tuple(data.wagers))
    terms = FreeBetTerms(data.player, data.amount, data.days, scope, data.stake_returned)
    return await desk.answer(GrantFreeBet(admin, key_of(key, data.idempotency_key), terms))


@post("/admin/free-bets/{free_bet:str}/withdraw", status_code=200, responses=problems(*WITH_SESSION, 404))
async def withdraw_free_bet(free_bet: RoundId, desk: DeskHere, admin: AdminKey) -> Response[FreeBetRecord]:
    """Take back what remains of a free bet. Open rounds go on; what they would give back to it is gone."""
    return await desk.answer(WithdrawFreeBet(admin, free_bet))


router = Router("/", route_handlers=[grant_free_bet, withdraw_free_bet], tags=["administration"])
