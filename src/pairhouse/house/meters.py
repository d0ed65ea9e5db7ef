"""Progressive meters: each belongs to one table, and its money is on an account of its own."""

from dataclasses import replace

from sqlalchemy import bindparam, insert, select, update

from pairhouse.core.game import Variant
from pairhouse.core.meter import Meter
from pairhouse.house.bank import Transfer, jackpot_moves, record
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import meters
from pairhouse.house.store.transaction import WriteTx

_READ = select(meters.c.amount, meters.c.reserve).where(meters.c.table_id == bindparam("table"))
_INSERT = insert(meters)
_WRITE = (
    update(meters)
    .where(meters.c.table_id == bindparam("table"))
    .values(amount=bindparam("new_amount"), reserve=bindparam("new_reserve"))
)


def read_meter(tx: Tx, table_id: str, variant: Variant) -> Meter | None:
    """What the meter of a table shows now, or None where the game has none.

    A new meter starts at its seed, which the house pays in. What is above a ceiling that has been lowered since counts
    as reserve. [TCP-32]
    """
    meter = variant.game.meter(variant.options)
    if meter is None:
        return None
    row = tx.one(_READ, {"table": table_id})
    if row is not None:
        amount, reserve = row
        above = max(0, amount - meter.ceiling)
        return replace(meter, amount=amount - above, reserve=reserve + above)
    if isinstance(tx, WriteTx):
        tx.run(_INSERT, {"table_id": table_id, "amount": meter.amount, "reserve": meter.reserve})
        moves = jackpot_moves(table_id, 0, meter.amount + meter.reserve)
        record(tx, f"meter:{table_id}", None, moves)
        tx.seal("meter-opened", {"table": table_id, "amount": meter.amount, "transfers": moves})
    return meter


def write_meter(tx: WriteTx, table_id: str, meter: Meter) -> None:
    """Store what the meter shows after a round."""
    tx.run(_WRITE, {"table": table_id, "new_amount": meter.amount, "new_reserve": meter.reserve})


def move_meter(tx: WriteTx, table_id: str, before: Meter, after: Meter | None) -> list[Transfer]:
    """Store what the meter shows after a round; the transfer to or from its jackpot."""
    if after is None:
        return []
    write_meter(tx, table_id, after)
    return jackpot_moves(table_id, before.amount + before.reserve, after.amount + after.reserve)
