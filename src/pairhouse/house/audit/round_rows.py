"""Rounds as the audit reads them: page by page, in the order of their cards, each with its acts and transfers."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, bindparam, select, tuple_

from pairhouse.house.store.database import Tx
from pairhouse.house.store.free_bet_schema import free_bets, free_stakes
from pairhouse.house.store.rows import ActRow
from pairhouse.house.store.schema import acts, events, players, rounds, seated, shoes, sittings, streams, transfers
from pairhouse.house.store.statements import ForEach

PAGE = 500
AFTER_ALL = 2**62  # a nonce that no stream comes to
ACT_COLUMNS = len(ActRow.__struct_fields__)

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
        rounds.c.meter,
        rounds.c.state,
        rounds.c.opened_at,
        rounds.c.closed_at,
        rounds.c.staked,
        rounds.c.returned,
        rounds.c.log,
        rounds.c.result,
        streams.c.player_id,
        players.c.wallet,
        seated.c.seats,
        seated.c.game,
        sittings.c.player_id,
        sittings.c.table_id,
        streams.c.table_id,
        streams.c.sealed_seed,
        streams.c.nonce,
        streams.c.client_seed,
        shoes.c.rules_hash,
        shoes.c.client_seed,
        shoes.c.dealt,
        shoes.c.last_round,
        shoes.c.finished,
        free_stakes.c.free_bet,
        free_stakes.c.player_id,
        free_stakes.c.staked,
        free_stakes.c.given_back,
        free_stakes.c.not_paid,
        free_bets.c.player_id,
        free_bets.c.stake_returned,
    )
    .outerjoin(streams, streams.c.id == rounds.c.stream_id)
    .outerjoin(players, players.c.id == streams.c.player_id)
    .outerjoin(seated, (seated.c.player_id == streams.c.player_id) & (seated.c.round_id == rounds.c.id))
    .outerjoin(sittings, sittings.c.round_id == rounds.c.id)
    .outerjoin(shoes, (shoes.c.stream_id == rounds.c.stream_id) & (shoes.c.nonce == rounds.c.nonce))
    .outerjoin(free_stakes, free_stakes.c.round_id == rounds.c.id)
    .outerjoin(free_bets, free_bets.c.id == free_stakes.c.free_bet)
    .where(
        tuple_(*_position) > tuple_(*(bindparam(f"after_{n}") for n in range(4))),
        rounds.c.stream_id <= bindparam("last_stream"),
    )
    .order_by(*_position)
    .limit(PAGE)
)
_round_ids: list[Any] = [
    bindparam(f"round_{n}") for n in range(PAGE)
]  # one statement for all pages; a short page is padded
_ACTS = (
    select(acts, events.c.at, events.c.kind, events.c.body)
    .outerjoin(events, (events.c.chain == acts.c.chain) & (events.c.number == acts.c.event))
    .where(acts.c.round_id.in_(_round_ids))
    .order_by(acts.c.round_id, acts.c.number)
)
FREE_MOVES_MAX = (
    7  # read for an act with a free bet, or when a transfer too many is looked for: others have four at most
)


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
    """A round with its stream, whose player owns it, its seat, sitting, shoe and free bet, as far as they exist."""

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
    owner: str | None
    wallet: str | None
    seated_seats: str | None
    seated_game: str | None
    sitting_player: str | None
    sitting_table: str | None
    stream_table: str | None
    sealed_seed: bytes | None
    stream_nonce: int
    stream_client_seed: str
    shoe_rules: str | None
    shoe_client_seed: str | None
    shoe_dealt: int | None
    shoe_last_round: int | None
    shoe_finished: int | None
    free_bet: str | None
    free_player: str | None
    free_staked: int | None
    free_given_back: int | None
    free_not_paid: int | None
    free_bet_player: str | None
    free_stake_returned: int | None


Move = tuple[str, str, str, int]  # kind, debit, credit, amount


class ActEvent(NamedTuple):
    """The event that an act names, as far as it exists: its time, kind and body."""

    at: int | None
    kind: str | None
    body: str | None


class AuditedRound(NamedTuple):
    """A round with its acts in order, their events, and its transfers by key: each move and when it was made."""

    row: JoinedRound
    acts: list[ActRow]
    events: list[ActEvent]
    moves: dict[str, tuple[Move, int]]


class StreamRange(NamedTuple):
    """The rounds of the streams after `first` (not included) up to `last`, a part of all rounds."""

    first: str
    last: str


EVERY_STREAM = StreamRange("", "~")  # ids are digits and capital letters


def _moves_expected(row: JoinedRound, act: ActRow) -> int:
    """How many transfers an act can have: its stake, what was taken and paid with it, and what the meter was fed."""
    if row.free_bet is not None:
        return FREE_MOVES_MAX
    return 4 if act.kind == "void" or '"meter"' in (row.log or "") else 3


def pages_of_rounds(
    tx: Tx, part: StreamRange = EVERY_STREAM, *, with_others: bool = False
) -> Iterator[list[AuditedRound]]:
    """Every round of these streams, in the order of streams, nonces and cards.

    The transfers that a round can have are looked up, and `with_others` also some that it cannot have: the audit counts
    all transfers in the end, and looks for those only when there are too many.
    """
    after: tuple[Any, ...] = (part.first, AFTER_ALL if part.first else -1, -1, "")
    while found := tx.all(
        _ROUNDS, {"last_stream": part.last, **{f"after_{n}": value for n, value in enumerate(after)}}
    ):
        page = [AuditedRound(JoinedRound._make(row), [], [], {}) for row in found]
        by_id = {audited.row.id: audited for audited in page}
        ids = [audited.row.id for audited in page] + [page[-1].row.id] * (PAGE - len(page))
        for row in tx.all(_ACTS, {f"round_{n}": round_id for n, round_id in enumerate(ids)}):
            audited = by_id[row[0]]
            audited.acts.append(ActRow(*row[:ACT_COLUMNS]))
            audited.events.append(ActEvent._make(row[ACT_COLUMNS:]))
        keys = []
        for audited in page:
            for act in audited.acts:
                count = FREE_MOVES_MAX if with_others else _moves_expected(audited.row, act)
                prefix = transfer_prefix(act)
                keys += [(f"{prefix}:{n}",) for n in range(count)]
        for round_id, key, kind, debit, credit, amount, at in tx.all(
            _TRANSFERS, {"items": msgspec.json.encode(keys).decode()}
        ):
            if key.startswith(f"{round_id}:"):
                by_id[round_id].moves[key] = ((kind, debit, credit, amount), at)
        yield page
        last = page[-1].row
        after = (last.stream_id, last.nonce, last.first_card, last.id)
