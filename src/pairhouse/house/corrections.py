"""Corrections of closed rounds: all plays and all pays of a round are made void. [ruling 44] [BPP-48]

Nothing that was written is changed. Reversing entries give each player the stakes back and take what was returned;
what a balance cannot give back is booked as written off. The round stays as it was dealt, and so does its proof.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, func, insert, select

from pairhouse.core.errors import Refused
from pairhouse.core.money import amount_text
from pairhouse.house.bank import HOUSE, Transfer, balance_of, change_balance, player_account, record
from pairhouse.house.care.guard import Guard
from pairhouse.house.people import HOUSE_WALLET, operator_account
from pairhouse.house.recall import no_such_round
from pairhouse.house.store.database import Tx
from pairhouse.house.store.free_bet_schema import free_stakes
from pairhouse.house.store.live_schema import live_rounds, live_slips
from pairhouse.house.store.pit_schema import corrections
from pairhouse.house.store.schema import acts, players, rounds
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.wallet_calls import purse_of, save_balance, write_win
from pairhouse.rounds.round_view import SETTLED

WRITTEN_OFF = "written-off"  # the account of what players could not give back

_own_stakes = rounds.c.staked - func.coalesce(free_stakes.c.staked, 0)  # a free bet is not a player's own money
_own_return = rounds.c.returned - func.coalesce(free_stakes.c.not_paid, 0)
_PRIVATE = (
    select(rounds.c.state, rounds.c.table_id, rounds.c.game, acts.c.player_id, _own_stakes, _own_return)
    .join(acts, (acts.c.round_id == rounds.c.id) & (acts.c.number == 0))
    .outerjoin(free_stakes, free_stakes.c.round_id == rounds.c.id)
    .where(rounds.c.id == bindparam("round"))
)
_LIVE = (
    select(
        live_rounds.c.state,
        live_rounds.c.table_id,
        live_rounds.c.game,
        live_slips.c.player_id,
        live_slips.c.staked,
        live_slips.c.returned,
    )
    .join(live_slips, live_slips.c.round_id == live_rounds.c.id)
    .where(live_rounds.c.id == bindparam("round"))
    .order_by(live_slips.c.seat)
)
_WALLET = select(players.c.wallet).where(players.c.id == bindparam("player"))
_KNOWN = select(corrections.c.at).where(corrections.c.round_id == bindparam("round"))
_INSERT = insert(corrections)
_COLUMNS = tuple(corrections.columns)
_OF_PLAYER = (
    select(*_COLUMNS)
    .where(corrections.c.player_id == bindparam("player"))
    .order_by(corrections.c.at.desc(), corrections.c.round_id)
    .limit(bindparam("most"))
)
_OF_ROUND = select(*_COLUMNS).where(corrections.c.round_id == bindparam("round")).order_by(corrections.c.player_id)
_NEWEST = select(*_COLUMNS).order_by(corrections.c.at.desc(), corrections.c.round_id).limit(bindparam("most"))


class Correction(NamedTuple):
    """What a correction has come to for one player."""

    round_id: str
    player_id: str
    table_id: str
    game: str
    made_by: str
    reason: str
    at: int
    staked: int
    returned: int
    written_off: int

    @property
    def change(self) -> int:
        """What the player's balance has gained, or lost if it is negative."""
        return self.staked - self.returned + self.written_off

    def in_words(self) -> str:
        """What the player is told."""
        given = f"your stakes of {amount_text(self.staked)} are back"
        taken = f" and the {amount_text(self.returned - self.written_off)} it returned are taken back"
        left = f"; {amount_text(self.written_off)} you no longer had is written off" if self.written_off else ""
        money = given + (taken if self.returned - self.written_off else "") + left
        return f"The house has corrected this round ({self.reason}): {money}."


class ClosedSlip(NamedTuple):
    """What one player had in a round."""

    state: str
    table_id: str
    game: str
    player_id: str
    staked: int
    returned: int | None


def slips_of(tx: Tx, round_id: str) -> list[ClosedSlip]:
    """What everybody had in a round, private or live."""
    rows = tx.all(_PRIVATE, {"round": round_id}) or tx.all(_LIVE, {"round": round_id})
    return [ClosedSlip._make(row) for row in rows]


def correct_round(tx: WriteTx, guard: Guard, by: str, round_id: str, reason: str) -> list[Correction]:
    """Make all plays and pays of a settled round void, once; what came of it for each of its players.

    [TCP-44] [PV3-23] [BJ-35] [NSB-45] [LP-47] [BPP-52]
    """
    slips = slips_of(tx, round_id)
    if not slips:
        raise no_such_round(round_id)
    if slips[0].state != SETTLED:
        sentence = (
            f"the round is {slips[0].state}; an open round is called off, and a void one has given its stakes back"
        )
        raise Refused("round-not-settled", sentence)
    if tx.one(_KNOWN, {"round": round_id}) is not None:
        raise Refused("already-corrected", "this round was corrected before; that is done once")
    return [_correct(tx, guard, by, round_id, slip, reason) for slip in slips]


def _correct(tx: WriteTx, guard: Guard, by: str, round_id: str, slip: ClosedSlip, reason: str) -> Correction:
    """Reverse the stakes and the payments of one player; from an operator's wallet nothing is taken back."""
    returned = slip.returned or 0
    wallet: str = tx.value(_WALLET, {"player": slip.player_id}) or HOUSE_WALLET
    account = account_of(slip.player_id, wallet)
    balance = balance_of(tx, account) if wallet == HOUSE_WALLET else 0
    written_off = max(0, returned - slip.staked - balance)
    found = Correction(
        round_id, slip.player_id, slip.table_id, slip.game, by, reason, tx.now, slip.staked, returned, written_off
    )
    if wallet == HOUSE_WALLET:
        balance = change_balance(tx, account, max(0, -found.change), found.change)
    else:
        balance = _pay_operator(tx, found)
    moves = correcting_moves(found, account)
    record(tx, correction_key(found), None, moves)
    tx.run(_INSERT, found._asdict())
    told = {**found._asdict(), "balance": balance, "transfers": moves}
    tx.seal("correction", told if wallet == HOUSE_WALLET else {**told, "wallet": wallet})
    if found.change:
        guard.note_void(tx, slip.player_id, found.change)
    return found


def _pay_operator(tx: WriteTx, found: Correction) -> int:
    """What a player is owed is paid to the operator's wallet by a further win; the balance to expect."""
    if found.change:
        transaction = f"{found.round_id}{found.player_id}C"
        write_win(tx, found.player_id, found.round_id, found.game, transaction, found.change, is_closed=True)
    balance = purse_of(tx, found.player_id).balance + found.change
    save_balance(tx, found.player_id, balance)
    return balance


def correction_key(found: Correction) -> str:
    """What the keys of its transfers begin with."""
    return f"correction:{found.round_id}:{found.player_id}"


def account_of(player_id: str, wallet: str) -> str:
    """The account that a player's money is in, here or at an operator."""
    return player_account(player_id) if wallet == HOUSE_WALLET else operator_account(wallet)


def correcting_moves(found: Correction, account: str) -> list[Transfer]:
    """The reversing entries of a correction."""
    taken = found.returned - found.written_off
    moves = [Transfer("reverse-stake", HOUSE, account, found.staked)]
    moves += [Transfer("reverse-pay", account, HOUSE, taken)] if taken else []
    moves += [Transfer("write-off", WRITTEN_OFF, HOUSE, found.written_off)] if found.written_off else []
    return moves


def corrections_of(tx: Tx, player_id: str, most: int) -> list[Correction]:
    """A player's last corrections, newest first."""
    return [Correction._make(row) for row in tx.all(_OF_PLAYER, {"player": player_id, "most": most})]


def corrections_in(tx: Tx, round_id: str) -> list[Correction]:
    """The corrections of a round, by player."""
    return [Correction._make(row) for row in tx.all(_OF_ROUND, {"round": round_id})]


def newest_corrections(tx: Tx, most: int) -> list[Correction]:
    """The last corrections of the house, newest first."""
    return [Correction._make(row) for row in tx.all(_NEWEST, {"most": most})]
