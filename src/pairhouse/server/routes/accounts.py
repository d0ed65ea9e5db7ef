"""Routes of a player's own account: a guest takes a name, the password, and what the house did to a round."""

from typing import Any

from litestar import Request, Response, Router, get, post
from litestar.params import JSONBody

from pairhouse.house.accounts import stored_password
from pairhouse.house.people import Person, password_hash
from pairhouse.house.store.database import Tx
from pairhouse.server.desk import DeskHere, Token
from pairhouse.server.http.callers import client_of
from pairhouse.server.http.errors import WITH_BODY, WITH_SESSION, problems
from pairhouse.server.models import Credentials, Me, NewPassword, Notices
from pairhouse.server.processes.protocol import ChangePassword, TakeName
from pairhouse.server.reading.player_records import notices_of, player_record

NOTICES = 20


@post("/players/me/account", status_code=200, responses=problems(*WITH_SESSION, *WITH_BODY, 409))
async def new_account(data: JSONBody[Credentials], request: Request[Any, Any, Any], desk: DeskHere, token: Token) -> Me:
    """Turn the guest you are into a named account: balance, rounds and this session stay."""
    desk.throttle.check("sign-in", client_of(request))
    hashed = await desk.passwords.run(lambda: password_hash(data.password))
    await desk.do(TakeName(token, data.name, hashed))
    return await desk.read_as(token, lambda tx, person: player_record(tx, person, desk.books.clock()))


@post("/players/me/password", status_code=204, responses=problems(*WITH_SESSION, *WITH_BODY, 409))
async def new_password(
    data: JSONBody[NewPassword], request: Request[Any, Any, Any], desk: DeskHere, token: Token
) -> Response[None]:
    """Change your password. Your other sessions end; a wrong password counts as a failed sign-in."""
    address = client_of(request)
    desk.throttle.check("sign-in", address)
    name, stored = await desk.read_as(token, lambda tx, person: (person.name, stored_password(tx, person)))
    matched = await desk.match_password(name, address, stored, data.password)
    hashed = await desk.passwords.run(lambda: password_hash(data.new_password))
    await desk.do(ChangePassword(token, name, address, matched, hashed))
    return Response(None, status_code=204)


@get("/players/me/notices", responses=problems(*WITH_SESSION))
async def notices(desk: DeskHere, token: Token) -> Notices:
    """Your last rounds that were called off, with the reason (`cancelled`: after 30 days), or corrected."""

    def ask(tx: Tx, person: Person) -> Notices:
        return Notices(notices_of(tx, person.id, NOTICES))

    return await desk.read_as(token, ask)


router = Router("/", route_handlers=[new_account, new_password, notices], tags=["players"])
