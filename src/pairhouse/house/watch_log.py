"""What the watch keeps in the books: how far it has read, its records, and the steps it took, each sealed.

The records are made elsewhere (`server/watch`): here they are bytes. A step is a warning only, or it lowers what a
player may stake, lowers or closes a wager, ends the use of a shoe, or closes a table. An administrator can lift it.
"""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from pairhouse.core.errors import Refused, shown
from pairhouse.games.floor_plan import EVERY_ROUND, SHOE
from pairhouse.house.floor import CLOSED, OPEN, change_table, read_table
from pairhouse.house.restrictions import restrict, restriction_of
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.statements import ForEach, InsertNew
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.store.watch_schema import watch_cursor, watch_records, watch_steps

OFF, WARN, LIMIT, CLOSE = "off", "warn", "limit", "close"
MODES = (OFF, WARN, LIMIT, CLOSE)  # what a house allows its watch to do, from nothing to all
STEPS = ("nothing", "warn", "lower limits", "close")  # what the evidence calls for
WATCH = "watch"  # who took a step, in the events
WARNED_ONLY: tuple[str, dict[str, Any]] = ("warned", {})  # what was done, and what to undo

_CURSOR = select(watch_cursor.c.revision, watch_cursor.c.read_to, watch_cursor.c.at).where(watch_cursor.c.id == 1)
_FIRST_CURSOR = InsertNew(watch_cursor)
_MOVE = (
    update(watch_cursor)
    .where(watch_cursor.c.id == 1, watch_cursor.c.revision == bindparam("seen"))
    .values(revision=watch_cursor.c.revision + 1, read_to=bindparam("now_read"), at=bindparam("now"))
)
_TOUCH = update(watch_cursor).where(watch_cursor.c.id == 1).values(revision=watch_cursor.c.revision + 1)
_this_record = (
    watch_records.c.table_id == bindparam("of_table"),
    watch_records.c.player_id == bindparam("of_player"),
    watch_records.c.wager == bindparam("of_wager"),
)
_DELETE_RECORD = delete(watch_records).where(*_this_record)
_INSERT_RECORD = insert(watch_records)
_RECORD_COLUMNS = tuple(watch_records.columns)
_HIGHEST = select(*_RECORD_COLUMNS).order_by(watch_records.c.peak.desc()).limit(bindparam("most"))
_INSERT_STEP = insert(watch_steps)
_STEP_COLUMNS = tuple(watch_steps.columns)
_STEPS = select(*_STEP_COLUMNS).order_by(watch_steps.c.id.desc()).limit(bindparam("most"))
_STEP = select(*_STEP_COLUMNS).where(watch_steps.c.id == bindparam("step"))
_LIFT = (
    update(watch_steps)
    .where(watch_steps.c.id == bindparam("step"))
    .values(lifted_at=bindparam("now"), lifted_by=bindparam("by"))
)


def _records(keys: Any) -> Any:
    found = keys.join(
        watch_records,
        (watch_records.c.table_id == keys.c.of_table)
        & (watch_records.c.player_id == keys.c.of_player)
        & (watch_records.c.wager == keys.c.of_wager),
    )
    return select(*_RECORD_COLUMNS).select_from(found)


_RECORDS = ForEach(("of_table", "of_player", "of_wager"), _records)

Key = tuple[str, str, str]  # table, player, wager; '' where the record is not of one


class WatchPosition(msgspec.Struct, frozen=True):
    """How far the watch has read: for each chain the number of the last event. `revision` counts its changes."""

    revision: int
    read_to: dict[str, int]
    at: int


class WatchRow(msgspec.Struct, frozen=True):
    """A record of the watch: of a player at a table, of a table, or of a wager at a table."""

    table: str
    player: str
    wager: str
    peak: float
    step: str
    record: bytes

    @property
    def key(self) -> Key:
        return self.table, self.player, self.wager


class WatchFinding(msgspec.Struct, frozen=True):
    """Evidence that calls for a step: whose it is, why, and the figures it rests on."""

    table: str
    player: str
    wager: str
    step: str
    why: Literal["wins", "counts", "loses"]
    figures: dict[str, Any]


class TakenStep(msgspec.Struct, frozen=True):
    """A step the watch took: what it did, and how to undo it."""

    id: str
    at: int
    table: str
    player: str
    wager: str
    step: str
    done: str
    undo: dict[str, Any]
    figures: dict[str, Any]
    lifted_at: int | None
    lifted_by: str | None


def read_cursor(tx: Tx) -> WatchPosition:
    """Where the watch stands; at the beginning in books it has never read."""
    row = tx.one(_CURSOR, {})
    return WatchPosition(row[0], msgspec.json.decode(row[1]), row[2]) if row is not None else WatchPosition(0, {}, 0)


def read_records(tx: Tx, keys: Sequence[Key]) -> list[WatchRow]:
    """Those of these records that exist."""
    found = tx.all(_RECORDS, {"items": msgspec.json.encode(keys).decode()})
    return [_row(row) for row in found]


def highest_records(tx: Tx, most: int) -> list[WatchRow]:
    """The records with the most evidence, highest first."""
    return [_row(row) for row in tx.all(_HIGHEST, {"most": most})]


def _row(row: Row) -> WatchRow:
    table, player, wager, peak, step, record = row
    return WatchRow(table, player, wager, peak, step, bytes(record))


def taken_steps(tx: Tx, most: int) -> list[TakenStep]:
    """The steps the watch took, newest first."""
    return [_taken(row) for row in tx.all(_STEPS, {"most": most})]


def _taken(row: Row) -> TakenStep:
    step_id, at, table, player, wager, step, done, undo, figures, lifted_at, lifted_by = row
    undone, found = msgspec.json.decode(undo), msgspec.json.decode(figures)
    return TakenStep(step_id, at, table, player, wager, step, done, undone, found, lifted_at, lifted_by)


def save_look(
    tx: WriteTx, seen: int, read_to: dict[str, int], rows: Sequence[WatchRow], found: Sequence[WatchFinding], mode: str
) -> list[TakenStep] | None:
    """Move the cursor, store records and take steps, all or nothing; None if somebody else moved the cursor."""
    text = msgspec.json.encode(read_to).decode()
    tx.run(_FIRST_CURSOR, {"id": 1, "revision": 0, "read_to": "{}", "at": 0})
    if tx.run(_MOVE, {"seen": seen, "now_read": text, "now": tx.now}) != 1:
        return None
    keys = [dict(zip(("of_table", "of_player", "of_wager"), row.key, strict=True)) for row in rows]
    if rows:
        tx.run_many(_DELETE_RECORD, keys)
        tx.insert_many(_INSERT_RECORD, [msgspec.structs.astuple(row) for row in rows])
    return [_take(tx, mode, each) for each in found]


def _take(tx: WriteTx, mode: str, found: WatchFinding) -> TakenStep:
    """Do what the evidence calls for, as far as the house allows; written down and sealed with its figures."""
    allowed = STEPS[min(STEPS.index(found.step), MODES.index(mode))]
    done, undo = _act(tx, found, allowed == "close") if allowed != "warn" else WARNED_ONLY
    step = TakenStep(
        new_id(tx.now), tx.now, found.table, found.player, found.wager, found.step, done, undo,
        {"why": found.why, **found.figures}, None, None,
    )  # fmt: skip
    row = msgspec.structs.asdict(step)
    row["table_id"], row["player_id"] = row.pop("table"), row.pop("player")
    tx.run(_INSERT_STEP, {**row, "undo": _json(undo), "figures": _json(step.figures)})
    sealed = {name: row[name] for name in ("id", "table_id", "player_id", "wager", "step", "done", "undo", "figures")}
    tx.seal("watch-step", {**sealed, "mode": mode})
    return step


def _act(tx: WriteTx, found: WatchFinding, close: bool) -> tuple[str, dict[str, Any]]:
    """Lower or close; what was done, and how to undo it."""
    table = read_table(tx, found.table)
    limits = table.betting.limits
    if found.player:
        if found.why == "loses":  # nobody is limited for losing
            return WARNED_ONLY
        before = restriction_of(tx, found.player, found.table)
        restrict(tx, WATCH, found.player, found.table, 0 if close else limits.minimum)
        return ("player closed" if close else "player limited"), {"maximum": before}
    if found.wager:
        if found.why == "loses" and not close:
            return WARNED_ONLY
        had = limits.wager_maximum.get(found.wager)
        lowered = {**limits.wager_maximum, found.wager: 0 if close else limits.minimum}
        change_table(tx, WATCH, found.table, {"limits": {"wager_maximum": lowered}})
        return ("wager closed" if close else "wager limited"), {"wager_maximum": had}
    if found.why == "counts" and table.shuffle == SHOE:
        change_table(tx, WATCH, found.table, {"shuffle": EVERY_ROUND})
        return "shoe ended", {"shuffle": SHOE}
    if close and table.status == OPEN:
        change_table(tx, WATCH, found.table, {"status": CLOSED})
        return "table closed", {"status": OPEN}
    return WARNED_ONLY


def lift_step(tx: WriteTx, by: str, step_id: str) -> TakenStep:
    """Undo a step and forget the record it rests on, so that the watch begins anew there; sealed."""
    row = tx.one(_STEP, {"step": step_id})
    if row is None:
        raise Refused("unknown-step", f"there is no step {shown(step_id)} of the watch; `pairhouse watch` lists them")
    step = _taken(row)
    if step.lifted_at is not None:
        raise Refused("step-lifted", "this step is lifted already; nothing was changed")
    undo = step.undo
    if "maximum" in undo:
        restrict(tx, by, step.player, step.table, undo["maximum"])
    elif "wager_maximum" in undo:
        now = dict(read_table(tx, step.table).betting.limits.wager_maximum)
        now.pop(step.wager, None)
        if undo["wager_maximum"] is not None:
            now[step.wager] = undo["wager_maximum"]
        change_table(tx, by, step.table, {"limits": {"wager_maximum": now}})
    elif undo:
        change_table(tx, by, step.table, undo)
    tx.run(_DELETE_RECORD, {"of_table": step.table, "of_player": step.player, "of_wager": step.wager})
    tx.run(_TOUCH, {})
    tx.run(_LIFT, {"step": step_id, "now": tx.now, "by": by})
    tx.seal("watch-lifted", {"by": by, "step": step_id, "undo": undo})
    return msgspec.structs.replace(step, lifted_at=tx.now, lifted_by=by)


def check_watch(mode: str) -> str:
    """What a house allows its watch to do."""
    if mode not in MODES:
        raise Refused("bad-watch", f"{shown(mode)} is nothing a watch can be told; it can be {', '.join(MODES)}")
    return mode


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
