"""The sealing key changes: old heads stay good, whoever knows an old key follows, and nobody else can do it."""

import importlib.util
import os
import random
import shlex
import stat
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import msgspec
import pytest
from sqlalchemy import select, text
from typer.testing import CliRunner

from direct_house import DATABASES, Guest, new_database
from pairhouse.cli.main import app
from pairhouse.core.errors import Refused
from pairhouse.house import key_handover
from pairhouse.house.audit import Audit, audit_books, open_books, vault_of
from pairhouse.house.audit.outside import read_outside
from pairhouse.house.house import House
from pairhouse.house.key_handover import KeyChanged, change_key, hand_over
from pairhouse.house.log_reader import seal_of_round
from pairhouse.house.seal.anchors import read_anchor_file
from pairhouse.house.seal.chain_keys import ChainKey
from pairhouse.house.seal.heads import sign_head
from pairhouse.house.seal.keys import PrivateKey, read_key
from pairhouse.house.sealing_key import SealOptions, handovers_file_of, heads_file_of, key_file_of, next_key_file
from pairhouse.house.store.chain_ends import all_ends
from pairhouse.house.store.database import Database
from pairhouse.house.store.log_rows import newest_head
from pairhouse.house.store.schema import runs
from pairhouse.rounds.round_view import RoundView

TABLE = "la-paire"
NO_OPTIONS = SealOptions()
VERIFIER = Path(__file__).parents[2] / "verifier" / "pairhouse_seal.py"


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PAIRHOUSE_DATA", str(tmp_path / "data"))
    address = new_database(request.param, tmp_path)
    play(address)
    return address


def play(url: str, sealing: SealOptions = NO_OPTIONS) -> RoundView:
    """A house opens, plays a round and closes."""
    house = House(url, sealing=sealing)
    guest = Guest(house, random.Random(4))
    guest.sit(TABLE)
    view = guest.play(TABLE, [{"card-2": 500}])
    house.close()
    return view


def changed(url: str, options: SealOptions = NO_OPTIONS, new_signer: str | None = None) -> KeyChanged:
    return change_key(Database(url), options, new_signer)


def audited(url: str, public_key: str | None = None, options: SealOptions = NO_OPTIONS) -> Audit:
    database = open_books(url)
    try:
        return audit_books(database, vault_of(database), read_outside(database, options, public_key, []))
    finally:
        database.close()


def clean(url: str, public_key: str | None = None) -> Audit:
    found = audited(url, public_key)
    assert found.clean, found.difference
    return found


def key_of(url: str) -> str:
    return read_key(key_file_of(Database(url), NO_OPTIONS)).public_key.hex()


def write(url: str, statement: str, **values: Any) -> None:
    """What somebody does who can write the database."""
    with closing(Database(url)) as database, database.engine_connection() as connection:
        connection.execute(text(statement), values)
        connection.commit()


def verifier() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pairhouse_seal", VERIFIER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_key_changes_twice_and_every_old_key_leads_to_the_new_one(url: str) -> None:
    keys = [key_of(url)]
    for _ in range(2):
        done = changed(url)
        keys.append(done.public_key)
        assert key_of(url) == done.public_key
        view = play(url)
    assert len(set(keys)) == 3
    found = [clean(url, key) for key in keys]
    assert all(one.heads >= 3 and one.waiting == 0 for one in found)
    other = audited(url, PrivateKey.new().public_key.hex())
    assert "is none of its sealing keys" in str(other.difference)
    with closing(Database(url)) as database, database.reading() as tx:
        seal = seal_of_round(tx, view.id)
    record = msgspec.to_builtins(view) | {"seal": msgspec.to_builtins(seal)}
    handovers = handovers_file_of(database, NO_OPTIONS).read_text()
    check = verifier().verify_seal
    for key in keys:
        assert not [differs for _, _, differs in check(record, key, handovers) if differs]
    assert [differs for _, _, differs in check(record, keys[0]) if differs], "without the handovers"
    forged = handovers.replace("time 1", "time 2", 1)
    assert [differs for _, _, differs in check(record, keys[0], forged) if differs]
    mode = stat.S_IMODE(key_file_of(database, NO_OPTIONS).stat().st_mode)
    assert mode == 0o600


def saved(url: str, view: RoundView) -> dict[str, Any]:
    """A round as its player saves it now, with its place in the log."""
    with closing(Database(url)) as database, database.reading() as tx:
        seal = seal_of_round(tx, view.id)
    return msgspec.to_builtins(view) | {"seal": msgspec.to_builtins(seal)}


def test_a_round_saved_before_the_change_still_counts_after_it(url: str) -> None:
    """Saved under the old key, and checked with that key and the house's file of changes."""
    old = key_of(url)
    view = play(url)
    before = saved(url, view)
    new = changed(url).public_key
    play(url)
    handovers = handovers_file_of(Database(url), NO_OPTIONS).read_text()
    check = verifier().verify_seal
    for record in (before, saved(url, view)):
        assert not [differs for _, _, differs in check(record, old, handovers) if differs]
    assert not [differs for _, _, differs in check(saved(url, view), new, handovers) if differs]
    late = [differs for _, _, differs in check(before, new, handovers) if differs]
    assert late == ["the head is older than the key you gave; fetch the round again, under a head of today"]


def test_an_old_key_file_that_is_put_back_opens_nothing(url: str) -> None:
    file = key_file_of(Database(url), NO_OPTIONS)
    before = file.read_text()
    changed(url)
    after = file.read_text()
    file.write_text(before)
    with pytest.raises(Refused, match="these books are sealed with key"):
        House(url)
    file.write_text(after)
    play(url)
    clean(url)


def killed_at(url: str, step: str) -> None:
    """A process that changes the key is killed when it comes to this step."""
    pid = os.fork()
    if pid == 0:
        try:
            with mock.patch.object(key_handover, step, side_effect=lambda *_: os._exit(9)):
                changed(url)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    write(url, "UPDATE signed_log SET held_until = 0")  # half a minute later


@pytest.mark.parametrize("step", ["hand_over", "insert_head", "take_next_key"])
def test_a_change_that_is_killed_is_made_once_or_not_at_all(url: str, step: str) -> None:
    old = key_of(url)
    killed_at(url, step)
    waiting = read_key(next_key_file(key_file_of(Database(url), NO_OPTIONS))).public_key.hex()
    play(url)
    assert key_of(url) == (waiting if step == "take_next_key" else old)
    clean(url, old)
    done = changed(url)
    assert (done.public_key == waiting) == (step != "take_next_key")
    play(url)
    clean(url, old)


def test_a_change_that_was_killed_is_finished_by_the_command(url: str) -> None:
    killed_at(url, "take_next_key")
    waiting = read_key(next_key_file(key_file_of(Database(url), NO_OPTIONS))).public_key.hex()
    done = changed(url)
    assert (done.public_key, key_of(url)) == (waiting, waiting)
    assert "cut off" in done.kept
    clean(url)


def test_a_forged_handover_is_found(url: str) -> None:
    """A thief who writes the database, and holds no key of the house, introduces a key of their own."""
    thief = PrivateKey.new()
    with closing(Database(url)) as database, database.reading() as tx:
        newest = newest_head(tx)
    assert newest is not None
    forged = sign_head(replace(newest.head, at=newest.head.at + 1, next_key=thief.public_key), thief)
    row = {"epoch": forged.head.epoch, "size": forged.head.size, "at": forged.head.at, "body": forged.text}
    write(url, "INSERT INTO heads (epoch, size, at, text) VALUES (:epoch, :size, :at, :body)", **row)
    write(url, "UPDATE signed_log SET public_key = :key", key=thief.public_key.hex())
    difference = str(audited(url).difference)
    assert "no event tells of the change" in difference
    with pytest.raises(Refused, match="these books are sealed with key"):
        House(url)


def test_a_key_that_was_replaced_lets_no_chain_in(url: str) -> None:
    """Whoever steals the old key later cannot mint money in a chain of their own."""
    old = read_key(key_file_of(Database(url), NO_OPTIONS))
    changed(url)
    view = play(url)
    clean(url)
    with closing(Database(url)) as database, database.reading() as tx:
        newest = newest_head(tx)
        ends = {one.chain: one for one in all_ends(tx)}
        grown = tx.all(select(runs.c.chain).order_by(runs.c.first_leaf), {})
    assert newest is not None
    chain = grown[-1][0]
    epoch, number, seal = ends[chain].epoch, ends[chain].number, ends[chain].hash
    key = ChainKey(old, newest.head.books, epoch, chain)
    end = key.sign_end(number, seal)
    values = {"key": key.certificate.public_key.hex(), "cert": key.certificate.signature.hex()}
    write(
        url,
        "UPDATE chain_ends SET public_key = :key, certificate = :cert, signature = :signed WHERE chain = :chain",
        **values,
        signed=end.signature.hex(),
        chain=chain,
    )
    assert "when another key had replaced that one" in str(audited(url).difference), view.id


def test_the_key_in_use_is_no_new_key(url: str) -> None:
    house = House(url, deals=False)
    with pytest.raises(Refused, match="is the one in use"):
        hand_over(house, house.log.key)
    house.close()
    clean(url)


def test_a_key_that_has_gone_does_not_come_back(url: str) -> None:
    """Its heads would count twice; whoever had it copied meanwhile could sign in its name."""
    first = read_key(key_file_of(Database(url), NO_OPTIONS))
    changed(url)
    house = House(url, deals=False)
    with pytest.raises(Refused, match="has signed these books before"):
        hand_over(house, first)
    house.close()
    play(url)
    clean(url)


def test_anchors_hear_of_the_change(url: str) -> None:
    done = changed(url)
    heads = read_anchor_file(heads_file_of(Database(url), NO_OPTIONS))
    assert [one.head.next_key.hex() for one in heads if one.head.next_key is not None] == [done.public_key]


def test_a_signing_process_is_replaced_by_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = new_database("sqlite", tmp_path)
    signers = []
    for name in ("first", "second"):
        file = tmp_path / name
        file.write_text(os.urandom(32).hex())
        file.chmod(0o600)
        signers.append(f"{shlex.quote(sys.executable)} -m pairhouse.house.seal.keys {file}")
    first, second = (SealOptions(signer=signer) for signer in signers)
    play(url, first)
    with pytest.raises(Refused, match="--new-signer"):
        changed(url, first)
    changed(url, first, signers[1])
    with pytest.raises(Refused, match="these books are sealed with key"):
        House(url, sealing=first)
    play(url, second)
    found = audited(url, None, second)
    assert found.clean, found.difference


def test_the_command_says_what_it_did(tmp_path: Path) -> None:
    url = new_database("sqlite", tmp_path)
    play(url)
    house = House(url)
    refused = CliRunner().invoke(app, ["change-sealing-key", "--db", url])
    house.close()
    assert "stop it first" in str(refused.exception)
    done = CliRunner().invoke(app, ["change-sealing-key", "--db", url])
    assert done.exit_code == 0, done.output
    assert key_of(url) in done.output.replace("\n", "")
    clean(url)
