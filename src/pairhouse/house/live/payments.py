"""Pay when decided: what each seat of a live round has staked, what of it is decided, and what came back so far.

A stake is held from the bet on. As soon as a wager is decided it goes to the house, and what it returns goes to the
player, who may use it for the next choice. When a round is void only what is not decided yet goes back.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import bindparam, delete, insert, select, update

from pairhouse.house.bank import HELD, HOUSE, Transfer, credit, player_account
from pairhouse.house.live.operator_money import operators_in, pay_part, promise, tell_closed
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_slips
from pairhouse.house.store.statements import InsertNew
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.wallet_calls import roll_back_round
from pairhouse.rounds.live_results import LiveResults

_SLIPS = (
    select(live_slips.c.seat, live_slips.c.player_id, live_slips.c.staked, live_slips.c.decided, live_slips.c.returned)
    .where(live_slips.c.round_id == bindparam("round"))
    .order_by(live_slips.c.seat)
)
_INSERT = InsertNew(live_slips)
_INSERT_SLIP = insert(live_slips)
_OF_SEAT = (live_slips.c.round_id == bindparam("round"), live_slips.c.seat == bindparam("at"))
CHANGE_SLIP = (
    update(live_slips)
    .where(*_OF_SEAT)
    .values(staked=bindparam("all_staked"), decided=bindparam("all_decided"), returned=bindparam("all_returned"))
)
_DELETE = delete(live_slips).where(*_OF_SEAT)


class Slip(NamedTuple):
    """What a seat has in a round: staked, decided of that, and returned so far."""

    seat: int
    player_id: str
    staked: int
    decided: int
    returned: int


def read_slips(tx: Tx, round_id: str) -> list[Slip]:
    """Every slip of a round, by seat."""
    return [Slip._make(row) for row in tx.all(_SLIPS, {"round": round_id})]


def write_bet(tx: WriteTx, round_id: str, seat: int, player_id: str, staked: int) -> None:
    """The stake of a seat before the deal; 0 takes the slip away."""
    if not staked:
        tx.run(_DELETE, {"round": round_id, "at": seat})
        return
    new = {"player_id": player_id, "round_id": round_id, "seat": seat, "staked": staked, "decided": 0, "returned": 0}
    tx.run(_INSERT, new)
    _write(tx, round_id, Slip(seat, player_id, staked, 0, 0))


def queue_bet(tx: WriteTx, round_id: str, seat: int, player_id: str, held: int, staked: int) -> None:
    """The stake of a seat before the deal where `held` was staked before; it is written together with others."""
    if not staked:
        tx.queue(_DELETE, {"round": round_id, "at": seat})
    elif held:
        _write(tx, round_id, Slip(seat, player_id, staked, 0, 0))
    else:
        tx.queue_row(_INSERT_SLIP, (player_id, round_id, seat, staked, 0, 0))


def pay_decided(tx: WriteTx, round_id: str, results: LiveResults) -> list[Transfer]:
    """Pay everything that the replay has decided and that is not paid yet, seat by seat; it is written together.

    Whoever has won may use it for what the round asks next. [PV3-20]
    """
    moves: list[Transfer] = []
    slips, operators = read_slips(tx, round_id), operators_in(tx, round_id)
    for slip in slips:
        staked, decided, returned = results.money(slip.seat)
        after = slip._replace(staked=staked, decided=decided, returned=returned)
        if after != slip:
            moves += _moves(slip, after)
            _write(tx, round_id, after)
            won = returned - slip.returned
            if won and slip.player_id in operators:
                promise(tx, slip.player_id, won)
                if not results.state.is_over:  # else the round closes now, and its last win says all
                    pay_part(tx, slip.player_id, round_id, results.live.table.variant.game.id, won)
            elif won:
                credit(tx, player_account(slip.player_id), won)
    return moves


def tell_round_closed(tx: WriteTx, round_id: str, game: str) -> None:
    """Tell operators that a round is closed: each of their players in it is paid what is not paid yet."""
    operators = operators_in(tx, round_id)
    for slip in read_slips(tx, round_id) if operators else ():
        if slip.player_id in operators:
            tell_closed(tx, slip.player_id, round_id, game, slip.returned)


def refund_undecided(tx: WriteTx, round_id: str, game: str) -> list[Transfer]:
    """A void round: every stake that is not decided goes back. [TCP-40] [NSB-38] [LP-46] [BJ-31] [PV3-18]"""
    moves: list[Transfer] = []
    slips, operators = read_slips(tx, round_id), operators_in(tx, round_id)
    for slip in slips:
        held = slip.staked - slip.decided
        if slip.player_id in operators:
            _refund_operator(tx, round_id, game, slip)
        elif held:
            credit(tx, player_account(slip.player_id), held)
        if held:
            moves.append(Transfer("refund", HELD, player_account(slip.player_id), held))
            _write(tx, round_id, slip._replace(decided=slip.staked, returned=slip.returned + held))
    return moves


def _refund_operator(tx: WriteTx, round_id: str, game: str, slip: Slip) -> None:
    """Every bet goes back to the operator; where something was decided before, its last win says what is left."""
    if slip.decided:
        held = slip.staked - slip.decided
        promise(tx, slip.player_id, held)
        tell_closed(tx, slip.player_id, round_id, game, slip.returned + held)
    else:
        roll_back_round(tx, slip.player_id, round_id, slip.staked)


def _moves(before: Slip, after: Slip) -> Iterator[Transfer]:
    if after.decided > before.decided:
        yield Transfer("take", HELD, HOUSE, after.decided - before.decided)
    if after.returned > before.returned:
        yield Transfer("pay", HOUSE, player_account(after.player_id), after.returned - before.returned)


def _write(tx: WriteTx, round_id: str, slip: Slip) -> None:
    sums = {"all_staked": slip.staked, "all_decided": slip.decided, "all_returned": slip.returned}
    tx.queue(CHANGE_SLIP, {"round": round_id, "at": slip.seat, **sums})
