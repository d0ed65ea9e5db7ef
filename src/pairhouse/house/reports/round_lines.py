"""Lines that are told from rounds: sessions, players, tables, wagers, open rounds and large wins.

Rounds are read page by page in the order a report needs, and added up as they pass.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, bindparam, select, tuple_

from pairhouse.house.free_bets import FREE_STAKED, NOT_PAID
from pairhouse.house.live.closed_rounds import closed_live_round
from pairhouse.house.reports.columns import Line, ReportPeriod
from pairhouse.house.store.database import Tx
from pairhouse.house.store.free_bet_schema import free_stakes
from pairhouse.house.store.ids import first_id
from pairhouse.house.store.live_schema import live_rounds, live_slips
from pairhouse.house.store.schema import players, rounds, seated, tables
from pairhouse.rounds.round_view import OPEN, SETTLED

PAGE = 2_000
PAUSE_MS = 30 * 60_000  # a longer one ends a session
_COLUMNS = (
    seated.c.player_id,
    rounds.c.id,
    players.c.name,
    players.c.wallet,
    rounds.c.table_id,
    rounds.c.game,
    rounds.c.state,
    rounds.c.opened_at,
    rounds.c.closed_at,
    rounds.c.staked - FREE_STAKED,
    rounds.c.returned - NOT_PAID,
)
_played = (
    seated.join(rounds, rounds.c.id == seated.c.round_id)
    .outerjoin(players, players.c.id == seated.c.player_id)
    .outerjoin(free_stakes, free_stakes.c.round_id == seated.c.round_id)
)
_in_period = (seated.c.round_id >= bindparam("since"), seated.c.round_id < bindparam("until"))
_BY_PLAYER = (
    select(*_COLUMNS)
    .select_from(_played)
    .where(*_in_period, tuple_(seated.c.player_id, seated.c.round_id) > tuple_(bindparam("player"), bindparam("round")))
    .order_by(seated.c.player_id, seated.c.round_id)
    .limit(PAGE)
)
_by_time = (
    rounds.join(seated, seated.c.round_id == rounds.c.id)
    .outerjoin(players, players.c.id == seated.c.player_id)
    .outerjoin(free_stakes, free_stakes.c.round_id == rounds.c.id)
)
_BY_TIME = (
    select(*_COLUMNS)
    .select_from(_by_time)
    .where(rounds.c.id > bindparam("round"), rounds.c.id >= bindparam("since"), rounds.c.id < bindparam("until"))
    .order_by(rounds.c.id)
    .limit(PAGE)
)
_RESULTS = (
    select(rounds.c.id, rounds.c.table_id, rounds.c.result)
    .where(
        rounds.c.id > bindparam("round"),
        rounds.c.id >= bindparam("since"),
        rounds.c.id < bindparam("until"),
        rounds.c.state == SETTLED,
    )
    .order_by(rounds.c.id)
    .limit(PAGE)
)
_LIVE_COLUMNS = (
    live_slips.c.player_id,
    live_rounds.c.id,
    players.c.name,
    players.c.wallet,
    live_rounds.c.table_id,
    live_rounds.c.game,
    live_rounds.c.state,
    live_rounds.c.opened_at,
    live_rounds.c.closed_at,
    live_slips.c.staked,
    live_slips.c.returned,
)
_live = live_slips.join(live_rounds, live_rounds.c.id == live_slips.c.round_id).outerjoin(
    players, players.c.id == live_slips.c.player_id
)
_live_in_period = (live_slips.c.round_id >= bindparam("since"), live_slips.c.round_id < bindparam("until"))
_live_place = tuple_(live_slips.c.player_id, live_slips.c.round_id)
_live_time = tuple_(live_slips.c.round_id, live_slips.c.player_id)
_LIVE_BY_PLAYER = (
    select(*_LIVE_COLUMNS)
    .select_from(_live)
    .where(*_live_in_period, _live_place > tuple_(bindparam("player"), bindparam("round")))
    .order_by(live_slips.c.player_id, live_slips.c.round_id)
    .limit(PAGE)
)
_LIVE_BY_TIME = (
    select(*_LIVE_COLUMNS)
    .select_from(_live)
    .where(*_live_in_period, _live_time > tuple_(bindparam("round"), bindparam("player")))
    .order_by(live_slips.c.round_id, live_slips.c.player_id)
    .limit(PAGE)
)
_LIVE_SETTLED = (
    select(live_rounds.c.id)
    .where(
        live_rounds.c.id > bindparam("round"),
        live_rounds.c.id >= bindparam("since"),
        live_rounds.c.id < bindparam("until"),
        live_rounds.c.state == SETTLED,
    )
    .order_by(live_rounds.c.id)
    .limit(PAGE)
)
_NAMES = select(tables.c.id, tables.c.name)


class PlayedRound(NamedTuple):
    """A round, as reports see it: stakes and returns are money, without those of free bets."""

    player: str
    id: str
    name: str | None
    wallet: str | None
    table: str
    game: str
    state: str
    opened_at: int
    closed_at: int | None
    staked: int
    returned: int | None


@dataclass
class RoundSum:
    """What some rounds come to. Open rounds count as staked and have returned nothing yet."""

    rounds: int = 0
    staked: int = 0
    returned: int = 0
    first_at: int = 0
    last_at: int = 0

    def add(self, played: PlayedRound) -> None:
        self.first_at = self.first_at or played.opened_at
        self.last_at = max(self.last_at, played.opened_at, played.closed_at or 0)
        self.rounds += 1
        self.staked += played.staked
        self.returned += played.returned or 0

    @property
    def money(self) -> tuple[int, int, int]:
        return self.staked, self.returned, self.returned - self.staked


def by_player(tx: Tx, period: ReportPeriod) -> Iterator[PlayedRound]:
    """Every round of a period, at live tables too, player by player, in the order they were played."""
    found = (_pages(tx, statement, period) for statement in (_BY_PLAYER, _LIVE_BY_PLAYER))
    return merge(*found, key=lambda played: (played.player, played.id))


def by_time(tx: Tx, period: ReportPeriod) -> Iterator[PlayedRound]:
    """Every round of a period, at live tables too, in the order they were opened."""
    found = (_pages(tx, statement, period) for statement in (_BY_TIME, _LIVE_BY_TIME))
    return merge(*found, key=lambda played: played.id)


def _pages(tx: Tx, statement: Select[Any], period: ReportPeriod) -> Iterator[PlayedRound]:
    """What a statement finds, page by page after the player and round it came to."""
    after = {"player": "", "round": ""}
    while rows := tx.all(statement, {**_bounds(period), **after}):
        yield from map(PlayedRound._make, rows)
        after = {"player": rows[-1][0], "round": rows[-1][1]}


def _bounds(period: ReportPeriod) -> dict[str, str]:
    return {"since": first_id(period.since), "until": first_id(period.until)}


def session_lines(tx: Tx, period: ReportPeriod) -> Iterator[Line]:
    """The sessions of every player: rounds with no pause of more than half an hour between them."""
    last: PlayedRound | None = None
    total = RoundSum()
    for played in by_player(tx, period):
        is_same = last is not None and last.player == played.player and played.opened_at - total.last_at <= PAUSE_MS
        if last is not None and not is_same:
            yield _session_line(last, total)
            total = RoundSum()
        total.add(played)
        last = played
    if last is not None:
        yield _session_line(last, total)


def _session_line(played: PlayedRound, total: RoundSum) -> Line:
    minutes = (total.last_at - total.first_at) // 60_000
    return (played.player, played.name, total.first_at, total.last_at, minutes, total.rounds, *total.money)


def player_lines(tx: Tx, period: ReportPeriod) -> Iterator[Line]:
    """What each player has played."""
    last: PlayedRound | None = None
    total = RoundSum()
    for played in by_player(tx, period):
        if last is not None and last.player != played.player:
            yield _player_line(last, total)
            total = RoundSum()
        total.add(played)
        last = played
    if last is not None:
        yield _player_line(last, total)


def _player_line(played: PlayedRound, total: RoundSum) -> Line:
    return (played.player, played.name, played.wallet, total.first_at, total.last_at, total.rounds, *total.money)


def table_lines(tx: Tx, period: ReportPeriod) -> Iterator[Line]:
    """What each table has come to."""
    names: dict[str, str] = {table: name for table, name in tx.all(_NAMES, {})}  # noqa: C416 (rows are tuples)
    sums: dict[tuple[str, str], RoundSum] = {}
    for played in by_time(tx, period):
        sums.setdefault((played.table, played.game), RoundSum()).add(played)
    for (table, game), total in sorted(sums.items()):
        staked, returned, net = total.money
        yield table, names.get(table), game, total.rounds, staked, returned, -net


def wager_lines(tx: Tx, period: ReportPeriod) -> Iterator[Line]:
    """What each wager at each table has come to, over settled rounds; stakes of free bets count as others do."""
    sums: dict[tuple[str, str], list[int]] = {}
    for table, result in _results(tx, period):
        for seat in result:
            for wager, paid in seat.items():
                total = sums.setdefault((table, wager), [0, 0, 0])
                total[0] += 1
                total[1] += paid["stake"]
                total[2] += paid["returned"]
    for (table, wager), (bets, staked, returned) in sorted(sums.items()):
        yield table, wager, bets, staked, returned, staked - returned


def _results(tx: Tx, period: ReportPeriod) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The table and the wagers of every settled round; those of live tables are replayed."""
    after = ""
    while rows := tx.all(_RESULTS, {**_bounds(period), "round": after}):
        for _, table, result in rows:
            yield table, msgspec.json.decode(result)
        after = rows[-1][0]
    after = ""
    while rows := tx.all(_LIVE_SETTLED, {**_bounds(period), "round": after}):
        for (round_id,) in rows:
            found = closed_live_round(tx, round_id)
            if found is not None:
                yield found.table, [dict(bets) for bets in found.wagers]
        after = rows[-1][0]


def open_lines(tx: Tx, period: ReportPeriod) -> Iterator[Line]:
    """Rounds opened in the period that still wait for their player."""
    for played in by_time(tx, period):
        if played.state == OPEN:
            yield played.id, played.player, played.name, played.table, played.game, played.opened_at, played.staked


def large_win_lines(tx: Tx, period: ReportPeriod) -> Iterator[Line]:
    """Rounds that won at least the amount given, over their stakes."""
    for played in by_time(tx, period):
        won = (played.returned or 0) - played.staked
        if played.state == SETTLED and won >= period.least:
            about = (played.id, played.player, played.name, played.table, played.game, played.closed_at)
            yield (*about, played.staked, played.returned, won)
