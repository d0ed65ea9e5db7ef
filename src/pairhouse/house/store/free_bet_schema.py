"""The tables of the database that free bets are kept in; see `schema.py` for all others."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, Integer, Table, Text

from pairhouse.house.store.schema import metadata

# Free bets that players were granted: how much of each remains, at which bets it is good (`scope`), and until when.
# `key` makes a repeated grant harmless. What remains is the balance of the account `free-bet:ID`.
free_bets = Table(
    "free_bets",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("granted", BigInteger, nullable=False),
    Column("remaining", BigInteger, nullable=False),
    Column("scope", Text, nullable=False),
    Column("stake_returned", Integer, nullable=False),
    Column("granted_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("key", Text, nullable=False, unique=True),
    Column("withdrawn_at", BigInteger),
    CheckConstraint("remaining >= 0", name="free_bets_never_negative"),
    Index("free_bets_of_player", "player_id", "id"),
    Index("free_bets_by_expiry", "expires_at"),
    sqlite_with_rowid=False,
)

# Rounds whose first stakes came from a free bet: how much, what of it went back to the free bet, and what of the
# round's return was not paid in money.
free_stakes = Table(
    "free_stakes",
    metadata,
    Column("round_id", Text, primary_key=True),
    Column("free_bet", Text, nullable=False),
    Column("player_id", Text, nullable=False),
    Column("staked", BigInteger, nullable=False),
    Column("given_back", BigInteger, nullable=False),
    Column("not_paid", BigInteger, nullable=False),
    Index("free_stakes_of_player", "player_id", "round_id"),
    sqlite_with_rowid=False,
)
