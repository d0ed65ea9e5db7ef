"""Which event tells of each call; what a call asks for is read from there and no longer stored"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

BATCH = 5_000


def upgrade() -> None:
    op.add_column("calls", sa.Column("chain", sa.Text(), nullable=True))
    op.add_column("calls", sa.Column("event", sa.BigInteger(), nullable=True))
    op.drop_column("calls", "request")
    connection = op.get_bind()
    told = "SELECT chain, number, body FROM events WHERE kind = 'wallet-call'"
    page = sa.text(f"{told} AND (chain, number) > (:chain, :number) ORDER BY chain, number LIMIT {BATCH}")
    change = sa.text("UPDATE calls SET chain = :chain, event = :event WHERE id = :call")
    after = {"chain": "", "number": 0}
    while rows := connection.execute(page, after).all():
        found = [{**json.loads(body), "chain": chain, "event": number} for chain, number, body in rows]
        made = [one for one in found if one["state"] in ("sent", "due")]
        if made:
            connection.execute(change, [{name: one[name] for name in ("chain", "event", "call")} for one in made])
        after = {"chain": rows[-1][0], "number": rows[-1][1]}
