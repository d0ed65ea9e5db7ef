"""A signed log over all chains, and which event tells of each act"""

import json
import secrets

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BATCH = 5_000


def upgrade() -> None:
    _chain_ends()
    _log()
    op.add_column("acts", sa.Column("chain", sa.Text(), nullable=True))
    op.add_column("acts", sa.Column("event", sa.BigInteger(), nullable=True))
    _name_events()
    log = {"books": secrets.token_hex(8)}
    op.get_bind().execute(sa.text("INSERT INTO signed_log VALUES (:books, NULL, 0, '', '', 0)"), log)


def _chain_ends() -> None:
    op.create_table(
        "chain_ends",
        sa.Column("chain", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("public_key", sa.Text(), nullable=False),
        sa.Column("certificate", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("chain"),
        sqlite_with_rowid=False,
    )


def _log() -> None:
    op.create_table(
        "signed_log",
        sa.Column("books", sa.Text(), nullable=False),
        sa.Column("public_key", sa.Text(), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("edge", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("held_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("books"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "runs",
        sa.Column("first_leaf", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("chain", sa.Text(), nullable=False),
        sa.Column("first_event", sa.BigInteger(), nullable=False),
        sa.Column("last_event", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("first_leaf"),
        sqlite_with_rowid=False,
    )
    op.create_index("runs_of_chain", "runs", ["chain", "last_event"], unique=True)
    op.create_table(
        "nodes",
        sa.Column("level", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("level", "place"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "heads",
        sa.Column("epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("size", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("epoch", "size", "at"),
        sqlite_with_rowid=False,
    )


def _name_events() -> None:
    """Note with each act of before which event tells of it."""
    connection = op.get_bind()
    kinds = "SELECT chain, number, body FROM events WHERE kind IN ('open', 'choice', 'void')"
    page = sa.text(f"{kinds} AND (chain, number) > (:chain, :number) ORDER BY chain, number LIMIT {BATCH}")
    change = sa.text("UPDATE acts SET chain = :chain, event = :event WHERE round_id = :round AND number = :act")
    after = {"chain": "", "number": 0}
    while rows := connection.execute(page, after).all():
        found = [(chain, number, json.loads(body)) for chain, number, body in rows]
        named = [{"chain": c, "event": n, "round": body["round"], "act": body["act"]} for c, n, body in found]
        connection.execute(change, named)
        after = {"chain": rows[-1][0], "number": rows[-1][1]}
