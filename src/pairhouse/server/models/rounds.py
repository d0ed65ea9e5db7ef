"""Rounds: the bets, the choices, and a page of history."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pairhouse.rounds.round_view import RoundSummary
from pairhouse.server.models.words import Given, Id, Key, Stakes, Word


class NewRound(Given):
    """Bets on the table, with the player's seed. Give `seats`, or `wagers` for one seat."""

    table: Id
    client_seed: Annotated[str, Meta(min_length=1, max_length=64)]
    seats: Annotated[list[Stakes], Meta(min_length=1, max_length=8)] | None = None
    wagers: Stakes | None = None
    game: Id | None = None
    commitment: Annotated[str, Meta(min_length=64, max_length=64)] | None = None
    idempotency_key: Key | None = None


class NewChoice(Given):
    """An answer to what the round asks; `number` is how many choices were made before it."""

    choice: Word
    number: Annotated[int, Meta(ge=0, le=1000)]
    idempotency_key: Key | None = None


class History(msgspec.Struct):
    """A page of rounds, newest first; `next` asks for the page after it."""

    rounds: list[RoundSummary]
    next: str | None
