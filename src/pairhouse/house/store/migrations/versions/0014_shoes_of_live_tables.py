"""The shoes that live tables deal from"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in (
        sa.Column("shoe", sa.BigInteger()),
        sa.Column("coup", sa.Integer()),
        sa.Column("server_seed", sa.Text()),
        sa.Column("client_seeds", sa.Text()),
    ):
        op.add_column("live_rounds", column)
    op.create_index("live_rounds_of_shoe", "live_rounds", ["table_id", "shoe", "coup"])


def downgrade() -> None:
    op.drop_index("live_rounds_of_shoe", "live_rounds")
    for name in ("shoe", "coup", "server_seed", "client_seeds"):
        op.drop_column("live_rounds", name)
