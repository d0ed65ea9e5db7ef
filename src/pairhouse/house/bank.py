"""The bank: double-entry bookkeeping. Transfers are only ever added.

Accounts are `player:ID` (money of a player here), `operator:NAME` (money of players whose wallet is elsewhere), `held`
(stakes of open rounds), `house`, `jackpot:TABLE` and `mint` (where play money comes from); those of free bets are in
`free_bets.py`. A round's stakes go from
the player's account to `held`. When a wager is decided its stake goes on to the house, which pays what is returned;
when the round is void, what is not decided goes back. A game that is paid at its end is decided then, as a whole.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec
from sqlalchemy import bindparam, insert, select, update

from pairhouse.core.errors import Refused
from pairhouse.core.money import amount_text
from pairhouse.house.store.database import Tx
from pairhouse.house.store.rows import TransferRow
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
_INSERT_ACCOUNT = insert(accounts)
_INSERT_TRANSFER = insert(transfers)
_BY_KEY = select(transfers.c.kind, transfers.c.amount).where(transfers.c.key == bindparam("transfer_key"))
_RECORDED = select(transfers.c.at).where(transfers.c.key == bindparam("transfer_key"))


class Transfer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Money that goes from one account (debit) to another (credit); sealed as a list of these four."""

    kind: str
    debit: str
    credit: str
    amount: int


def player_account(player_id: str) -> str:
    return PLAYER + player_id


def open_account(tx: Tx, account: str, kind: str) -> None:
    """Open an account with a balance of zero."""
    tx.run(_INSERT_ACCOUNT, {"id": account, "kind": kind, "balance": 0})


def balance_of(tx: Tx, account: str) -> int:
    """The balance of a player's account; zero if there is none."""
    return int(tx.value(_BALANCE, {"account": account}) or 0)


def change_balance(tx: Tx, account: str, needed: int, change: int) -> int:
    """Add `change` to a player's balance if it holds at least `needed`; the new balance, or a refusal."""
    balance = tx.value(_MOVE, {"account": account, "needed": needed, "change": change})
    if balance is None:
        raise _no_funds(needed, balance_of(tx, account))
    return int(balance)


def add_to_balance(tx: WriteTx, account: str, balance: int, needed: int, change: int) -> int:
    """The same where the balance was read earlier in this transaction; the change is queued."""
    if balance < needed:
        raise _no_funds(needed, balance)
    tx.queue(_ADD, {"account": account, "change": change})
    return balance + change


def credit(tx: WriteTx, account: str, amount: int) -> None:
    """Add to a balance; it is written together with other changes."""
    tx.queue(_ADD, {"account": account, "change": amount})


def _no_funds(needed: int, balance: int) -> Refused:
    return Refused("no-funds", f"this takes {amount_text(needed)} and your balance is {amount_text(balance)}")


def cannot_afford(word: str, cost: int, balance: int) -> Refused:
    """The refusal of a choice that costs more than a player has."""
    return Refused("no-funds", f"{word} costs {amount_text(cost)} and your balance is {amount_text(balance)}")


def record(tx: WriteTx, key: str, round_id: str | None, moves: Sequence[Transfer]) -> None:
    """Write the transfers of one act or payment; its key makes sure that they are written once."""
    now = tx.now
    for number, move in enumerate(moves):
        row = TransferRow(f"{key}:{number}", round_id, move.kind, move.debit, move.credit, move.amount, now)
        tx.queue_row(_INSERT_TRANSFER, row)


def recorded_at(tx: Tx, key: str) -> int | None:
    """When transfers were written under this key, if they were."""
    at: int | None = tx.value(_RECORDED, {"transfer_key": f"{key}:0"})
    return at


def paid_so_far(tx: Tx, round_id: str, acts_made: int) -> tuple[int, int]:
    """What was decided and what was paid in the first acts of a round, read from their transfers."""
    by_act = [decided_by_act(tx, round_id, act) for act in range(acts_made)]
    return sum(decided for decided, _ in by_act), sum(paid for _, paid in by_act)


def decided_by_act(tx: Tx, round_id: str, act: int) -> tuple[int, int]:
    """What one act of a round has decided, and what was paid for it."""
    sums, number = Counter[str](), 0
    while (row := tx.one(_BY_KEY, {"transfer_key": f"{round_id}:{act}:{number}"})) is not None:
        sums[row[0]] += row[1]
        number += 1
    return sums["take"], sums["pay"]


def deciding_moves(account: str, decided: int, returned: int, jackpot: Sequence[Transfer] = ()) -> list[Transfer]:
    """The transfers of what an act has decided: stakes that are no longer held, and what is returned of them."""
    take = [Transfer("take", HELD, HOUSE, decided)] if decided else []
    pay = [Transfer("pay", HOUSE, account, returned)] if returned else []
    return [*take, *jackpot, *pay]


def jackpot_moves(table_id: str, before: int, after: int) -> list[Transfer]:
    """The transfer between the house and a table's jackpot when a round feeds the meter or wins from it."""
    account = f"jackpot:{table_id}"
    if after > before:
        return [Transfer("feed", HOUSE, account, after - before)]
    return [Transfer("award", account, HOUSE, before - after)] if after < before else []
