"""The signed log of a real house: what writers sign goes in, heads only ever extend each other, others cannot add."""

import socket
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from direct_house import DATABASES, Guest, new_database
from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.log_reader import seal_of_round
from pairhouse.house.seal.anchors import read_anchor_file
from pairhouse.house.seal.heads import KeyRing, key_text
from pairhouse.house.seal.keys import PrivateKey
from pairhouse.house.seal.log_proofs import read_proof
from pairhouse.house.sealing_key import SealOptions, heads_file_of, key_file_of
from pairhouse.house.store.chain import GENESIS, event_hash


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return new_database(request.param, tmp_path)


def changed(house: House, *statements: str) -> list[Any]:
    with closing(house.database.connect()) as connection:
        for statement in statements:
            cursor = connection.execute(statement)
        return list(cursor.fetchall()) if cursor.description else []


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def played(house: House, rounds: int = 3) -> Guest:
    guest = Guest(house, Random(5))
    guest.sit("la-paire")
    for _ in range(rounds):
        guest.play("la-paire")
    return guest


def test_every_event_gets_into_the_log_and_each_round_is_proven(url: str) -> None:
    house = House(url)
    guest = played(house)
    first = house.log.turn()
    assert first is not None
    assert house.log.turn() is None, "nothing has happened since"
    last = guest.play("la-paire")
    with house.database.reading() as tx:
        assert seal_of_round(tx, last.id) is None, "the next head is still to come"
    for _ in range(300):
        guest.bet("la-paire", [{"card-2": 200}])
    second = house.log.turn()
    assert second is not None
    assert second.head.size == changed(house, "SELECT count(*) FROM events")[0][0] > first.head.size
    keys = KeyRing(house.log.books, house.log.key.public_key)
    with house.database.reading() as tx:
        sealed = seal_of_round(tx, last.id)
    assert sealed is not None
    event = sealed.event
    assert event.seal == event_hash(event.before, event.chain, event.number, event.at, event.kind, event.body)
    read_proof(sealed.proof).check(bytes.fromhex(event.seal), keys)
    house.close()
    options = SealOptions()
    key_file, heads = key_file_of(house.database, options), heads_file_of(house.database, options)
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    kept = read_anchor_file(heads)
    assert [one.head.size for one in kept[:2]] == [first.head.size, second.head.size]
    assert kept == sorted(kept, key=lambda one: one.head.size)
    again = House(url)
    played(again)
    again.close()
    grown = read_anchor_file(heads)
    assert grown[: len(kept)] == kept
    assert grown[-1].head.size > kept[-1].head.size


def test_events_that_others_put_in_never_get_into_the_log(url: str) -> None:
    house = House(url)
    played(house)
    body = '{"heads":[]}'
    seal = event_hash(GENESIS, "zz", 1, 5, "checkpoint", body)
    changed(house, f"INSERT INTO events VALUES ('zz', 1, 5, 'checkpoint', '{body}', '{seal}')")
    first = house.log.turn()
    assert first is not None
    assert changed(house, "SELECT count(*) FROM runs WHERE chain = 'zz'") == [(0,)]
    stranger = PrivateKey(bytes(32)).public_key.hex()
    changed(house, f"INSERT INTO chain_ends VALUES ('zz', 1, '{stranger}', 'ab', 1, '{seal}', 'cd')")
    assert house.log.turn() is None
    assert house.log.alarms == 1
    chain, number, seal = changed(
        house, "SELECT chain, number, hash FROM events WHERE chain <> 'zz' ORDER BY number DESC LIMIT 1"
    )[0]
    more = event_hash(seal, chain, number + 1, 5, "gift", "{}")
    changed(
        house,
        f"INSERT INTO events VALUES ('{chain}', {number + 1}, 5, 'gift', '{{}}', '{more}')",
        f"UPDATE chain_ends SET number = number + 1, hash = '{more}' WHERE chain = '{chain}'",
    )
    assert house.log.turn() is None
    assert house.log.alarms == 3
    house.close()


def test_no_head_is_signed_that_contradicts_the_last_one(url: str) -> None:
    """Whatever the database says: after the log was exchanged, the house signs nothing more, even if opened again."""
    house = House(url)
    played(house)
    assert house.log.turn() is not None
    played(house)
    changed(house, f"UPDATE signed_log SET edge = '{'ab' * 32}', size = 1", "DELETE FROM runs", "DELETE FROM nodes")
    assert house.log.turn() is None
    assert house.log.alarms
    house.close()
    count = len(read_anchor_file(heads_file_of(house.database, SealOptions())))
    changed(house, "DELETE FROM heads")
    again = House(url)
    assert again.log.turn() is None
    again.close()
    assert len(read_anchor_file(heads_file_of(house.database, SealOptions()))) == count


def test_one_of_two_houses_keeps_the_log(tmp_path: Path) -> None:
    url = new_database("postgresql", tmp_path)
    one, two = House(url), House(url)
    played(one)
    played(two)
    assert one.log.turn() is not None
    played(two)
    assert two.log.turn() is None, "the other house has just added to it"
    assert one.log.turn() is not None
    grown = two.log.look()
    assert grown is None
    one.close()
    played(two)
    two.log.clock = lambda: one.log.clock() + 60_000
    signed = two.log.turn()
    assert signed is not None
    assert signed.head.size == changed(two, "SELECT count(*) FROM events")[0][0]
    size, growth = signed.head.size, two.log.look()
    assert growth is None
    played(two)
    stale = two.log.look()
    assert stale is not None
    assert two.do(lambda tx: two.log.store(tx, *stale)) is True
    assert two.do(lambda tx: two.log.store(tx, *stale)) is False, f"the log has more than {size} events already"
    two.close()


def test_books_of_before_are_taken_into_the_log(url: str) -> None:
    """A house that is opened for the first time since it has a sealing key signs all that was there."""
    house = House(url)
    guest = played(house)
    view = guest.play("la-paire")
    house.close()
    changed(
        house,
        "DELETE FROM chain_ends",
        "DELETE FROM runs",
        "DELETE FROM nodes",
        "DELETE FROM heads",
        "UPDATE signed_log SET public_key = NULL, size = 0, edge = '', held_until = 0",
    )
    heads_file_of(house.database, SealOptions()).unlink()
    again = House(url)
    signed = again.log.turn()
    assert signed is not None
    assert signed.head.size == changed(house, "SELECT count(*) FROM events")[0][0]
    with again.database.reading() as tx:
        sealed = seal_of_round(tx, view.id)
    assert sealed is not None
    again.close()


def test_another_key_does_not_open_the_books(url: str, tmp_path: Path) -> None:
    House(url).close()
    with pytest.raises(Refused, match=r"are sealed with key .*, and this house has"):
        House(url, sealing=SealOptions(key_file=tmp_path / "other.seal"))


def test_a_signing_process_holds_the_key(tmp_path: Path) -> None:
    url, heads = new_database("sqlite", tmp_path), tmp_path / "heads"
    command = f"{sys.executable} -m pairhouse.house.seal.keys {tmp_path}/far.seal"
    house = House(url, sealing=SealOptions(signer=command, anchors=(f"file:{heads}",)))
    played(house)
    house.close()
    assert not (tmp_path / f"{Path(str(house.database.url.database)).name}.seal").exists()
    assert read_anchor_file(heads)[-1].is_signed_by(house.log.key.public_key)


def test_a_witness_signs_too(tmp_path: Path) -> None:
    url = new_database("sqlite", tmp_path)
    house = House(url)
    books, public = house.log.books, house.log.key.public_key
    house.close()
    command = (sys.executable, "-m", "pairhouse.house.seal.witness", "--name", "witness.test")
    files = ("--key", str(tmp_path / "w.key"), "--state", str(tmp_path / "w.state"))
    trust = ("--listen", f"127.0.0.1:{free_port()}", "--trust", key_text(f"pairhouse/books/{books}/1", public))
    with subprocess.Popen([*command, *files, *trust], stdout=subprocess.PIPE, text=True) as told:
        assert told.stdout is not None
        witness = told.stdout.readline().split(" ")[0]
        again = House(url, sealing=SealOptions(anchors=(f"witness:{witness}@http://{trust[1]}",)))
        played(again)
        again.close()
        told.terminate()
    assert [state.error for state in again.log.anchor_states()] == [None]
    newest = changed(again, "SELECT text FROM heads ORDER BY size DESC LIMIT 1")[0][0]
    assert "— witness.test " in newest
