"""The tables of the database. Money is integer minor units, times are milliseconds since 1970 in UTC.

Rounds are closed once; transfers and events are only added. Only players have a running balance: what the house, the
held stakes and the jackpots own is the sum of their transfers, so that no row is changed by every round. The key of a
transfer begins with the round it belongs to.
"""

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, Integer, LargeBinary, MetaData, Table, Text, text

metadata = MetaData()

# The running balance of each player whose money is here.
accounts = Table(
    "accounts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("balance", BigInteger, nullable=False),
    CheckConstraint("balance >= 0", name="balance_never_negative"),
    sqlite_with_rowid=False,
)

# Guests, named players, and players of operators (`wallet` is the operator's name, `outside_id` its id for them).
players = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("guest", Integer, nullable=False),
    Column("password", Text),
    Column("wallet", Text, nullable=False),
    Column("outside_id", Text),
    Column("status", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("failed_at", BigInteger, nullable=False),
    Column("locked_until", BigInteger, nullable=False),
    Index("players_by_wallet", "wallet", "outside_id", unique=True),
)

# Sign-ins. Only the hash of a session's token is stored.
sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("outside_token", LargeBinary),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Keys of operators and administrators. Only their hashes are stored.
api_keys = Table(
    "api_keys",
    metadata,
    Column("id", Text, primary_key=True),
    Column("key_hash", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("revoked_at", BigInteger),
)

# Whether a game is open or closed, at all of its tables.
games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("status", Text, nullable=False),
    sqlite_with_rowid=False,
)

# The tables of the floor. `version` counts the changes of a table.
tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("limits", Text, nullable=False),
    Column("advice", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("position", Integer, nullable=False),
)

# Server seeds: one in use for each player at each table, committed to by hash, sealed until it is revealed.
streams = Table(
    "streams",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("sealed_seed", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("nonce", BigInteger, nullable=False),
    Column("client_seed", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("revealed_at", BigInteger),
    Index(
        "one_stream_in_use",
        "player_id",
        "table_id",
        unique=True,
        sqlite_where=text("revealed_at IS NULL"),
        postgresql_where=text("revealed_at IS NULL"),
    ),
    Index("streams_of_player", "player_id", "table_id", "opened_at"),
    sqlite_with_rowid=False,
)

# How far each shoe is dealt; a shoe is one nonce of a stream.
shoes = Table(
    "shoes",
    metadata,
    Column("stream_id", Text, primary_key=True),
    Column("nonce", BigInteger, primary_key=True),
    Column("rules_hash", Text, nullable=False),
    Column("client_seed", Text, nullable=False),
    Column("dealt", Integer, nullable=False),
    Column("last_round", Integer, nullable=False),
    Column("finished", Integer, nullable=False),
    sqlite_with_rowid=False,
)

# Every round. `log` and `result` are set when it closes.
rounds = Table(
    "rounds",
    metadata,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("table_version", Integer, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("rules_hash", Text, nullable=False),
    Column("stream_id", Text, nullable=False),
    Column("nonce", BigInteger, nullable=False),
    Column("client_seeds", Text, nullable=False),
    Column("first_card", Integer, nullable=False),
    Column("seats", Text, nullable=False),
    Column("meter", Text),
    Column("state", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    Column("staked", BigInteger, nullable=False),
    Column("returned", BigInteger),
    Column("log", Text),
    Column("result", Text),
    Index("rounds_of_stream", "stream_id", "nonce", "first_card"),
    Index(
        "rounds_open",
        "opened_at",
        sqlite_where=text("state = 'open'"),
        postgresql_where=text("state = 'open'"),
    ),
)

# Which player played which seats of a round.
seated = Table(
    "seated",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("round_id", Text, primary_key=True),
    Column("seats", Text, nullable=False),
    Column("game", Text, nullable=False),
    sqlite_with_rowid=False,
)

# The round a player has open at a table; deleted when the round closes.
sittings = Table(
    "sittings",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Column("round_id", Text, nullable=False, unique=True),
    sqlite_with_rowid=False,
)

# What players did in a round, in order: number 0 opens it, then choices, or a void. `key` makes repeats harmless.
acts = Table(
    "acts",
    metadata,
    Column("round_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("player_id", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("body_hash", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("word", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("staked", BigInteger, nullable=False),
    Column("balance", BigInteger, nullable=False),
    Index("acts_by_key", "player_id", "key", unique=True),
    sqlite_with_rowid=False,
)

# Double-entry bookkeeping: every movement of money from one account to another.
transfers = Table(
    "transfers",
    metadata,
    Column("key", Text, primary_key=True),
    Column("round_id", Text),
    Column("kind", Text, nullable=False),
    Column("debit", Text, nullable=False),
    Column("credit", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    CheckConstraint("amount > 0", name="transfers_move_money"),
    CheckConstraint("debit <> credit", name="transfers_have_two_sides"),
    sqlite_with_rowid=False,
)

# What the progressive meter of a table shows, and its reserve.
meters = Table(
    "meters",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("amount", BigInteger, nullable=False),
    Column("reserve", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Hash-chained events: every change of the books, sealed. See chain.py.
events = Table(
    "events",
    metadata,
    Column("chain", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("hash", Text, nullable=False),
    sqlite_with_rowid=False,
)

# Every chain of events, and up to which event a checkpoint of another chain names it. See chain.py.
ties = Table(
    "ties",
    metadata,
    Column("chain", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Calls to operators' wallets: bets, wins and rollbacks, with their state. See wallet_calls.py.
calls = Table(
    "calls",
    metadata,
    Column("id", Text, primary_key=True),
    Column("wallet", Text, nullable=False),
    Column("player_id", Text, nullable=False),
    Column("round_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("reference", Text),
    Column("request", Text),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_at", BigInteger, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("key", Text),
    Column("body_hash", Text),
    Index("calls_due", "next_at", sqlite_where=text("state = 'due'"), postgresql_where=text("state = 'due'")),
    Index("calls_of_round", "round_id"),
    Index(
        "calls_sent",
        "player_id",
        "key",
        unique=True,
        sqlite_where=text("state = 'sent'"),
        postgresql_where=text("state = 'sent'"),
    ),
)

# The balance each operator last reported for a player, adjusted by what we have promised since.
purses = Table(
    "purses",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("balance", BigInteger, nullable=False),
    Column("currency", Text, nullable=False),
    Column("exponent", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
