"""Rows that every bet inserts, with a name for each value. Their fields are the columns of their tables, in order."""

import msgspec


class InsertedRow(msgspec.Struct, gc=False):
    """What all of them are. A record of this kind is made many times as fast as a named tuple."""


class RoundRow(InsertedRow):
    """A row of `rounds`."""

    id: str
    table_id: str
    table_version: int
    game: str
    options: str
    rules_hash: str
    stream_id: str
    nonce: int
    client_seeds: str
    first_card: int
    seats: str
    meter: str | None
    state: str
    opened_at: int
    closed_at: int | None
    staked: int
    returned: int | None
    log: str | None
    result: str | None


class SeatedRow(InsertedRow):
    """A row of `seated`."""

    player_id: str
    round_id: str
    seats: str
    game: str


class ActRow(InsertedRow):
    """A row of `acts`."""

    round_id: str
    number: int
    player_id: str
    key: str
    body_hash: str
    kind: str
    word: str
    at: int
    staked: int
    balance: int
    chain: str | None = None
    event: int | None = None


class TransferRow(InsertedRow):
    """A row of `transfers`."""

    key: str
    round_id: str | None
    kind: str
    debit: str
    credit: str
    amount: int
    at: int


class EventRow(InsertedRow):
    """A row of `events`."""

    chain: str
    number: int
    at: int
    kind: str
    body: str
    hash: str
