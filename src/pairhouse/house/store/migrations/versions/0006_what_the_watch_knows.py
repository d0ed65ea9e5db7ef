"""How tables are shuffled, their pace, and what the watch knows; tables that exist keep their shoes, without pace"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("shuffle", sa.Text(), nullable=False, server_default="every-round"))
    op.add_column("tables", sa.Column("round_ms_min", sa.Integer(), nullable=False, server_default="0"))
    op.execute("""UPDATE tables SET shuffle = 'shoe' WHERE options LIKE '%"cut_card"%'""")
    op.add_column("streams", sa.Column("dealt_at", sa.BigInteger()))
    op.create_table(
        "restrictions",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("maximum", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "table_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "watch_cursor",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("read_to", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "watch_records",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("wager", sa.Text(), nullable=False),
        sa.Column("peak", sa.Float(), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "player_id", "wager"),
        sqlite_with_rowid=False,
    )
    op.create_index("watch_records_by_peak", "watch_records", ["peak"])
    op.create_table(
        "watch_steps",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("wager", sa.Text(), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("done", sa.Text(), nullable=False),
        sa.Column("undo", sa.Text(), nullable=False),
        sa.Column("figures", sa.Text(), nullable=False),
        sa.Column("lifted_at", sa.BigInteger()),
        sa.Column("lifted_by", sa.Text()),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    for name in ("watch_steps", "watch_records", "watch_cursor", "restrictions"):
        op.drop_table(name)
    op.drop_column("streams", "dealt_at")
    op.drop_column("tables", "round_ms_min")
    op.drop_column("tables", "shuffle")
