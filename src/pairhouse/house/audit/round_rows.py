"""Rounds as the audit reads them: page by page in the order of their cards, with all that belongs to each."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, bindparam, select, tuple_

from pairhouse.house.store.database import ForEach, Tx
from pairhouse.house.store.schema import acts, players, rounds, seated, shoes, sittings, streams, transfers

PAGE = 500

_first_act = acts.alias("first_act")
_place = (rounds.c.stream_id, rounds.c.nonce, rounds.c.first_card, rounds.c.id)
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
    .where(tuple_(*_place) > tuple_(*(bindparam(f"after_{n}") for n in range(4))))
    .order_by(*_place)
    .limit(PAGE)
)
_names: list[Any] = [bindparam(f"round_{n}") for n in range(PAGE)]  # one text for every page, short pages filled up
_ACTS = (
    select(
        acts.c.round_id,
        acts.c.number,
        acts.c.player_id,
        acts.c.key,
        acts.c.body_hash,
        acts.c.kind,
        acts.c.word,
        acts.c.at,
        acts.c.staked,
        acts.c.balance,
    )
    .where(acts.c.round_id.in_(_names))
    .order_by(acts.c.round_id, acts.c.number)
)
MOVES_MAX = 16  # of one act; it has four at most, and whatever is beyond these is missed when all are counted


def _transfers(asked: Any) -> Select[Any]:
    found = (transfers.c.round_id, transfers.c.key, transfers.c.kind, transfers.c.debit, transfers.c.credit)
    made = asked.join(transfers, transfers.c.key == asked.c.name)
    return select(asked.c.place, *found, transfers.c.amount, transfers.c.at).select_from(made)


# By their keys, which name their acts: an index by round would be written with every bet, for the audit alone.
_TRANSFERS = ForEach(("name",), _transfers)


class ActRow(NamedTuple):
    """One deed in a round."""

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

    @property
    def name(self) -> str:
        """What the keys of its transfers begin with."""
        return f"{self.round_id}:{'void' if self.kind == 'void' else self.number}"


class RoundRow(NamedTuple):
    """A round with its owner, seat, sitting, stream and shoe, as far as there are any."""

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


class WholeRound(NamedTuple):
    """A round with its acts in order, and its transfers by key: each move and when it was made."""

    row: RoundRow
    acts: list[ActRow]
    moves: dict[str, tuple[Move, int]]


def pages_of_rounds(tx: Tx) -> Iterator[list[WholeRound]]:
    """Every round, in the order of streams, nonces and cards."""
    after: tuple[Any, ...] = ("", -1, -1, "")
    while found := tx.all(_ROUNDS, {f"after_{n}": value for n, value in enumerate(after)}):
        page = [WholeRound(RoundRow._make(row), [], {}) for row in found]
        by_id = {whole.row.id: whole for whole in page}
        names = [whole.row.id for whole in page] + [""] * (PAGE - len(page))
        params = {f"round_{n}": name for n, name in enumerate(names)}
        for act in tx.all(_ACTS, params):
            by_id[act[0]].acts.append(ActRow._make(act))
        keys = [(f"{act.name}:{n}",) for whole in page for act in whole.acts for n in range(MOVES_MAX)]
        for _, round_id, key, kind, debit, credit, amount, at in tx.all(
            _TRANSFERS, {"asked": msgspec.json.encode(keys).decode()}
        ):
            if key.startswith(f"{round_id}:"):
                by_id[round_id].moves[key] = ((kind, debit, credit, amount), at)
        yield page
        last = page[-1].row
        after = (last.stream_id, last.nonce, last.first_card, last.id)
