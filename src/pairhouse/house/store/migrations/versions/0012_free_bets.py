"""Free bets, and the rounds whose first stakes came from them"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "free_bets",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("granted", sa.BigInteger(), nullable=False),
        sa.Column("remaining", sa.BigInteger(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("stake_returned", sa.Integer(), nullable=False),
        sa.Column("granted_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("withdrawn_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("remaining >= 0", name="free_bets_never_negative"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
        sqlite_with_rowid=False,
    )
    op.create_index("free_bets_of_player", "free_bets", ["player_id", "id"])
    op.create_index("free_bets_by_expiry", "free_bets", ["expires_at"])
    op.create_table(
        "free_stakes",
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("free_bet", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("staked", sa.BigInteger(), nullable=False),
        sa.Column("given_back", sa.BigInteger(), nullable=False),
        sa.Column("not_paid", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("round_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("free_stakes_of_player", "free_stakes", ["player_id", "round_id"])
