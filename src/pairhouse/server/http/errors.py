"""Every refusal as an answer: a status, a stable code, a sentence."""

import logging
import re
from math import ceil
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from litestar.response.base import ASGIResponse

from pairhouse.core.errors import Refused
from pairhouse.house.care.exclusions import Barred
from pairhouse.house.commands import RoundOpen
from pairhouse.house.pace import TooSoon
from pairhouse.house.store.database import OutcomeUnknown
from pairhouse.rounds.round_view import at_text
from pairhouse.server.http.callers import client_of
from pairhouse.server.models import Problem
from pairhouse.server.processes.protocol import RetryLater

log = logging.getLogger("pairhouse.server")

PATTERN = re.compile(r"matching regex (?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")

STATUS_OF = {
    "bad-request": 400,
    "bad-host": 400,
    "two-headers": 400,
    "not-signed-in": 401,
    "bad-login": 401,
    "bad-key": 401,
    "no-funds": 402,
    "not-allowed": 403,
    "wrong-password": 403,
    "player-disabled": 403,
    "no-advice": 403,
    "cross-site": 403,
    "unknown-round": 404,
    "unknown-table": 404,
    "unknown-game": 404,
    "unknown-player": 404,
    "unknown-wallet": 404,
    "unknown-step": 404,
    "unknown-free-bet": 404,
    "no-free-bet": 402,
    "free-bet-over": 409,
    "free-bet-not-here": 409,
    "free-bets-elsewhere": 409,
    "player-excluded": 409,
    "step-lifted": 409,
    "round-open": 409,
    "round-closed": 409,
    "out-of-turn": 409,
    "key-reused": 409,
    "in-progress": 409,
    "other-commitment": 409,
    "other-rules": 409,
    "not-seated": 409,
    "not-needed": 409,
    "nothing-asked": 409,
    "name-taken": 409,
    "not-a-guest": 409,
    "no-password": 409,
    "table-exists": 409,
    "table-closed": 409,
    "staff-disabled": 403,
    "unknown-staff": 404,
    "round-not-settled": 409,
    "already-corrected": 409,
    "not-live": 404,
    "no-more-bets": 409,
    "seat-taken": 409,
    "hand-elsewhere": 409,
    "bad-chips": 422,
    "table-full": 409,
    "table-moved": 409,
    "too-many-tables": 409,
    "has-meter": 409,
    "not-dealer": 409,
    "on-break": 403,
    "self-excluded": 403,
    "unknown-limit": 404,
    "unknown-report": 404,
    "reality-check": 409,
    "session-over": 409,
    "cooling-off": 409,
    "no-raise": 409,
    "not-shorter": 409,
    "deposit-limit": 422,
    "loss-limit": 422,
    "stake-limit": 422,
    "wager-closed": 409,
    "restricted": 403,
    "too-soon": 429,
    "books-altered": 409,
    "locked-out": 429,
    "too-many-requests": 429,
    "too-many-at-once": 429,
    "wallet-refused": 402,
    "wallet-unknown": 503,
    "bad-seed-key": 503,
    "not-ready": 503,
    "busy": 503,
    "solver-busy": 503,
    "solver-limit": 503,
}
STRANGERS = {"not-signed-in", "bad-key"}  # guessing tokens and keys is slowed down for the address it comes from
WORDS_OF = {404: "not-found", 405: "method-not-allowed", 413: "too-large", 415: "unsupported-media-type"}

TOO_MANY_AT_ONCE = Refused("too-many-at-once", "too many requests at once from your address; wait for some answers")

PROBLEMS = {
    400: ResponseSpec(Problem, description="The request cannot be read.", generate_examples=False),
    401: ResponseSpec(Problem, description="No live session, or a wrong key.", generate_examples=False),
    402: ResponseSpec(Problem, description="The balance does not carry it.", generate_examples=False),
    403: ResponseSpec(Problem, description="Not allowed.", generate_examples=False),
    404: ResponseSpec(Problem, description="There is no such thing, or it is not yours.", generate_examples=False),
    409: ResponseSpec(Problem, description="Not as things stand; nothing was changed.", generate_examples=False),
    413: ResponseSpec(Problem, description="The body is too large.", generate_examples=False),
    415: ResponseSpec(Problem, description="The body is not JSON.", generate_examples=False),
    422: ResponseSpec(Problem, description="Refused by the rules or the limits.", generate_examples=False),
    429: ResponseSpec(Problem, description="Too many requests, too soon, or locked out.", generate_examples=False),
    503: ResponseSpec(
        Problem,
        description="The books cannot be written, or a wallet does not answer, just now.",
        generate_examples=False,
    ),
}


ANY_ROUTE = {400, 429, 503}
WITH_SESSION = {401, 403}  # 403: a disabled player, a cookie without its header, a key without the scope
WITH_BODY = {413, 415}


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    """The ways a route can refuse, for the OpenAPI document."""
    return {status: PROBLEMS[status] for status in sorted({*statuses, *ANY_ROUTE})}


def _answer(
    status: int,
    code: str,
    sentence: str,
    round_id: str | None = None,
    headers: dict[str, str] | None = None,
    retry_ms: int | None = None,
    retry_after_s: int = 1,
    until_at: str | None = None,
) -> Response[bytes]:
    body = msgspec.json.encode(Problem(code, sentence, round_id, retry_ms, until_at))
    seconds = retry_after_s if retry_ms is None else ceil(retry_ms / 1000)
    headers = {**({"Retry-After": str(seconds)} if status in (429, 503) else {}), **(headers or {})}
    return Response(body, status_code=status, media_type="application/json", headers=headers)


def refused(refusal: Refused) -> ASGIResponse:
    """A refusal before any route was looked for."""
    status = STATUS_OF[refusal.code]
    headers = {"Retry-After": "1"} if status == 429 else {}
    body = msgspec.json.encode(Problem(refusal.code, str(refusal)))
    return ASGIResponse(body=body, status_code=status, media_type="application/json", headers=headers)


def on_refused(request: Request[Any, Any, Any], refused: Refused) -> Response[bytes]:
    """What was given cannot be accepted."""
    if refused.code in STRANGERS:
        try:
            request.app.state.desk.throttle.check("stranger", client_of(request))
        except Refused as too_many:
            refused = too_many
    round_id = refused.round_id if isinstance(refused, RoundOpen) else None
    retry_ms = refused.wait_ms if isinstance(refused, TooSoon) else None
    wait_s = refused.retry_after_s if isinstance(refused, RetryLater) else 1
    until_at = at_text(refused.until_at) if isinstance(refused, Barred) else None
    status = STATUS_OF.get(refused.code, 422)
    return _answer(
        status, refused.code, str(refused), round_id, retry_ms=retry_ms, retry_after_s=wait_s, until_at=until_at
    )


def on_store_failed(_: Request[Any, Any, Any], failed: Exception) -> Response[bytes]:
    """The database could not do it. Where it stands and what it said is for us, not for callers."""
    log.warning("books unavailable", extra={"reason": str(failed).partition("\n")[0]})
    sentence = "the books cannot be read or written just now, and nothing was changed; try again"
    if isinstance(failed, OutcomeUnknown):
        sentence = "the books went away while they were written; ask again with the same key to learn what came of it"
    return _answer(503, "books-unavailable", sentence)


def on_http(_: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """What the framework refused: a body that is no JSON, a route that does not exist."""
    if isinstance(error, ValidationException):
        return _answer(400, "bad-request", _sentence(error))
    code = WORDS_OF.get(error.status_code, "bad-request" if error.status_code < 500 else "broken")
    headers = dict(error.headers or {})
    if "allow" in headers:  # the framework gives them in an order that differs from process to process
        headers["allow"] = ", ".join(sorted(headers["allow"].split(", ")))
    return _answer(error.status_code, code, str(error.detail), headers=headers)


def _sentence(error: ValidationException) -> str:
    """What is wrong with a request, field by field."""
    extra = error.extra if isinstance(error.extra, list) else []
    parts = [f"{part.get('key') or part.get('source') or 'body'}: {part.get('message')}" for part in extra]
    return in_words("; ".join(parts) or str(error.detail))


def in_words(message: str) -> str:
    """A message without the pattern that was not matched: people read it."""
    return PATTERN.sub("in the form that the API's document asks for", message)


def on_broken(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """A promise of ours is broken: say so, and leave a trace for us without anything the caller sent."""
    log.error("broken", exc_info=error, extra={"path": request.url.path, "method": request.method})
    return _answer(500, "broken", "something is wrong on our side; nothing was changed, and it has been logged")
