"""Rounds as the audit reads them: page by page, in the order of their cards, each with its acts and transfers."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, bindparam, select, tuple_

from pairhouse.house.store.database import Tx
from pairhouse.house.store.rows import ActRow
from pairhouse.house.store.schema import acts, players, rounds, seated, shoes, sittings, streams, transfers
from pairhouse.house.store.statements import ForEach

PAGE = 500

_first_act = acts.alias("first_act")
_position = (rounds.c.stream_id, rounds.c.nonce, rounds.c.first_card, rounds.c.id)
_ROUNDS = (
    select(
        rounds.c.id,
        rounds.c.table_id,
        rounds.c.table_version,
        rounds.c.game,
        rounds.c.options,
        rounds.c.rules_hash,
        rounds.c.stream_id,
        rounds.c.nonce,
        rounds.c.client_seeds,
        rounds.c.first_card,
        rounds.c.seats,
        rounds.c.state,
        rounds.c.opened_at,
        rounds.c.closed_at,
        rounds.c.staked,
        rounds.c.returned,
        rounds.c.log,
        rounds.c.result,
        _first_act.c.player_id,
        players.c.wallet,
        seated.c.seats,
        seated.c.game,
        sittings.c.player_id,
        sittings.c.table_id,
        streams.c.player_id,
        streams.c.table_id,
        streams.c.sealed_seed,
        streams.c.nonce,
        streams.c.client_seed,
        shoes.c.rules_hash,
        shoes.c.client_seed,
        shoes.c.dealt,
        shoes.c.last_round,
        shoes.c.finished,
    )
    .outerjoin(_first_act, (_first_act.c.round_id == rounds.c.id) & (_first_act.c.number == 0))
    .outerjoin(players, players.c.id == _first_act.c.player_id)
    .outerjoin(seated, (seated.c.player_id == _first_act.c.player_id) & (seated.c.round_id == rounds.c.id))
    .outerjoin(sittings, sittings.c.round_id == rounds.c.id)
    .outerjoin(streams, streams.c.id == rounds.c.stream_id)
    .outerjoin(shoes, (shoes.c.stream_id == rounds.c.stream_id) & (shoes.c.nonce == rounds.c.nonce))
    .where(tuple_(*_position) > tuple_(*(bindparam(f"after_{n}") for n in range(4))))
    .order_by(*_position)
    .limit(PAGE)
)
_round_ids: list[Any] = [
    bindparam(f"round_{n}") for n in range(PAGE)
]  # one statement for all pages; a short page is padded
_ACTS = select(acts).where(acts.c.round_id.in_(_round_ids)).order_by(acts.c.round_id, acts.c.number)
MOVES_MAX = 16  # read for one act, which has four at most; any beyond are found when all transfers are counted


def _transfers(keys: Any) -> Select[Any]:
    found = keys.join(transfers, transfers.c.key == keys.c.name)
    columns = (transfers.c.round_id, transfers.c.key, transfers.c.kind, transfers.c.debit, transfers.c.credit)
    return select(*columns, transfers.c.amount, transfers.c.at).select_from(found)


# Found by their keys, which begin with their acts: an index by round would cost every bet a write, for the audit alone.
_TRANSFERS = ForEach(("name",), _transfers)


def transfer_prefix(act: ActRow) -> str:
    """What the keys of an act's transfers begin with."""
    return f"{act.round_id}:{'void' if act.kind == 'void' else act.number}"


class JoinedRound(NamedTuple):
    """A round with its owner, seat, sitting, stream and shoe, as far as they exist."""

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
    state: str
    opened_at: int
    closed_at: int | None
    staked: int
    returned: int | None
    log: str | None
    result: str | None
    owner: str | None
    wallet: str | None
    seated_seats: str | None
    seated_game: str | None
    sitting_player: str | None
    sitting_table: str | None
    stream_player: str | None
    stream_table: str | None
    sealed_seed: bytes | None
    stream_nonce: int
    stream_client_seed: str
    shoe_rules: str | None
    shoe_client_seed: str | None
    shoe_dealt: int
    shoe_last_round: int
    shoe_finished: int


Move = tuple[str, str, str, int]  # kind, debit, credit, amount


class AuditedRound(NamedTuple):
    """A round with its acts in order, and its transfers by key: each move and when it was made."""

    row: JoinedRound
    acts: list[ActRow]
    moves: dict[str, tuple[Move, int]]


def pages_of_rounds(tx: Tx) -> Iterator[list[AuditedRound]]:
    """Every round, in the order of streams, nonces and cards."""
    after: tuple[Any, ...] = ("", -1, -1, "")
    while found := tx.all(_ROUNDS, {f"after_{n}": value for n, value in enumerate(after)}):
        page = [AuditedRound(JoinedRound._make(row), [], {}) for row in found]
        by_id = {audited.row.id: audited for audited in page}
        ids = [audited.row.id for audited in page] + [""] * (PAGE - len(page))
        for act in map(ActRow._make, tx.all(_ACTS, {f"round_{n}": round_id for n, round_id in enumerate(ids)})):
            by_id[act.round_id].acts.append(act)
        prefixes = [transfer_prefix(act) for audited in page for act in audited.acts]
        keys = [(f"{prefix}:{n}",) for prefix in prefixes for n in range(MOVES_MAX)]
        for round_id, key, kind, debit, credit, amount, at in tx.all(
            _TRANSFERS, {"items": msgspec.json.encode(keys).decode()}
        ):
            if key.startswith(f"{round_id}:"):
                by_id[round_id].moves[key] = ((kind, debit, credit, amount), at)
        yield page
        last = page[-1].row
        after = (last.stream_id, last.nonce, last.first_card, last.id)
