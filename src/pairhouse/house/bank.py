"""The bank: double entry, only ever added to.

Accounts are `player:ID` (money of a player here), `operator:NAME` (money of players whose wallet is elsewhere), `held`
(stakes of open rounds), `house`, `jackpot:TABLE` and `mint` (where play money comes from). A round's stakes go from
the player to `held`; when it closes they go to the house and what is returned comes from it, or they go back.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, insert, select, update

from pairhouse.core.errors import Refused
from pairhouse.core.money import amount_text
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import accounts, transfers
from pairhouse.house.store.transaction import WriteTx

HELD, HOUSE, MINT, PLAYER = "held", "house", "mint", "player:"

_BALANCE = select(accounts.c.balance).where(accounts.c.id == bindparam("account"))
_MOVE = (
    update(accounts)
    .where(accounts.c.id == bindparam("account"), accounts.c.balance >= bindparam("needed"))
    .values(balance=accounts.c.balance + bindparam("change"))
    .returning(accounts.c.balance)
)
_ADD = (
    update(accounts)
    .where(accounts.c.id == bindparam("account"))
    .values(balance=accounts.c.balance + bindparam("change"))
)
_OPEN = insert(accounts)
_TRANSFER = insert(transfers)
_RECORDED = select(transfers.c.at).where(transfers.c.key == bindparam("transfer_key"))


class Transfer(NamedTuple):
    """Money from one account to another. Its key names the deed, so that no deed is done twice."""

    kind: str
    debit: str
    credit: str
    amount: int


def player_account(player_id: str) -> str:
    return PLAYER + player_id


def open_account(tx: Tx, account: str, kind: str) -> None:
    """An account with nothing on it."""
    tx.run(_OPEN, {"id": account, "kind": kind, "balance": 0})


def balance_of(tx: Tx, account: str) -> int:
    """What a player has here."""
    row = tx.one(_BALANCE, {"account": account})
    return int(row[0]) if row else 0


def change_balance(tx: Tx, account: str, needed: int, change: int) -> int:
    """Add `change` to a player's balance if it holds at least `needed`; the new balance, or a refusal."""
    row = tx.one(_MOVE, {"account": account, "needed": needed, "change": change})
    if row is None:
        raise _no_funds(needed, balance_of(tx, account))
    return int(row[0])


def add_to_balance(tx: WriteTx, account: str, balance: int, needed: int, change: int) -> int:
    """The same where the balance was read in this transaction already; it is written later."""
    if balance < needed:
        raise _no_funds(needed, balance)
    tx.later(_ADD, {"account": account, "change": change})
    return balance + change


def _no_funds(needed: int, balance: int) -> Refused:
    return Refused("no-funds", f"this takes {amount_text(needed)} and your balance is {amount_text(balance)}")


def record(tx: WriteTx, key: str, round_id: str | None, moves: Sequence[Transfer]) -> None:
    """Write the transfers of one deed."""
    for number, move in enumerate(moves):
        tx.add(_TRANSFER, (f"{key}:{number}", round_id, *move, tx.now))


def recorded_at(tx: Tx, key: str) -> int | None:
    """When the deed of this key was done, if it was."""
    row = tx.one(_RECORDED, {"transfer_key": f"{key}:0"})
    return int(row[0]) if row else None


def moves_of(purse: str, staked: int, closed: tuple[int, int] | None, *jackpot: Transfer) -> list[Transfer]:
    """The transfers of an act: what it stakes now and, when it closes the round, (all that was staked, returned)."""
    moves = [Transfer("stake", purse, HELD, staked)] if staked else []
    if closed is not None:
        moves += [Transfer("take", HELD, HOUSE, closed[0]), *jackpot]
        if closed[1]:
            moves.append(Transfer("pay", HOUSE, purse, closed[1]))
    return moves


def jackpot_move(table_id: str, before: int, after: int) -> list[Transfer]:
    """What a round put on the meter of a table or won from it: its money comes from the house and goes there."""
    account = f"jackpot:{table_id}"
    if after > before:
        return [Transfer("feed", HOUSE, account, after - before)]
    return [Transfer("award", account, HOUSE, before - after)] if after < before else []
