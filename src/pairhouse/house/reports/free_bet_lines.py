"""Lines about free bets: each that was granted, and what has become of it."""

from collections.abc import Iterator

from sqlalchemy import bindparam, func, select

from pairhouse.house.free_bets import FreeBet
from pairhouse.house.reports.columns import Line, ReportPeriod
from pairhouse.house.store.database import Tx
from pairhouse.house.store.free_bet_schema import free_bets, free_stakes
from pairhouse.house.store.ids import first_id
from pairhouse.house.store.schema import players, rounds
from pairhouse.rounds.round_view import OPEN

PAGE = 2_000
_used = (
    select(
        free_stakes.c.free_bet,
        func.sum(free_stakes.c.staked - free_stakes.c.given_back).label("taken"),
        func.sum(rounds.c.returned - free_stakes.c.not_paid).label("paid"),
    )
    .join(rounds, rounds.c.id == free_stakes.c.round_id)
    .where(rounds.c.state != OPEN)
    .group_by(free_stakes.c.free_bet)
    .subquery()
)
_held = (
    select(free_stakes.c.free_bet, func.sum(free_stakes.c.staked).label("held"))
    .join(rounds, rounds.c.id == free_stakes.c.round_id)
    .where(rounds.c.state == OPEN)
    .group_by(free_stakes.c.free_bet)
    .subquery()
)
_FREE_BETS = (
    select(free_bets, players.c.name, func.coalesce(_used.c.taken, 0), func.coalesce(_used.c.paid, 0),
           func.coalesce(_held.c.held, 0))
    .outerjoin(players, players.c.id == free_bets.c.player_id)
    .outerjoin(_used, _used.c.free_bet == free_bets.c.id)
    .outerjoin(_held, _held.c.free_bet == free_bets.c.id)
    .where(
        free_bets.c.id > bindparam("after"),
        free_bets.c.id >= bindparam("since"),
        free_bets.c.id < bindparam("until"),
    )
    .order_by(free_bets.c.id)
    .limit(PAGE)
)  # fmt: skip


def free_bet_lines(tx: Tx, period: ReportPeriod) -> Iterator[Line]:
    """Free bets granted in the period: used, in open rounds, remaining, ended unused, and what they paid in money."""
    after, bounds = "", {"since": first_id(period.since), "until": first_id(period.until)}
    while rows := tx.all(_FREE_BETS, {"after": after, **bounds}):
        for *columns, name, used, paid, held in rows:
            one = FreeBet._make(columns)
            ended = one.granted - one.remaining - int(used) - int(held)
            about = (one.id, one.player_id, name, one.granted_at, one.expires_at, one.withdrawn_at, one.scope.words)
            yield (*about, one.by, one.granted, int(used), int(held), one.remaining, ended, int(paid))
        after = rows[-1][0]
