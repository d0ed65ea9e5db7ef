"""The cashier: takes each stake from the wallet that the player's money is in.

Money that is here moves with the round, in one transaction. Money that an operator keeps takes three steps: the bet
is written down, the operator's wallet is asked, and only then, in a second transaction, something is dealt on it.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.house.commands import MoneyElsewhere, RoundBet, RoundChoice
from pairhouse.house.house import House
from pairhouse.house.operator_bets import (
    PendingBet,
    complete_bet,
    complete_choice,
    outcome_unknown,
    prepare_bet,
    prepare_choice,
)
from pairhouse.house.people import HOUSE_WALLET, Person, outside_player
from pairhouse.house.store.database import StoreFailed
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.writer import Batched, Command
from pairhouse.house.wallet_calls import (
    UNKNOWN,
    Purse,
    bet_refused,
    give_up,
    open_purse,
    rollback_id,
    save_balance,
    win_id,
)
from pairhouse.rounds.round_view import OPEN, RoundView
from pairhouse.server.metrics import CALLS
from pairhouse.server.wallets.operator_client import Operators, WalletRefused, WalletUnclear
from pairhouse.server.wallets.outbox import Outbox, Read, Write

log = logging.getLogger("pairhouse.wallet")

WIN_PATIENCE_S = 1.0  # an answer waits so long for the operator to have the win, so that the next bet finds it there
NO_FUNDS = "insufficient-funds"

Finish = Callable[[PendingBet, int], Command]  # the second transaction: what is done with the money taken


class Cashier:
    """The wallets behind one interface."""

    def __init__(self, house: House, operators: Operators, write: Write, read: Read) -> None:
        self.house = house
        self.operators = operators
        self.write = write
        self.outbox = Outbox(house.clock, operators, write, read)

    async def do(self, token_hash: str, play: RoundBet | RoundChoice) -> RoundView:
        """Bet or choose, with the stake from wherever the money is."""
        try:
            view: RoundView = await self._write(self.batched(token_hash, play))
        except MoneyElsewhere as elsewhere:
            return await self.do_at_operator(elsewhere.wallet, token_hash, play)
        return view

    def batched(self, token_hash: str, play: RoundBet | RoundChoice) -> Batched:
        """A bet or choice for the writer's next batch, where the money is here."""
        pit = self.house.pit
        return pit.bet_command(token_hash, play) if isinstance(play, RoundBet) else pit.choice_command(token_hash, play)

    async def do_at_operator(self, wallet: str, token_hash: str, play: RoundBet | RoundChoice) -> RoundView:
        """A bet or choice with money that an operator keeps."""
        pit, wallets = self.house.pit, self.operators.settings
        if isinstance(play, RoundBet):
            view: RoundView = await self.three_steps(
                wallet,
                lambda tx: prepare_bet(tx, pit, wallets, token_hash, play),
                lambda pending, balance: partial(
                    complete_bet, pit=pit, token_hash=token_hash, bet=play, pending=pending, balance=balance
                ),
            )
        else:
            view = await self.three_steps(
                wallet,
                lambda tx: prepare_choice(tx, pit, wallets, token_hash, play),
                lambda pending, balance: partial(
                    complete_choice, pit=pit, token_hash=token_hash, choice=play, pending=pending, balance=balance
                ),
            )
        return await self._tell_win(wallet, view)

    async def three_steps(self, wallet: str, ask: Command, use: Finish) -> Any:
        """Write a stake down, ask the operator's wallet, and play for it; what came of it, or of what needs none."""
        pending = await self._write(ask)
        if not isinstance(pending, PendingBet):
            self.outbox.look_soon()
            return pending
        balance = await self._take(wallet, pending)
        bet_id = pending.message.transaction
        try:
            answer = await self._write(use(pending, balance))
        except Refused:
            self.outbox.send_soon(wallet, rollback_id(bet_id))
            raise
        except StoreFailed:
            await self._give_up(wallet, bet_id)
            raise
        self.outbox.look_soon()
        return answer

    async def _take(self, wallet: str, pending: PendingBet) -> int:
        """Ask the operator for a bet; the balance after it."""
        message, person = pending.message, pending.person
        try:
            token = self._token(person)
            balance = await self.operators.bet(wallet, msgspec.structs.replace(message, token=token))
        except WalletRefused as refused:
            CALLS.labels(wallet, "bet", "refused").inc()
            await self._write(partial(bet_refused, bet_id=message.transaction))
            raise _as_refusal(refused) from None
        except WalletUnclear as unclear:
            CALLS.labels(wallet, "bet", "unknown").inc()
            log.warning("bet unclear", extra={"wallet": wallet, "call": message.transaction, "reason": str(unclear)})
            await self._give_up(wallet, message.transaction)
            raise outcome_unknown() from None
        CALLS.labels(wallet, "bet", "done").inc()
        return balance

    async def _give_up(self, wallet: str, bet_id: str) -> None:
        """Have a bet rolled back; if even that cannot be written now, the outbox finds it after a minute."""
        try:
            await self._write(partial(give_up, bet_id=bet_id, state=UNKNOWN))
        except StoreFailed as failed:
            log.warning("bet left behind", extra={"wallet": wallet, "call": bet_id, "reason": str(failed)})
            return
        except Refused as altered:
            self.outbox.alarm(wallet, bet_id, altered)
            return
        self.outbox.send_soon(wallet, rollback_id(bet_id))

    async def _tell_win(self, wallet: str, view: RoundView) -> RoundView:
        """Tell the operator of a round that closed, and give it a moment to answer."""
        if view.state != OPEN:
            sending = self.outbox.send_soon(wallet, win_id(view.id))
            if sending is not None:
                await asyncio.wait([sending], timeout=WIN_PATIENCE_S)
        return view

    async def sign_in(self, wallet: str, token: str) -> str:
        """A session for a player whose money an operator keeps; its token."""
        try:
            known = await self.operators.authenticate(wallet, token)
        except WalletRefused as refused:
            raise Refused("bad-login", f"{wallet} does not let this player in: {_reason(refused)}") from None
        except WalletUnclear as unclear:
            log.warning("sign-in unclear", extra={"wallet": wallet, "reason": str(unclear)})
            raise Refused("wallet-unknown", f"{wallet} does not answer just now; try again in a moment") from None
        player = str(known.player)
        sealed = self.house.vault.seal(token.encode(), f"{wallet}:{player}")

        def let_in(tx: WriteTx) -> str:
            session, player_id = outside_player(tx, wallet, player, sealed)
            open_purse(tx, player_id, Purse(known.balance, known.currency, known.exponent))
            return session

        session: str = await self._write(let_in)
        return session

    async def balance(self, person: Person, known: int) -> int:
        """What a player has at an operator's now; what is known of it when the operator does not tell."""
        if person.wallet == HOUSE_WALLET or person.wallet not in self.operators.settings:
            return known
        player = person.name.partition(":")[2]
        try:
            now = await self.operators.balance(person.wallet, player, self._token(person))
        except (WalletRefused, WalletUnclear):
            return known
        if now != known:
            await self._write(partial(save_balance, player_id=person.id, balance=now))
        return now

    async def close(self) -> None:
        """Let what is on its way arrive, then hang up."""
        await self.outbox.close()
        await self.operators.close()

    def _token(self, person: Person) -> str:
        return self.house.vault.open(person.outside_token or b"", person.name).decode()

    async def _write(self, command: Command) -> Any:
        answer = await self.write(command)
        if isinstance(answer, Refused):
            raise answer
        return answer


def _as_refusal(refused: WalletRefused) -> Refused:
    if refused.code == NO_FUNDS:
        return Refused("no-funds", refused.message or "your balance does not carry this bet")
    return Refused("wallet-refused", f"the wallet does not take this bet: {_reason(refused)}")


def _reason(refused: WalletRefused) -> str:
    return f"{refused.message} ({refused.code})" if refused.message else refused.code
