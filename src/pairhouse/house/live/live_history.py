"""A player's rounds at live tables, as lines of their history and for their statistics.

A live round is its table's, which may have waited for a first bet since long before the player came: it belongs to the
time at which it was closed. What its wagers came to is read from its entries, because slips hold sums only.
"""

from typing import Any

import msgspec
from sqlalchemy import bindparam, func, or_, select

from pairhouse.house.live.closed_rounds import own_live_round
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.live_schema import live_rounds, live_slips
from pairhouse.machines.events import BetRecord
from pairhouse.rounds.round_view import OPEN, RoundSummary, at_text

_SINCE = or_(live_rounds.c.closed_at.is_(None), live_rounds.c.closed_at >= bindparam("closed_since"))
_UNTIL = or_(live_rounds.c.closed_at.is_(None), live_rounds.c.closed_at < bindparam("closed_until"))
_PAGE = (
    select(
        live_rounds.c.id,
        live_rounds.c.game,
        live_rounds.c.table_id,
        live_rounds.c.state,
        live_rounds.c.opened_at,
        live_rounds.c.closed_at,
        live_rounds.c.options,
        live_rounds.c.rules_hash,
        live_slips.c.staked,
        live_slips.c.returned,
    )
    .join(live_rounds, live_rounds.c.id == live_slips.c.round_id)
    .where(
        live_slips.c.player_id == bindparam("player"),
        live_slips.c.round_id < bindparam("before"),
        live_slips.c.round_id >= bindparam("opened_since"),
        _SINCE,
        _UNTIL,
    )
    .order_by(live_slips.c.round_id.desc())
    .limit(bindparam("most"))
)
_PAGE_OF_GAME = _PAGE.where(live_rounds.c.game == bindparam("game"))
_PAGE_OF_TABLE = _PAGE.where(live_rounds.c.table_id == bindparam("table"))

_HELD = (
    select(func.coalesce(func.sum(live_slips.c.staked - live_slips.c.decided), 0))
    .join(live_rounds, live_rounds.c.id == live_slips.c.round_id)
    .where(live_slips.c.player_id == bindparam("player"), live_rounds.c.state == OPEN)
)


class OwnLiveRound(msgspec.Struct, frozen=True):
    """A round of a player at a live table: its line, its first stakes, and the rules it was dealt by."""

    summary: RoundSummary
    stakes: dict[str, int]
    options: str
    rules_hash: str


def own_live_rounds(tx: Tx, params: dict[str, Any], *, game: str | None, table: str | None) -> list[OwnLiveRound]:
    """A page of a player's live rounds, newest first: `before`, closed between two times, at most so many."""
    if table is not None:
        rows = tx.all(_PAGE_OF_TABLE, {**params, "table": table})
    elif game is not None:
        rows = tx.all(_PAGE_OF_GAME, {**params, "game": game})
    else:
        rows = tx.all(_PAGE, params)
    found = [_own(tx, params["player"], row) for row in rows]
    return found if game is None else [one for one in found if one.summary.game == game]


def held_at_live_tables(tx: Tx, player_id: str) -> int:
    """What of a player's stakes at live tables is not decided yet."""
    return int(tx.value(_HELD, {"player": player_id}))


def _own(tx: Tx, player_id: str, row: Row) -> OwnLiveRound:
    round_id, game, table, state, opened_at, closed_at, options, rules_hash, staked, returned = row
    stakes, results = own_live_round(tx, round_id, player_id)
    wagers = results or {name: BetRecord(stake=stake, returned=None, row=None) for name, stake in stakes.items()}
    is_open = state == OPEN
    summary = RoundSummary(
        id=round_id,
        game=game,
        table=table,
        state=state,
        opened_at=at_text(opened_at),
        closed_at=at_text(closed_at) if closed_at is not None else None,
        staked=staked,
        returned=None if is_open else returned,
        net=None if is_open else returned - staked,
        wagers=[wagers],
        live=True,
    )
    return OwnLiveRound(summary, stakes, options, rules_hash)
