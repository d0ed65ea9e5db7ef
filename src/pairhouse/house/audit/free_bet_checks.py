"""Checks of free bets against the events that describe them, and of the rounds they have paid for."""

from typing import Any

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.house.audit.notebook import Differs, Notebook, check_equal, text
from pairhouse.house.audit.round_rows import AuditedRound, Move
from pairhouse.house.bank import Transfer
from pairhouse.house.free_bets import FREE_BET, FreeStake, OwnMoney, free_moves, own_money_of
from pairhouse.house.store.database import Tx
from pairhouse.house.store.free_bet_schema import free_bets
from pairhouse.rounds.round_view import OPEN

PAGE = 5_000
_FREE_BETS = select(free_bets).where(free_bets.c.id > bindparam("after")).order_by(free_bets.c.id).limit(PAGE)
_NAMES = [column.name for column in free_bets.columns]
_CHANGING = ("remaining", "withdrawn_at")


def note_granted(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note a free bet, and the transfer that granted it."""
    notebook.note("free bet", body["id"], text({name: body[name] for name in _NAMES if name not in _CHANGING}))
    _note_transfers(notebook, f"free-grant:{body['id']}", at, body)


def note_withdrawn(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note that a free bet was withdrawn."""
    notebook.note("free bet withdrawn", body["free_bet"], str(at))


def note_ended(notebook: Notebook, place: str, at: int, body: dict[str, Any]) -> None:
    """Note the transfer of what remained of a free bet."""
    _note_transfers(notebook, body["key"], at, body)


def _note_transfers(notebook: Notebook, key: str, at: int, body: dict[str, Any]) -> None:
    for number, move in enumerate(body["transfers"]):
        notebook.note("transfer", f"{key}:{number}", text([at, *move]))


def check_free_bets(tx: Tx, notebook: Notebook) -> None:
    """Every free bet is as its events say, and what remains of it is the sum of its transfers."""
    count = withdrawn = 0
    after = ""
    while rows := tx.all(_FREE_BETS, {"after": after}):
        for values in rows:
            row = dict(zip(_NAMES, values, strict=True))
            where = f"free bet {row['id']}"
            says = text({name: row[name] for name in _NAMES if name not in _CHANGING})
            check_equal(where, "what the books say", says, notebook.noted("free bet", row["id"]))
            noted = notebook.noted("free bet withdrawn", row["id"])
            check_equal(where, "when it was withdrawn", row["withdrawn_at"], int(noted) if noted is not None else None)
            total = notebook.total(f"account:{FREE_BET}{row['id']}")
            check_equal(where, "what remains of it", row["remaining"], total)
            count, withdrawn = count + 1, withdrawn + (noted is not None)
        after = rows[-1][0]
    check_equal("free bets", "how many events tell of them", notebook.count("free bet"), count)
    check_equal("free bets", "how many were withdrawn", notebook.count("free bet withdrawn"), withdrawn)


def check_free_stake(where: str, audited: AuditedRound) -> tuple[FreeStake, OwnMoney] | None:
    """The free stake of a round, if it has one, and what of the round is the player's own; they are computed again."""
    row = audited.row
    if row.free_bet is None:
        return None
    check_equal(where, "the player of its free stake", row.free_player, row.owner)
    check_equal(where, "the player of its free bet", row.free_bet_player, row.owner)
    seats = msgspec.json.decode(row.seats)
    staked = sum(stake for stakes in seats for stake in stakes.values())
    check_equal(where, "its free stake", row.free_staked, staked)
    free = FreeStake(row.free_bet, staked, bool(row.free_stake_returned))
    own = OwnMoney(row.staked - staked, 0)
    if row.state != OPEN:
        own = own_money_of(free, row.staked, row.seats, row.result or "[]")
    not_paid = row.returned - own.returned if row.returned is not None else 0
    kept = (row.free_given_back, row.free_not_paid)
    check_equal(where, "what went back to its free bet, and what was not paid", kept, (own.given_back, not_paid))
    return free, own


def free_moves_of(free: FreeStake, own: OwnMoney, is_first: bool, is_over: bool) -> list[Move]:
    """The transfers between accounts of free bets that follow from an act."""
    moves: list[Transfer] = free_moves(free, is_first, is_over, own.given_back)
    return [(move.kind, move.debit, move.credit, move.amount) for move in moves]


def check_free_accounts(found: dict[str, int]) -> None:
    """Free bets add up to nothing by themselves: none became money, and no money became a free bet."""
    free = {name: total for name, total in found.items() if name.startswith("free-")}
    if sum(free.values()):
        raise Differs(f"the accounts of free bets add up to {sum(free.values())}; they should add up to 0: {free}")
