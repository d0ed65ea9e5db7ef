"""Tables for friends: live tables that a player opens. They are in no list; a link leads there."""

import hashlib
import secrets

import msgspec
from sqlalchemy import bindparam, select

from pairhouse.core.errors import Refused
from pairhouse.house.floor import CLOSED, FRIENDS, LIVE, add_table, change_table, read_table
from pairhouse.house.live.live_floor import LiveFloor
from pairhouse.house.live.table_log import entries_after, read_live_table
from pairhouse.house.people import person_of
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import tables
from pairhouse.house.store.transaction import WriteTx

MINE_MAX = 3
ALL_MAX = 200
QUIET_MS = 24 * 3600 * 1000  # a table at which nothing happens is closed after a day, whoever went without a word

_OPEN = select(tables.c.id).where(tables.c.id.startswith(bindparam("start")), tables.c.status == LIVE)


def open_for_friends(tx: WriteTx, floor: LiveFloor, token_hash: str, like: str) -> str:
    """Open a table with the game, limits and clock of a live one; its id.

    None with a progressive: it is closed after a quiet day, and what people have paid into a meter of its own would
    then be nobody's to win.
    """
    person = person_of(tx, token_hash, tx.now)
    model, settings = read_table(tx, like), read_live_table(tx, like).settings
    if not model.is_live:
        raise Refused("table-closed", "this table is closed; choose another")
    if model.betting.variant.game.meter(model.betting.variant.options) is not None:
        raise Refused(
            "has-meter", "this table's progressive belongs to it alone; choose one without for your own table"
        )
    close_quiet(tx)
    start = _start_of(person.id)
    if len(_open_tables(tx, start)) >= MINE_MAX:
        raise Refused("too-many-tables", f"you have {MINE_MAX} tables for friends; use one of them, or wait a day")
    if len(_open_tables(tx, FRIENDS)) >= ALL_MAX:
        raise Refused("too-many-tables", f"the house has {ALL_MAX} tables for friends already; try again later")
    table_id = f"{start}{secrets.token_hex(8)}"
    variant, limits = model.betting.variant, model.betting.limits
    add_table(tx, table_id, model.name, variant.game.id, variant.options, limits, by=person.name)
    floor.make_live(tx, person.name, table_id, msgspec.structs.replace(settings, by_hand=False))  # no hand is there
    return table_id


def close_quiet(tx: WriteTx) -> None:
    """Close the tables for friends at which nothing has happened for a day; a round with bets ends by its clock."""
    for table_id in _open_tables(tx, FRIENDS):
        if _last_at(tx, table_id) < tx.now - QUIET_MS:
            change_table(tx, "house", table_id, {"status": CLOSED})


def _start_of(player_id: str) -> str:
    """How the ids of a player's tables begin, so that they can be counted and say nothing of who it is."""
    return f"{FRIENDS}{hashlib.sha256(player_id.encode()).hexdigest()[:16]}-"


def _open_tables(tx: Tx, start: str) -> list[str]:
    return [table_id for (table_id,) in tx.all(_OPEN, {"start": start})]


def _last_at(tx: WriteTx, table_id: str) -> int:
    """When something last happened at a table; one that is just opened has its first entry soon."""
    number = read_live_table(tx, table_id).number
    entries = entries_after(tx, table_id, number - 1)
    return entries[-1][1].at if entries else tx.now
