"""Care of players: their own limits with what counts towards them, breaks and self-exclusions"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "care",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("counters", sa.Text(), nullable=False),
        sa.Column("reminded_at", sa.BigInteger(), nullable=False),
        sa.Column("last_round_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "exclusions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("from_at", sa.BigInteger(), nullable=False),
        sa.Column("until_at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_with_rowid=False,
    )
    op.create_index("exclusions_of_account", "exclusions", ["account", "until_at"])
