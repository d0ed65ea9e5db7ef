"""The tables of the database that the pit is kept in: its staff with their sessions, and corrections of rounds."""

from sqlalchemy import BigInteger, Column, Index, Table, Text

from pairhouse.house.store.schema import metadata

# People who work for the house. Their names are theirs alone, whatever players are called.
staff = Table(
    "staff",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    Column("password", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

# Sessions of staff; of a token only its hash is stored.
staff_sessions = Table(
    "staff_sessions",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("staff_id", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)

# Closed rounds whose plays and pays were made void for a player: what was staked and returned, and what of it the
# balance could not give back. Rows are only added.
corrections = Table(
    "corrections",
    metadata,
    Column("round_id", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("made_by", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("staked", BigInteger, nullable=False),
    Column("returned", BigInteger, nullable=False),
    Column("written_off", BigInteger, nullable=False),
    Index("corrections_of_player", "player_id", "at"),
)
