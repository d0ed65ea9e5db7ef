"""Who sits where at a live table. A seat with a bet is kept until the next round opens; leaving withdraws nothing.

So nobody who sits down in the pause is shown the round of who sat there before.

Somebody who has done nothing at the table for a while, and has no bet in the round, has gone without a word: nobody
waits for them in the next round, and whoever wants their seat gets it.
"""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, insert, select, update

from pairhouse.core.errors import Refused
from pairhouse.house.live.chips import OwnChips, check_kept, chips_of, choose_chips
from pairhouse.house.live.table_log import LiveTable, decode_entry, read_live_table
from pairhouse.house.people import Person
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_entries, live_seats, live_slips
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.table_limits import BettingTable

_SEATED = (
    live_seats.c.seat,
    live_seats.c.player_id,
    live_seats.c.name,
    live_seats.c.leaves,
    live_seats.c.colour,
    live_seats.c.chip,
)
_SEATS = select(*_SEATED).where(live_seats.c.table_id == bindparam("table")).order_by(live_seats.c.seat)
_MINE = select(live_seats.c.seat).where(
    live_seats.c.table_id == bindparam("table"), live_seats.c.player_id == bindparam("player")
)
_AT = select(live_seats.c.player_id).where(
    live_seats.c.table_id == bindparam("table"), live_seats.c.seat == bindparam("at")
)
_LEAVING = select(live_seats.c.seat, live_seats.c.player_id).where(
    live_seats.c.table_id == bindparam("table"), live_seats.c.leaves == 1
)
_FIRST = (
    select(*_SEATED)
    .where(live_seats.c.table_id == bindparam("table"))
    .order_by(live_seats.c.seat)
    .limit(bindparam("most"))
)
_COUNT = select(func.count()).where(live_seats.c.table_id == bindparam("table"))
_STAYING = select(func.count()).select_from(
    select(live_seats.c.seat)
    .where(live_seats.c.table_id == bindparam("table"), live_seats.c.leaves == 0)
    .limit(bindparam("most"))
    .subquery()
)
_HIGHEST = (
    select(live_seats.c.seat)
    .where(live_seats.c.table_id == bindparam("table"))
    .order_by(live_seats.c.seat.desc())
    .limit(1)
)
_INSERT = insert(live_seats)
_DELETE = (
    delete(live_seats)
    .where(live_seats.c.table_id == bindparam("table"), live_seats.c.seat == bindparam("at"))
    .returning(live_seats.c.colour, live_seats.c.chip)
)
_LEAVES = (
    update(live_seats)
    .where(live_seats.c.table_id == bindparam("table"), live_seats.c.seat == bindparam("at"))
    .values(leaves=bindparam("does"))
)

_ACTS = (
    select(live_entries.c.player_id, live_entries.c.body)
    .where(
        live_entries.c.table_id == bindparam("table"),
        live_entries.c.number > bindparam("after"),
        live_entries.c.player_id.is_not(None),
    )
    .order_by(live_entries.c.number)
)
_HAS_ACTED = (
    select(live_entries.c.number)
    .where(live_entries.c.player_id == bindparam("player"), live_entries.c.table_id == bindparam("table"))
    .limit(1)
)
_BET = select(live_slips.c.staked).where(
    live_slips.c.player_id == bindparam("player"), live_slips.c.round_id == bindparam("round")
)
IDLE_MS = 180_000
ACTS_READ = 1_000  # the newest entries of a table, in which somebody who is awake is found
LOOKED_AT_MAX = 50  # where more sit, the clock closes the betting anyway


class Seated(NamedTuple):
    """Somebody at a live table; `leaves` when the round is over."""

    seat: int
    player_id: str
    name: str
    leaves: int
    colour: int
    chip: int


def seated_at(tx: Tx, table_id: str) -> list[Seated]:
    """Everybody who sits at a table, by seat."""
    return [Seated._make(row) for row in tx.all(_SEATS, {"table": table_id})]


def first_seated(tx: Tx, table_id: str, most: int) -> list[Seated]:
    """The first so many who sit at a table, by seat."""
    return [Seated._make(row) for row in tx.all(_FIRST, {"table": table_id, "most": most})]


def count_seated(tx: Tx, table_id: str) -> int:
    """How many sit at a table."""
    return int(tx.value(_COUNT, {"table": table_id}))


def waited_for(tx: Tx, table_id: str, ready: int) -> frozenset[int] | None:
    """The seats whose bets are waited for; None where more people sit there than are ready."""
    if int(tx.value(_STAYING, {"table": table_id, "most": ready + 1})) > ready:
        return None
    return frozenset(each.seat for each in seated_at(tx, table_id) if not each.leaves)


def seat_of(tx: Tx, table_id: str, player_id: str) -> int | None:
    """The seat of a player at a table."""
    seat: int | None = tx.value(_MINE, {"table": table_id, "player": player_id})
    return seat


def need_seat(tx: Tx, table_id: str, player_id: str) -> int:
    """The seat of a player; refused if they have none."""
    seat = seat_of(tx, table_id, player_id)
    if seat is None:
        raise Refused("not-seated", "take a seat at this table first")
    return seat


def take_seat(
    tx: WriteTx, person: Person, table: LiveTable, betting: BettingTable, wanted: int | None, chip: int | None
) -> int:
    """Sit down in the seat that is wanted, or in any; who sits already stays. Where all may bet, seats never end."""
    mine = seat_of(tx, table.id, person.id)
    if mine is not None:
        check_kept(chips_of(tx, table.id, person.id), chip)
        tx.run(_LEAVES, {"table": table.id, "at": mine, "does": 0})
        return mine
    seat = wanted if table.settings.seats is not None and wanted else _free_seat(tx, table)
    most = table.settings.seats
    if most is not None and not 1 <= seat <= most:
        raise Refused("bad-seats", f"seat {seat} is not at this table; it has {most}")
    holder = tx.value(_AT, {"table": table.id, "at": seat})
    if holder is not None and holder in _gone(tx, table):
        _stand_up(tx, table.id, seat, holder)
    elif holder is not None:
        raise Refused("seat-taken", f"somebody sits in seat {seat}; choose another")
    taken = {each.colour for each in first_seated(tx, table.id, LOOKED_AT_MAX)}
    chips = choose_chips(betting, chip, seat, taken)
    row = {"table_id": table.id, "seat": seat, "player_id": person.id, "name": person.shown_name, "leaves": 0}
    tx.run(_INSERT, {**row, "colour": chips.colour, "chip": chips.value})
    tx.seal("live-seat", _seat_event(table.id, seat, person.id, chips, sits=True))
    return seat


def _free_seat(tx: WriteTx, table: LiveTable) -> int:
    most = table.settings.seats
    if most is None:
        return int(tx.value(_HIGHEST, {"table": table.id}) or 0) + 1
    taken = {each.seat for each in seated_at(tx, table.id)}
    free = next((seat for seat in range(1, most + 1) if seat not in taken), None)
    if free is None:
        gone = _gone(tx, table)
        free = next((each.seat for each in seated_at(tx, table.id) if each.player_id in gone), None)
    if free is None:
        raise Refused("table-full", f"all {most} seats of this table are taken; watch, or choose another table")
    return free


def leave_seat(tx: WriteTx, person: Person, table: LiveTable, *, has_bet: bool) -> None:
    """Stand up; with a bet in the round, once it is over."""
    seat = seat_of(tx, table.id, person.id)
    if seat is None:
        return
    if has_bet:
        tx.run(_LEAVES, {"table": table.id, "at": seat, "does": 1})
        return
    _stand_up(tx, table.id, seat, person.id)


def clear_leavers(tx: WriteTx, table_id: str) -> None:
    """After a round: everybody who wanted to leave, or went without a word, has left."""
    table = read_live_table(tx, table_id)
    if table.round_id:
        gone = _gone(tx, table)
        for each in first_seated(tx, table_id, LOOKED_AT_MAX) if gone else ():
            if each.player_id in gone:
                _stand_up(tx, table_id, each.seat, each.player_id)
    for seat, player_id in sorted(tx.all(_LEAVING, {"table": table_id})):
        _stand_up(tx, table_id, seat, player_id)


def _gone(tx: WriteTx, table: LiveTable) -> set[str]:
    """The players at a table who have done nothing there for a while. Who has never acted yet has just come."""
    seated = first_seated(tx, table.id, LOOKED_AT_MAX + 1)
    if len(seated) > LOOKED_AT_MAX:
        return set()
    last: dict[str, str] = dict(tx.all(_ACTS, {"table": table.id, "after": table.number - ACTS_READ}))
    return {
        each.player_id
        for each in seated
        if _is_idle(tx, table.id, each.player_id, last.get(each.player_id)) and not _has_bet(tx, table, each.player_id)
    }


def _is_idle(tx: WriteTx, table_id: str, player_id: str, last: str | None) -> bool:
    if last is not None:
        return bool(decode_entry(last).at < tx.now - IDLE_MS)
    return tx.one(_HAS_ACTED, {"player": player_id, "table": table_id}) is not None


def _has_bet(tx: WriteTx, table: LiveTable, player_id: str) -> bool:
    """Whether somebody has a stake in the round that is on, or was on until now."""
    return bool(tx.value(_BET, {"player": player_id, "round": table.round_id}))


def _stand_up(tx: WriteTx, table_id: str, seat: int, player_id: str) -> None:
    chips = OwnChips._make(tx.one(_DELETE, {"table": table_id, "at": seat}) or (0, 0))
    tx.seal("live-seat", _seat_event(table_id, seat, player_id, chips, sits=False))


def _seat_event(table_id: str, seat: int, player_id: str, chips: OwnChips, *, sits: bool) -> dict[str, object]:
    told: dict[str, object] = {"table": table_id, "seat": seat, "player": player_id, "sits": sits}
    return told | chips._asdict() if chips.value else told
