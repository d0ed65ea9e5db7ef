"""Writes what players do in a round into the books: the act, its money, the round itself, and the sealed event."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, insert, update

from pairhouse.core.game import Variant
from pairhouse.core.meter import Meter
from pairhouse.house.bank import HELD, Transfer, add_to_balance, deciding_moves, record
from pairhouse.house.commands import BetOrChoice
from pairhouse.house.dealer import Deal
from pairhouse.house.floor import FloorTable
from pairhouse.house.free_bets import FreeStake, book_free_stake, own_money
from pairhouse.house.meters import move_meter
from pairhouse.house.people import HOUSE_WALLET, Person
from pairhouse.house.store.rows import ActRow, RoundRow, SeatedRow
from pairhouse.house.store.schema import acts, rounds, seated, sittings
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.wallet_calls import add_win
from pairhouse.machines.events import Replay
from pairhouse.rounds.round_log import RoundLog
from pairhouse.rounds.round_view import OPEN, SETTLED

_encode = msgspec.json.Encoder().encode
_INSERT_ROUND = insert(rounds)
_INSERT_SEATED = insert(seated)
INSERT_ACT = insert(acts)
_INSERT_SITTING = insert(sittings)
DELETE_SITTING = delete(sittings).where(sittings.c.round_id == bindparam("round"))
UPDATE_ROUND = (
    update(rounds)
    .where(rounds.c.id == bindparam("round"))
    .values(
        staked=bindparam("all_staked"),
        state=bindparam("new_state"),
        returned=bindparam("all_returned"),
        closed_at=bindparam("at"),
        log=bindparam("new_log"),
        result=bindparam("new_result"),
    )
)


class Act(msgspec.Struct, frozen=True, gc=False):
    """What a player does in a round: opens it (number 0) or makes a choice. `balance` is the one before the act."""

    round_id: str
    number: int
    person: Person
    command: BetOrChoice
    kind: str
    word: str
    balance: int


def json_text(value: Any) -> str:
    """A value as the JSON text that is stored."""
    return _encode(value).decode()


def insert_round(
    tx: WriteTx, person: Person, table: FloorTable, deal: Deal, state: Replay, log: RoundLog | None, round_id: str
) -> None:
    """Write a new round, open or already settled."""
    variant, is_over = state.variant, state.is_over
    row = RoundRow(
        id=round_id,
        table_id=table.id,
        table_version=table.version,
        game=variant.game.id,
        options=_options_text(variant),
        rules_hash=variant.rules_hash,
        stream_id=deal.stream.id,
        nonce=deal.nonce,
        client_seeds=_client_seeds_text(deal.client_seed),
        first_card=deal.first_card,
        seats=json_text(state.stakes),
        meter=None,  # what the meter showed is in the log
        state=SETTLED if is_over else OPEN,
        opened_at=tx.now,
        closed_at=tx.now if is_over else None,
        staked=state.staked,
        returned=state.returned if is_over else None,
        log=json_text(log) if log is not None else None,
        result=json_text(state.wagers) if is_over else None,
    )
    tx.queue_row(_INSERT_ROUND, row)
    tx.queue_row(_INSERT_SEATED, SeatedRow(person.id, round_id, _numbers_text(len(state.stakes)), variant.game.id))
    if not is_over:
        tx.queue(_INSERT_SITTING, {"player_id": person.id, "table_id": table.id, "round_id": round_id})


def update_round(tx: WriteTx, round_id: str, state: Replay, log: RoundLog | None) -> None:
    """Write what a choice has changed in a round, and close the round if it is over."""
    is_over = state.is_over
    change = {
        "round": round_id,
        "all_staked": state.staked,
        "new_state": SETTLED if is_over else OPEN,
        "all_returned": state.returned if is_over else None,
        "at": tx.now if is_over else None,
        "new_log": json_text(log) if log is not None else None,
        "new_result": json_text(state.wagers) if is_over else None,
    }
    tx.queue(UPDATE_ROUND, change)
    if is_over:
        tx.queue(DELETE_SITTING, {"round": round_id})


def book_act(
    tx: WriteTx,
    act: Act,
    table_id: str,
    meter: Meter | None,
    state: Replay,
    staked: int,
    more: Mapping[str, Any] | None = None,
    free: FreeStake | None = None,
) -> int:
    """Move the money of an act, write the act down and seal its event (with `more` in it); the balance after it.

    With `free`, a free bet has paid the first stakes of the round.
    """
    round_id, number, person, command = act.round_id, act.number, act.person, act.command
    account, is_over = person.account, state.is_over
    decided, returned = decided_now(person, number, state, free)
    cost = 0 if free is not None and number == 0 else staked
    if person.wallet == HOUSE_WALLET:
        balance = add_to_balance(tx, account, act.balance, cost, returned - cost)
    else:
        balance = (command.operator_balance or 0) + returned
        if is_over:
            add_win(tx, person.id, round_id, state.variant.game.id, returned, balance)
    moves = [Transfer("stake", account, HELD, cost)] if cost else []
    if is_over:
        jackpot = move_meter(tx, table_id, meter, state.meter) if meter is not None else []
        moves += deciding_moves(account, decided, returned, jackpot)
    elif decided or returned:
        moves += deciding_moves(account, decided, returned)
    if free is not None:
        all_returned = state.returned if is_over else None
        moves += book_free_stake(tx, round_id, person.id, free, own_money(free, state), all_returned, number == 0)
    record(tx, f"{round_id}:{number}", round_id, moves)
    event = {
        "round": round_id,
        "act": number,
        "word": act.word,
        "player": person.id,
        "table": table_id,
        "key": command.key,
        "body": command.body_hash,
        "balance": balance,
        "transfers": moves,
        **(more or {}),
    }
    if is_over:
        event["result"] = state.wagers
    place = tx.seal(act.kind, event)
    row = (round_id, number, person.id, command.key, command.body_hash, act.kind, act.word, tx.now, staked, balance)
    tx.queue_row(INSERT_ACT, ActRow(*row, *place))
    return balance


def is_paid_when_decided(person: Person, variant: Variant) -> bool:
    """Whether this player gets what a wager returns when it is decided, and not when the round is over."""
    return variant.pays_when_decided and person.wallet == HOUSE_WALLET


def decided_now(person: Person, number: int, state: Replay, free: FreeStake | None = None) -> tuple[int, int]:
    """What an act has decided: the stakes that go to the house, and what comes back of them. [PV3-17]

    An operator's wallet is paid once, when the round is over, and so is a round on a free bet.
    """
    if free is not None:
        own = own_money(free, state)
        return (own.staked, own.returned) if state.is_over else (0, 0)
    if (number or not state.is_over) and is_paid_when_decided(person, state.variant):
        return state.last_decided()
    return (state.staked, state.returned) if state.is_over else (0, 0)


def deal_event(
    variant: Variant, deal: Deal, seats: list[dict[str, int]], free: FreeStake | None = None
) -> dict[str, Any]:
    """What a bet's event says of its rules, stakes and cards, so that a later change of a row is noticed."""
    paid_by = {"free_bet": free.id} if free is not None else {}
    return {
        "stream": deal.stream.id,
        "nonce": deal.nonce,
        "first_card": deal.first_card,
        "rules": variant.rules_hash,
        "client_seeds": [deal.client_seed],
        "seats": seats,
        **paid_by,
    }


@lru_cache(maxsize=64)
def _numbers_text(seats: int) -> str:
    return json_text(list(range(1, seats + 1)))


@lru_cache(maxsize=4096)
def _client_seeds_text(client_seed: str) -> str:
    return json_text([client_seed])


@lru_cache(maxsize=512)
def _options_text(variant: Variant) -> str:
    return json_text(dict(variant.options))
