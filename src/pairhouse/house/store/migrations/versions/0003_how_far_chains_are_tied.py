"""How far each chain is tied in: the last of its events that a checkpoint names"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ties",
        sa.Column("chain", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("chain"),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    named = {chain: 0 for (chain,) in connection.execute(sa.text("SELECT DISTINCT chain FROM events"))}
    for (body,) in connection.execute(sa.text("SELECT body FROM events WHERE kind = 'checkpoint'")):
        for chain, number, _ in json.loads(body)["heads"]:
            named[chain] = max(named.get(chain, 0), number)
    for chain, number in named.items():
        connection.execute(sa.text("INSERT INTO ties VALUES (:chain, :number)"), {"chain": chain, "number": number})
