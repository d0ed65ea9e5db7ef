"""Migrations: bring a database to the schema of this version, keeping its content."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from pairhouse.house.store.database import Database, StoreFailed

_LOCK = 7_246_105_332  # PostgreSQL advisory lock: servers that start together migrate one after another


def config(connection: Connection) -> Config:
    """Alembic's settings, without a file."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    settings.attributes["connection"] = connection
    return settings


def migrate(database: Database) -> None:
    """Apply every migration that this database has not had."""
    database.connect().close()
    try:
        with database.engine_connection() as connection:
            if not database.is_sqlite:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            settings = config(connection)
            head = ScriptDirectory.from_config(settings).get_current_head()
            if MigrationContext.configure(connection).get_current_revision() != head:
                command.upgrade(settings, "head")
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        raise StoreFailed(f"the database cannot be brought to this version: {reason}") from error
