"""The tables of the database that live tables are kept in; see `schema.py` for all others."""

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, Table, Text

from pairhouse.house.store.schema import metadata

# Tables at which several people play: their clock, the newest entry, the round in progress with the entry it begins
# at, and which dealer leads the table until when. `fence` is raised with every new dealer; `digest` is a hash over the
# entries of the round, so that whoever has read them before knows whether they are still the same.
live_tables = Table(
    "live_tables",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("settings", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("round_id", Text, nullable=False),
    Column("round_from", BigInteger, nullable=False),
    Column("dealer", Text, nullable=False),
    Column("fence", BigInteger, nullable=False),
    Column("held_until", BigInteger, nullable=False),
    Column("digest", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

# What is written down at a live table, in order. `key` makes a player's repeats harmless; `balance` is what the player
# had after it. Rows are only added.
live_entries = Table(
    "live_entries",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("round_id", Text, nullable=False),
    Column("player_id", Text),
    Column("key", Text),
    Column("body_hash", Text),
    Column("balance", BigInteger),
    Column("body", Text, nullable=False),
    Index("live_entries_by_key", "player_id", "key", unique=True),
    Index("live_entries_of_round", "round_id", "number"),
    sqlite_with_rowid=False,
)

# Rounds of live tables, each with a seed of its own: committed to when it opens, sealed until it closes. Where they are
# dealt from a shoe: which of the table's shoes, which coup of it, and once it is closed its seed and what was mixed
# with it, because the coups after it are verified with them.
live_rounds = Table(
    "live_rounds",
    metadata,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("rules_hash", Text, nullable=False),
    Column("sealed_seed", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    Column("shoe", BigInteger),
    Column("coup", Integer),
    Column("server_seed", Text),
    Column("client_seeds", Text),
    Index("live_rounds_of_shoe", "table_id", "shoe", "coup"),
    sqlite_with_rowid=False,
)

# Who sits where, and the colour and value of their chips where players have chips of their own.
live_seats = Table(
    "live_seats",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("leaves", Integer, nullable=False),
    Column("colour", Integer, nullable=False, server_default="0"),
    Column("chip", Integer, nullable=False, server_default="0"),
    Index("live_seat_of_player", "player_id", "table_id", unique=True),
    sqlite_with_rowid=False,
)

# What each player staked in a live round and what came back so far.
live_slips = Table(
    "live_slips",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("round_id", Text, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("staked", BigInteger, nullable=False),
    Column("decided", BigInteger, nullable=False),
    Column("returned", BigInteger, nullable=False),
    Index("live_slips_of_round", "round_id", "seat", unique=True),
    sqlite_with_rowid=False,
)
