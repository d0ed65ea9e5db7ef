"""Who is asking: sessions by token or cookie, keys, addresses, and requests that other sites send."""

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler

from pairhouse.core.errors import Refused
from pairhouse.house.tokens import hash_of
from pairhouse.server.http.connections import network_of
from pairhouse.server.http.headers import SAFE_METHODS, bearer_in

COOKIE = "pairhouse_session"
SAME_SITE_HEADER = "x-pairhouse"
BODY_MAX_BYTES = 65_536


def client_of(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The address a request comes from; of an IPv6 address its network, since everybody has many."""
    return network_of(request.client.host) if request.client else "unknown"


def bearer_of(request: Request[Any, Any, Any]) -> str | None:
    """The token or key a request carries; None without one."""
    given = request.headers.get("authorization")
    return None if given is None else bearer_in(given)


def token_of(request: Request[Any, Any, Any]) -> str:
    """The hash of the session token. A cookie counts for changes only with a header that other sites cannot send."""
    given = bearer_of(request)
    if given is not None:
        if not given:
            raise Refused("not-signed-in", "give the session as `Authorization: Bearer TOKEN`")
        return hash_of(given)
    token = request.cookies.get(COOKIE, "")
    if not token:
        raise Refused("not-signed-in", "sign in first: POST /guests gives a guest session with play money")
    if request.method not in SAFE_METHODS and request.headers.get(SAME_SITE_HEADER) != "1":
        raise Refused("cross-site", "a change with the session cookie needs the header `X-Pairhouse: 1`")
    return hash_of(token)


def has_session(request: Request[Any, Any, Any]) -> bool:
    """Whether a request says who is asking; whether that is true is found by `caller`."""
    return "authorization" in request.headers or bool(request.cookies.get(COOKIE))


def caller(request: Request[Any, Any, Any]) -> str:
    """The session behind a request, as the hash of its token, within the limit on its requests."""
    token_hash = token_of(request)
    request.app.state.desk.throttle.check("session", token_hash)
    return token_hash


def key_holder_of(request: Request[Any, Any, Any]) -> str:
    """The API key behind a request; whether it may do this is asked with the command."""
    key = bearer_of(request)
    if not key:
        raise Refused(
            "bad-key", "this needs an API key as `Authorization: Bearer ph_...`; make one with `pairhouse key`"
        )
    request.app.state.desk.throttle.check("key", hash_of(key))
    return key


def visitor(request: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard for what anybody may see: an address may look so often."""
    request.app.state.desk.throttle.check("public", client_of(request))


def newcomer(request: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard for what gives a session: another site may not ask for one in a browser's name."""
    if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        raise Refused("cross-site", "another site may not sign you in here; open the house itself")


async def check_body(request: Request[Any, Any, Any]) -> None:
    """A body is JSON and says so: a form, which any site can send, is none."""
    if request.method in SAFE_METHODS:
        return
    headers = request.headers
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if has_body and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException("send the body as JSON, with `Content-Type: application/json`", status_code=415)
