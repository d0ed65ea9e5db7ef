"""PostgreSQL with two roles: a house can do all it does, and cannot alter what is sealed or make a table."""

import importlib
import os
import pkgutil
import random
import re
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Delete, Insert, Update
from sqlalchemy.engine import make_url

import pairhouse.house
import postgres
from direct_house import Guest, audited, deal_from_shoe, enrich, new_database
from pairhouse.core.errors import Refused
from pairhouse.house.audit import privilege_checks
from pairhouse.house.backup.make import make_backup
from pairhouse.house.backup.restore import restore
from pairhouse.house.floor import change_game
from pairhouse.house.house import House
from pairhouse.house.people import change_player, new_key, password_hash, register, revoke_key
from pairhouse.house.store.database import Database, StoreFailed
from pairhouse.house.store.migrate import migrate
from pairhouse.house.store.schema import metadata
from pairhouse.house.store.statements import InsertNew, compiled

DEPLOY = Path(__file__).parents[2] / "deploy"
OWNER, HOUSE = "pairhouse_owner", "pairhouse_house"
OF_THE_OWNER = {"pairhouse.house.rekey"}  # commands that run as the other role
ADDED_ONLY = sorted(privilege_checks.ADDED_ONLY)


def address(url: str, role: str) -> str:
    return make_url(url).set(username=role).render_as_string(hide_password=False)


def psql(url: str, file: str) -> None:
    words = [str(postgres.programs() / "psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={url}"]
    done = subprocess.run([*words, f"--file={DEPLOY / file}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a database set up as docs/operations.md says, for the role of a house."""
    return address(set_up(tmp_path_factory.mktemp("roles")), HOUSE)


def set_up(folder: Path) -> str:
    """A database with both roles, as docs/operations.md sets it up."""
    given = new_database("postgresql", folder)
    for _ in range(2):  # both files can be run again
        psql(given, "postgres-roles.sql")
        with closing(Database(address(given, OWNER))) as database:
            migrate(database)
        psql(address(given, OWNER), "postgres-grants.sql")
    return given


def test_a_house_plays_with_the_rights_it_has(url: str) -> None:
    house = House(url)
    guest = Guest(house, random.Random(3))
    enrich(house, guest.id)
    deal_from_shoe(house)
    for table in ("la-paire", "nepal-super-baccarat", "blackjack-poker-pairs", "three-card-poker-progressive"):
        guest.sit(table)
        for _ in range(3):
            guest.play(table)
    while (view := guest.bet("blackjack-poker-pairs")).state != "open":
        pass
    guest.rotate("la-paire")
    house.do(lambda tx: house.pit.void(tx, "desk", view.id, "malfunction"))
    house.do(lambda tx: register(tx, "somebody", password_hash("correct horse")))
    house.do(lambda tx: revoke_key(tx, new_key(tx, "desk", "admin")[0]))
    house.do(lambda tx: change_player(tx, "desk", guest.id, "disabled"))
    house.do(lambda tx: change_game(tx, "desk", "la-paire", "closed"))
    house.close()
    again = House(url)
    assert audited(again).clean
    again.close()


def statements() -> Iterator[tuple[str, Insert | Update | Delete]]:
    """Every statement of the house that changes something, with the module that has it."""
    for found in pkgutil.walk_packages(pairhouse.house.__path__, "pairhouse.house."):
        if found.name in OF_THE_OWNER or ".migrations" in found.name:
            continue
        for value in vars(importlib.import_module(found.name)).values():
            if isinstance(value, Insert | Update | Delete):
                yield found.name, value
            elif isinstance(value, InsertNew):
                yield found.name, value.table.insert()


def test_the_rights_are_enough_for_every_statement(url: str) -> None:
    """Also for those that no test of ours runs as this role."""
    count = 0
    with psycopg.connect(url, autocommit=True) as connection:
        for module, statement in statements():
            table = str(statement.table)
            right = {Insert: "INSERT", Update: "UPDATE", Delete: "DELETE"}[type(statement)]
            asked = [(None, right)]
            if isinstance(statement, Update):
                setting = compiled(statement, "postgresql").text.partition(" SET ")[2].partition(" WHERE ")[0]
                asked = [(name, "UPDATE") for name in re.findall(r"(?:^|, )(\w+)=", setting)]
            for column, kind in asked:
                text = "SELECT has_column_privilege(%s, %s, %s)" if column else "SELECT has_table_privilege(%s, %s)"
                words = (table, column, kind) if column else (table, kind)
                row = connection.execute(text.encode(), words).fetchone()
                assert row == (True,), f"{module}: deploy/postgres-grants.sql gives no {kind} on {table} {column or ''}"
                count += 1
    assert count > 40


def test_what_is_sealed_cannot_be_altered(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:

        def may_not(text: str) -> None:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(text.encode())

        for table in ADDED_ONLY:
            column = next(iter(metadata.tables[table].columns)).name
            may_not(f"UPDATE {table} SET {column} = {column}")
            may_not(f"DELETE FROM {table}")
        for table in metadata.tables:
            may_not(f"TRUNCATE {table}")
            may_not(f"DROP TABLE {table}")
            may_not(f"ALTER TABLE {table} ADD COLUMN more TEXT")
        may_not("UPDATE streams SET sealed_seed = sealed_seed")
        may_not("UPDATE streams SET commitment = commitment")
        may_not("UPDATE rounds SET seats = seats")
        may_not("UPDATE players SET wallet = wallet")
        may_not("UPDATE api_keys SET key_hash = key_hash")
        may_not("UPDATE calls SET amount = amount")
        may_not("CREATE TABLE mine (id INTEGER)")
        may_not("CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
        may_not("DROP INDEX one_stream_in_use")
        may_not("UPDATE alembic_version SET version_num = '0001'")


def test_every_table_has_a_line_of_rights() -> None:
    granted = (DEPLOY / "postgres-grants.sql").read_text()
    words = set(granted.replace(",", " ").split())
    assert metadata.tables.keys() <= words, f"no rights on {sorted(metadata.tables.keys() - words)}"


def test_a_house_that_would_have_to_migrate_names_the_command(tmp_path: Path) -> None:
    given = new_database("postgresql", tmp_path)
    psql(given, "postgres-roles.sql")
    with pytest.raises((StoreFailed, Refused), match="pairhouse migrate"):
        House(address(given, HOUSE))


def test_a_house_can_be_backed_up_by_its_role_and_is_restored_by_the_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{postgres.programs()}{os.pathsep}{os.environ['PATH']}")
    given = set_up(tmp_path)
    house = House(address(given, HOUSE))
    guest = Guest(house, random.Random(3))
    guest.sit("la-paire")
    with closing(Database(address(given, HOUSE))) as database:
        manifest = make_backup(database, tmp_path / "backup")
    guest.play("la-paire")
    house.close()
    with closing(Database(address(given, HOUSE))) as database, pytest.raises(Refused, match="pg_restore ended"):
        restore(tmp_path / "backup", database, manifest.books)
    with closing(Database(address(given, OWNER))) as database:
        restore(tmp_path / "backup", database, manifest.books)
    again = House(address(given, HOUSE))
    assert [epoch.epoch for epoch in audited(again).epochs] == [2]
    again.close()
    with psycopg.connect(address(given, HOUSE)) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("DELETE FROM events")
