"""Who sits where at a live table. A seat with a bet is kept until the round is over; leaving withdraws nothing."""

from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, insert, select, update

from pairhouse.core.errors import Refused
from pairhouse.house.live.table_log import LiveTable
from pairhouse.house.people import HOUSE_WALLET, Person
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_seats
from pairhouse.house.store.transaction import WriteTx

_SEATS = (
    select(live_seats.c.seat, live_seats.c.player_id, live_seats.c.name, live_seats.c.leaves)
    .where(live_seats.c.table_id == bindparam("table"))
    .order_by(live_seats.c.seat)
)
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
    select(live_seats.c.seat, live_seats.c.player_id, live_seats.c.name, live_seats.c.leaves)
    .where(live_seats.c.table_id == bindparam("table"))
    .order_by(live_seats.c.seat)
    .limit(bindparam("most"))
)
_COUNT = select(func.count()).where(live_seats.c.table_id == bindparam("table"))
_STAYING = select(func.count()).where(live_seats.c.table_id == bindparam("table"), live_seats.c.leaves == 0)
_HIGHEST = (
    select(live_seats.c.seat)
    .where(live_seats.c.table_id == bindparam("table"))
    .order_by(live_seats.c.seat.desc())
    .limit(1)
)
_INSERT = insert(live_seats)
_DELETE = delete(live_seats).where(live_seats.c.table_id == bindparam("table"), live_seats.c.seat == bindparam("at"))
_LEAVES = (
    update(live_seats)
    .where(live_seats.c.table_id == bindparam("table"), live_seats.c.seat == bindparam("at"))
    .values(leaves=bindparam("does"))
)


class Seated(NamedTuple):
    """Somebody at a live table; `leaves` when the round is over."""

    seat: int
    player_id: str
    name: str
    leaves: int


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
    if int(tx.value(_STAYING, {"table": table_id})) > ready:
        return None
    return frozenset(each.seat for each in seated_at(tx, table_id) if not each.leaves)


def check_money_is_here(person: Person) -> None:
    """Refuse somebody whose money an operator keeps: only tables of one's own ask an operator's wallet."""
    if person.wallet != HOUSE_WALLET:
        sentence = f"your money is kept by {person.wallet}, and live tables take money of this house only"
        raise Refused("money-elsewhere", f"{sentence}; play at a table of your own, or watch this one")


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


def take_seat(tx: WriteTx, person: Person, table: LiveTable, wanted: int | None) -> int:
    """Sit down in the seat that is wanted, or in any; who sits already stays. Where all may bet, seats never end."""
    mine = seat_of(tx, table.id, person.id)
    if mine is not None:
        tx.run(_LEAVES, {"table": table.id, "at": mine, "does": 0})
        return mine
    seat = wanted if table.settings.seats is not None and wanted else _free_seat(tx, table)
    most = table.settings.seats
    if most is not None and not 1 <= seat <= most:
        raise Refused("bad-seats", f"seat {seat} is not at this table; it has {most}")
    if tx.one(_AT, {"table": table.id, "at": seat}) is not None:
        raise Refused("seat-taken", f"somebody sits in seat {seat}; choose another")
    row = {"table_id": table.id, "seat": seat, "player_id": person.id, "name": person.name, "leaves": 0}
    tx.run(_INSERT, row)
    tx.seal("live-seat", {"table": table.id, "seat": seat, "player": person.id, "sits": True})
    return seat


def _free_seat(tx: Tx, table: LiveTable) -> int:
    most = table.settings.seats
    if most is None:
        return int(tx.value(_HIGHEST, {"table": table.id}) or 0) + 1
    taken = {each.seat for each in seated_at(tx, table.id)}
    free = next((seat for seat in range(1, most + 1) if seat not in taken), None)
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
    """After a round: everybody who wanted to leave has left."""
    for seat, player_id in sorted(tx.all(_LEAVING, {"table": table_id})):
        _stand_up(tx, table_id, seat, player_id)


def _stand_up(tx: WriteTx, table_id: str, seat: int, player_id: str) -> None:
    tx.run(_DELETE, {"table": table_id, "at": seat})
    tx.seal("live-seat", {"table": table_id, "seat": seat, "player": player_id, "sits": False})
