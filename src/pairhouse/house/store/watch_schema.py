"""The tables of the database that the watch keeps; see `schema.py` for all others."""

from sqlalchemy import BigInteger, Column, Float, Index, Integer, LargeBinary, Table, Text

from pairhouse.house.store.schema import metadata

# The most a player may stake on a wager at a table, where the watch has lowered it. See restrictions.py.
restrictions = Table(
    "restrictions",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Column("maximum", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# How far the watch has read the events of each chain (JSON). `revision` counts its changes.
watch_cursor = Table(
    "watch_cursor",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("revision", BigInteger, nullable=False),
    Column("read_to", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

# What the watch knows of a player at a table, of a table, and of a wager at a table ('' where there is none).
watch_records = Table(
    "watch_records",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("wager", Text, primary_key=True),
    Column("peak", Float, nullable=False),
    Column("step", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
    Index("watch_records_by_peak", "peak"),
    sqlite_with_rowid=False,
)

# Every step the watch has taken, with the figures it rests on, until an administrator lifts it.
watch_steps = Table(
    "watch_steps",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("player_id", Text, nullable=False),
    Column("wager", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("done", Text, nullable=False),
    Column("undo", Text, nullable=False),
    Column("figures", Text, nullable=False),
    Column("lifted_at", BigInteger),
    Column("lifted_by", Text),
)
