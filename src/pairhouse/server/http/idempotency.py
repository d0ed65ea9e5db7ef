"""Idempotency keys: where a request gives one, and what makes two requests the same."""

import hashlib
from typing import Annotated

import msgspec
from litestar.params import HeaderParameter

from pairhouse.core.errors import Refused
from pairhouse.server.models import NewChoice, NewRound
from pairhouse.server.models.words import END

KeyHeader = Annotated[str | None, HeaderParameter(name="Idempotency-Key", pattern=rf"^[A-Za-z0-9_-]{{8,64}}{END}")]


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
