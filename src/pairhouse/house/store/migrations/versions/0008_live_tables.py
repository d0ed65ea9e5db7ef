"""Live tables: their clock and dealer, entries, rounds, seats and slips"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _add_tables_and_entries()
    _add_rounds_seats_and_slips()


def _add_tables_and_entries() -> None:
    op.create_table(
        "live_tables",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("round_from", sa.BigInteger(), nullable=False),
        sa.Column("dealer", sa.Text(), nullable=False),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("held_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "live_entries",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text()),
        sa.Column("key", sa.Text()),
        sa.Column("body_hash", sa.Text()),
        sa.Column("balance", sa.BigInteger()),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("live_entries_by_key", "live_entries", ["player_id", "key"], unique=True)
    op.create_index("live_entries_of_round", "live_entries", ["round_id", "number"])


def _add_rounds_seats_and_slips() -> None:
    op.create_table(
        "live_rounds",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("rules_hash", sa.Text(), nullable=False),
        sa.Column("sealed_seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "live_seats",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("leaves", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_index("live_seat_of_player", "live_seats", ["player_id", "table_id"], unique=True)
    op.create_table(
        "live_slips",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("staked", sa.BigInteger(), nullable=False),
        sa.Column("decided", sa.BigInteger(), nullable=False),
        sa.Column("returned", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "round_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("live_slips_of_round", "live_slips", ["round_id", "seat"], unique=True)
