"""Migrations: bring a database to the schema of this version, keeping its content."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from pairhouse.core.errors import Refused
from pairhouse.house.store.database import Database, StoreFailed, Tx

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 7_246_105_332  # PostgreSQL advisory lock: servers that start together migrate one after another
_VERSION = text("SELECT version_num FROM alembic_version")
_TABLES = {
    "sqlite": text("SELECT name FROM sqlite_master WHERE type = 'table'"),
    "postgresql": text("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"),
}
_OF_A_HOUSE = {"alembic_version", "rounds", "events"}  # one of them is enough: what else is missing, the audit tells


def holds_books(database: Database) -> bool:
    """Whether a database has tables of a house. An empty file, or a database of other programs, has none."""
    try:
        with database.reading() as tx:
            return not _OF_A_HOUSE.isdisjoint(str(row[0]) for row in tx.all(_TABLES[tx.kind], {}))
    finally:
        database.close()


def check_version(tx: Tx) -> None:
    """Refuse to read books that have another schema than this version: an older one lacks what is asked for."""
    found, newest = [str(row[0]) for row in tx.all(_VERSION, {})], newest_version()
    if found != [newest]:
        given = f"these books have schema {', '.join(found) or 'none'}, and this version reads {newest}"
        raise Refused("other-schema", f"{given}; `pairhouse migrate` brings older books to it")


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
