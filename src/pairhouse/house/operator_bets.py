"""Bets with money that an operator keeps: asked for in one transaction, used in another, and never used twice.

Between the two the operator's wallet is asked over HTTP (`server/cashier.py`). Whatever happens there, the bet ends
with its round or choice, or with a rollback.
"""

from collections.abc import Callable, Collection
from typing import Any

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.house.bank import balance_of
from pairhouse.house.bet_context import bet_context
from pairhouse.house.choice_context import choice_context
from pairhouse.house.commands import Bet, Choice, RoundOpen, check_commitment, key_reused
from pairhouse.house.meters import read_meter
from pairhouse.house.people import HOUSE_WALLET, Person, person_of
from pairhouse.house.pit import Pit
from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.writer import RunInstead
from pairhouse.house.wallet_calls import UNDONE, Message, Purse, add_bet, bet_done, bet_in_flight, give_up, purse_of
from pairhouse.rounds.fairness import check_client_seed
from pairhouse.rounds.round_view import RoundView


class Intent(msgspec.Struct, frozen=True):
    """A bet that is written down, for the operator to take."""

    person: Person
    message: Message


def money_of(tx: Tx, person: Person, currency: str) -> Purse:
    """A player's money: here, in our currency, or as it was last known elsewhere."""
    if person.wallet == HOUSE_WALLET:
        return Purse(balance_of(tx, person.account), currency, 2)
    return purse_of(tx, person.id)


def ask_for_bet(tx: WriteTx, pit: Pit, wallets: Collection[str], token_hash: str, bet: Bet) -> Intent | RoundView:
    """Check all that can be checked before the cards, and write the bet down; or the answer this key had before."""
    arrival = bet_context(tx, token_hash, bet.table, bet.key)
    person = arrival.person
    before = _answered(tx, pit, person, bet)
    if before is not None:
        return before
    table = pit.open_table(tx, arrival, bet)
    seats = pit.accepted(table, bet.seats)
    check_client_seed(bet.client_seed)
    if arrival.open_round is not None:
        raise RoundOpen(arrival.open_round)
    check_commitment(bet, arrival.seat(table.id))
    _check_connected(person, wallets)
    staked = sum(stake for stakes in seats for stake in stakes.values())
    round_id = new_id(tx.now)
    game = table.house.variant.game.id
    return Intent(person, add_bet(tx, person.id, round_id, game, staked, bet.key, bet.body_hash))


def use_bet(tx: WriteTx, pit: Pit, token_hash: str, bet: Bet, intent: Intent, balance: int) -> Any:
    """Deal on a bet the operator took. If that cannot be, the bet is rolled back, and the refusal is the answer."""

    def deal() -> RoundView:
        arrival = bet_context(tx, token_hash, bet.table, bet.key)
        if arrival.known_key:
            raise key_reused()
        told = msgspec.structs.replace(bet, round_id=intent.message.round, outside_balance=balance)
        view = pit.open_for(tx, arrival, told)
        assert view.staked == intent.message.amount, "a round stakes what the operator was asked for"
        return view

    return _use(tx, pit, bet, intent, balance, deal)


def ask_for_choice(
    tx: WriteTx, pit: Pit, wallets: Collection[str], token_hash: str, choice: Choice
) -> Intent | RoundView:
    """A choice that costs nothing is made at once; for any other its stake is written down, to be asked for."""
    person = person_of(tx, token_hash, tx.now)
    before = _answered(tx, pit, person, choice)
    if before is not None:
        return before
    turn = choice_context(tx, token_hash, choice)
    turn.check(choice)
    stored = turn.stored
    meter = read_meter(tx, stored.table_id, stored.variant)
    cost = pit.play_from(stored, turn.stream, [*turn.choices, choice.word], meter).staked - stored.staked
    if cost == 0:
        known = purse_of(tx, person.id).balance
        return pit.choose_for(tx, turn, msgspec.structs.replace(choice, outside_balance=known))
    _check_connected(person, wallets)
    return Intent(person, add_bet(tx, person.id, stored.id, stored.game, cost, choice.key, choice.body_hash))


def use_choice(tx: WriteTx, pit: Pit, token_hash: str, choice: Choice, intent: Intent, balance: int) -> Any:
    """Make a choice whose stake the operator took; if that cannot be, the stake is rolled back."""

    def make() -> RoundView:
        turn = choice_context(tx, token_hash, choice)
        if turn.known_key:
            raise key_reused()
        return pit.choose_for(tx, turn, msgspec.structs.replace(choice, outside_balance=balance))

    return _use(tx, pit, choice, intent, balance, make)


def _use(
    tx: WriteTx, pit: Pit, deed: Bet | Choice, intent: Intent, balance: int, do: Callable[[], RoundView]
) -> RoundView | Refused:
    bet_id = intent.message.transaction
    if not bet_done(tx, bet_id, balance):
        raise outcome_unknown()  # it took so long that the bet was given up; its rollback is due already
    try:
        view = do()
    except Refused as refused:
        told = refused

        def undo(tx: WriteTx) -> RoundView | Refused:
            give_up(tx, bet_id, UNDONE)
            try:
                answer: RoundView = pit._as_before(intent.person.id, deed.key, deed.body_hash, told)(tx)
            except Refused as still:
                return still
            return answer

        raise RunInstead(undo) from None
    return view


def _answered(tx: WriteTx, pit: Pit, person: Person, deed: Bet | Choice) -> RoundView | None:
    """The answer this key had before, unless it is new; refused while its bet is on its way."""
    sent = bet_in_flight(tx, person.id, deed.key)
    if sent == deed.body_hash:
        raise Refused("in-progress", "the first request with this key is still on its way; ask again in a moment")
    if sent is not None:
        raise Refused("key-reused", "this key was used for another request; give each request a key of its own")
    new = Refused("new-key", "this key is new")
    try:
        answer: RoundView = pit._as_before(person.id, deed.key, deed.body_hash, new)(tx)
    except Refused as refused:
        if refused is new:
            return None
        raise
    return answer


def _check_connected(person: Person, wallets: Collection[str]) -> None:
    if person.wallet not in wallets:
        raise Refused("wallet-unknown", f"the wallet {person.wallet} is not connected just now; nothing was staked")


def outcome_unknown() -> Refused:
    """The operator did not tell what came of a bet: nothing is dealt on it."""
    sentence = "the wallet did not tell in time whether it took the bet; nothing was dealt, and it will be taken back"
    return Refused("wallet-unknown", sentence)
