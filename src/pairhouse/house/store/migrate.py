"""Migrations: bring a database to the schema of this version, keeping its content."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from pairhouse.house.store.database import Database, StoreFailed

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 7_246_105_332  # PostgreSQL advisory lock: servers that start together migrate one after another


def config(connection: Connection) -> Config:
    """Alembic's settings, without a file."""
    settings = Config()
    settings.set_main_option("script_location", str(_MIGRATIONS))
    settings.attributes["connection"] = connection
    return settings


def newest_version() -> str:
    """The version of the schema that this program has."""
    settings = Config()
    settings.set_main_option("script_location", str(_MIGRATIONS))
    return str(ScriptDirectory.from_config(settings).get_current_head())


def migrate(database: Database) -> str:
    """Apply every migration that this database has not had; the revision of its schema then."""
    database.connect().close()
    try:
        with database.engine_connection() as connection:
            if not database.is_sqlite:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            settings = config(connection)
            head = str(ScriptDirectory.from_config(settings).get_current_head())
            revision = MigrationContext.configure(connection).get_current_revision()
            if revision is not None and revision not in known_revisions():
                sentence = f"the database was brought to schema {revision} by a newer version; use that version"
                raise StoreFailed(f"{sentence}, or restore the backup that was made before the upgrade")
            if revision != head:
                command.upgrade(settings, "head")
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        may_not = "; run `pairhouse migrate` as the role that owns the tables" if "permission denied" in reason else ""
        raise StoreFailed(f"the database cannot be brought to this version: {reason}{may_not}") from error
    return head


def known_revisions() -> set[str]:
    """Every schema that this version knows, by its revision."""
    settings = Config()
    settings.set_main_option("script_location", str(_MIGRATIONS))
    return {script.revision for script in ScriptDirectory.from_config(settings).walk_revisions()}
