"""What somebody who can write the database can do beside its rows: triggers, constraints, rights, owners. Nothing unseen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from book_thief import Thief, closed_house

THIEF_ROLE = "CREATE ROLE thief_of_tests"
TRIGGER = "CREATE TRIGGER {} AFTER INSERT ON acts BEGIN UPDATE accounts SET balance = balance + 1; END"
UNLOCKED = "PRAGMA writable_schema = 1"
SQLITE = {
    "a trigger": ((TRIGGER.format("gift"),), "has trigger gift, which is none of ours"),
    "a trigger named as tables of counts are": ((UNLOCKED, f"INSERT INTO sqlite_master VALUES ('trigger', 'sqlite_stat9', 'acts', 0, '{TRIGGER.format('sqlite_stat9')}')"), "has trigger sqlite_stat9, which is none of ours"),
    "a constraint": ((UNLOCKED, "UPDATE sqlite_master SET sql = replace(sql, 'balance >= 0', 'balance >= -9') WHERE name = 'accounts'"), "table accounts"),
}  # fmt: skip
POSTGRESQL = {
    "a trigger": (("CREATE FUNCTION gift() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'", "CREATE TRIGGER gift BEFORE INSERT ON acts FOR EACH ROW EXECUTE FUNCTION gift()"), "gift"),
    "a rule": (("CREATE RULE gift AS ON INSERT TO acts DO ALSO UPDATE accounts SET balance = balance + 1",), "has rule gift"),
    "a constraint": (("ALTER TABLE accounts DROP CONSTRAINT balance_never_negative",), "has no constraint balance_never_negative"),
    "a default": (("ALTER TABLE sessions ALTER COLUMN outside_token SET DEFAULT 'x'",), "column sessions.outside_token"),
    "rights for everybody": (("GRANT SELECT ON players TO PUBLIC",), "everybody may SELECT players"),
    "a column for everybody": (("GRANT SELECT (password) ON players TO PUBLIC",), "everybody may SELECT players.password"),
    "rights to remove events": ((THIEF_ROLE, "GRANT DELETE ON events TO thief_of_tests"), "may DELETE events"),
    "rights to alter a column of events": ((THIEF_ROLE, "GRANT UPDATE (body) ON events TO thief_of_tests"), "may UPDATE events.body"),
    "rights to end exclusions": ((THIEF_ROLE, "GRANT DELETE ON exclusions TO thief_of_tests"), "may DELETE exclusions"),
    "rights to put up a trigger": ((THIEF_ROLE, "GRANT TRIGGER ON accounts TO thief_of_tests"), "may TRIGGER accounts"),
    "another owner": ((THIEF_ROLE, "ALTER TABLE events OWNER TO thief_of_tests"), "the owner of events is thief_of_tests"),
    "all rights of the owner": ((THIEF_ROLE, "GRANT SELECT ON events TO thief_of_tests", "GRANT postgres TO thief_of_tests"), "may do all that postgres may"),
    "rows hidden from a house": (("ALTER TABLE exclusions ENABLE ROW LEVEL SECURITY",), "rows of exclusions may be hidden"),
    "a table that a crash empties": (("ALTER TABLE exclusions SET UNLOGGED",), "exclusions would be empty after a crash"),
    "a table of the same name": ((THIEF_ROLE, "CREATE SCHEMA thief_of_tests", "CREATE TABLE thief_of_tests.exclusions (LIKE exclusions)"), "there is thief_of_tests.exclusions beside our own"),
    "another search path": ((THIEF_ROLE, "CREATE SCHEMA other", "CREATE VIEW other.care AS SELECT * FROM care LIMIT 0", "ALTER ROLE thief_of_tests SET search_path = other, public"), "there is other.care beside our own"),
    "rows of another table": (("CREATE SCHEMA other", "CREATE TABLE other.more () INHERITS (events)"), "rows of other.more are read with those of events"),
}  # fmt: skip


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("schema")


@pytest.fixture
def thief(kind: str, folder: Path) -> Iterator[Thief]:
    thief = Thief(closed_house(kind, folder))
    yield thief
    thief.close()


@pytest.mark.parametrize(
    ("kind", "what"), [*(("sqlite", what) for what in SQLITE), *(("postgresql", what) for what in POSTGRESQL)]
)
def test_what_is_changed_beside_the_rows_is_found(thief: Thief, kind: str, what: str) -> None:
    statements, says = {"sqlite": SQLITE, "postgresql": POSTGRESQL}[kind][what]
    thief.sql(*statements)
    found = thief.audit()
    assert says in str(found.difference), found.difference


@pytest.mark.parametrize("kind", ["postgresql"])
def test_what_others_keep_in_schemas_of_their_own_is_theirs(thief: Thief) -> None:
    thief.sql("CREATE SCHEMA accounts_of_others", "CREATE TABLE accounts_of_others.sessions (id text)")
    assert thief.audit().clean


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_counting_rows_for_plans_changes_nothing(thief: Thief) -> None:
    thief.sql("ANALYZE")
    assert thief.audit().clean
