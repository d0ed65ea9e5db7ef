"""The floor: the tables of the house with their games, limits and status, and every change of them."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import bindparam, insert, select, update

from pairhouse.core.errors import Refused, one_of, shown, unknown
from pairhouse.core.game import Game, Variant
from pairhouse.games.catalogue import GAMES, find
from pairhouse.games.floor_plan import EVERY_ROUND, FLOOR_PLAN, ROUND_MS_MIN, SHOE, PlannedTable, renamed
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_rounds, live_slips, live_tables
from pairhouse.house.store.schema import games, tables
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.table_limits import BettingTable, Limits

OPEN, CLOSED, LIVE = "open", "closed", "live"
FRIENDS = "friends-"  # how the ids of tables begin that are in no list (house/live/friends.py)
STATUSES = (OPEN, CLOSED, LIVE)  # at a live table several people play; nobody plays alone there
SHUFFLES = (EVERY_ROUND, SHOE)
ROUND_MS_MOST = 600_000

_TABLE = (
    select(
        tables.c.version,
        tables.c.name,
        tables.c.game,
        tables.c.options,
        tables.c.limits,
        tables.c.advice,
        tables.c.status,
        tables.c.shuffle,
        tables.c.round_ms_min,
        games.c.status,
    )
    .join(games, games.c.id == tables.c.game)
    .where(tables.c.id == bindparam("table"))
)
_IDS = select(tables.c.id, tables.c.game).order_by(tables.c.position, tables.c.id)
_ENDED = (  # tables for friends at which nothing happens any more: closed, and without a bet that waits for its round
    select(tables.c.id)
    .outerjoin(live_tables, live_tables.c.table_id == tables.c.id)
    .outerjoin(live_rounds, (live_rounds.c.id == live_tables.c.round_id) & (live_rounds.c.state == OPEN))
    .where(tables.c.id.startswith(FRIENDS), tables.c.status == CLOSED)
    .where(~select(live_slips.c.round_id).where(live_slips.c.round_id == live_rounds.c.id).exists())
)
_LAST_POSITION = select(tables.c.position).order_by(tables.c.position.desc()).limit(1)
_INSERT = insert(tables)
_CHANGE = (
    update(tables)
    .where(tables.c.id == bindparam("table"))
    .values(
        version=bindparam("new_version"),
        name=bindparam("new_name"),
        options=bindparam("new_options"),
        limits=bindparam("new_limits"),
        advice=bindparam("new_advice"),
        status=bindparam("new_status"),
        shuffle=bindparam("new_shuffle"),
        round_ms_min=bindparam("new_round_ms_min"),
    )
)
_OPEN_LIVE_ROUND = select(live_rounds.c.id).where(
    live_rounds.c.table_id == bindparam("table"), live_rounds.c.state == OPEN
)
_HAS_CLOCK = select(live_tables.c.table_id).where(live_tables.c.table_id == bindparam("table"))
_IS_DUE = update(live_tables).values(held_until=0)
_TABLE_IS_DUE = _IS_DUE.where(live_tables.c.table_id == bindparam("table"))
_GAME_IS_DUE = _IS_DUE.where(live_tables.c.table_id.in_(select(tables.c.id).where(tables.c.game == bindparam("game"))))
_GAME = select(games.c.status).where(games.c.id == bindparam("game"))
_INSERT_GAME = insert(games)
_CHANGE_GAME = update(games).where(games.c.id == bindparam("game")).values(status=bindparam("new_status"))


class FloorTable(msgspec.Struct, frozen=True):
    """A table of the floor. Its version counts its changes, so a round can say under which one it was dealt.

    `shuffle` says whether it is dealt from a shoe or shuffled for every round; `round_ms_min` is the least time between
    two rounds of a player.
    """

    id: str
    version: int
    name: str
    betting: BettingTable
    advice: bool
    status: str
    game_status: str
    shuffle: str
    round_ms_min: int

    @property
    def is_open(self) -> bool:
        return self.status == OPEN and self.game_status == OPEN

    @property
    def is_live(self) -> bool:
        """Whether several people may play here now."""
        return self.status == LIVE and self.game_status == OPEN


@lru_cache(maxsize=256)
def _betting_table(game: str, options: str, limits: str) -> BettingTable:
    return BettingTable(find(game).variant(msgspec.json.decode(options)), msgspec.json.decode(limits, type=Limits))


def read_table(tx: Tx, table_id: str) -> FloorTable:
    """A table with its variant and limits."""
    row = tx.one(_TABLE, {"table": table_id})
    if row is None:
        raise unknown("table", table_id, listed_ids(tx))
    version, name, game, options, limits, advice, status, shuffle, round_ms_min, game_status = row
    betting = _betting_table(game, options, limits)
    return FloorTable(table_id, version, name, betting, bool(advice), status, game_status, shuffle, round_ms_min)


def no_private_rounds(table: FloorTable) -> Refused:
    """Why nobody plays alone at this table now."""
    if table.is_live:
        return Refused("table-closed", f"several people play at table {table.id}: sit down there, or choose another")
    return Refused("table-closed", f"table {table.id} is closed; choose another")


def table_ids(tx: Tx) -> list[str]:
    """Every table, in the order of the floor; not those of games that were served once and are not known now."""
    return [table_id for table_id, game in tx.all(_IDS, {}) if game in GAMES]


def listed_ids(tx: Tx) -> list[str]:
    """Every table that anybody may find in a list; tables for friends are found by their link."""
    return [table_id for table_id in table_ids(tx) if not table_id.startswith(FRIENDS)]


def ids_in_use(tx: Tx) -> list[str]:
    """Every table but those for friends at which nothing happens any more: there are more of them every day."""
    ended = {table_id for (table_id,) in tx.all(_ENDED, {})}
    return [table_id for table_id in table_ids(tx) if table_id not in ended]


def open_game(tx: WriteTx, game: str) -> None:
    """Open a game that is new to the house."""
    if tx.one(_GAME, {"game": game}) is None:
        tx.run(_INSERT_GAME, {"id": game, "status": OPEN})


def planned_limits(table: PlannedTable) -> Limits:
    return Limits(wager_maximum=dict(table.wager_maximum), total_maximum=dict(table.total_maximum))


def is_as_planned(table: FloorTable) -> bool:
    """Whether a table of the floor plan is dealt, paced and limited as it was planned."""
    planned = next((each for each in FLOOR_PLAN if each.id == table.id), None)
    if planned is None or find(planned.game).variant(planned.options) is not table.betting.variant:
        return False
    settings = (planned.shuffle, planned.round_ms_min, planned_limits(planned))
    return settings == (table.shuffle, table.round_ms_min, table.betting.limits)


def put_up_planned(tx: WriteTx, table: PlannedTable) -> None:
    """Add a planned table to the floor."""
    limits = planned_limits(table)
    add_table(
        tx,
        table.id,
        table.name,
        table.game,
        table.options,
        limits,
        shuffle=table.shuffle,
        round_ms_min=table.round_ms_min,
        status=OPEN if table.clock is None else LIVE,
    )


def put_up(tx: WriteTx, game_id: str) -> None:
    """A table for a game from outside, if it has none."""
    if all(game != game_id for _, game in tx.all(_IDS, {})):
        add_table(tx, game_id, find(game_id).name, game_id, {})


def add_table(
    tx: WriteTx,
    table_id: str,
    name: str,
    game: str,
    options: Mapping[str, Any],
    limits: Limits | None = None,
    advice: bool = True,
    by: str = "house",
    *,
    shuffle: str = EVERY_ROUND,
    round_ms_min: int = ROUND_MS_MIN,
    status: str = OPEN,
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
        "options": options_text(betting.variant),
        "limits": limits_text(betting.limits),
        "advice": int(advice),
        "status": check_status(status),
        "position": last_position + 1 if last_position is not None else 0,
        "shuffle": check_shuffle(betting.variant.game, shuffle),
        "round_ms_min": check_pace_setting(round_ms_min),
    }
    tx.run(_INSERT, row)
    tx.seal("table-added", {"by": by, **row})
    return read_table(tx, table_id)


def change_table(tx: WriteTx, by: str, table_id: str, change: Mapping[str, Any]) -> FloorTable:
    """Change the name, options, limits, advice, status, shuffle or pace of a table.

    Open rounds go on as they were dealt. A shoe in use ends when its table is shuffled for every
    round from now on, or deals by other options.
    """
    before = read_table(tx, table_id)
    limits = msgspec.convert({**asdict(before.betting.limits), **(change.get("limits") or {})}, Limits)
    variant = switched(tx, before, change["options"]) if change.get("options") else before.betting.variant
    BettingTable(variant, limits)
    after = {
        "version": before.version + 1,
        "name": change.get("name", renamed(before.name, before.betting.variant.options, variant.options)),
        "options": options_text(variant),
        "limits": limits_text(limits),
        "advice": int(change.get("advice", before.advice)),
        "status": _status_of(tx, table_id, change.get("status", before.status)),
        "shuffle": check_shuffle(before.betting.variant.game, change.get("shuffle", before.shuffle)),
        "round_ms_min": check_pace_setting(change.get("round_ms_min", before.round_ms_min)),
    }
    tx.run(_CHANGE, {"table": table_id, **{f"new_{name}": value for name, value in after.items()}})
    was = {
        "version": before.version,
        "name": before.name,
        "options": options_text(before.betting.variant),
        "limits": limits_text(before.betting.limits),
        "advice": int(before.advice),
        "status": before.status,
        "shuffle": before.shuffle,
        "round_ms_min": before.round_ms_min,
    }
    tx.seal("table-changed", {"by": by, "table": table_id, "before": was, "after": after})
    deal_again(tx, table_id)
    return read_table(tx, table_id)


def deal_again(tx: WriteTx, table_id: str) -> None:
    """Whoever deals at a live table looks there again, in whichever process it was changed."""
    tx.run(_TABLE_IS_DUE, {"table": table_id})


def _status_of(tx: Tx, table_id: str, wanted: str) -> str:
    """The status a table is given: one at which several people play is opened for several people."""
    if check_status(wanted) == OPEN and tx.one(_HAS_CLOCK, {"table": table_id}) is not None:
        return LIVE
    return wanted


def switched(tx: WriteTx, table: FloorTable, options: Mapping[str, Any]) -> Variant:
    """The game of a table with some options switched, between rounds where several people play."""
    before = table.betting.variant
    after = before.game.variant({**before.options, **options})
    if before.game.meter(before.options) != before.game.meter(after.options):
        raise Refused("bad-option", "a progressive meter stays with its table; put up another table instead")
    if tx.one(_OPEN_LIVE_ROUND, {"table": table.id}) is not None:
        raise Refused("round-open", "a round is open at this table; close the table, and switch when the round is over")
    return after


def limits_text(limits: Limits) -> str:
    """Limits as the books have them; those that name no totals are written as before there were any."""
    record = asdict(limits)
    if not limits.total_maximum:
        del record["total_maximum"]
    return msgspec.json.encode(record).decode()


def options_text(variant: Variant) -> str:
    return msgspec.json.encode(dict(variant.options)).decode()


def change_game(tx: WriteTx, by: str, game: str, status: str) -> None:
    """Open or close every table of a game at once."""
    before = tx.value(_GAME, {"game": find(game).id})
    tx.run(_CHANGE_GAME, {"game": game, "new_status": check_status(status)})
    tx.seal("game-changed", {"by": by, "game": game, "before": {"status": before}, "after": {"status": status}})
    tx.run(_GAME_IS_DUE, {"game": game})


def check_status(status: str) -> str:
    if status not in STATUSES:
        raise Refused("bad-status", f"{shown(status)} is no status; it can be {one_of(STATUSES)}")
    return status


def check_shuffle(game: Game, shuffle: str) -> str:
    """How a table is shuffled, if its game can be dealt so."""
    if shuffle not in SHUFFLES:
        raise Refused("bad-shuffle", f"{shown(shuffle)} is no way to shuffle; it can be {one_of(SHUFFLES)}")
    if shuffle == SHOE and not game.shoe:
        raise Refused("bad-shuffle", f"{game.name} is not dealt from a shoe; its tables are shuffled {EVERY_ROUND}")
    return shuffle


def check_pace_setting(round_ms_min: int) -> int:
    if not 0 <= round_ms_min <= ROUND_MS_MOST:
        given = f"{round_ms_min} ms between two rounds"
        raise Refused("bad-pace", f"{given} are not possible; give 0 to {ROUND_MS_MOST}")
    return round_ms_min
