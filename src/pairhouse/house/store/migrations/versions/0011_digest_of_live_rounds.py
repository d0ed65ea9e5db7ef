"""A hash over the entries of the round in progress at each live table"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("live_tables", sa.Column("digest", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("live_tables", "digest")
