"""Ends private rounds whose time is over. [TCP-41] [PV3-19] [BJ-32] [BPP-51]

After 24 hours a round is finished as at a live table: what its player did not decide is decided for them, marked as
automatic. A game that is void as a whole waits 30 days and is then cancelled, and so is a round whose rules are no
longer in force, which nobody can play on.
"""

from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, bindparam, or_, select

from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import GAMES
from pairhouse.house.bank import balance_of
from pairhouse.house.booking import Act, book_act, decided_now, update_round
from pairhouse.house.commands import RoundChoice
from pairhouse.house.dealer import stream_of
from pairhouse.house.free_bets import free_stake_of
from pairhouse.house.meters import read_meter
from pairhouse.house.people import HOUSE_WALLET
from pairhouse.house.pit import Pit, owner_of
from pairhouse.house.recall import BY_CLOCK, CHOICES, ROUND, ROUND_COLUMNS, StoredRound
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import rounds
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.wallet_calls import purse_of
from pairhouse.rounds.round_view import OPEN, log_of

HOUR_MS = 3_600_000
DECIDE_MAX_MS, OPEN_MAX_MS = 24 * HOUR_MS, 30 * 24 * HOUR_MS
FINISHED, CANCELLED = "finished", "cancelled"


class Overdue(NamedTuple):
    """An open round that is too old, and what is to become of it."""

    id: str
    end: str


@lru_cache(maxsize=8)
def _too_old(patient_games: int) -> Select[Any]:
    """Open rounds whose time is over; those of so many patient games have 30 days."""
    patient = [rounds.c.game != bindparam(f"patient_{n}") for n in range(patient_games)]
    late = and_(rounds.c.opened_at < bindparam("day_limit"), *patient)
    return (
        select(*ROUND_COLUMNS)
        .where(rounds.c.state == OPEN, or_(late, rounds.c.opened_at < bindparam("month_limit")))
        .order_by(rounds.c.opened_at)
        .limit(1000)
    )


def overdue_rounds(tx: Tx, now: int) -> list[Overdue]:
    """Rounds that are to be finished or cancelled now, the oldest first."""
    limits = {"day_limit": now - DECIDE_MAX_MS, "month_limit": now - OPEN_MAX_MS}
    patient = [game.id for game in GAMES.values() if game.paid_at_end]
    names = {f"patient_{n}": game_id for n, game_id in enumerate(patient)}
    found = []
    for row in tx.all(_too_old(len(patient)), {**limits, **names}):
        stored = StoredRound._make(row)
        end = FINISHED if _can_finish(stored) else CANCELLED
        if end == FINISHED or stored.opened_at < limits["month_limit"]:
            found.append(Overdue(stored.id, end))
    return found


def _can_finish(stored: StoredRound) -> bool:
    """Whether its choices can be made for its player: its rules are in force, and it is not void as a whole."""
    try:
        return not stored.variant.game.paid_at_end
    except Refused:
        return False


def end_overdue(tx: WriteTx, pit: Pit, overdue: Overdue) -> None:
    """Finish a round for its player, or cancel it; refused if it has ended meanwhile."""
    if overdue.end == CANCELLED:
        pit.void(tx, by="clock", round_id=overdue.id, reason="cancelled")
    else:
        finish(tx, pit, overdue.id)


def finish(tx: WriteTx, pit: Pit, round_id: str) -> None:
    """Make every choice that is left in a round as the rules say for who does not decide. [TCP-16] [BJ-15]"""
    row = tx.one(ROUND, {"round": round_id})
    stored = StoredRound._make(row) if row is not None else None
    if stored is None or stored.state != OPEN:
        raise Refused("round-closed", "the round has ended")
    variant, person = stored.variant, owner_of(tx, round_id)
    stream, _ = stream_of(tx, stored.stream_id)
    meter = read_meter(tx, stored.table_id, variant)
    words = [word for (word,) in tx.all(CHOICES, {"round": round_id})]
    free = free_stake_of(tx, round_id)
    is_here = person.wallet == HOUSE_WALLET
    balance = balance_of(tx, person.account) if is_here else purse_of(tx, person.id).balance
    state, returned = pit.play_from(stored, stream, words, meter), 0
    while state.awaiting is not None:
        word, number = variant.automatic_choice(state.awaiting.options), len(words) + 1
        words.append(word)
        state = pit.play_from(stored, stream, words, meter)
        key = f"{BY_CLOCK}{round_id}:{number}"
        choice = RoundChoice(
            round_id=round_id, word=word, number=number - 1, key=key, body_hash="",
            operator_balance=None if is_here else balance,
        )  # fmt: skip
        act = Act(round_id, number, person, choice, "choice", word, balance)
        balance = book_act(tx, act, stored.table_id, meter, state, 0, free=free)
        returned += decided_now(person, number, state, free)[1]
    update_round(tx, round_id, state, log_of(variant, words, state, meter))
    pit.guard.note_void(tx, person.id, returned)
