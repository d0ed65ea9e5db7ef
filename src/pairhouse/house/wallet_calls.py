"""Calls to operators' wallets (bets, wins and rollbacks) with their states, and the balances operators reported.

What a call asks for is sealed in the event that tells of it, and what is sent is read from there: a row that somebody
has altered is not sent.

A bet is written down as `sent` before it is sent. It then becomes `done`, together with the round or choice it pays
for; `refused`; `unknown`, when the operator's answer did not arrive or made no sense; or `undone`, when the operator
took it but it could not be used. For the last two a rollback is written in the same transaction. Wins and rollbacks
are `due` until the operator acknowledges them. The id of a win follows from its round (and player, at a live table) and
that of a rollback from its bet, so that nothing is paid and no bet is rolled back twice.
"""

from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, func, insert, select, update

from pairhouse.core.errors import Refused, shown
from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.live_schema import live_rounds
from pairhouse.house.store.schema import calls, players, purses, rounds
from pairhouse.house.store.statements import InsertNew
from pairhouse.house.store.transaction import WriteTx

BET, WIN, ROLLBACK = "bet", "win", "rollback"
SENT, DONE, REFUSED, UNKNOWN, UNDONE, DUE = "sent", "done", "refused", "unknown", "undone", "due"
SENT_MAX_MS = 60_000
DUE_MAX = 32  # calls that are read at once
FIRST_WAIT_MS, DOUBLINGS_MAX = 5_000, 6  # longer than a call may take, so that no two processes send it at once
EXPONENT = 2  # minor units of our currencies

CALL_COLUMNS = (
    calls.c.id,
    calls.c.wallet,
    calls.c.player_id,
    calls.c.round_id,
    calls.c.kind,
    calls.c.amount,
    calls.c.reference,
    calls.c.chain,
    calls.c.event,
)
_INSERT_CALL = insert(calls)
_INSERT_PURSE = InsertNew(purses)
_PURSE = select(purses.c.balance, purses.c.currency, purses.c.exponent).where(purses.c.player_id == bindparam("player"))
_PURSES = select(purses.c.player_id, purses.c.currency, purses.c.exponent)
_SAVE_BALANCE = (
    update(purses)
    .where(purses.c.player_id == bindparam("player"))
    .values(balance=bindparam("reported"), at=bindparam("reported_at"))
)
_OPERATOR_PLAYER = (
    select(players.c.wallet, players.c.outside_id, purses.c.currency, purses.c.exponent)
    .join(purses, purses.c.player_id == players.c.id)
    .where(players.c.id == bindparam("player"))
)
_IN_FLIGHT = select(calls.c.body_hash).where(
    calls.c.player_id == bindparam("player"), calls.c.key == bindparam("call_key"), calls.c.state == SENT
)
_CHANGE_STATE = (
    update(calls)
    .where(calls.c.id == bindparam("call"), calls.c.state == bindparam("old_state"))
    .values(state=bindparam("new_state"))
    .returning(*CALL_COLUMNS)
)
_ROUND_GAME = select(rounds.c.game).where(rounds.c.id == bindparam("round"))
_ROUND_STATE = select(rounds.c.state).where(rounds.c.id == bindparam("round"))
_LIVE_ROUND_STATE = select(live_rounds.c.state).where(live_rounds.c.id == bindparam("round"))
_BETS_OF_ROUND = (
    select(*CALL_COLUMNS)
    .where(
        calls.c.round_id == bindparam("round"),
        calls.c.player_id == bindparam("player"),
        calls.c.kind == BET,
        calls.c.state == DONE,
    )
    .order_by(calls.c.id)
)
_WON = select(func.coalesce(func.sum(calls.c.amount), 0), func.count()).where(
    calls.c.round_id == bindparam("round"), calls.c.player_id == bindparam("player"), calls.c.kind == WIN
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
    .limit(DUE_MAX)
)
_COUNT_DUE = select(func.count()).where(calls.c.wallet == bindparam("name"), calls.c.state == DUE)
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
    .returning(calls.c.attempts, *CALL_COLUMNS)
)


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of a call that moves money. It is the same in every attempt."""

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
    """A player's balance; for an operator's player the one last reported, adjusted by what we have promised since."""

    balance: int
    currency: str
    exponent: int


class ClaimedCall(NamedTuple):
    """A due call that this process sends now."""

    id: str
    kind: str
    body: bytes
    attempts: int


class OpenCall(NamedTuple):
    """A call that the operator has not acknowledged yet."""

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


class StoredCall(NamedTuple):
    """A call as its row says; what it asks for is believed only if its sealed event says the same."""

    id: str
    wallet: str
    player_id: str
    round_id: str
    kind: str
    amount: int
    reference: str | None
    chain: str | None
    event: int | None


class OperatorPlayer(NamedTuple):
    """How an operator knows a player."""

    wallet: str
    outside_id: str
    currency: str
    exponent: int


def win_id(round_id: str) -> str:
    return f"{round_id}W"


def rollback_id(bet_id: str) -> str:
    return f"{bet_id}R"


# Balances that operators reported.


def purse_of(tx: Tx, player_id: str) -> Purse:
    """The balance last known of a player whose money an operator keeps."""
    row = tx.one(_PURSE, {"player": player_id})
    return Purse._make(row) if row else Purse(0, "", EXPONENT)


def open_purse(tx: WriteTx, player_id: str, purse: Purse) -> None:
    """Store the balance the operator reported when the player signed in."""
    row = {"player_id": player_id, "balance": purse.balance, "currency": purse.currency}
    if tx.run(_INSERT_PURSE, {**row, "exponent": purse.exponent, "at": tx.now}):
        tx.seal("purse-opened", {"player": player_id, "currency": purse.currency, "exponent": purse.exponent})
    else:
        save_balance(tx, player_id, purse.balance)


def seal_purses(tx: WriteTx) -> None:
    """Seal the currencies of purses that were there before their own events told of them."""
    for player_id, currency, exponent in tx.all(_PURSES, {}):
        tx.seal("purse-opened", {"player": player_id, "currency": currency, "exponent": exponent})


def save_balance(tx: WriteTx, player_id: str, balance: int) -> None:
    """Store a balance the operator reported."""
    tx.run(_SAVE_BALANCE, {"player": player_id, "reported": balance, "reported_at": tx.now})


# New calls, and changes of their state.


def add_bet(tx: WriteTx, player_id: str, round_id: str, game: str, amount: int, key: str, body_hash: str) -> Message:
    """Write down a bet that is about to be sent."""
    message = _message(tx, player_id, game=game, round_id=round_id, transaction=new_id(tx.now), amount=amount)
    _add(tx, player_id, BET, SENT, message, key, body_hash)
    return message


def bet_in_flight(tx: Tx, player_id: str, key: str) -> str | None:
    """The hash of the request with this key whose bet is on its way."""
    body_hash: str | None = tx.value(_IN_FLIGHT, {"player": player_id, "call_key": key})
    return body_hash


def bet_done(tx: WriteTx, bet_id: str, balance: int) -> bool:
    """The operator took a bet, and this transaction plays for it; False if the bet was given up before."""
    call = _change_state(tx, bet_id, SENT, DONE)
    if call is not None:
        save_balance(tx, call.player_id, balance)
    return call is not None


def bet_refused(tx: WriteTx, bet_id: str) -> bool:
    """The operator refused a bet."""
    return _change_state(tx, bet_id, SENT, REFUSED) is not None


def give_up(tx: WriteTx, bet_id: str, state: str) -> bool:
    """Roll back a bet whose outcome is unknown, or which cannot be used; False if it is no longer `sent`."""
    call = _change_state(tx, bet_id, SENT, state)
    if call is None:
        return False
    _add_rollback(tx, call.player_id, sealed_message(tx, call), is_closed=not _is_open(tx, call.round_id))
    return True


def undo_bet(tx: WriteTx, bet_id: str) -> int:
    """Roll back a bet that was played for and is not any more: it was lowered or taken back. What it was."""
    call = _change_state(tx, bet_id, DONE, UNDONE)
    assert call is not None, "a bet goes back once"
    _add_rollback(tx, call.player_id, sealed_message(tx, call), is_closed=False)
    return call.amount


def bets_of(tx: Tx, player_id: str, round_id: str) -> list[StoredCall]:
    """The bets that a player has in a round, the oldest first."""
    return [StoredCall._make(row) for row in tx.all(_BETS_OF_ROUND, {"player": player_id, "round": round_id})]


def won_so_far(tx: Tx, player_id: str, round_id: str) -> tuple[int, int]:
    """What a player was paid in a round, and by how many wins."""
    total, count = tx.one(_WON, {"player": player_id, "round": round_id}) or (0, 0)
    return int(total), int(count)


def _is_open(tx: Tx, round_id: str) -> bool:
    state = tx.value(_ROUND_STATE, {"round": round_id}) or tx.value(_LIVE_ROUND_STATE, {"round": round_id})
    return bool(state == "open")


def add_win(tx: WriteTx, player_id: str, round_id: str, game: str, returned: int, balance: int) -> None:
    """Write down the win of a round that has closed, to be sent to the operator even if it is 0."""
    write_win(tx, player_id, round_id, game, win_id(round_id), returned, is_closed=True)
    save_balance(tx, player_id, balance)


def write_win(
    tx: WriteTx, player_id: str, round_id: str, game: str, transaction: str, won: int, *, is_closed: bool
) -> None:
    """Write down a win, to be sent to the operator; the last of a round says that it is closed."""
    message = _message(
        tx, player_id, game=game, round_id=round_id, transaction=transaction, amount=won, is_closed=is_closed
    )
    _add(tx, player_id, WIN, DUE, message)


def roll_back_round(tx: WriteTx, player_id: str, round_id: str, staked: int) -> int:
    """Write down a rollback for every bet of a player in a voided round; the balance to expect."""
    for bet in bets_of(tx, player_id, round_id):
        _add_rollback(tx, player_id, sealed_message(tx, bet), is_closed=True)
    balance = purse_of(tx, player_id).balance + staked
    save_balance(tx, player_id, balance)
    return balance


def _add_rollback(tx: WriteTx, player_id: str, bet: Message, *, is_closed: bool) -> None:
    back = rollback_id(bet.transaction)
    message = msgspec.structs.replace(bet, transaction=back, reference=bet.transaction, round_closed=is_closed)
    _add(tx, player_id, ROLLBACK, DUE, message)


def _message(
    tx: Tx, player_id: str, *, game: str, round_id: str, transaction: str, amount: int, is_closed: bool = False
) -> Message:
    player = _operator_player(tx, player_id)
    return Message(
        player=player.outside_id,
        game=game,
        round=round_id,
        round_closed=is_closed,
        transaction=transaction,
        reference=None,
        amount=amount,
        currency=player.currency,
        exponent=player.exponent,
    )


def _operator_player(tx: Tx, player_id: str) -> OperatorPlayer:
    row = tx.one(_OPERATOR_PLAYER, {"player": player_id})
    assert row is not None
    return OperatorPlayer._make(row)


def _add(
    tx: WriteTx, player_id: str, kind: str, state: str, message: Message, key: str | None = None, body_hash: str = ""
) -> None:
    wallet = _operator_player(tx, player_id).wallet
    new: dict[str, object] = {
        "id": message.transaction,
        "wallet": wallet,
        "player_id": player_id,
        "round_id": message.round,
    }
    new |= {"kind": kind, "amount": message.amount, "reference": message.reference, "state": state, "attempts": 0}
    event = _event(message.transaction, kind, message.round, player_id, message.amount, state)
    more = {"wallet": wallet, "message": message, "key": key, "body": body_hash}
    chain, number = tx.seal("wallet-call", event | more)
    new |= {"next_at": tx.now, "made_at": tx.now, "chain": chain, "event": number}
    tx.run(_INSERT_CALL, {**new, "key": key, "body_hash": body_hash})


def _change_state(tx: WriteTx, call_id: str, old: str, new: str) -> StoredCall | None:
    """Change the state of a call; None if it has another state than `old`."""
    row = tx.one(_CHANGE_STATE, {"call": call_id, "old_state": old, "new_state": new})
    if row is None:
        return None
    call = StoredCall._make(row)
    tx.seal("wallet-call", _event(call_id, call.kind, call.round_id, call.player_id, call.amount, new))
    return call


def _event(call_id: str, kind: str, round_id: str, player_id: str, amount: int, state: str) -> dict[str, object]:
    return {"call": call_id, "kind": kind, "round": round_id, "player": player_id, "amount": amount, "state": state}


def sealed_message(tx: WriteTx, call: StoredCall) -> Message:
    """What a call asks for, from the event that was sealed when it was made; refused if its row says otherwise."""
    if call.chain is None or call.event is None:
        raise call_altered(call.id, "it names no event that tells of it")
    kind, told = tx.sealed_event(call.chain, call.event)
    if kind != "wallet-call" or told["state"] not in (SENT, DUE):
        raise call_altered(call.id, f"event {call.event} of chain {call.chain} does not tell of it")
    if "message" in told:
        message, wallet = msgspec.convert(told["message"], Message), told["wallet"]
    else:  # sealed by an older version, which told the money and whose it is
        message, wallet = _message_of_before(tx, call, told), call.wallet
    says = (call.id, call.wallet, call.player_id, call.round_id, call.kind, call.amount, call.reference)
    sealed = (told["call"], wallet, told["player"], told["round"], told["kind"], told["amount"], message.reference)
    for name, one, other in zip(StoredCall._fields, says, sealed, strict=False):
        if one != other:
            raise call_altered(
                call.id, f"its {name} is {shown(str(one))} in the database, and {shown(str(other))} was sealed"
            )
    return message


def _message_of_before(tx: Tx, call: StoredCall, told: dict[str, Any]) -> Message:
    """The message of a call whose event does not hold it yet."""
    game = tx.value(_ROUND_GAME, {"round": told["round"]}) or ""
    is_closed = told["kind"] == WIN or tx.value(_ROUND_STATE, {"round": told["round"]}) != "open"
    is_closed = is_closed and told["kind"] != BET
    names = {"game": game, "round_id": told["round"], "transaction": told["call"], "amount": told["amount"]}
    message = _message(tx, told["player"], **names, is_closed=is_closed)
    back = told["call"].removesuffix("R") if told["kind"] == ROLLBACK else None
    return msgspec.structs.replace(message, reference=back)


def call_altered(call_id: str, why: str) -> Refused:
    """A call that is not sent, because the database says otherwise than what was sealed."""
    return Refused("books-altered", f"call {call_id} was altered: {why}")


# Calls that are still to be sent.


def lost_bets(tx: Tx, wallet: str, now: int) -> list[str]:
    """Bets that have been `sent` for too long: the process that sent them is gone."""
    return [call_id for (call_id,) in tx.all(_LOST, {"name": wallet, "limit": now - SENT_MAX_MS})]


def due_calls(tx: Tx, wallet: str, now: int) -> list[str]:
    """Calls that should be sent now, the oldest first."""
    return [call_id for (call_id,) in tx.all(_DUE, {"name": wallet, "now": now})]


def count_due(tx: Tx, wallet: str) -> int:
    return int(tx.value(_COUNT_DUE, {"name": wallet}))


def open_calls(tx: Tx) -> list[OpenCall]:
    """Every call that is not acknowledged yet, the oldest first."""
    return [OpenCall._make(row) for row in tx.all(_UNFINISHED, {})]


def claim(tx: WriteTx, call_id: str) -> ClaimedCall | None:
    """Claim a due call for this process. If it is not acknowledged it is due again, each time after a longer wait."""
    attempts = tx.value(_ATTEMPTS, {"call": call_id}) or 0
    wait = FIRST_WAIT_MS << min(attempts, DOUBLINGS_MAX)
    row = tx.one(_CLAIM, {"call": call_id, "now": tx.now, "later": tx.now + wait})
    if row is None:
        return None
    attempts, call = row[0], StoredCall._make(row[1:])
    return ClaimedCall(call_id, call.kind, msgspec.json.encode(sealed_message(tx, call)), attempts)


def acknowledge(tx: WriteTx, call_id: str, balance: int) -> None:
    """The operator has acknowledged a win or rollback."""
    call = _change_state(tx, call_id, DUE, DONE)
    if call is not None:
        save_balance(tx, call.player_id, balance)
