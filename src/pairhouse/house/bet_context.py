"""Everything the books know about a bet that arrives, read for many bets at once by one query."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Select, exists, select

from pairhouse.core.errors import unknown
from pairhouse.house.bank import PLAYER
from pairhouse.house.care.records import CARE_COLUMNS, CareRecord, care_in
from pairhouse.house.dealer import SHOE_COLUMNS, STREAM_COLUMNS, ShoeRow, StreamRow, not_seated
from pairhouse.house.floor import OPEN, listed_ids
from pairhouse.house.people import SESSION_COLUMNS, Person, person_in
from pairhouse.house.store.database import Row
from pairhouse.house.store.live_schema import live_seats
from pairhouse.house.store.schema import (
    accounts,
    acts,
    care,
    games,
    players,
    sessions,
    shoes,
    sittings,
    streams,
    tables,
)
from pairhouse.house.store.statements import ForEach, slices_of
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.watch_schema import restrictions

_SITS_LIVE = exists().where(live_seats.c.player_id == players.c.id)
_PLAYER_COLUMNS = (accounts.c.balance, acts.c.round_id, sittings.c.round_id, restrictions.c.maximum, _SITS_LIVE)
_TABLE_COLUMNS = (
    tables.c.version,
    tables.c.options,
    tables.c.limits,
    tables.c.shuffle,
    tables.c.round_ms_min,
    tables.c.status,
    games.c.status,
)
_GROUPS = (SESSION_COLUMNS, STREAM_COLUMNS, SHOE_COLUMNS, _PLAYER_COLUMNS, _TABLE_COLUMNS, CARE_COLUMNS)
_SESSION, _STREAM, _SHOE, _PLAYER, _TABLE, _CARE = slices_of(*_GROUPS)
BET_PLAYER_ID = _SESSION.start  # where a row has the id of its player, or None


def _contexts(bets: Any) -> Select[Any]:
    """A row for each bet, with whatever of it exists. The shoe in use is the one of the last nonce taken."""
    joined = (
        bets.outerjoin(sessions, sessions.c.token_hash == bets.c.token)
        .outerjoin(players, players.c.id == sessions.c.player_id)
        .outerjoin(tables, tables.c.id == bets.c.at_table)
        .outerjoin(games, games.c.id == tables.c.game)
        .outerjoin(
            streams,
            (streams.c.player_id == players.c.id)
            & (streams.c.table_id == bets.c.at_table)
            & streams.c.revealed_at.is_(None),
        )
        .outerjoin(shoes, (shoes.c.stream_id == streams.c.id) & (shoes.c.nonce == streams.c.nonce - 1))
        .outerjoin(accounts, accounts.c.id == PLAYER + players.c.id)
        .outerjoin(acts, (acts.c.player_id == players.c.id) & (acts.c.key == bets.c.act_key))
        .outerjoin(sittings, (sittings.c.player_id == players.c.id) & (sittings.c.table_id == bets.c.at_table))
        .outerjoin(care, care.c.player_id == players.c.id)
        .outerjoin(
            restrictions, (restrictions.c.player_id == players.c.id) & (restrictions.c.table_id == bets.c.at_table)
        )
    )
    return select(bets.c.place, *(column for group in _GROUPS for column in group)).select_from(joined)


_CONTEXTS = ForEach(("token", "at_table", "act_key"), _contexts)


class BetContext(msgspec.Struct, frozen=True, gc=False):
    """What must be known to accept a bet.

    `table_version` includes all that a change can set: the number of a change that was rolled back is used again by the
    next change. `restriction` is the most this player may stake on a wager here, if that is less than others may.
    """

    person: Person
    table_version: tuple[int, str, str, str, int]
    is_open: bool
    balance: int
    stream: StreamRow | None
    shoe: ShoeRow | None
    known_key: bool
    open_round: str | None
    restriction: int | None
    sits_live: bool
    care: CareRecord

    def seat(self, table_id: str) -> StreamRow:
        """The stream in use, if the player sits at the table."""
        if self.stream is None:
            raise not_seated(table_id)
        return self.stream


def read_bet_contexts(tx: WriteTx, bets: Sequence[tuple[str, str, str]]) -> list[Row]:
    """A row of the books for each bet (hash of the token, table, key), in their order."""
    rows: list[Row] = [()] * len(bets)
    for row in tx.all(_CONTEXTS, {"items": msgspec.json.encode(bets).decode()}):
        rows[row[0]] = row
    return rows


def bet_context_in(tx: WriteTx, row: Row, token_hash: str, table_id: str) -> BetContext:
    """The context in a row, if the session has not ended, the player may play and there is such a table."""
    person = person_in(tx, row[_SESSION] if row[BET_PLAYER_ID] is not None else None, token_hash, tx.now)
    stream = StreamRow(*row[_STREAM]) if row[_STREAM.start] is not None else None
    shoe = ShoeRow(*row[_SHOE]) if row[_SHOE.start] is not None else None
    balance, act, open_round, restriction, sits_live = row[_PLAYER]
    version, options, limits, shuffle, round_ms_min, status, game_status = row[_TABLE]
    if version is None:
        raise unknown("table", table_id, listed_ids(tx))
    is_open = status == OPEN and game_status == OPEN
    table_version = (version, options, limits, shuffle, round_ms_min)
    known_key, cared = act is not None, care_in(row[_CARE])
    return BetContext(
        person,
        table_version,
        is_open,
        balance or 0,
        stream,
        shoe,
        known_key,
        open_round,
        restriction,
        bool(sits_live),
        cared,
    )


def bet_context(tx: WriteTx, token_hash: str, table_id: str, key: str) -> BetContext:
    """The context of a single bet."""
    row = read_bet_contexts(tx, [(token_hash, table_id, key)])[0]
    return bet_context_in(tx, row, token_hash, table_id)
