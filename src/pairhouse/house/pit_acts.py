"""What supervisors do in the pit, each act in one transaction with who did it and why.

Every act is sealed once more as a whole: what it was about, who did it, and the reason they gave.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.core.money import amount_text
from pairhouse.house.corrections import correct_round
from pairhouse.house.floor import CLOSED, OPEN, change_table, deal_again
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.table_log import add_entry, read_live_table
from pairhouse.house.people import change_player
from pairhouse.house.pit import Pit
from pairhouse.house.pit_orders import MAY, NEEDS, PACES, PitAct, PitActDone
from pairhouse.house.staff import Member, checked_reason
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_rounds, live_tables
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.live_entries import BettingClosed, RoundCorrected
from pairhouse.rounds.live_pace import PartOfRound
from pairhouse.rounds.live_round import BETTING

_IS_LIVE = select(live_tables.c.number).where(live_tables.c.table_id == bindparam("table"))
_LIVE_ROUND = select(live_rounds.c.table_id).where(live_rounds.c.id == bindparam("round"))


def do_pit_act(tx: WriteTx, pit: Pit, floor: LiveFloor, member: Member, act: PitAct) -> PitActDone:
    """Do what a supervisor wants, and seal it with who and why; refused as a whole if anything is missing."""
    needed = NEEDS.get(act.act)
    if needed is None:
        raise Refused("unknown-act", f"there is no such act; it can be {one_of(NEEDS)}")
    if act.act not in MAY[member.role]:
        raise Refused("not-allowed", f"a {member.role} may {one_of(MAY[member.role])}; ask a supervisor for all else")
    missing = [name for name in needed if getattr(act, name) is None]
    if missing:
        raise Refused("bad-act", f"{act.act} needs {one_of(missing)}")
    reason = checked_reason(act.reason)
    done = _do(tx, pit, floor, member.name, msgspec.structs.replace(act, reason=reason))
    told: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(act, reason=reason))
    tx.seal("pit-act", {"by": member.name, "staff": member.id, **told})
    return done


def _do(tx: WriteTx, pit: Pit, floor: LiveFloor, by: str, act: PitAct) -> PitActDone:
    table, round_id, player = act.table or "", act.round or "", act.player or ""
    match act.act:
        case "open-table" | "close-table":
            is_live = tx.one(_IS_LIVE, {"table": table}) is not None
            change_table(tx, by, table, {"status": OPEN if act.act == "open-table" else CLOSED})
            says = "The table is open." if act.act == "open-table" else "The table closes when its round is over."
            return PitActDone(says, table if is_live else None)
        case "switch-options":
            return _switch(tx, floor, by, table, act.options or {})
        case "close-betting" | "next-card" | "set-pace" | "expose-card" | "void-table":
            return _at_live_table(tx, floor, by, act, table)
        case "void-round":
            if live_table_of(tx, round_id) is not None:
                raise Refused("bad-act", "this round is shared by a live table: void-table with the table calls it off")
            pit.void(tx, by, round_id, act.cause or "")
            return PitActDone("The round is void, and every stake that was not decided went back.")
        case "correct-round":
            return _correct(tx, pit, by, round_id, act.reason)
    change_player(tx, by, player, "disabled" if act.act == "disable-player" else "active")
    return PitActDone("The player may not play any more." if act.act == "disable-player" else "The player may play.")


def _switch(tx: WriteTx, floor: LiveFloor, by: str, table: str, options: Mapping[str, str | int | bool]) -> PitActDone:
    """Other options from the next round on."""
    is_live = floor.end_empty_round(tx, by, table)
    change_table(tx, by, table, {"options": options})
    return PitActDone("The table deals by the new options from the next round on.", table if is_live else None)


def _at_live_table(tx: WriteTx, floor: LiveFloor, by: str, act: PitAct, table: str) -> PitActDone:
    _check_has_not_moved(tx, floor, act, table)
    match act.act:
        case "close-betting":
            return close_betting(tx, floor, table)
        case "next-card":
            floor.turn(tx, by, table)
            return PitActDone("The card is turned, and what it decides is paid.", table)
        case "set-pace":
            return _set_pace(tx, floor, by, table, act.pace or "")
        case "expose-card":
            floor.expose(tx, by, table, act.card or 0, act.reason)
            return PitActDone("The card is shown to everybody, and the round goes on.", table)
    _void(tx, floor, by, table, act.cause or "", act.cards)
    return PitActDone("The round is void, and every stake that was not decided went back.", table)


def _void(tx: WriteTx, floor: LiveFloor, by: str, table: str, cause: str, cards: int | None) -> None:
    if cause == "misdeal" and cards is None:
        raise Refused("bad-act", "a misdeal is called with the number of cards that was wrong: give cards")
    floor.void(tx, by, table, cause, cards)


def void_live_round(
    tx: WriteTx, floor: LiveFloor, by: str, table: str, round_id: str, cause: str, cards: int | None
) -> None:
    """Call a round of a live table off by its id, in whichever process; the table goes on with the next one."""
    if read_live_table(tx, table).round_id != round_id:
        raise Refused("round-closed", "the round is over; what is closed stays, and a correction is a new entry")
    _void(tx, floor, by, table, cause, cards)
    deal_again(tx, table)


def _check_has_not_moved(tx: Tx, floor: LiveFloor, act: PitAct, table: str) -> None:
    """Refuse what was decided about an earlier round or card, as where two supervisors act, or one twice."""
    if act.round is None and act.to_turn is None:
        return
    here = floor.at_table(tx, table)
    state = floor.state(tx, here)
    to_turn = state.to_turn if isinstance(state, PartOfRound) else 0
    if act.round not in (None, here.table.round_id) or act.to_turn not in (None, to_turn):
        sentence = "the table has gone on since you looked; look again, then act"
        raise Refused("table-moved", f"{sentence}, and correct a round that is settled by now")


def close_betting(tx: WriteTx, floor: LiveFloor, table: str) -> PitActDone:
    """No more bets, before the clock says so."""
    here = floor.at_table(tx, table)
    if here.live.phase != BETTING or not here.live.bets:
        raise Refused("no-bets", "there are no bets on this table to close now")
    add_entry(tx, here.table, BettingClosed(at=tx.now, seeds_until=tx.now + here.table.settings.seeds))
    return PitActDone("No more bets.", table)


def _set_pace(tx: WriteTx, floor: LiveFloor, by: str, table: str, pace: str) -> PitActDone:
    """Have a supervisor close the betting and turn the cards of a table, or the clock, from the next round on."""
    if pace not in PACES:
        raise Refused("bad-act", f"a table is paced by {one_of(PACES)}; {shown(pace)} was given")
    floor.set_pace(tx, by, table, by_hand=pace == "hand")
    says = "A supervisor closes the betting and turns the cards" if pace == "hand" else "The clock paces the table"
    return PitActDone(f"{says} from the next round on.", table)


def _correct(tx: WriteTx, pit: Pit, by: str, round_id: str, reason: str) -> PitActDone:
    """Correct a closed round; at a live table everybody is told at once."""
    found = correct_round(tx, pit.guard, by, round_id, reason)
    table = live_table_of(tx, round_id)
    if table is not None:
        entry = RoundCorrected(at=tx.now, round_id=round_id, by=by, reason=reason)
        add_entry(tx, read_live_table(tx, table), entry)
    written_off = sum(each.written_off for each in found)
    left = f"; {amount_text(written_off)} is written off" if written_off else ""
    return PitActDone(f"The round is corrected for {len(found)} player{'s' * (len(found) != 1)}{left}.", table)


def live_table_of(tx: Tx, round_id: str) -> str | None:
    """The live table a round was dealt at, if it was one."""
    table: str | None = tx.value(_LIVE_ROUND, {"round": round_id})
    return table
