"""Signs of life: that a house can write, and when it last could; guests who play are found without a walk"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pulses",
        sa.Column("house", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("house"),
        sqlite_with_rowid=False,
    )
    active = sa.text("guest = 1 AND status = 'active'")
    op.create_index("guests_active", "players", ["created_at"], sqlite_where=active, postgresql_where=active)
    op.create_index("sessions_by_expiry", "sessions", ["expires_at"])
    op.create_index("sessions_of_player", "sessions", ["player_id"])
