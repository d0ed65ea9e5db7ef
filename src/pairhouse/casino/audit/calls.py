"""Calls to operators' wallets against the rounds they paid for: each bet once, each win once, each refund once."""

from sqlalchemy import and_, func, not_, or_, select

from pairhouse.casino.audit.notebook import Differs
from pairhouse.casino.calls import BET, DONE, ROLLBACK, UNDONE, UNKNOWN, WIN
from pairhouse.casino.people import HOUSE_WALLET
from pairhouse.casino.store.database import Tx
from pairhouse.casino.store.schema import calls, players, rounds, seated

_taken = (
    select(calls.c.round_id, func.sum(calls.c.amount).label("amount"))
    .where(calls.c.kind == BET, calls.c.state == DONE)
    .group_by(calls.c.round_id)
    .subquery()
)
_win = calls.alias("win")
_back = calls.alias("back")
_outside = (
    rounds.join(seated, seated.c.round_id == rounds.c.id)
    .join(players, (players.c.id == seated.c.player_id) & (players.c.wallet != HOUSE_WALLET))
    .outerjoin(_taken, _taken.c.round_id == rounds.c.id)
    .outerjoin(_win, _win.c.id == rounds.c.id + "W")
)
_STAKED = (
    select(rounds.c.id, rounds.c.staked, func.coalesce(_taken.c.amount, 0))
    .select_from(_outside)
    .where(rounds.c.staked != func.coalesce(_taken.c.amount, 0))
    .limit(1)
)
_WON = (
    select(rounds.c.id, rounds.c.state, rounds.c.returned, _win.c.amount)
    .select_from(_outside)
    .where(
        ((rounds.c.state == "settled") & (_win.c.id.is_(None) | (_win.c.amount != rounds.c.returned)))
        | ((rounds.c.state != "settled") & _win.c.id.is_not(None))
    )
    .limit(1)
)
_bets = calls.outerjoin(rounds, rounds.c.id == calls.c.round_id).outerjoin(_back, _back.c.id == calls.c.id + "R")
_is_void = func.coalesce(rounds.c.state, "") == "void"
_goes_back = or_(calls.c.state == UNKNOWN, calls.c.state == UNDONE, and_(calls.c.state == DONE, _is_void))
_ROLLED_BACK = (
    select(calls.c.id, calls.c.state, _back.c.id)
    .select_from(_bets)
    .where(
        calls.c.kind == BET,
        (_goes_back & (_back.c.id.is_(None) | (_back.c.amount != calls.c.amount)))
        | (not_(_goes_back) & _back.c.id.is_not(None)),
    )
    .limit(1)
)
_STRAY = (
    select(calls.c.id, calls.c.kind)
    .select_from(calls.outerjoin(rounds, rounds.c.id == calls.c.round_id))
    .where(
        or_(
            and_(calls.c.kind == WIN, or_(rounds.c.id.is_(None), calls.c.id != calls.c.round_id + "W")),
            and_(calls.c.kind == BET, calls.c.state == DONE, rounds.c.id.is_(None)),
            and_(calls.c.kind == ROLLBACK, calls.c.id != func.coalesce(calls.c.reference, "") + "R"),
        )
    )
    .limit(1)
)


def check_calls(tx: Tx) -> None:
    """What operators were asked for and told is what the rounds of their players staked, returned and gave back."""
    row = tx.one(_STAKED, {})
    if row is not None:
        raise Differs(f"round {row[0]}: {row[1]} is staked, but the operator was asked for {row[2]}")
    row = tx.one(_WON, {})
    if row is not None:
        raise Differs(f"round {row[0]} ({row[1]}): {row[2]} is returned, but the operator is told {row[3]}")
    row = tx.one(_ROLLED_BACK, {})
    if row is not None:
        raise Differs(f"call {row[0]}: the bet is {row[1]}, and its rollback is {row[2]}")
    row = tx.one(_STRAY, {})
    if row is not None:
        raise Differs(f"call {row[0]}: this {row[1]} belongs to nothing that was played")
