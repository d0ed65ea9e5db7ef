"""The log of a live table: read, and added to by one entry after another.

Whoever adds an entry says which number it has. Two who add at once cannot both: the second is told to read again.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, insert, select, update

from pairhouse.core.errors import Refused
from pairhouse.house.bank import Transfer, record
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.live_schema import live_entries, live_tables
from pairhouse.house.store.transaction import WriteTx
from pairhouse.rounds.live_entries import AnyEntry, RoundOpened
from pairhouse.rounds.live_round import LiveSettings

_TABLE = select(
    live_tables.c.settings,
    live_tables.c.number,
    live_tables.c.round_id,
    live_tables.c.round_from,
    live_tables.c.dealer,
    live_tables.c.fence,
    live_tables.c.held_until,
    live_tables.c.digest,
).where(live_tables.c.table_id == bindparam("table"))
_NUMBERS = select(live_tables.c.table_id, live_tables.c.number).order_by(live_tables.c.table_id)
_ENTRIES = (
    select(live_entries.c.number, live_entries.c.body, live_entries.c.player_id)
    .where(live_entries.c.table_id == bindparam("table"), live_entries.c.number > bindparam("after"))
    .order_by(live_entries.c.number)
)
_INSERT_ENTRY = insert(live_entries)
_ADDED = (
    update(live_tables)
    .where(live_tables.c.table_id == bindparam("table"), live_tables.c.number == bindparam("before"))
    .values(
        number=bindparam("new_number"),
        round_id=bindparam("new_round"),
        round_from=bindparam("new_from"),
        digest=bindparam("new_digest"),
    )
    .returning(live_tables.c.number)
)
_EARLIER = select(live_entries.c.number, live_entries.c.body_hash, live_entries.c.balance).where(
    live_entries.c.player_id == bindparam("player"), live_entries.c.key == bindparam("act_key")
)
decode_entry = msgspec.json.Decoder(AnyEntry).decode
_encode = msgspec.json.Encoder().encode
NOTHING_TOLD: Mapping[str, str] = {}


class LiveTable(NamedTuple):
    """A live table: its clock, its newest entry, its round, who deals there until when, and a hash over the round."""

    id: str
    settings: LiveSettings
    number: int
    round_id: str
    round_from: int
    dealer: str
    fence: int
    held_until: int
    digest: str


class Signed(NamedTuple):
    """Whose entry it is: the player, the key and hash of the request, and the player's balance after it."""

    player_id: str
    key: str
    body_hash: str
    balance: int


def live_numbers(tx: Tx) -> list[tuple[str, int]]:
    """Every table at which several people play, with the number of its newest entry."""
    return [(table_id, number) for table_id, number in tx.all(_NUMBERS, {})]


def read_live_table(tx: Tx, table_id: str) -> LiveTable:
    """A live table; refused if there is none of this id."""
    row = tx.one(_TABLE, {"table": table_id})
    if row is None:
        raise Refused("not-live", "at this table everybody plays alone; choose a live table")
    settings, *rest = row
    return LiveTable(table_id, msgspec.json.decode(settings, type=LiveSettings), *rest)


def entries_after(tx: Tx, table_id: str, number: int) -> list[tuple[int, AnyEntry]]:
    """The entries of a table after a number."""
    return [(at, decode_entry(body)) for at, body, _ in entry_rows(tx, table_id, number)]


def entry_rows(tx: Tx, table_id: str, number: int) -> list[Row]:
    """The rows of the entries after a number: number, text, and whose it is."""
    return tx.all(_ENTRIES, {"table": table_id, "after": number})


def next_digest(digest: str, body: str) -> str:
    """The hash over the entries of a round with one more."""
    return hashlib.sha256((digest + body).encode()).hexdigest()


def earlier_answer(tx: Tx, player_id: str, key: str, body_hash: str) -> tuple[int, int] | None:
    """Number and balance of the entry that a request with this key made, if it was made before."""
    row = tx.one(_EARLIER, {"player": player_id, "act_key": key})
    if row is None:
        return None
    number, known_hash, balance = row
    if known_hash != body_hash:
        raise Refused("key-reused", "this key was used for another request; give each request a key of its own")
    return number, balance


def add_entry(
    tx: WriteTx,
    table: LiveTable,
    entry: AnyEntry,
    moves: Sequence[Transfer] = (),
    signed: Signed | None = None,
    told: Mapping[str, str] = NOTHING_TOLD,
) -> LiveTable:
    """Write an entry after the newest one, with the money it moves, and seal it. The table as it is then."""
    after = queue_entry(tx, table, entry, moves, signed, told)
    move_table(tx, table, after)
    return after


def queue_entry(
    tx: WriteTx,
    table: LiveTable,
    entry: AnyEntry,
    moves: Sequence[Transfer] = (),
    signed: Signed | None = None,
    told: Mapping[str, str] = NOTHING_TOLD,
) -> LiveTable:
    """The same for one of several entries: `move_table` follows after the last of them.

    `told` is what its event tells beyond the entry.
    """
    number = table.number + 1
    round_id, round_from, digest = table.round_id, table.round_from, table.digest
    if isinstance(entry, RoundOpened):
        round_id, round_from, digest = entry.round_id, number, ""
    by = signed._asdict() if signed is not None else dict.fromkeys(Signed._fields)
    body = _encode(entry).decode()
    tx.queue(_INSERT_ENTRY, {"table_id": table.id, "number": number, "round_id": round_id, "body": body, **by})
    record(tx, f"{round_id}:live:{number}", None, moves)
    event = {"table": table.id, "number": number, "round": round_id, "entry": body, "transfers": list(moves), **by}
    tx.seal("live-entry", {**event, **told})
    return table._replace(number=number, round_id=round_id, round_from=round_from, digest=next_digest(digest, body))


def move_table(tx: WriteTx, before: LiveTable, after: LiveTable) -> None:
    """Note the newest entry of a table; refused if somebody else has added one since it was read."""
    added = {"table": before.id, "before": before.number, "new_number": after.number, "new_digest": after.digest}
    if tx.value(_ADDED, {**added, "new_round": after.round_id, "new_from": after.round_from}) is None:
        raise Refused("table-moved", "something else happened at this table just now; look again, then act")
