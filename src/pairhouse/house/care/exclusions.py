"""Breaks and self-exclusions: who may not play, why, and until when.

They are kept by account, so that they outlast a player's row: a named account by its name in small letters, a player of
an operator by the operator's id for them, a guest by their own id.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, insert, select

from pairhouse.core.errors import Refused
from pairhouse.house.care.periods import when_text
from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.schema import exclusions, players, sittings
from pairhouse.house.store.transaction import WriteTx

BREAK, SELF_EXCLUSION = "break", "self-exclusion"
CODES = {BREAK: "on-break", SELF_EXCLUSION: "self-excluded"}
_INSERT = insert(exclusions)
_LAST = (
    select(exclusions.c.kind, exclusions.c.until_at)
    .where(exclusions.c.account == bindparam("account"), exclusions.c.until_at > bindparam("now"))
    .order_by(exclusions.c.kind.desc(), exclusions.c.until_at.desc())  # a self-exclusion before a break
    .limit(1)
)
_PLAYER = select(players.c.name, players.c.wallet, players.c.outside_id, players.c.guest).where(
    players.c.id == bindparam("player")
)
_HAS_OPEN = select(sittings.c.round_id).where(sittings.c.player_id == bindparam("player")).limit(1)


class Barred(Refused):
    """Somebody who is away may not play before `until_at`, in milliseconds since 1970."""

    def __init__(self, code: str, sentence: str, until_at: int) -> None:
        super().__init__(code, sentence)
        self.until_at = until_at


class Exclusion(NamedTuple):
    """A break or self-exclusion that is in force."""

    kind: str
    until_at: int

    @property
    def refusal(self) -> Refused:
        return barred(self.kind, self.until_at)


def barred(kind: str, until_at: int) -> Barred:
    """Why a player may not play, and until when."""
    what = "you have excluded yourself from play" if kind == SELF_EXCLUSION else "you are taking a break"
    return Barred(CODES[kind], f"{what} until {when_text(until_at)}; it cannot be ended before", until_at)


def account_of_name(name: str) -> str:
    """The account of a named player. `Ada` and `ada` are one person here."""
    return f"name:{name.casefold()}"


def account_of_outside(wallet: str, outside_id: str) -> str:
    """The account of a player whose money an operator keeps."""
    return f"wallet:{wallet}:{outside_id}"


def account_of_player(tx: Tx, player_id: str) -> str:
    """The account that a player's exclusions are kept under."""
    row = tx.one(_PLAYER, {"player": player_id})
    assert row is not None, "a player exists"
    name, wallet, outside_id, guest = row
    if outside_id is not None:
        return account_of_outside(wallet, outside_id)
    return f"guest:{player_id}" if guest else account_of_name(name)


def exclusion_of(tx: Tx, account: str, now: int) -> Exclusion | None:
    """The exclusion of an account that is in force, the gravest first."""
    row = tx.one(_LAST, {"account": account, "now": now})
    return Exclusion._make(row) if row is not None else None


def add_exclusion(tx: WriteTx, player_id: str, kind: str, until_at: int, by: str) -> None:
    """Write an exclusion down; its event says the same."""
    times = {"from_at": tx.now, "until_at": until_at}
    account = account_of_player(tx, player_id)
    row = {"id": new_id(tx.now), "account": account, "player_id": player_id, "kind": kind, "by": by, **times}
    tx.run(_INSERT, row)
    tx.seal("exclusion-added", row)


def refusal_at_sign_in(tx: Tx, account: str, player_id: str | None, now: int) -> Refused | None:
    """Why an account may not sign in. A round that is open may still be finished, so its player may come in."""
    found = exclusion_of(tx, account, now)
    if found is None or (player_id is not None and tx.one(_HAS_OPEN, {"player": player_id}) is not None):
        return None
    return found.refusal
