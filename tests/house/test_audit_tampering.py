"""What somebody who can write the whole database, and has no key, can do to the books of a real house: nothing unseen."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from book_thief import THIEF, Thief, closed_house, live_house
from direct_house import DATABASES, Guest, new_books, outside_of
from pairhouse.core.merkle import MerkleTree, leaf_hashes
from pairhouse.house.audit import Audit, audit
from pairhouse.house.audit.unsealed import UNSEALED
from pairhouse.house.house import House
from pairhouse.house.seal.heads import Head, sign_head
from pairhouse.house.store.database import Database, StoreFailed
from pairhouse.house.store.schema import metadata


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tampering")


@pytest.fixture(params=DATABASES)
def thief(request: pytest.FixtureRequest, folder: Path) -> Iterator[Thief]:
    thief = Thief(closed_house(request.param, folder))
    yield thief
    thief.close()


@contextmanager
def thief_of(table: str, kind: str, folder: Path) -> Iterator[Thief]:
    """Somebody at the books of a house where there is something in this table."""
    thief = Thief((live_house if table.startswith(("live_", "watch_")) else closed_house)(kind, folder))
    yield thief
    thief.close()


@pytest.mark.parametrize("table", ["rounds", "live_rounds"])
@pytest.mark.parametrize("kind", DATABASES)
def test_untouched_books_are_clean(table: str, kind: str, folder: Path) -> None:
    with thief_of(table, kind, folder) as thief:
        found = thief.audit()
    assert found.difference is None
    assert (found.in_log, found.waiting) == (found.events, 0)
    assert found.heads >= 2
    assert found.newest_head == found.in_log


# What takes more than a statement.


def a_chain_that_mints(thief: Thief) -> None:
    thief.open_chain("zz")
    thief.mint("zz")


def a_certified_chain_that_mints(thief: Thief) -> None:
    a_chain_that_mints(thief)
    thief.certify("zz")


def a_chain_at_rest_that_mints(thief: Thief) -> None:
    chain = thief.chains[0]
    thief.mint(chain)
    number, seal = thief.sql(f"SELECT number, hash FROM events WHERE chain = '{chain}' ORDER BY number DESC LIMIT 1")[0]
    thief.sql(f"UPDATE chain_ends SET number = {number}, hash = '{seal}' WHERE chain = '{chain}'")


def the_end_of_the_newest_chain(thief: Thief) -> None:
    """The last bet never was: its round, act, transfer, seat, card and event are gone, the stake is back."""
    chain = thief.chains[-1]
    number, body = thief.sql(f"SELECT number, body FROM events WHERE chain = '{chain}' ORDER BY number DESC LIMIT 1")[0]
    event = msgspec.json.decode(body)
    round_id, player = event["round"], event["player"]
    staked = thief.one(f"SELECT staked FROM rounds WHERE id = '{round_id}'")
    stream = thief.one(f"SELECT stream_id FROM rounds WHERE id = '{round_id}'")
    thief.sql(
        *(
            f"DELETE FROM {table} WHERE round_id = '{round_id}'"
            for table in ("transfers", "acts", "seated", "sittings")
        ),
        f"DELETE FROM rounds WHERE id = '{round_id}'",
        f"UPDATE accounts SET balance = balance + {staked} WHERE id = 'player:{player}'",
        f"UPDATE streams SET nonce = nonce - 1, client_seed = '' WHERE id = '{stream}'",
        f"DELETE FROM events WHERE chain = '{chain}' AND number = {number}",
    )
    seal = thief.one(f"SELECT hash FROM events WHERE chain = '{chain}' AND number = {number - 1}")
    thief.sql(f"UPDATE chain_ends SET number = {number - 1}, hash = '{seal}' WHERE chain = '{chain}'")


def the_end_of_the_log(thief: Thief) -> None:
    """The newest chain as a whole, with its certificate, its run and the heads that cover it."""
    chain = thief.chains[-1]
    first = thief.one(f"SELECT min(first_leaf) FROM runs WHERE chain = '{chain}'")
    thief.sql(
        f"DELETE FROM events WHERE chain = '{chain}'",
        f"DELETE FROM chain_ends WHERE chain = '{chain}'",
        f"DELETE FROM ties WHERE chain = '{chain}'",
        f"DELETE FROM runs WHERE first_leaf >= {first}",
        f"DELETE FROM heads WHERE size > {first}",
        f"UPDATE signed_log SET size = {first}",
    )


def all_chains_sealed_anew(thief: Thief) -> None:
    thief.sql('UPDATE events SET body = replace(body, \'"name":"desk"\', \'"name":"mine"\')')
    thief.sql("UPDATE api_keys SET name = 'mine' WHERE name = 'desk'")
    for chain in thief.chains:
        number, seal = thief.reseal(chain)
        thief.sql(f"UPDATE chain_ends SET number = {number}, hash = '{seal}' WHERE chain = '{chain}'")
    for chain, number, body in thief.sql("SELECT chain, number, body FROM events WHERE kind = 'checkpoint'"):
        heads = msgspec.json.decode(body)["heads"]
        for head in heads:
            head[2] = thief.one(f"SELECT hash FROM events WHERE chain = '{head[0]}' AND number = {head[1]}")
        text = msgspec.json.encode({"heads": heads}).decode()
        thief.sql(f"UPDATE events SET body = '{text}' WHERE chain = '{chain}' AND number = {number}")
        last, seal = thief.reseal(chain)
        thief.sql(f"UPDATE chain_ends SET number = {last}, hash = '{seal}' WHERE chain = '{chain}'")


def all_of_it_anew_with_a_key_of_ones_own(thief: Thief) -> None:
    all_chains_sealed_anew(thief)
    tree, leaf = MerkleTree(), 0
    thief.sql("DELETE FROM runs", "DELETE FROM heads", "DELETE FROM nodes")
    for chain in thief.chains:
        thief.certify(chain)
        rows = thief.sql(f"SELECT hash FROM events WHERE chain = '{chain}' ORDER BY number")
        made = tree.extend(leaf_hashes(bytes.fromhex(seal) for (seal,) in rows))
        for (level, place), node in made:
            thief.sql(f"INSERT INTO nodes VALUES ({level}, {place}, '{node.hex()}')")
        thief.sql(f"INSERT INTO runs VALUES ({leaf}, '{chain}', 1, {len(rows)})")
        leaf = tree.size
    head = sign_head(Head(thief.house.log.books, 1, tree.size, tree.root(), 5), THIEF)
    edge = b"".join(tree.edge).hex()
    thief.sql(
        f"INSERT INTO heads VALUES (1, {tree.size}, 5, '{head.text}')",
        f"UPDATE signed_log SET size = {tree.size}, edge = '{edge}', public_key = '{THIEF.public_key.hex()}'",
    )


def the_same_with_the_key_of_the_house_named(thief: Thief) -> None:
    all_of_it_anew_with_a_key_of_ones_own(thief)
    thief.sql(f"UPDATE signed_log SET public_key = '{thief.house.log.key.public_key.hex()}'")


def an_event_reworded(thief: Thief) -> None:
    chain = thief.chains[0]
    thief.sql('UPDATE events SET body = replace(body, \'"name":"desk"\', \'"name":"mine"\')')
    thief.sql("UPDATE api_keys SET name = 'mine' WHERE name = 'desk'")
    thief.reseal(chain)


FIRST_PAYMENT = "(SELECT min(key) FROM transfers WHERE kind = 'pay')"
BY_HAND: dict[str, tuple[Callable[[Thief], None], str]] = {
    "a new chain that mints money": (a_chain_that_mints, "chain zz was not opened by this house"),
    "a chain certified by another key": (a_certified_chain_that_mints, "its certificate does not hold"),
    "money minted in a chain at rest": (a_chain_at_rest_that_mints, "is not signed by the writer|a checkpoint"),
    "the end of the newest chain cut off": (the_end_of_the_newest_chain, "is not signed by the writer of that chain"),
    "the end of the log cut off": (the_end_of_the_log, ""),
    "all chains sealed anew": (all_chains_sealed_anew, "is not signed by the writer of that chain"),
    "all of it anew, with another key": (all_of_it_anew_with_a_key_of_ones_own, "the sealing key is"),
    "the same, with our key named": (the_same_with_the_key_of_the_house_named, "its certificate does not hold"),
    "an event reworded, its chain sealed anew": (an_event_reworded, ""),
}  # fmt: skip
STATEMENTS = {
    "a balance": ("UPDATE accounts SET balance = balance + 1", "the balance is"),
    "a payment": (f"UPDATE transfers SET amount = amount + 1 WHERE key = {FIRST_PAYMENT}", "transfer"),
    "an event": ("UPDATE events SET body = replace(body, '\"act\":0', '\"act\":1')", "does not match its seal"),
    "an event deleted": ("DELETE FROM events WHERE number = 3", "is missing"),
    "a result": ("UPDATE rounds SET result = replace(result, '\"returned\":', '\"returned\":1')", "its result|round"),
    "limits": ("UPDATE tables SET limits = replace(limits, '50000', '90000')", "what the books say"),
    "a seed": ("UPDATE streams SET sealed_seed = (SELECT max(sealed_seed) FROM streams)", "does not open|function max"),
    "the hash of a key exchanged": ("UPDATE api_keys SET key_hash = key_hash || 'x' WHERE name = 'desk'", "the digest of its hash"),
    "a key with more rights": ("UPDATE api_keys SET scope = 'admin'", "what the books say"),
    "a key restored": ("UPDATE api_keys SET revoked_at = NULL", "when it was revoked"),
    "the hash of a password exchanged": ("UPDATE players SET password = 'x' WHERE name = 'somebody'", "the digest of the password"),
    "a password for a guest": ("UPDATE players SET password = 'x' WHERE guest = 1", "the digest of the password"),
    "an outside id": ("UPDATE players SET outside_id = 'bob' WHERE outside_id = 'alice'", "the id at the operator"),
    "an outside id and its name": ("UPDATE players SET outside_id = 'bob', name = 'acme:bob' WHERE outside_id = 'alice'", "what the books say"),
    "a session put in": ("INSERT INTO sessions SELECT 'aa', min(id), NULL, 1, 1, 1 FROM players", "no event tells of it"),
    "a session given to another": ("UPDATE sessions SET player_id = (SELECT min(id) FROM players)", "no event tells of it"),
    "a session with an empty token": ("UPDATE sessions SET outside_token = '' WHERE outside_token IS NULL", "no event tells of it"),
    "an act of no round": ("UPDATE acts SET round_id = '' WHERE round_id = (SELECT min(round_id) FROM acts)", "acts|act|event"),
    "a longer session": ("UPDATE sessions SET expires_at = expires_at * 2", "no event tells of it"),
    "the currency of a purse": ("UPDATE purses SET currency = 'BTC'", "what the books say"),
    "the amount of a call": ("UPDATE calls SET amount = amount + 1", "what the books say"),
    "the wallet of a call": ("UPDATE calls SET wallet = 'other'", "what it asks for"),
    "a call that was answered, open again": ("UPDATE calls SET state = 'sent' WHERE state = 'refused'", "is sent again"),
    "the event of a call": ("UPDATE calls SET event = event - 1", "what it asks for"),
    "an index dropped": ("DROP INDEX one_stream_in_use", "has no index one_stream_in_use"),
    "an index that is not unique": ("DROP INDEX acts_by_key; CREATE INDEX acts_by_key ON acts (player_id, key)", "index acts_by_key"),
    "a table added": ("CREATE TABLE gifts (id TEXT)", "which is none of ours"),
    "a column added": ("ALTER TABLE players ADD COLUMN gift TEXT", "players"),
    "a view": ("CREATE VIEW balances AS SELECT * FROM accounts", "has view balances, which is none of ours"),
    "the version": ("UPDATE alembic_version SET version_num = '0003'", "its version"),
    "a head": ("UPDATE heads SET text = replace(text, 'time 1', 'time 2')", "what is signed|was altered"),
    "a subtree or the edge": ("UPDATE signed_log SET edge = ''", "its right edge"),
    "a run": ("UPDATE runs SET last_event = last_event - 1 WHERE first_leaf = 0", "leaf|are not those of|was cut|were cut"),
    "the size of the log": ("UPDATE signed_log SET size = size - 1", "how many events it has"),
    "a second log": ("INSERT INTO signed_log VALUES ('00c0ffee00c0ffee', NULL, 0, '', '', 0)", "say 2 times how their log stands|its books is"),
}  # fmt: skip


def says_one_of(found: Audit, says: str) -> bool:
    return not found.clean and any(part in str(found.difference) for part in says.split("|"))


@pytest.mark.parametrize("what", list(BY_HAND))
def test_what_is_done_by_hand_is_found(thief: Thief, what: str) -> None:
    tamper, says = BY_HAND[what]
    tamper(thief)
    found = thief.audit()
    assert says_one_of(found, says), found.difference


@pytest.mark.parametrize("what", list(STATEMENTS))
def test_what_one_statement_does_is_found(thief: Thief, what: str) -> None:
    statements, says = STATEMENTS[what]
    if what == "a seed" and thief.kind == "postgresql":
        statements = statements.replace("max(sealed_seed)", "sealed_seed").replace(
            "FROM streams)", "FROM streams ORDER BY id DESC LIMIT 1)"
        )
    thief.sql(*statements.split("; "))
    found = thief.audit()
    assert says_one_of(found, says), found.difference


LIVE_STATEMENTS = {
    "a step of the watch left out": ("DELETE FROM watch_steps WHERE lifted_at IS NULL", "how many there are"),
    "a step of the watch lifted": ("UPDATE watch_steps SET lifted_at = at, lifted_by = 'desk'", "by whom it was lifted"),
    "a watch that reads no more": ("UPDATE watch_cursor SET read_to = replace(read_to, ':', ':9999')", "which ends with"),
    "a round of other rules": ("UPDATE live_rounds SET rules_hash = 'x'", "what it is played by"),
    "a round put back a day": ("UPDATE live_rounds SET opened_at = opened_at - 86400000", "when it was opened"),
    "a round at another table": ("UPDATE live_rounds SET table_id = 'la-paire'", "its table|what the round says"),
    "a seed of another round": ("UPDATE live_rounds SET sealed_seed = (SELECT sealed_seed FROM live_rounds ORDER BY id DESC LIMIT 1)", "does not open"),
    "a seat for another": ("UPDATE live_seats SET player_id = player_id || 'x'", "live seats"),
    "a correction for another reason": ("UPDATE corrections SET reason = 'none'", "what the books say"),
    "a correction that never was": ("DELETE FROM corrections", "corrections|transfer"),
    "a player restricted no more": ("DELETE FROM restrictions", "how often it is in force"),
    "a bet where the house dealt": ("UPDATE live_entries SET body = (SELECT max(body) FROM live_entries WHERE body LIKE '%entry_:_bet_%') WHERE body LIKE '%entry_:_deal_%'", "differ"),
    "a balance beside an entry": ("UPDATE live_entries SET balance = balance + 1 WHERE player_id IS NOT NULL", "differ"),
    "a bet of another player": ("UPDATE live_slips SET player_id = player_id || 'x'", "its slips|calls"),
}  # fmt: skip


@pytest.mark.parametrize("kind", DATABASES)
@pytest.mark.parametrize("what", list(LIVE_STATEMENTS))
def test_what_one_statement_does_to_live_tables_is_found(folder: Path, kind: str, what: str) -> None:
    statement, says = LIVE_STATEMENTS[what]
    with thief_of("live_rounds", kind, folder) as thief:
        thief.sql(statement)
        found = thief.audit()
        assert says_one_of(found, says), found.difference


COLUMNS = [
    (table.name, column.name)
    for table in metadata.sorted_tables
    for column in table.columns
    if column.name not in UNSEALED.get(table.name, ())
]


CHECKED_ELSEWHERE = {"nodes", "epochs"}  # empty here: subtrees of 256 events and more, and books put back


@pytest.mark.parametrize("table", sorted({table for table, _ in COLUMNS}))
def test_every_column_is_held_to_something(folder: Path, table: str) -> None:
    """In a row that is there, each value is changed; whatever no event tells of is on the list, with the reason."""
    with thief_of(table, "sqlite", folder) as thief:
        change_every_column(thief, table)


def change_every_column(thief: Thief, table: str) -> None:
    columns = [name for of_table, name in COLUMNS if of_table == table]
    if not thief.one(f"SELECT count(*) FROM {table}"):
        assert table in CHECKED_ELSEWHERE, "something of everything is in the books"
        return
    keys = [column.name for column in metadata.tables[table].primary_key.columns]
    for column in columns:
        row = thief.sql(f"SELECT {', '.join(keys)}, {column} FROM {table} ORDER BY {column} IS NULL, 1 LIMIT 1")[0]
        where = " AND ".join(f"{key} = {value!r}" for key, value in zip(keys, row[:-1], strict=True))
        change = (
            f"{column} || 'x'"
            if isinstance(row[-1], str)
            else f"{column} + 100000"
            if isinstance(row[-1], int)
            else "'x'"
        )
        thief.sql("SAVEPOINT change")
        thief.sql(f"UPDATE {table} SET {column} = {change} WHERE {where}")
        found = thief.audit()
        thief.sql("ROLLBACK TO SAVEPOINT change")
        assert not found.clean, f"{table}.{column} was changed unseen"


# Rows that go by themselves: sessions end and are removed. The house shows the heads it has stored, and is held to
# those that are kept outside.
MAY_BE_REMOVED = {"sessions", "staff_sessions", "heads"}
COME_AND_GO = {"watch_cursor", "watch_records"}  # what the watch remembers


@pytest.mark.parametrize("kind", DATABASES)
@pytest.mark.parametrize("table", sorted(table.name for table in metadata.sorted_tables))
def test_no_row_is_removed_or_added_unseen(folder: Path, kind: str, table: str) -> None:
    """The first and the last row of each table are removed; then a copy of a row is put in, under another name."""
    with thief_of(table, kind, folder) as thief:
        remove_and_add(thief, table)


def remove_and_add(thief: Thief, table: str) -> None:
    if table in COME_AND_GO or not thief.one(f"SELECT count(*) FROM {table}"):
        return  # `test_every_column_is_held_to_something` lists those
    keys = [column.name for column in metadata.tables[table].primary_key.columns]
    rows = thief.sql(f"SELECT {', '.join(keys)} FROM {table} ORDER BY {', '.join(keys)}")
    chosen = [" AND ".join(f"{key} = {value!r}" for key, value in zip(keys, row, strict=True)) for row in rows]
    doings = [f"DELETE FROM {table} WHERE {where}" for where in {chosen[0], chosen[-1]} if table not in MAY_BE_REMOVED]
    for doing in [*doings, f"INSERT INTO {table} SELECT {copied(table)} FROM {table} WHERE {chosen[0]}"]:
        thief.sql("SAVEPOINT change")
        try:
            thief.sql(doing)
            found = thief.audit()
        except thief.house.database.errors:
            pass  # the database itself does not take it
        else:
            assert not found.clean, doing
        thief.sql("ROLLBACK TO SAVEPOINT change")


def copied(table: str) -> str:
    """The columns of a row, with other values where they must differ from row to row."""
    unique = {column.name for index in metadata.tables[table].indexes if index.unique for column in index.columns}
    other = {str: "{} || 'x'", int: "{} + 100000"}
    return ", ".join(
        other.get(column.type.python_type, "{}").format(column.name)
        if column.primary_key or column.unique or column.name in unique
        else column.name
        for column in metadata.tables[table].columns
    )


def test_an_older_database_put_back_is_found(folder: Path, tmp_path: Path) -> None:
    closed_house("sqlite", folder)
    house = House(new_books("sqlite", tmp_path))
    guest = Guest(house, random.Random(1))
    guest.sit("la-paire")
    house.close()
    file = Path(str(house.database.url.database))
    shutil.copy(file, tmp_path / "older.db")
    again = House(f"sqlite:///{file}")
    later = Guest(again, random.Random(2))
    later.sit("la-paire")
    later.play("la-paire")
    again.close()
    shutil.copy(tmp_path / "older.db", file)
    with house.database.reading() as tx:
        found = audit(tx, house.vault, outside=outside_of(house))
    house.database.close()
    assert "events were cut off, or an older state was put back" in str(found.difference)


FLIPS = 150


def test_no_flipped_bit_that_changes_something_goes_unseen(folder: Path, tmp_path: Path) -> None:
    """Bits anywhere in the file. One that is not found has changed nothing that can be read, or what is on the list."""
    house = closed_house("sqlite", folder)
    file, outside = Path(str(house.database.url.database)), outside_of(house)
    with closing(sqlite3.connect(file)) as books:
        books.execute(f"VACUUM INTO '{tmp_path / 'packed.db'}'")
    original, before = (tmp_path / "packed.db").read_bytes(), contents(tmp_path / "packed.db")
    rng, seen = random.Random(2026), 0
    for _ in range(FLIPS):
        flipped = bytearray(original)
        place, bit = rng.randrange(len(flipped)), rng.randrange(8)
        flipped[place] ^= 1 << bit
        copy = tmp_path / "flipped.db"
        copy.write_bytes(flipped)
        if is_found(house, copy, outside):
            seen += 1
        else:
            assert contents(copy) == before, f"bit {bit} of byte {place} was flipped unseen"
    assert seen > FLIPS // 2, "most bits matter"


def is_found(house: House, file: Path, outside: Any) -> bool:
    database = Database(f"sqlite:///{file}")
    try:
        with database.reading() as tx:
            return not audit(tx, house.vault, outside=outside).clean
    except StoreFailed:
        return True
    finally:
        database.close()
        for kind in ("-wal", "-shm"):
            file.with_name(file.name + kind).unlink(missing_ok=True)


def contents(file: Path) -> list[Any]:
    """All that can be read from a file, without what is not sealed by design."""
    with closing(sqlite3.connect(file)) as books:
        found: list[Any] = books.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()
        for table in metadata.sorted_tables:
            names = ", ".join(
                column.name for column in table.columns if column.name not in UNSEALED.get(table.name, ())
            )
            if names:
                found.append(books.execute(f"SELECT {names} FROM {table.name}").fetchall())
    return found
