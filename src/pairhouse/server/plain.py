"""Bets and choices that are plainly in order, read from a request without the framework.

Whatever is unusual about a request, let alone wrong, is not read here: the framework's routes do that, with the same
records and the same words, and say what is wrong.
"""

import hashlib
import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.house.commands import RoundBet, RoundChoice
from pairhouse.house.tokens import hash_of
from pairhouse.server.http.headers import Headers, bearer_in
from pairhouse.server.models import NewChoice, NewRound

BODY_MAX_BYTES = 65_536
BET_STATUS, CHOICE_STATUS = 201, 200
ROUND_ID = "[0-9A-Z]{26}"
KEY = "[A-Za-z0-9_-]{8,64}"
_HOST = re.compile(rb"[0-9A-Za-z.:\[\]-]+")
_KEY = re.compile(KEY.encode())
_CHOICES = re.compile(f"/rounds/({ROUND_ID})/choices")
_new_round = msgspec.json.Decoder(NewRound).decode
_new_choice = msgspec.json.Decoder(NewChoice).decode


class Plain(NamedTuple):
    """A deed, for whom it is to be done (the hash of a token), and the status of its answer."""

    token: str
    deed: RoundBet | RoundChoice
    status: int


Reader = Callable[[Headers, bytes], Plain | None]


def reader_for(scope: Any) -> Reader | None:
    """What reads the body of a request, where it may be a bet or a choice."""
    if scope["type"] != "http" or scope["method"] != "POST" or scope.get("query_string") or scope.get("root_path"):
        return None
    path = scope["path"]
    if path == "/rounds":
        return _plain_bet
    found = _CHOICES.fullmatch(path)
    return partial(_plain_choice, found[1]) if found is not None else None


def _plain_bet(headers: Headers, body: bytes) -> Plain | None:
    return _plain(headers, body, _new_round, read_bet, BET_STATUS)


def _plain_choice(round_id: str, headers: Headers, body: bytes) -> Plain | None:
    return _plain(headers, body, _new_choice, partial(read_choice, round_id), CHOICE_STATUS)


def _plain(
    headers: Headers,
    body: bytes,
    decode: Callable[[bytes], Any],
    read: Callable[[Any, str | None], RoundBet | RoundChoice],
    status: int,
) -> Plain | None:
    """The deed of a request; None where anything about it is unusual."""
    given = dict(headers)
    if len(given) != len(headers) or len(body) > BODY_MAX_BYTES or given.get(b"content-length") != b"%d" % len(body):
        return None
    key = given.get(b"idempotency-key")
    if given.get(b"content-type") != b"application/json" or (key is not None and not _KEY.fullmatch(key)):
        return None
    token = bearer_in(given.get(b"authorization", b"").decode("latin-1"))
    if not token or not _HOST.fullmatch(given.get(b"host", b"")):
        return None
    try:
        return Plain(hash_of(token), read(decode(body), key.decode() if key is not None else None), status)
    except (ValueError, RecursionError, Refused):  # msgspec's own errors are ValueErrors
        return None


def read_bet(data: NewRound, header: str | None) -> RoundBet:
    """The bet a request makes."""
    if (data.seats is None) == (data.wagers is None):
        raise Refused("bad-seats", "give `seats`, one object of stakes for each seat, or `wagers` for one seat")
    key = key_of(header, data.idempotency_key)
    return RoundBet(
        table=data.table,
        seats=data.seats if data.seats is not None else [data.wagers or {}],
        client_seed=data.client_seed,
        key=key,
        body_hash=body_hash("/rounds", data),
        commitment=data.commitment,
        game=data.game,
    )


def read_choice(round_id: str, data: NewChoice, header: str | None) -> RoundChoice:
    """The choice a request makes."""
    path = f"/rounds/{round_id}/choices"
    return RoundChoice(
        round_id=round_id,
        word=data.choice,
        number=data.number,
        key=key_of(header, data.idempotency_key),
        body_hash=body_hash(path, data),
    )


def key_of(header: str | None, in_body: str | None) -> str:
    """The idempotency key, from the header or the body."""
    if header is not None and in_body is not None and header != in_body:
        raise Refused("bad-idempotency-key", "the header and the body give two different keys; give one")
    key = header or in_body
    if key is None:
        sentence = "this needs a key of your own, so that asking twice does it once: give the header `Idempotency-Key`"
        raise Refused("bad-idempotency-key", sentence)
    return key


def body_hash(path: str, body: NewRound | NewChoice) -> str:
    """What names the content of a request: its meaning, not the spelling of its JSON, nor where its key stood."""
    if body.idempotency_key is not None:
        body = msgspec.structs.replace(body, idempotency_key=None)
    return hashlib.sha256(path.encode() + b"\n" + msgspec.json.encode(body, order="deterministic")).hexdigest()
