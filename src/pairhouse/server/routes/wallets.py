"""Routes of operators' wallets: their players come in, and what they are still to be told is seen."""

from typing import Any

from litestar import Request, Response, Router, get, post
from litestar.params import JSONBody

from pairhouse.house.people import key_holder
from pairhouse.house.store.database import Tx
from pairhouse.house.wallet_calls import open_calls
from pairhouse.rounds.round_view import at_text
from pairhouse.server.desk import AdminKey, DeskHere
from pairhouse.server.http.callers import client_of, newcomer
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.models import OutsideLogin, SignedIn, WalletCall, WalletCalls
from pairhouse.server.processes.protocol import OperatorSignIn
from pairhouse.server.routes.players import sign_in_by
from pairhouse.server.routes.tables import PathId


@post("/wallets/{wallet:str}/sessions", guards=[newcomer], responses=problems(401, 403, 404, *WITH_BODY))
async def new_outside_session(
    wallet: PathId, data: JSONBody[OutsideLogin], request: Request[Any, Any, Any], desk: DeskHere
) -> Response[SignedIn]:
    """Come in with a token of the operator that keeps your money."""
    desk.throttle.check("sign-in", client_of(request))
    return await sign_in_by(desk, OperatorSignIn(wallet, data.token))


@get("/admin/wallet-calls", responses=problems(*WITH_SESSION), tags=["administration"])
async def wallet_calls(desk: DeskHere, admin: AdminKey) -> WalletCalls:
    """Calls to operators that nobody has acknowledged yet, the oldest first, up to a thousand."""

    def ask(tx: Tx) -> WalletCalls:
        key_holder(tx, admin, "operator")
        return WalletCalls(
            [
                WalletCall(
                    id=call.id,
                    wallet=call.wallet,
                    kind=call.kind,
                    round=call.round,
                    player=call.player,
                    amount=call.amount,
                    state=call.state,
                    attempts=call.attempts,
                    made_at=at_text(call.made_at),
                    next_at=at_text(call.next_at),
                )
                for call in open_calls(tx)
            ]
        )

    return await desk.read(ask)


router = Router("/", route_handlers=[new_outside_session, wallet_calls], tags=["wallets"])
