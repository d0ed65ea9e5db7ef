"""All that the books say of a round that people shared: its slips, and every sealed event that names it."""

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused
from pairhouse.house.live.closed_rounds import live_round_record
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_rounds, live_slips
from pairhouse.house.store.schema import events, players
from pairhouse.rounds.live_record import LiveRecord

_ROUND = select(
    live_rounds.c.table_id,
    live_rounds.c.game,
    live_rounds.c.options,
    live_rounds.c.state,
    live_rounds.c.opened_at,
    live_rounds.c.closed_at,
    live_rounds.c.commitment,
).where(live_rounds.c.id == bindparam("round"))
_SLIPS = (
    select(
        live_slips.c.seat,
        live_slips.c.player_id,
        players.c.name,
        players.c.wallet,
        live_slips.c.staked,
        live_slips.c.decided,
        live_slips.c.returned,
    )
    .join(players, players.c.id == live_slips.c.player_id)
    .where(live_slips.c.round_id == bindparam("round"))
    .order_by(live_slips.c.seat)
)
_EVENTS = (
    select(events.c.at, events.c.chain, events.c.number, events.c.kind, events.c.hash, events.c.body)
    .where(events.c.at >= bindparam("since"), events.c.body.contains(bindparam("round")))
    .order_by(events.c.at, events.c.chain, events.c.number)
)


class DisputedSlip(msgspec.Struct, frozen=True):
    """What somebody had in the round: all stakes, those that are decided, and what came back."""

    seat: int
    player: str
    name: str
    wallet: str
    staked: int
    decided: int
    returned: int


class DisputedEvent(msgspec.Struct, frozen=True):
    """Something that happened, as it was sealed: an entry of the table with its transfers, a call, a correction."""

    at: int
    chain: str
    event: int
    kind: str
    seal: str
    says: msgspec.Raw


class LiveDispute(msgspec.Struct, frozen=True):
    """A round of a live table as the books have it; `record` has the cards and choices of one that was paid."""

    round: str
    table: str
    game: str
    options: msgspec.Raw
    state: str
    opened_at: int
    closed_at: int | None
    commitment: str
    slips: list[DisputedSlip]
    events: list[DisputedEvent]
    record: LiveRecord | None


def live_dispute(tx: Tx, round_id: str) -> LiveDispute | None:
    """All that the books say of a round of a live table; None if it was at none. It reads all events since then."""
    row = tx.one(_ROUND, {"round": round_id})
    if row is None:
        return None
    table, game, options, state, opened_at, closed_at, commitment = row
    asked = {"since": opened_at, "round": round_id}
    return LiveDispute(
        round=round_id,
        table=table,
        game=game,
        options=msgspec.Raw(options.encode()),
        state=state,
        opened_at=opened_at,
        closed_at=closed_at,
        commitment=commitment,
        slips=[DisputedSlip(*slip) for slip in tx.all(_SLIPS, asked)],
        events=[
            DisputedEvent(at, chain, number, kind, seal, msgspec.Raw(body.encode()))
            for at, chain, number, kind, seal, body in tx.all(_EVENTS, asked)
        ],
        record=_record(tx, round_id),
    )


def _record(tx: Tx, round_id: str) -> LiveRecord | None:
    try:
        return live_round_record(tx, round_id)
    except Refused:  # it is open or void, or the rules are no longer those it was dealt by
        return None
