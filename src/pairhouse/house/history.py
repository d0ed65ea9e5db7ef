"""A player's history: open rounds, past rounds and totals."""

from typing import Any

import msgspec
from sqlalchemy import bindparam, func, select

from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import first_id
from pairhouse.house.store.schema import rounds, seated, sittings
from pairhouse.rounds.round_view import RoundSummary, at_text

_OPEN_ROUNDS = (
    select(rounds.c.id, rounds.c.table_id, rounds.c.game, rounds.c.opened_at, rounds.c.staked)
    .join(sittings, sittings.c.round_id == rounds.c.id)
    .where(sittings.c.player_id == bindparam("player"))
    .order_by(rounds.c.id)
)
_SUMMARY_COLUMNS = (
    rounds.c.id,
    rounds.c.game,
    rounds.c.table_id,
    rounds.c.state,
    rounds.c.opened_at,
    rounds.c.closed_at,
    rounds.c.staked,
    rounds.c.returned,
    rounds.c.result,
    rounds.c.seats,
)
_PAGE = (
    select(*_SUMMARY_COLUMNS)
    .join(seated, seated.c.round_id == rounds.c.id)
    .where(seated.c.player_id == bindparam("player"), seated.c.round_id < bindparam("before"))
    .order_by(seated.c.round_id.desc())
    .limit(bindparam("most"))
)
_PAGE_OF_GAME = _PAGE.where(seated.c.game == bindparam("game"))
_PAGE_OF_TABLE = _PAGE.where(rounds.c.table_id == bindparam("table"))
_TOTALS = (
    select(func.count(), func.coalesce(func.sum(rounds.c.staked), 0), func.coalesce(func.sum(rounds.c.returned), 0))
    .join(seated, seated.c.round_id == rounds.c.id)
    .where(
        seated.c.player_id == bindparam("player"),
        seated.c.round_id >= bindparam("since"),
        seated.c.round_id < bindparam("until"),
        rounds.c.state != "open",
    )
)
AFTER_EVERY_ID = "Z" * 27


class OpenRoundSummary(msgspec.Struct, frozen=True):
    """An open round, as a line of a list."""

    id: str
    table: str
    game: str
    opened_at: str
    staked: int


def open_rounds(tx: Tx, player_id: str) -> list[OpenRoundSummary]:
    """The rounds a player has open, at any table."""
    rows = tx.all(_OPEN_ROUNDS, {"player": player_id})
    return [OpenRoundSummary(i, table, game, at_text(at), staked) for i, table, game, at, staked in rows]


def totals_between(tx: Tx, player_id: str, since: int, until: int | None = None) -> tuple[int, int, int]:
    """Closed rounds opened from `since` until before `until`: how many, all that was staked, all that was returned."""
    last = first_id(until) if until is not None else AFTER_EVERY_ID
    row = tx.one(_TOTALS, {"player": player_id, "since": first_id(since), "until": last})
    assert row is not None
    count, staked, returned = row
    return int(count), int(staked), int(returned)


def past_rounds(
    tx: Tx, player_id: str, *, game: str | None, table: str | None, before: str | None, limit: int
) -> list[RoundSummary]:
    """A page of a player's rounds, newest first. It costs the same however long the history is."""
    params: dict[str, Any] = {"player": player_id, "before": before or AFTER_EVERY_ID, "most": limit}
    if table is not None:
        rows = tx.all(_PAGE_OF_TABLE, {**params, "table": table})
    elif game is not None:
        rows = tx.all(_PAGE_OF_GAME, {**params, "game": game})
    else:
        rows = tx.all(_PAGE, params)
    found = [_summary(row) for row in rows]
    return found if game is None else [summary for summary in found if summary.game == game]


def _summary(row: tuple[Any, ...]) -> RoundSummary:
    round_id, game, table, state, opened_at, closed_at, staked, returned, result, seats = row
    if result is not None:
        wagers = msgspec.json.decode(result)
    else:
        placed = msgspec.json.decode(seats)
        wagers = [{name: {"stake": s, "returned": None, "row": None} for name, s in seat.items()} for seat in placed]
    return RoundSummary(
        id=round_id,
        game=game,
        table=table,
        state=state,
        opened_at=at_text(opened_at),
        closed_at=at_text(closed_at) if closed_at is not None else None,
        staked=staked,
        returned=returned,
        net=returned - staked if returned is not None else None,
        wagers=wagers,
    )
