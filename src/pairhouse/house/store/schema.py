"""The tables of the database. Money is integer minor units, times are milliseconds since 1970 in UTC.

Rounds are closed once; transfers and events are only added. Only players have a running balance: what the house, the
held stakes and the jackpots own is the sum of their transfers, so that no row is changed by every round. The key of a
transfer begins with the round it belongs to.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

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
    Index(
        "guests_active",
        "created_at",
        sqlite_where=text("guest = 1 AND status = 'active'"),
        postgresql_where=text("guest = 1 AND status = 'active'"),
    ),
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
    Index("sessions_by_expiry", "expires_at"),
    Index("sessions_of_player", "player_id"),
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

# The tables of the floor. `version` counts the changes of a table; `shuffle` and `round_ms_min` are its dealing and
# its pace (floor.py).
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
    Column("shuffle", Text, nullable=False, server_default="every-round"),
    Column("round_ms_min", Integer, nullable=False, server_default="0"),
)

# Server seeds: one in use for each player at each table, committed to by hash, sealed until it is revealed. `dealt_at`
# is when this player was last dealt a round at this table.
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
    Column("dealt_at", BigInteger),
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
# `chain` and `event` say which event tells of it.
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
    Column("chain", Text),
    Column("event", BigInteger),
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

# For each chain: the key of its writer, certified by the sealing key, and its last event, signed with that key.
chain_ends = Table(
    "chain_ends",
    metadata,
    Column("chain", Text, primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("public_key", Text, nullable=False),
    Column("certificate", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
    Column("signature", Text, nullable=False),
    sqlite_with_rowid=False,
)

# The signed log over all chains, one row: the id of the books, the sealing key, how many events the log has, the right
# edge of its tree, and which house adds to it until when. See house/log_keeper.py.
signed_log = Table(
    "signed_log",
    metadata,
    Column("books", Text, primary_key=True),
    Column("public_key", Text),
    Column("size", BigInteger, nullable=False),
    Column("edge", Text, nullable=False),
    Column("holder", Text, nullable=False),
    Column("held_until", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Which events are which leaves of the log: those of a chain from `first_event` to `last_event` follow one another.
runs = Table(
    "runs",
    metadata,
    Column("first_leaf", BigInteger, primary_key=True, autoincrement=False),
    Column("chain", Text, nullable=False),
    Column("first_event", BigInteger, nullable=False),
    Column("last_event", BigInteger, nullable=False),
    Index("runs_of_chain", "chain", "last_event", unique=True),
    sqlite_with_rowid=False,
)

# The complete subtrees of the log with 256 leaves and more.
nodes = Table(
    "nodes",
    metadata,
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("place", BigInteger, primary_key=True, autoincrement=False),
    Column("hash", Text, nullable=False),
    sqlite_with_rowid=False,
)

# The signed heads of the log.
heads = Table(
    "heads",
    metadata,
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("size", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

# The epochs of the books: the last is in force. Each but the first began on old books. See epoch/.
epochs = Table(
    "epochs",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    sqlite_with_rowid=False,
)

# When each house process that writes here last gave a sign of life. See pulse.py.
pulses = Table(
    "pulses",
    metadata,
    Column("house", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Calls to operators' wallets: bets, wins and rollbacks, with their state. See wallet_calls.py.
# `chain` and `event` say which event tells of it: what is sent is read from there.
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
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_at", BigInteger, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("key", Text),
    Column("body_hash", Text),
    Column("chain", Text),
    Column("event", BigInteger),
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

# What a player has set for themselves, what counts towards their limits, their last reminder and round. See care/.
care = Table(
    "care",
    metadata,
    Column("player_id", Text, primary_key=True),
    Column("settings", Text, nullable=False),
    Column("counters", Text, nullable=False),
    Column("reminded_at", BigInteger, nullable=False),
    Column("last_round_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Breaks and self-exclusions, by account: they outlast the player's row. Rows are only added.
exclusions = Table(
    "exclusions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account", Text, nullable=False),
    Column("player_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("from_at", BigInteger, nullable=False),
    Column("until_at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Index("exclusions_of_account", "account", "until_at"),
    sqlite_with_rowid=False,
)
