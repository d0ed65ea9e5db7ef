"""All that the books say of one round, for whoever has to settle a dispute about it."""

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused, shown
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import acts, calls, events, players, rounds, streams, transfers

_ROUND = (
    select(
        rounds.c.table_id.label("table"),
        rounds.c.table_version,
        rounds.c.game,
        rounds.c.state,
        rounds.c.opened_at,
        rounds.c.closed_at,
        rounds.c.staked,
        rounds.c.returned,
        rounds.c.seats,
        rounds.c.log,
        rounds.c.nonce,
        rounds.c.client_seeds,
        streams.c.commitment,
        streams.c.revealed_at,
        players.c.id.label("player"),
        players.c.name.label("player_name"),
        players.c.wallet,
    )
    .join(streams, streams.c.id == rounds.c.stream_id)
    .join(players, players.c.id == streams.c.player_id)
    .where(rounds.c.id == bindparam("round"))
)
_COLUMNS = [column.name for column in _ROUND.selected_columns]
_ACTS = (
    select(
        acts.c.at, acts.c.kind, acts.c.word, acts.c.staked, acts.c.balance, acts.c.chain, acts.c.event, events.c.hash
    )
    .outerjoin(events, (events.c.chain == acts.c.chain) & (events.c.number == acts.c.event))
    .where(acts.c.round_id == bindparam("round"))
    .order_by(acts.c.number)
)
_TRANSFERS = (
    select(transfers.c.at, transfers.c.kind, transfers.c.debit, transfers.c.credit, transfers.c.amount)
    .where(transfers.c.round_id == bindparam("round"))
    .order_by(transfers.c.key)
)
_CALLS = (
    select(calls.c.made_at, calls.c.kind, calls.c.id, calls.c.amount, calls.c.state, calls.c.attempts)
    .where(calls.c.round_id == bindparam("round"))
    .order_by(calls.c.id)
)


class DisputedAct(msgspec.Struct, frozen=True):
    """What the player did, what it cost, the balance after it, and the sealed event that tells of it."""

    at: int
    kind: str
    word: str
    staked: int
    balance: int
    chain: str | None
    event: int | None
    seal: str | None


class DisputedTransfer(msgspec.Struct, frozen=True):
    """Money that moved."""

    at: int
    kind: str
    debit: str
    credit: str
    amount: int


class DisputedCall(msgspec.Struct, frozen=True):
    """A call to the operator's wallet; `id` is the transaction in the operator's own books."""

    made_at: int
    kind: str
    id: str
    amount: int
    state: str
    attempts: int


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """A round as the books have it. `log` has the cards and choices of a closed round."""

    round: str
    table: str
    table_version: int
    game: str
    state: str
    opened_at: int
    closed_at: int | None
    staked: int
    returned: int | None
    seats: msgspec.Raw
    log: msgspec.Raw | None
    nonce: int
    client_seeds: msgspec.Raw
    commitment: str
    revealed_at: int | None
    player: str
    player_name: str
    wallet: str
    acts: list[DisputedAct]
    transfers: list[DisputedTransfer]
    calls: list[DisputedCall]


def dispute(tx: Tx, round_id: str) -> Dispute:
    """All that the books say of a round."""
    row = tx.one(_ROUND, {"round": round_id})
    if row is None:
        raise Refused("unknown-round", f"there is no round {shown(round_id)} in these books; give the id of a round")
    values = dict(zip(_COLUMNS, row, strict=True))
    for name in ("seats", "log", "client_seeds"):
        values[name] = msgspec.Raw(values[name].encode()) if values[name] is not None else None
    asked = {"round": round_id}
    return Dispute(
        **values,
        round=round_id,
        acts=[DisputedAct(*act) for act in tx.all(_ACTS, asked)],
        transfers=[DisputedTransfer(*moved) for moved in tx.all(_TRANSFERS, asked)],
        calls=[DisputedCall(*call) for call in tx.all(_CALLS, asked)],
    )
