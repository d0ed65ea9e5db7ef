"""Who comes to bet, and all that a bet must ask of the books: found for many at once, in one reading."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, select

from pairhouse.core.errors import unknown
from pairhouse.house.bank import PLAYER
from pairhouse.house.floor import OPEN, table_ids
from pairhouse.house.people import SESSION_COLUMNS, Person, person_in
from pairhouse.house.seats import SHOE_COLUMNS, STREAM_COLUMNS, ShoeRow, StreamRow, not_seated
from pairhouse.house.store.database import ForEach, Row
from pairhouse.house.store.schema import accounts, acts, games, players, sessions, shoes, sittings, streams, tables
from pairhouse.house.store.transaction import WriteTx

_OF_SESSION, _OF_STREAM, _OF_SHOE = len(SESSION_COLUMNS), len(STREAM_COLUMNS), len(SHOE_COLUMNS)


def _arrivals(asked: Any) -> Select[Any]:
    """A row for each that is asked, whatever of it exists. The shoe in use is the one of the last nonce taken."""
    found = (
        asked.outerjoin(sessions, sessions.c.token_hash == asked.c.token)
        .outerjoin(players, players.c.id == sessions.c.player_id)
        .outerjoin(tables, tables.c.id == asked.c.at_table)
        .outerjoin(games, games.c.id == tables.c.game)
        .outerjoin(
            streams,
            (streams.c.player_id == players.c.id)
            & (streams.c.table_id == asked.c.at_table)
            & streams.c.revealed_at.is_(None),
        )
        .outerjoin(shoes, (shoes.c.stream_id == streams.c.id) & (shoes.c.nonce == streams.c.nonce - 1))
        .outerjoin(accounts, accounts.c.id == PLAYER + players.c.id)
        .outerjoin(acts, (acts.c.player_id == players.c.id) & (acts.c.key == asked.c.act_key))
        .outerjoin(sittings, (sittings.c.player_id == players.c.id) & (sittings.c.table_id == asked.c.at_table))
    )
    mine = (accounts.c.balance, acts.c.round_id, sittings.c.round_id)
    table = (tables.c.version, tables.c.limits, tables.c.status, games.c.status)
    columns = (*SESSION_COLUMNS, *STREAM_COLUMNS, *SHOE_COLUMNS, *mine, *table)
    return select(asked.c.place, *columns).select_from(found)


_ARRIVALS = ForEach(("token", "at_table", "act_key"), _arrivals)


class BetContext(NamedTuple):
    """A player who comes to a table to bet. The version of the table has its limits beside it: they name it surely."""

    person: Person
    table_version: tuple[int, str]
    is_open: bool
    balance: int
    stream: StreamRow | None
    shoe: ShoeRow | None
    known_key: bool
    open_round: str | None

    def seat(self, table_id: str) -> StreamRow:
        """The commitment in use, for a player who sits."""
        if self.stream is None:
            raise not_seated(table_id)
        return self.stream


def read_bet_contexts(tx: WriteTx, asked: Sequence[tuple[str, str, str]]) -> list[Row]:
    """What the books know of each (hash of the token, table, key), in their order."""
    rows: list[Row] = [()] * len(asked)
    for row in tx.all(_ARRIVALS, {"asked": msgspec.json.encode(asked).decode()}):
        rows[row[0]] = row
    return rows


def bet_context_in(tx: WriteTx, row: Row, token_hash: str, table_id: str) -> BetContext:
    """The arrival in a row, if the session is alive, the player may play and there is such a table."""
    end = 1 + _OF_SESSION
    person = person_in(tx, row[1:end] if row[1] is not None else None, token_hash, tx.now)
    stream = StreamRow._make(row[end : end + _OF_STREAM]) if row[end] is not None else None
    end += _OF_STREAM
    shoe = ShoeRow._make(row[end : end + _OF_SHOE]) if row[end] is not None else None
    balance, act, sitting, version, limits, status, game_status = row[end + _OF_SHOE :]
    if version is None:
        raise unknown("table", table_id, table_ids(tx))
    is_open = status == OPEN and game_status == OPEN
    return BetContext(person, (version, limits), is_open, balance or 0, stream, shoe, act is not None, sitting)


def bet_context(tx: WriteTx, token_hash: str, table_id: str, key: str) -> BetContext:
    """One player who comes to bet."""
    row = read_bet_contexts(tx, [(token_hash, table_id, key)])[0]
    return bet_context_in(tx, row, token_hash, table_id)
