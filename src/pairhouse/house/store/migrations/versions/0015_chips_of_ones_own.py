"""The colour and value of a player's chips at a live table"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("colour", "chip"):
        op.add_column("live_seats", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    for name in ("colour", "chip"):
        op.drop_column("live_seats", name)
