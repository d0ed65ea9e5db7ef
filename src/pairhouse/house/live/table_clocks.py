"""Live tables are made, and their clocks set: seats, times, and whether a supervisor turns the cards."""

import msgspec
from sqlalchemy import bindparam, insert, select, update

from pairhouse.core.errors import Refused
from pairhouse.games.floor_plan import EVERY_ROUND, SHOE
from pairhouse.house.floor import LIVE, change_table, read_table
from pairhouse.house.live.round_opening import is_dealt_from_shoe
from pairhouse.house.live.table_log import LiveTable, read_live_table
from pairhouse.house.store.live_schema import live_tables
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.live_round import LiveSettings, check_seats

_LIVE = select(live_tables.c.number).where(live_tables.c.table_id == bindparam("table"))
_INSERT_TABLE = insert(live_tables)
_SET_CLOCK = (
    update(live_tables).where(live_tables.c.table_id == bindparam("table")).values(settings=bindparam("new_settings"))
)


class TableClocks:
    """What a supervisor sets at live tables."""

    def make_live(self, tx: WriteTx, by: str, table_id: str, settings: LiveSettings) -> LiveTable:
        """Make a table of the floor one for several people."""
        floor = read_table(tx, table_id)
        check_seats(floor.betting.variant, settings)
        if floor.shuffle == SHOE and not is_dealt_from_shoe(floor):
            sentence = f"{floor.betting.variant.game.name} is dealt from a shoe to one player at a time only"
            raise Refused("bad-shuffle", f"{sentence}; have the table shuffled {EVERY_ROUND}, then make it live")
        change_table(tx, by, table_id, {"status": LIVE})
        return self.set_clock(tx, by, table_id, settings)

    def set_clock(self, tx: WriteTx, by: str, table_id: str, settings: LiveSettings) -> LiveTable:
        """Give a live table of the floor its clock, and a log without entries."""
        if tx.one(_LIVE, {"table": table_id}) is not None:
            raise Refused("table-exists", "several people play at this table already")
        row = {"table_id": table_id, "settings": msgspec.json.encode(settings).decode(), "number": 0, "round_id": ""}
        tx.run(_INSERT_TABLE, {**row, "round_from": 1, "dealer": "", "fence": 0, "held_until": 0, "digest": ""})
        tx.seal("live-table", {"by": by, **row})
        return read_live_table(tx, table_id)

    def set_pace(self, tx: WriteTx, by: str, table_id: str, *, by_hand: bool) -> None:
        """From the next round on a supervisor closes the betting and turns the cards, or the clock does."""
        table = read_live_table(tx, table_id)
        before = msgspec.json.encode(table.settings).decode()
        after = msgspec.json.encode(msgspec.structs.replace(table.settings, by_hand=by_hand)).decode()
        if after == before:
            return
        tx.run(_SET_CLOCK, {"table": table_id, "new_settings": after})
        tx.seal("live-clock", {"by": by, "table": table_id, "before": before, "after": after})
