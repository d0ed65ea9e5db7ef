"""Money of operators' players at live tables: asked for with the act that stakes it, paid when a wager is decided.

An act that needs money from an operator's wallet is prepared (the stake is written down as a call), the wallet is
asked over HTTP, and the act is done in a second transaction, as at tables of one's own (`house/operator_bets.py`). A
bet that is lowered gives whole calls back, the newest first, and asks for what is then missing. What is decided is
paid by `win` calls; the last of a round says that it is closed.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused
from pairhouse.house.bank import Transfer, balance_of, player_account
from pairhouse.house.commands import MoneyElsewhere, key_reused
from pairhouse.house.live.acts import AnyLiveAct
from pairhouse.house.live.table_log import earlier_answer
from pairhouse.house.operator_bets import PendingBet, check_connected, outcome_unknown
from pairhouse.house.people import HOUSE_WALLET, Person, operator_account, person_of
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import calls
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.writer import RunInstead
from pairhouse.house.wallet_calls import (
    BET,
    DONE,
    UNDONE,
    add_bet,
    bet_done,
    bet_in_flight,
    bets_of,
    give_up,
    purse_of,
    save_balance,
    undo_bet,
    won_so_far,
    write_win,
)

_OPERATORS = (
    select(calls.c.player_id, calls.c.wallet)
    .where(calls.c.round_id == bindparam("round"), calls.c.kind == BET, calls.c.state == DONE)
    .distinct()
)
ActNow = Callable[[WriteTx, "Taken | None"], Any]  # does an act, with the money an operator has given for it
Wallets = Mapping[str, str]  # by player: the operator that keeps their money


class StakeElsewhere(MoneyElsewhere):
    """An act needs money that an operator keeps: how much, and for which round."""

    def __init__(self, wallet: str, round_id: str, game: str, amount: int) -> None:
        super().__init__(wallet)
        self.round_id = round_id
        self.game = game
        self.amount = amount


class Taken(NamedTuple):
    """What an operator's wallet has given for an act, and by which call."""

    call: str
    round_id: str
    amount: int


def check_taken(person: Person, round_id: str, game: str, needed: int, taken: Taken | None) -> None:
    """Whether an act has the money it needs; if the wallet must be asked first, that is raised."""
    if needed and taken is None:
        raise StakeElsewhere(person.wallet, round_id, game, needed)
    if taken is not None and (taken.round_id, taken.amount) != (round_id, needed):
        raise Refused("table-moved", "something else happened at this table just now; look again, then act")


def missing_stake(tx: Tx, player_id: str, round_id: str, staked: int, taken: Taken | None) -> tuple[list[str], int]:
    """For a bet of so much: the earlier calls that go back, the newest first, and what is to be asked for."""
    back: list[str] = []
    bets = [bet for bet in bets_of(tx, player_id, round_id) if taken is None or bet.id != taken.call]
    held = sum(bet.amount for bet in bets)
    for bet in reversed(bets):
        if held <= staked:
            break
        held -= bet.amount
        back.append(bet.id)
    return back, staked - held


def give_back(tx: WriteTx, player_id: str, back: Sequence[str]) -> int:
    """Roll calls back that a changed bet no longer needs; the balance to expect."""
    balance = purse_of(tx, player_id).balance + sum(undo_bet(tx, bet_id) for bet_id in back)
    save_balance(tx, player_id, balance)
    return balance


def balance_now(tx: Tx, person: Person) -> int:
    """A player's balance: here, or as the operator last reported it."""
    return balance_of(tx, person.account) if person.wallet == HOUSE_WALLET else purse_of(tx, person.id).balance


# Payments.


def operators_in(tx: Tx, round_id: str) -> Wallets:
    """The players of a round whose money operators keep."""
    return dict(tx.all(_OPERATORS, {"round": round_id}))


def booked(moves: Sequence[Transfer], wallets: Wallets) -> Sequence[Transfer]:
    """Transfers as the books have them: money of operators' players is that of the operators' accounts."""
    if not wallets:
        return moves
    names = {player_account(player): operator_account(wallet) for player, wallet in wallets.items()}
    return [
        Transfer(move.kind, names.get(move.debit, move.debit), names.get(move.credit, move.credit), move.amount)
        for move in moves
    ]


def promise(tx: WriteTx, player_id: str, amount: int) -> None:
    """What a player has won is in the balance we show before the operator is told."""
    save_balance(tx, player_id, purse_of(tx, player_id).balance + amount)


def pay_part(tx: WriteTx, player_id: str, round_id: str, game: str, amount: int) -> None:
    """Pay what is decided before the round is over: it can be staked again in it. [PV3-20]"""
    _, count = won_so_far(tx, player_id, round_id)
    write_win(tx, player_id, round_id, game, f"{round_id}{player_id}P{count + 1}", amount, is_closed=False)


def tell_closed(tx: WriteTx, player_id: str, round_id: str, game: str, returned: int) -> None:
    """Tell the operator that a round is closed, with what is left to be paid of all that it returned."""
    paid, _ = won_so_far(tx, player_id, round_id)
    write_win(tx, player_id, round_id, game, f"{round_id}{player_id}W", returned - paid, is_closed=True)


# An act whose stake an operator keeps, in two transactions.


def prepare_act(
    tx: WriteTx, act_now: ActNow, wallets: Collection[str], token_hash: str, act: AnyLiveAct
) -> PendingBet | Any:
    """Do an act that needs no money; for any other, write its stake down, to be asked of the operator."""
    person = person_of(tx, token_hash, tx.now)
    in_flight = bet_in_flight(tx, person.id, act.key)
    if in_flight == act.body_hash:
        raise Refused("in-progress", "the first request with this key is still on its way; ask again in a moment")
    if in_flight is not None:
        raise key_reused()
    try:
        return act_now(tx, None)
    except StakeElsewhere as needed:
        check_connected(person, wallets)
        message = add_bet(tx, person.id, needed.round_id, needed.game, needed.amount, act.key, act.body_hash)
        return PendingBet(person, message)


def complete_act(tx: WriteTx, act_now: ActNow, act: AnyLiveAct, pending: PendingBet, balance: int) -> Any:
    """Do an act whose stake the operator took. If that is not possible, the stake is rolled back."""
    message, player_id = pending.message, pending.person.id
    if not bet_done(tx, message.transaction, balance):
        raise outcome_unknown()  # it took so long that the bet was given up; its rollback is due already
    refused = None
    try:
        if earlier_answer(tx, player_id, act.key, act.body_hash) is None:
            return act_now(tx, Taken(message.transaction, message.round, message.amount))
    except Refused as refusal:
        refused = refusal
    raise RunInstead(lambda tx: _give_up(tx, message.transaction, refused or act_now(tx, None)))


def _give_up(tx: WriteTx, bet_id: str, answer: Any) -> Any:
    """The stake goes back; the answer is what the same request was answered before, or why this one was refused."""
    give_up(tx, bet_id, UNDONE)
    return answer
