"""Calls to operators' wallets: what was asked of them, what they are still to be told, what they last told us.

A bet is written down before it is sent. From `sent` it becomes `done` together with the round or choice it pays for;
`refused`; `unknown` when nobody can say what came of it; or `undone` when it was taken and could not be used. With the
last two a rollback is written in the same transaction. Wins and rollbacks are `due` until the operator acknowledges
them. Ids follow from what a call is for, so that no round is paid and no bet is rolled back under two of them.
"""

from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, func, insert, select, update

from pairhouse.house.store.database import InsertNew, Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.schema import calls, players, purses, rounds
from pairhouse.house.store.transaction import WriteTx

BET, WIN, ROLLBACK = "bet", "win", "rollback"
SENT, DONE, REFUSED, UNKNOWN, UNDONE, DUE = "sent", "done", "refused", "unknown", "undone", "due"
SENT_MAX_MS = 60_000
FIRST_WAIT_MS, DOUBLINGS_MAX = 5_000, 6  # longer than a call may take, so that no two processes make the same one

_INSERT = insert(calls)
_NEW_PURSE = InsertNew(purses)
_PURSE = select(purses.c.balance, purses.c.currency, purses.c.exponent).where(purses.c.player_id == bindparam("player"))
_LEARN = (
    update(purses)
    .where(purses.c.player_id == bindparam("player"))
    .values(balance=bindparam("told"), at=bindparam("told_at"))
)
_OUTSIDE = (
    select(players.c.wallet, players.c.outside_id, purses.c.currency, purses.c.exponent)
    .join(purses, purses.c.player_id == players.c.id)
    .where(players.c.id == bindparam("player"))
)
_IN_FLIGHT = select(calls.c.body_hash).where(
    calls.c.player_id == bindparam("player"), calls.c.key == bindparam("call_key"), calls.c.state == SENT
)
_MOVE_ON = (
    update(calls)
    .where(calls.c.id == bindparam("call"), calls.c.state == bindparam("old_state"))
    .values(state=bindparam("new_state"))
    .returning(calls.c.player_id, calls.c.round_id, calls.c.kind, calls.c.amount, calls.c.request)
)
_ROUND_STATE = select(rounds.c.state).where(rounds.c.id == bindparam("round"))
_BETS_OF_ROUND = (
    select(calls.c.request)
    .where(calls.c.round_id == bindparam("round"), calls.c.kind == BET, calls.c.state == DONE)
    .order_by(calls.c.id)
)
_LOST = (
    select(calls.c.id)
    .where(calls.c.wallet == bindparam("name"), calls.c.state == SENT, calls.c.made_at < bindparam("limit"))
    .limit(100)
)
_DUE = (
    select(calls.c.id)
    .where(calls.c.wallet == bindparam("name"), calls.c.state == DUE, calls.c.next_at <= bindparam("now"))
    .order_by(calls.c.next_at)
    .limit(32)
)
_WAITING = select(func.count()).where(calls.c.wallet == bindparam("name"), calls.c.state == DUE)
_UNFINISHED = (
    select(
        calls.c.id,
        calls.c.wallet,
        calls.c.kind,
        calls.c.round_id,
        calls.c.player_id,
        calls.c.amount,
        calls.c.state,
        calls.c.attempts,
        calls.c.made_at,
        calls.c.next_at,
    )
    .where((calls.c.state == SENT) | (calls.c.state == DUE))
    .order_by(calls.c.made_at, calls.c.id)
    .limit(1_000)
)
_ATTEMPTS = select(calls.c.attempts).where(calls.c.id == bindparam("call"))
_CLAIM = (
    update(calls)
    .where(calls.c.id == bindparam("call"), calls.c.state == DUE, calls.c.next_at <= bindparam("now"))
    .values(attempts=calls.c.attempts + 1, next_at=bindparam("later"))
    .returning(calls.c.kind, calls.c.request, calls.c.attempts)
)


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of a call that moves money. It never changes from one attempt to the next."""

    player: str
    game: str
    round: str
    round_closed: bool
    transaction: str
    reference: str | None
    amount: int
    currency: str
    exponent: int
    token: str = ""


class Purse(NamedTuple):
    """What an operator last told of a player's money, with what we have promised since."""

    balance: int
    currency: str
    exponent: int


class Claimed(NamedTuple):
    """A call that this process makes now."""

    id: str
    kind: str
    body: bytes
    attempts: int


class OpenCall(NamedTuple):
    """A call that nobody has acknowledged yet."""

    id: str
    wallet: str
    kind: str
    round: str
    player: str
    amount: int
    state: str
    attempts: int
    made_at: int
    next_at: int


def win_id(round_id: str) -> str:
    return f"{round_id}W"


def rollback_id(bet_id: str) -> str:
    return f"{bet_id}R"


# What an operator told.


def purse_of(tx: Tx, player_id: str) -> Purse:
    """What is known of a player's money elsewhere."""
    row = tx.one(_PURSE, {"player": player_id})
    return Purse._make(row) if row else Purse(0, "", 2)


def open_purse(tx: WriteTx, player_id: str, purse: Purse) -> None:
    """Write down what the operator told when the player came in."""
    row = {"player_id": player_id, "balance": purse.balance, "currency": purse.currency}
    if not tx.run(_NEW_PURSE, {**row, "exponent": purse.exponent, "at": tx.now}):
        learn(tx, player_id, purse.balance)


def learn(tx: WriteTx, player_id: str, balance: int) -> None:
    """The operator told a balance."""
    tx.run(_LEARN, {"player": player_id, "told": balance, "told_at": tx.now})


# What is asked and told.


def add_bet(tx: WriteTx, player_id: str, round_id: str, game: str, amount: int, key: str, body_hash: str) -> Message:
    """Write down a bet that is about to be sent."""
    message = _message(tx, player_id, game=game, round_id=round_id, transaction=new_id(tx.now), amount=amount)
    _add(tx, player_id, BET, SENT, message, key, body_hash)
    return message


def bet_in_flight(tx: Tx, player_id: str, key: str) -> str | None:
    """The hash of the request with this key whose bet is on its way."""
    row = tx.one(_IN_FLIGHT, {"player": player_id, "call_key": key})
    return str(row[0]) if row else None


def bet_done(tx: WriteTx, bet_id: str, balance: int) -> bool:
    """The operator took a bet, and what it pays for happens in this transaction; False if it was given up before."""
    row = _move_on(tx, bet_id, SENT, DONE)
    if row is not None:
        learn(tx, row[0], balance)
    return row is not None


def bet_refused(tx: WriteTx, bet_id: str) -> bool:
    """The operator refused a bet."""
    return _move_on(tx, bet_id, SENT, REFUSED) is not None


def give_up(tx: WriteTx, bet_id: str, state: str) -> bool:
    """Have a bet rolled back whose outcome is unknown, or which cannot be used."""
    row = _move_on(tx, bet_id, SENT, state)
    if row is None:
        return False
    found = tx.one(_ROUND_STATE, {"round": row[1]})
    _add_rollback(tx, row[0], msgspec.json.decode(row[4], type=Message), is_closed=not found or found[0] != "open")
    return True


def add_win(tx: WriteTx, player_id: str, round_id: str, game: str, returned: int, balance: int) -> None:
    """A round has closed: the operator is to be told, whatever came back."""
    message = _message(
        tx, player_id, game=game, round_id=round_id, transaction=win_id(round_id), amount=returned, is_closed=True
    )
    _add(tx, player_id, WIN, DUE, message)
    learn(tx, player_id, balance)


def roll_back_round(tx: WriteTx, player_id: str, round_id: str, staked: int) -> int:
    """A round is called off: every bet of it goes back. The balance to expect."""
    for (request,) in tx.all(_BETS_OF_ROUND, {"round": round_id}):
        _add_rollback(tx, player_id, msgspec.json.decode(request, type=Message), is_closed=True)
    balance = purse_of(tx, player_id).balance + staked
    learn(tx, player_id, balance)
    return balance


def _add_rollback(tx: WriteTx, player_id: str, bet: Message, *, is_closed: bool) -> None:
    back = rollback_id(bet.transaction)
    message = msgspec.structs.replace(bet, transaction=back, reference=bet.transaction, round_closed=is_closed)
    _add(tx, player_id, ROLLBACK, DUE, message)


def _message(
    tx: Tx, player_id: str, *, game: str, round_id: str, transaction: str, amount: int, is_closed: bool = False
) -> Message:
    row = tx.one(_OUTSIDE, {"player": player_id})
    assert row is not None
    return Message(
        player=row[1],
        game=game,
        round=round_id,
        round_closed=is_closed,
        transaction=transaction,
        reference=None,
        amount=amount,
        currency=row[2],
        exponent=row[3],
    )


def _add(
    tx: WriteTx, player_id: str, kind: str, state: str, message: Message, key: str | None = None, body_hash: str = ""
) -> None:
    row = tx.one(_OUTSIDE, {"player": player_id})
    assert row is not None
    new = {"id": message.transaction, "wallet": row[0], "player_id": player_id, "round_id": message.round}
    new |= {"kind": kind, "amount": message.amount, "reference": message.reference, "state": state, "attempts": 0}
    new |= {"request": msgspec.json.encode(message).decode(), "next_at": tx.now, "made_at": tx.now}
    tx.run(_INSERT, {**new, "key": key, "body_hash": body_hash})
    _tell(tx, message.transaction, kind, message.round, player_id, message.amount, state)


def _move_on(tx: WriteTx, call_id: str, old: str, new: str) -> tuple[str, str, str, int, str] | None:
    row = tx.one(_MOVE_ON, {"call": call_id, "old_state": old, "new_state": new})
    if row is None:
        return None
    player_id, round_id, kind, amount, request = row
    _tell(tx, call_id, kind, round_id, player_id, amount, new)
    return player_id, round_id, kind, amount, request


def _tell(tx: WriteTx, call_id: str, kind: str, round_id: str, player_id: str, amount: int, state: str) -> None:
    told = {"call": call_id, "kind": kind, "round": round_id, "player": player_id, "amount": amount, "state": state}
    tx.seal("wallet-call", told)


# What is still to be done.


def lost_bets(tx: Tx, wallet: str, now: int) -> list[str]:
    """Bets whose process went away before their outcome was written down."""
    return [row[0] for row in tx.all(_LOST, {"name": wallet, "limit": now - SENT_MAX_MS})]


def due_calls(tx: Tx, wallet: str, now: int) -> list[str]:
    """Calls whose time has come, the oldest first."""
    return [row[0] for row in tx.all(_DUE, {"name": wallet, "now": now})]


def count_due(tx: Tx, wallet: str) -> int:
    row = tx.one(_WAITING, {"name": wallet})
    return int(row[0]) if row else 0


def open_calls(tx: Tx) -> list[OpenCall]:
    """Every call nobody has acknowledged yet, the oldest first."""
    return [OpenCall._make(row) for row in tx.all(_UNFINISHED, {})]


def claim(tx: WriteTx, call_id: str) -> Claimed | None:
    """Take a due call for this process; if nothing comes of it, its time comes again, each time after longer."""
    row = tx.one(_ATTEMPTS, {"call": call_id})
    wait = FIRST_WAIT_MS << min(row[0] if row else 0, DOUBLINGS_MAX)
    found = tx.one(_CLAIM, {"call": call_id, "now": tx.now, "later": tx.now + wait})
    return Claimed(call_id, found[0], found[1].encode(), found[2]) if found else None


def acknowledge(tx: WriteTx, call_id: str, balance: int) -> None:
    """The operator has done what a call told."""
    row = _move_on(tx, call_id, DUE, DONE)
    if row is not None:
        learn(tx, row[0], balance)
