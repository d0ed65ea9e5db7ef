"""The floor: the tables of the house with their games, limits and status, and every change of them."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import bindparam, insert, select, update

from pairhouse.core.errors import Refused, one_of, shown, unknown
from pairhouse.games.catalogue import GAMES, find
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import games, tables
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.table_limits import BettingTable, Limits

OPEN, CLOSED = "open", "closed"
STATUSES = (OPEN, CLOSED)

_TABLE = (
    select(
        tables.c.version,
        tables.c.name,
        tables.c.game,
        tables.c.options,
        tables.c.limits,
        tables.c.advice,
        tables.c.status,
        games.c.status,
    )
    .join(games, games.c.id == tables.c.game)
    .where(tables.c.id == bindparam("table"))
)
_IDS = select(tables.c.id).order_by(tables.c.position, tables.c.id)
_LAST_POSITION = select(tables.c.position).order_by(tables.c.position.desc()).limit(1)
_INSERT = insert(tables)
_CHANGE = (
    update(tables)
    .where(tables.c.id == bindparam("table"))
    .values(
        version=bindparam("new_version"),
        name=bindparam("new_name"),
        limits=bindparam("new_limits"),
        advice=bindparam("new_advice"),
        status=bindparam("new_status"),
    )
)
_GAME = select(games.c.status).where(games.c.id == bindparam("game"))
_INSERT_GAME = insert(games)
_CHANGE_GAME = update(games).where(games.c.id == bindparam("game")).values(status=bindparam("new_status"))


class FloorTable(msgspec.Struct, frozen=True):
    """A table of the floor. Its version counts its changes, so a round can say under which one it was dealt."""

    id: str
    version: int
    name: str
    betting: BettingTable
    advice: bool
    status: str
    game_status: str

    @property
    def is_open(self) -> bool:
        return self.status == OPEN and self.game_status == OPEN


@lru_cache(maxsize=256)
def _betting_table(game: str, options: str, limits: str) -> BettingTable:
    return BettingTable(find(game).variant(msgspec.json.decode(options)), msgspec.json.decode(limits, type=Limits))


def read_table(tx: Tx, table_id: str) -> FloorTable:
    """A table with its variant and limits."""
    row = tx.one(_TABLE, {"table": table_id})
    if row is None:
        raise unknown("table", table_id, table_ids(tx))
    version, name, game, options, limits, advice, status, game_status = row
    betting = _betting_table(game, options, limits)
    return FloorTable(table_id, version, name, betting, bool(advice), status, game_status)


def table_ids(tx: Tx) -> list[str]:
    """Every table, in the order of the floor."""
    return [table_id for (table_id,) in tx.all(_IDS, {})]


def furnish(tx: WriteTx) -> None:
    """Open every game; on a new floor, put up the tables of the floor plan."""
    for game in GAMES:
        if tx.one(_GAME, {"game": game}) is None:
            tx.run(_INSERT_GAME, {"id": game, "status": OPEN})
    if not table_ids(tx):
        for table in FLOOR_PLAN:
            add_table(tx, table.id, table.name, table.game, table.options)


def add_table(
    tx: WriteTx,
    table_id: str,
    name: str,
    game: str,
    options: Mapping[str, Any],
    limits: Limits | None = None,
    advice: bool = True,
    by: str = "house",
) -> FloorTable:
    """Add a table to the floor; it is refused unless every stake it allows can be paid."""
    betting = BettingTable(find(game).variant(dict(options)), limits or Limits())
    if tx.one(_TABLE, {"table": table_id}) is not None:
        raise Refused("table-exists", f"there is a table {shown(table_id)} already; choose another id")
    last_position = tx.value(_LAST_POSITION, {})
    row = {
        "id": table_id,
        "version": 1,
        "name": name,
        "game": game,
        "options": msgspec.json.encode(dict(betting.variant.options)).decode(),
        "limits": msgspec.json.encode(betting.limits).decode(),
        "advice": int(advice),
        "status": OPEN,
        "position": last_position + 1 if last_position is not None else 0,
    }
    tx.run(_INSERT, row)
    tx.seal("table-added", {"by": by, **row})
    return read_table(tx, table_id)


def change_table(tx: WriteTx, by: str, table_id: str, change: Mapping[str, Any]) -> FloorTable:
    """Change the name, limits, advice or status of a table; open rounds go on as they were dealt."""
    before = read_table(tx, table_id)
    limits = msgspec.convert({**asdict(before.betting.limits), **(change.get("limits") or {})}, Limits)
    BettingTable(before.betting.variant, limits)
    after = {
        "version": before.version + 1,
        "name": change.get("name", before.name),
        "limits": msgspec.json.encode(limits).decode(),
        "advice": int(change.get("advice", before.advice)),
        "status": check_status(change.get("status", before.status)),
    }
    tx.run(_CHANGE, {"table": table_id, **{f"new_{name}": value for name, value in after.items()}})
    was = {
        "version": before.version,
        "name": before.name,
        "limits": msgspec.json.encode(before.betting.limits).decode(),
        "advice": int(before.advice),
        "status": before.status,
    }
    tx.seal("table-changed", {"by": by, "table": table_id, "before": was, "after": after})
    return read_table(tx, table_id)


def change_game(tx: WriteTx, by: str, game: str, status: str) -> None:
    """Open or close every table of a game at once."""
    before = tx.value(_GAME, {"game": find(game).id})
    tx.run(_CHANGE_GAME, {"game": game, "new_status": check_status(status)})
    tx.seal("game-changed", {"by": by, "game": game, "before": {"status": before}, "after": {"status": status}})


def check_status(status: str) -> str:
    if status not in STATUSES:
        raise Refused("bad-status", f"{shown(status)} is no status; it can be {one_of(STATUSES)}")
    return status
