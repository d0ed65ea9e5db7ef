"""Wallets elsewhere: which request a call came from, and what an operator last told of a player's money"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("calls", sa.Column("key", sa.Text(), nullable=True))
    op.add_column("calls", sa.Column("body_hash", sa.Text(), nullable=True))
    op.create_index(
        "calls_sent",
        "calls",
        ["player_id", "key"],
        unique=True,
        sqlite_where=sa.text("state = 'sent'"),
        postgresql_where=sa.text("state = 'sent'"),
    )
    op.create_table(
        "purses",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("exponent", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player_id"),
        sqlite_with_rowid=False,
    )
