"""A player's history: open rounds, past rounds and totals, of tables of their own and of live ones."""

from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, func, select

from pairhouse.house.bank import paid_so_far
from pairhouse.house.free_bets import FREE_STAKED, NOT_PAID
from pairhouse.house.live.live_history import OwnLiveRound, own_live_rounds
from pairhouse.house.store.database import Tx
from pairhouse.house.store.free_bet_schema import free_stakes
from pairhouse.house.store.ids import first_id
from pairhouse.house.store.live_schema import live_rounds, live_slips
from pairhouse.house.store.schema import acts, rounds, seated, sittings
from pairhouse.rounds.round_view import VOID, FreeBetUse, RoundSummary, at_text

_ACTS_MADE = select(func.count()).where(acts.c.round_id == rounds.c.id).scalar_subquery()
_OPEN_ROUNDS = (
    select(rounds.c.id, rounds.c.table_id, rounds.c.game, rounds.c.opened_at, rounds.c.staked, FREE_STAKED, _ACTS_MADE)
    .join(sittings, sittings.c.round_id == rounds.c.id)
    .outerjoin(free_stakes, free_stakes.c.round_id == rounds.c.id)
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
    free_stakes.c.staked,
    free_stakes.c.given_back,
    free_stakes.c.not_paid,
)
_PAGE = (
    select(*_SUMMARY_COLUMNS)
    .join(seated, seated.c.round_id == rounds.c.id)
    .outerjoin(free_stakes, free_stakes.c.round_id == rounds.c.id)
    .where(
        seated.c.player_id == bindparam("player"),
        seated.c.round_id < bindparam("before"),
        seated.c.round_id >= bindparam("since"),
    )
    .order_by(seated.c.round_id.desc())
    .limit(bindparam("most"))
)
_PAGE_OF_GAME = _PAGE.where(seated.c.game == bindparam("game"))
_PAGE_OF_TABLE = _PAGE.where(rounds.c.table_id == bindparam("table"))
_CLOSED = (
    select(
        rounds.c.id,
        rounds.c.game,
        rounds.c.options,
        rounds.c.rules_hash,
        rounds.c.state,
        rounds.c.staked,
        rounds.c.returned,
        rounds.c.seats,
        rounds.c.result,
    )
    .join(seated, seated.c.round_id == rounds.c.id)
    .where(
        seated.c.player_id == bindparam("player"),
        seated.c.round_id < bindparam("before"),
        seated.c.round_id >= bindparam("since"),
        rounds.c.state != "open",
    )
    .order_by(seated.c.round_id.desc())
    .limit(bindparam("most"))
)
_CLOSED_OF_GAME = _CLOSED.where(seated.c.game == bindparam("game"))
_TOTALS = (
    select(
        func.count(),
        func.coalesce(func.sum(rounds.c.staked - FREE_STAKED), 0),
        func.coalesce(func.sum(rounds.c.returned - NOT_PAID), 0),
    )
    .join(seated, seated.c.round_id == rounds.c.id)
    .outerjoin(free_stakes, free_stakes.c.round_id == rounds.c.id)
    .where(
        seated.c.player_id == bindparam("player"),
        seated.c.round_id >= bindparam("since"),
        seated.c.round_id < bindparam("until"),
        rounds.c.state != "open",
    )
)
_LIVE_TOTALS = (
    select(
        func.count(),
        func.coalesce(func.sum(live_slips.c.staked), 0),
        func.coalesce(func.sum(live_slips.c.returned), 0),
    )
    .join(live_rounds, live_rounds.c.id == live_slips.c.round_id)
    .where(
        live_slips.c.player_id == bindparam("player"),
        live_slips.c.round_id >= bindparam("opened_since"),
        live_rounds.c.closed_at >= bindparam("closed_since"),
        live_rounds.c.closed_at < bindparam("closed_until"),
    )
)
QUIET_MS = 30 * 24 * 3_600_000  # so long a live table may have waited for its first bet
_CALLED_OFF = (
    select(rounds.c.id, rounds.c.table_id, rounds.c.game, acts.c.word, acts.c.at, rounds.c.returned)
    .join(acts, acts.c.round_id == rounds.c.id)
    .where(acts.c.player_id == bindparam("player"), acts.c.key >= "void:", acts.c.key < "void;")
    .order_by(acts.c.key.desc())
    .limit(bindparam("most"))
)
AFTER_EVERY_ID = "Z" * 27


class OpenRoundSummary(msgspec.Struct, frozen=True):
    """An open round, as a line of a list; `held` is what of the player's own stakes is not decided yet."""

    id: str
    table: str
    game: str
    opened_at: str
    staked: int
    held: int


def open_rounds(tx: Tx, player_id: str) -> list[OpenRoundSummary]:
    """The rounds a player has open, at any table."""
    found = []
    for i, table, game, at, staked, free, made in tx.all(_OPEN_ROUNDS, {"player": player_id}):
        decided, _ = paid_so_far(tx, i, made)
        found.append(OpenRoundSummary(i, table, game, at_text(at), staked, staked - free - decided))
    return found


class CalledOff(NamedTuple):
    """A round that was called off, and why."""

    id: str
    table: str
    game: str
    reason: str
    at: int
    returned: int


def called_off(tx: Tx, player_id: str, limit: int) -> list[CalledOff]:
    """A player's last rounds that were called off, newest first; found by the keys of their acts."""
    return [CalledOff._make(row) for row in tx.all(_CALLED_OFF, {"player": player_id, "most": limit})]


def totals_between(tx: Tx, player_id: str, since: int, until: int | None = None) -> tuple[int, int, int]:
    """Rounds opened in this time and closed, live ones too: how many, and the player's own stakes and returns.

    A live round is its table's, which may have waited for bets since long before the player came: it counts when it is
    closed.
    """
    last = first_id(until) if until is not None else AFTER_EVERY_ID
    private = tx.one(_TOTALS, {"player": player_id, "since": first_id(since), "until": last})
    at = {"closed_since": since, "closed_until": until if until is not None else 2**62}
    live = tx.one(_LIVE_TOTALS, {"player": player_id, "opened_since": first_id(max(0, since - QUIET_MS)), **at})
    assert private is not None
    assert live is not None
    count, staked, returned = (int(here) + int(there) for here, there in zip(private, live, strict=True))
    return count, staked, returned


class Period(NamedTuple):
    """From a time until before another, in milliseconds; without an end where that is None."""

    since: int = 0
    until: int | None = None

    @property
    def bounds(self) -> dict[str, str]:
        """The ids of rounds between them: ids are sorted by time."""
        return {
            "since": first_id(self.since),
            "before": first_id(self.until) if self.until is not None else AFTER_EVERY_ID,
        }


class ClosedRound(NamedTuple):
    """A closed round with what its statistics need."""

    id: str
    game: str
    options: str
    rules_hash: str
    state: str
    staked: int
    returned: int
    seats: str
    result: str


def closed_rounds(
    tx: Tx, player_id: str, game: str | None, period: Period, limit: int, live_limit: int
) -> tuple[list[ClosedRound], bool]:
    """A player's last closed rounds of a period, newest first, and whether these are all.

    Live rounds are played again from their entries to know what they came to, so fewer of them are taken.
    """
    params: dict[str, Any] = {"player": player_id, "most": limit + 1, **period.bounds}
    rows = tx.all(_CLOSED, params) if game is None else tx.all(_CLOSED_OF_GAME, {**params, "game": game})
    at_live = own_live_rounds(tx, _live_page(player_id, period, None, live_limit + 1), game=game, table=None)
    live = [_closed_live(one) for one in at_live if one.summary.returned is not None]
    is_all = len(rows) <= limit and len(at_live) <= live_limit
    found = sorted([*map(ClosedRound._make, rows[:limit]), *live[:live_limit]], reverse=True)
    return found[:limit], is_all and len(found) <= limit


def _closed_live(one: OwnLiveRound) -> ClosedRound:
    line = one.summary
    seats, result = msgspec.json.encode([one.stakes]).decode(), msgspec.json.encode(line.wagers).decode()
    state = line.state if any(wager["returned"] is not None for wager in line.wagers[0].values()) else VOID
    return ClosedRound(
        line.id, line.game, one.options, one.rules_hash, state, line.staked, line.returned or 0, seats, result
    )


def _live_page(player_id: str, period: Period, before: str | None, limit: int) -> dict[str, Any]:
    """What a page of live rounds is asked with: closed in the period, opened at most `QUIET_MS` before it."""
    return {
        "player": player_id,
        "before": before or AFTER_EVERY_ID,
        "opened_since": first_id(max(0, period.since - QUIET_MS)),
        "closed_since": period.since,
        "closed_until": period.until if period.until is not None else 2**62,
        "most": limit,
    }


def past_rounds(
    tx: Tx,
    player_id: str,
    *,
    game: str | None,
    table: str | None,
    before: str | None,
    limit: int,
    period: Period = Period(),  # noqa: B008  (it never changes)
) -> list[RoundSummary]:
    """A page of a player's rounds, newest first. It costs the same however long the history is."""
    at_live = own_live_rounds(tx, _live_page(player_id, period, before, limit), game=game, table=table)
    params: dict[str, Any] = {"player": player_id, "most": limit, **period.bounds}
    params["before"] = min(before or AFTER_EVERY_ID, params["before"])
    if table is not None:
        rows = tx.all(_PAGE_OF_TABLE, {**params, "table": table})
    elif game is not None:
        rows = tx.all(_PAGE_OF_GAME, {**params, "game": game})
    else:
        rows = tx.all(_PAGE, params)
    found = [_summary(row) for row in rows]
    found = found if game is None else [summary for summary in found if summary.game == game]
    both = sorted([*found, *(one.summary for one in at_live)], key=lambda line: line.id, reverse=True)
    return both[:limit]


def _summary(row: tuple[Any, ...]) -> RoundSummary:
    round_id, game, table, state, opened_at, closed_at, staked, returned, result, seats, *free = row
    if result is not None:
        wagers = msgspec.json.decode(result)
    else:
        placed = msgspec.json.decode(seats)
        wagers = [{name: {"stake": s, "returned": None, "row": None} for name, s in seat.items()} for seat in placed]
    summary = RoundSummary(
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
    return summary if free[0] is None else _with_free(summary, *free)


def _with_free(summary: RoundSummary, staked: int, given_back: int, not_paid: int) -> RoundSummary:
    if summary.returned is None:
        return msgspec.structs.replace(summary, free=FreeBetUse(staked, None, None))
    paid = summary.returned - not_paid
    net = paid - (summary.staked - staked)
    return msgspec.structs.replace(summary, free=FreeBetUse(staked, given_back, paid), net=net)
