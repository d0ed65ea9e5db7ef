"""Run by Alembic: the connection comes from our own code, never from a file."""

from alembic import context

from pairhouse.house.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, transaction_per_migration=True)
with context.begin_transaction():
    context.run_migrations()
