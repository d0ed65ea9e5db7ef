"""The next round of a live table: its seed, what it is dealt from, its pace, and what its progressive shows."""

from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, func, insert, select

from pairhouse.core.game import Variant
from pairhouse.games.floor_plan import SHOE
from pairhouse.house.floor import FloorTable
from pairhouse.house.live.table_log import LiveTable, add_entry
from pairhouse.house.meters import read_meter
from pairhouse.house.store.database import Tx
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.live_schema import live_rounds
from pairhouse.house.store.transaction import WriteTx
from pairhouse.house.vault import Vault
from pairhouse.machines.events import Replay
from pairhouse.rounds.fairness import commitment, new_seed
from pairhouse.rounds.live_entries import RoundOpened, ShoeBefore
from pairhouse.rounds.live_round import LiveRound
from pairhouse.rounds.live_shoe import can_have_shoe, shoe_after
from pairhouse.rounds.round_log import MeterReading
from pairhouse.rounds.round_view import OPEN

_INSERT_ROUND = insert(live_rounds)
_LAST_SHOE = select(func.max(live_rounds.c.shoe)).where(live_rounds.c.table_id == bindparam("table"))


class Opened(NamedTuple):
    """How a round was opened, which never changes: its rules, the table's options, and its seed, sealed."""

    rules_hash: str
    options: str
    sealed_seed: bytes


class RoundBefore(NamedTuple):
    """The last round of a table: as its entries tell of it, its cards if they were dealt, and its rules."""

    live: LiveRound
    state: Replay | None
    rules_hash: str


def opens_after(live: LiveRound, now: int) -> int:
    """When the round after this one opens. Where the clock was set back since it ended, nobody waits for it."""
    ended = live.closed or live.voided
    return ended.at + live.settings.pause if ended is not None and ended.at <= now else now


def open_round(
    tx: WriteTx, vault: Vault, table: LiveTable, floor: FloorTable, before: RoundBefore | None, round_ms_min: int
) -> LiveTable:
    """Open a table for bets, with the commitment to a new seed. `round_ms_min` is the least time between two deals."""
    variant = floor.betting.variant
    round_id, seed = new_id(tx.now), new_seed()
    meter = read_meter(tx, table.id, variant)
    dealt = before.live.dealt if before is not None else None
    entry = RoundOpened(
        at=tx.now,
        round_id=round_id,
        commitment=commitment(seed),
        shoe=_next_shoe(tx, table.id, floor, before),
        not_before=min(dealt.at, tx.now) + round_ms_min if dealt is not None and round_ms_min else 0,
        by_hand=table.settings.by_hand,
        meter=MeterReading(meter.amount, meter.reserve) if meter is not None else None,
    )
    options = msgspec.json.encode(dict(variant.options)).decode()
    row = {
        "id": round_id,
        "table_id": table.id,
        "game": variant.game.id,
        "options": options,
        "rules_hash": variant.rules_hash,
        "sealed_seed": vault.seal(seed, round_id),
        "commitment": entry.commitment,
        "state": OPEN,
        "opened_at": tx.now,
        "closed_at": None,
        "shoe": entry.shoe.number if entry.shoe is not None else None,
        "coup": entry.shoe.coup if entry.shoe is not None else None,
        "server_seed": None,
        "client_seeds": None,
    }
    tx.run(_INSERT_ROUND, row)
    told = {"game": variant.game.id, "options": options, "rules": variant.rules_hash}
    return add_entry(tx, table, entry, told=told)


def is_dealt_from_shoe(floor: FloorTable) -> bool:
    """Whether the next round of a live table is dealt from a shoe."""
    return floor.shuffle == SHOE and can_have_shoe(floor.betting.variant)


def _next_shoe(tx: Tx, table_id: str, floor: FloorTable, before: RoundBefore | None) -> ShoeBefore | None:
    """What the next round is dealt from: the shoe in use, a fresh one, or none."""
    if not is_dealt_from_shoe(floor):
        return None
    goes_on = _shoe_in_use(floor.betting.variant, before) if before is not None else None
    return goes_on or ShoeBefore(int(tx.value(_LAST_SHOE, {"table": table_id}) or 0) + 1, 1)


def _shoe_in_use(variant: Variant, before: RoundBefore) -> ShoeBefore | None:
    """The shoe after the last coup; None where it has ended.

    It ends with a coup that is void: the seed of that one is never opened, so nobody could verify what it has left. It
    ends, too, when the table deals by other options from now on. [NSB-41]
    """
    live, state = before.live, before.state
    shoe = live.opened.shoe if live.opened is not None else None
    if shoe is None or live.closed is None or state is None or before.rules_hash != variant.rules_hash:
        return None
    return shoe_after(variant, shoe, state.dealt)
