"""Bets with money that an operator keeps: prepared in one transaction, completed in another, and never used twice.

Between the two, the operator's wallet is asked over HTTP (`server/wallets/cashier.py`). Whatever happens there, the
bet ends with its round or choice, or with a rollback.
"""

from collections.abc import Callable, Collection
from typing import Any

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.house.bank import balance_of
from pairhouse.house.bet_context import bet_context
from pairhouse.house.choice_context import choice_context
from pairhouse.house.commands import BetOrChoice, RoundBet, RoundChoice, check_commitment, key_reused
from pairhouse.house.free_bets import money_elsewhere
from pairhouse.house.meters import read_meter
from pairhouse.house.people import HOUSE_WALLET, Person, person_of
from pairhouse.house.pit import Pit
from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.writer import RunInstead
from pairhouse.house.wallet_calls import (
    EXPONENT,
    UNDONE,
    Message,
    Purse,
    add_bet,
    bet_done,
    bet_in_flight,
    give_up,
    purse_of,
)
from pairhouse.rounds.fairness import check_client_seed
from pairhouse.rounds.round_view import RoundView


class PendingBet(msgspec.Struct, frozen=True):
    """A stake that is written down and must now be asked of the operator's wallet."""

    person: Person
    message: Message


def money_of(tx: Tx, person: Person, currency: str) -> Purse:
    """A player's money: here, in our currency, or as the operator last reported it."""
    if person.wallet == HOUSE_WALLET:
        return Purse(balance_of(tx, person.account), currency, EXPONENT)
    return purse_of(tx, person.id)


def prepare_bet(
    tx: WriteTx, pit: Pit, wallets: Collection[str], token_hash: str, bet: RoundBet
) -> PendingBet | RoundView:
    """Check all that can be checked before the cards, and write the stake down; or the answer this bet had before."""
    context = bet_context(tx, token_hash, bet.table, bet.key)
    person = context.person
    earlier = _earlier_answer(tx, pit, person, bet)
    if earlier is not None:
        return earlier
    if bet.free_bet is not None:
        raise money_elsewhere(person.wallet)
    table = pit.open_table(tx, context, bet)
    seats = pit.accepted(context, table, bet.seats)
    check_client_seed(bet.client_seed)
    check_commitment(bet, pit.free_seat(tx, context, table))
    pit.guard.check_bet(tx.now, person.since, context.care, table.betting.variant, seats)
    check_connected(person, wallets)
    staked = sum(stake for stakes in seats for stake in stakes.values())
    round_id = new_id(tx.now)
    game = table.betting.variant.game.id
    return PendingBet(person, add_bet(tx, person.id, round_id, game, staked, bet.key, bet.body_hash))


def complete_bet(tx: WriteTx, pit: Pit, token_hash: str, bet: RoundBet, pending: PendingBet, balance: int) -> Any:
    """Deal on a bet the operator took. If that is not possible, the bet is rolled back and the refusal returned."""

    def deal() -> RoundView:
        context = bet_context(tx, token_hash, bet.table, bet.key)
        if context.known_key:
            raise key_reused()
        funded = msgspec.structs.replace(bet, round_id=pending.message.round, operator_balance=balance)
        view = pit.open_for(tx, context, funded)
        assert view.staked == pending.message.amount, "a round stakes what the operator was asked for"
        return view

    return _complete(tx, pit, bet, pending, balance, deal)


def prepare_choice(
    tx: WriteTx, pit: Pit, wallets: Collection[str], token_hash: str, choice: RoundChoice
) -> PendingBet | RoundView:
    """Make a choice that costs nothing at once; for any other, write its stake down, to be asked of the operator."""
    person = person_of(tx, token_hash, tx.now)
    earlier = _earlier_answer(tx, pit, person, choice)
    if earlier is not None:
        return earlier
    context = choice_context(tx, token_hash, choice)
    context.check(choice)
    stored = context.stored
    meter = read_meter(tx, stored.table_id, stored.variant)
    cost = pit.play_from(stored, context.stream, [*context.choices, choice.word], meter).staked - stored.staked
    if cost == 0:
        known = purse_of(tx, person.id).balance
        return pit.choose_for(tx, context, msgspec.structs.replace(choice, operator_balance=known))
    pit.guard.check_choice(tx.now, context.care, cost)
    check_connected(person, wallets)
    return PendingBet(person, add_bet(tx, person.id, stored.id, stored.game, cost, choice.key, choice.body_hash))


def complete_choice(
    tx: WriteTx, pit: Pit, token_hash: str, choice: RoundChoice, pending: PendingBet, balance: int
) -> Any:
    """Make a choice whose stake the operator took. If that is not possible, the stake is rolled back."""

    def choose() -> RoundView:
        context = choice_context(tx, token_hash, choice)
        if context.known_key:
            raise key_reused()
        return pit.choose_for(tx, context, msgspec.structs.replace(choice, operator_balance=balance))

    return _complete(tx, pit, choice, pending, balance, choose)


def _complete(
    tx: WriteTx, pit: Pit, command: BetOrChoice, pending: PendingBet, balance: int, play: Callable[[], RoundView]
) -> RoundView | Refused:
    bet_id = pending.message.transaction
    if not bet_done(tx, bet_id, balance):
        raise outcome_unknown()  # it took so long that the bet was given up; its rollback is due already
    try:
        return play()
    except Refused as refusal:
        refused = refusal

    def roll_back(tx: WriteTx) -> RoundView | Refused:
        give_up(tx, bet_id, UNDONE)
        try:
            return pit.earlier_answer(tx, pending.person.id, command) or refused
        except Refused as reused:
            return reused

    raise RunInstead(roll_back)


def _earlier_answer(tx: WriteTx, pit: Pit, person: Person, command: BetOrChoice) -> RoundView | None:
    """The answer this command had before, or None if its key is new; refused while its bet is on its way."""
    body_hash = bet_in_flight(tx, person.id, command.key)
    if body_hash == command.body_hash:
        raise Refused("in-progress", "the first request with this key is still on its way; ask again in a moment")
    if body_hash is not None:
        raise key_reused()
    return pit.earlier_answer(tx, person.id, command)


def check_connected(person: Person, wallets: Collection[str]) -> None:
    """Refuse a stake that the operator's wallet cannot be asked for."""
    if person.wallet not in wallets:
        raise Refused("wallet-unknown", f"the wallet {person.wallet} is not connected just now; nothing was staked")


def outcome_unknown() -> Refused:
    """The operator did not say whether it took a bet: nothing is dealt on it."""
    sentence = "the wallet did not tell in time whether it took the bet; nothing was dealt, and it will be taken back"
    return Refused("wallet-unknown", sentence)
