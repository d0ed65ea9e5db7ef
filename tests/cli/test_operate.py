"""Backup, restore, epoch, migrate, rekey and dispute, as commands."""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from typer.testing import CliRunner, Result

import postgres
from direct_house import DATABASES, SEED_KEY, Guest, audited, enrich, new_database
from live_pit import Pit, Player, to_cards
from pairhouse.cli.main import app
from pairhouse.cli.operate import NEW_KEY_VARIABLE
from pairhouse.core.errors import Refused
from pairhouse.house.epoch.seen import FOLDER_VARIABLE
from pairhouse.house.house import House
from pairhouse.house.store.database import Database, StoreFailed
from pairhouse.house.store.migrate import known_revisions
from pairhouse.house.store.writer import now_ms
from pairhouse.house.vault import KEY_VARIABLE, KeyFile

TABLE = "la-paire"


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{postgres.programs()}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    address = new_database(request.param, tmp_path)
    played(address)
    return address


def played(url: str) -> str:
    """Play a few rounds in a house, with one seed in use at the end; the guest's token."""
    house = House(url)
    guest = Guest(house, random.Random(4))
    enrich(house, guest.id)
    guest.sit(TABLE)
    for _ in range(2):
        guest.play(TABLE)
    house.close()
    return guest.token


def run(*words: str) -> Result:
    return CliRunner().invoke(app, [*words])


def told(*words: str) -> Any:
    done = run(*words, "--json")
    assert done.exit_code == 0, (done.output, done.exception)
    return json.loads(done.stdout)


def refused(*words: str) -> str:
    done = run(*words)
    assert isinstance(done.exception, Refused), done.output
    return str(done.exception)


def test_backup_and_restore_say_what_else_is_needed_and_what_follows(url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups" / "monday"
    done = run("backup", str(folder), "--db", url)
    assert done.exit_code == 0, done.output
    for word in ("Keep apart from it", KEY_VARIABLE, "the sealing key", "wallets", "seen of its books"):
        assert word in done.stdout
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["books"] in done.stdout
    played(url)
    assert "--replace" in refused("restore", str(folder), "--db", url)
    done = run("restore", str(folder), "--db", url, "--replace", manifest["books"])
    assert done.exit_code == 0, done.output
    assert "a new epoch begins" in done.stdout
    assert "The next opening begins a new epoch: restored from the backup" in run("epoch", "--db", url).stdout
    House(url).close()
    assert told("epoch", "--db", url)["epoch"] == 2
    done = run("audit", "--db", url)
    assert "Epoch 2 began on" in done.stdout
    assert "0 open rounds were voided and 1 seeds revealed" in done.stdout


def test_epoch_tells_what_was_seen_and_takes_a_word_for_it(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "as new as they were seen" in run("epoch", "--db", url).stdout
    assert "not both" in refused("epoch", "--new", "--current", "--db", url)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "another machine"))
    assert "has seen none" in run("epoch", "--db", url).stdout
    with pytest.raises(StoreFailed, match="opened elsewhere"):
        House(url)
    assert "as new as they were seen" in run("epoch", "--current", "--db", url).stdout
    house = House(url)
    assert "stop it first" in refused("epoch", "--new", "--db", url)
    house.close()
    assert told("epoch", "--db", url)["epoch"] == 1
    assert "somebody said" in run("epoch", "--new", "--db", url).stdout
    House(url).close()
    found = told("epoch", "--db", url)
    assert (found["epoch"], found["new_epoch"], found["missing"]) == (2, None, [])


def test_a_database_of_a_newer_version_is_told_of(url: str) -> None:
    assert told("migrate", "--db", url)["schema"] in known_revisions()
    with Database(url).engine_connection() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert "schema 9999 by a newer version" in refused("migrate", "--db", url)
    with pytest.raises(StoreFailed, match="restore the backup that was made before the upgrade"):
        House(url)


def test_a_new_key_opens_everything_and_the_old_one_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert NEW_KEY_VARIABLE in refused("rekey", "--db", url)
    house = House(url)
    monkeypatch.setenv(NEW_KEY_VARIABLE, "7a" * 32)
    assert "stop it first" in refused("rekey", "--db", url)
    house.close()
    assert told("rekey", "--db", url) == {"seeds": 1, "tokens": 0}
    with pytest.raises(StoreFailed, match="the key for seeds"):
        House(url)
    monkeypatch.setenv(KEY_VARIABLE, "7a" * 32)
    house = House(url)
    assert audited(house).clean
    house.close()


def test_a_key_file_is_changed_in_place_and_the_old_key_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = new_database("sqlite", tmp_path)
    monkeypatch.delenv(KEY_VARIABLE)
    played(url)
    path = Path(url.removeprefix("sqlite:///") + ".key")
    before = path.read_text()
    done = run("rekey", "--db", url)
    assert done.exit_code == 0, done.output
    assert path.read_text() != before
    assert path.stat().st_mode & 0o777 == 0o600
    (old,) = tmp_path.glob("*.key.until-*")
    assert old.read_text() == before
    assert str(old) in done.stdout
    house = House(url)
    assert audited(house).clean
    house.close()
    monkeypatch.setenv(KEY_VARIABLE, SEED_KEY)


def test_a_change_of_the_key_that_was_cut_off_after_its_commit_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = new_database("sqlite", tmp_path)
    monkeypatch.delenv(KEY_VARIABLE)
    played(url)
    with monkeypatch.context() as patch:
        patch.setattr(KeyFile, "take_next", lambda _: (_ for _ in ()).throw(OSError("cut off")))
        assert run("rekey", "--db", url).exit_code == 1
    with pytest.raises(StoreFailed, match="the key for seeds"):
        House(url)
    assert told("rekey", "--db", url) == {"seeds": 1, "tokens": 0}
    house = House(url)
    assert audited(house).clean
    house.close()
    monkeypatch.setenv(KEY_VARIABLE, SEED_KEY)


def test_a_dispute_is_answered_from_the_id_of_a_round(url: str) -> None:
    house = House(url)
    guest = Guest(house, random.Random(9))
    enrich(house, guest.id)
    guest.sit("blackjack-poker-pairs")
    while len((view := guest.play("blackjack-poker-pairs", [{"main": 200}])).choices) == 0:
        pass
    house.close()
    found = told("dispute", view.id, "--db", url)
    assert (found["player"], found["state"], found["returned"]) == (guest.id, "settled", view.returned)
    assert [act["word"] for act in found["acts"]] == ["", *view.choices]
    assert sum(act["staked"] for act in found["acts"]) == view.staked == found["staked"]
    assert found["log"]["choices"] == view.choices
    assert found["commitment"] == view.proof.commitment
    assert all(len(act["seal"]) == 64 for act in found["acts"])
    text_told = run("dispute", view.id, "--db", url).stdout
    for word in (
        view.id,
        guest.id,
        view.choices[0],
        view.proof.commitment,
        found["acts"][0]["seal"],
        "stake: 2.00 from",
    ):
        assert word in text_told
    assert "no round 'nothing' in these books" in refused("dispute", "nothing", "--db", url)


def test_a_dispute_at_a_live_table_is_answered_and_its_round_called_off(url: str) -> None:
    """A round of two people: paid, with its cards; the next is void from the command line, once and with its count."""
    pit = Pit(url, is_new=False)
    pit.clock.now = now_ms()  # as the commands have it
    table = "live-three-card-poker"
    anna, bert = Player(pit, table, 2), Player(pit, table, 5)
    to_cards(pit, table, anna, bert)
    paid = pit.view(table).round_id
    anna.choose(0, "play")
    bert.choose(1, "fold")
    pit.tick(table)
    bert.leave()
    pit.tick(table, 10_000)
    to_cards(pit, table, anna)
    waiting, had = pit.view(table).round_id, anna.balance
    found = told("dispute", paid, "--db", url)
    slips = {slip["player"]: (slip["seat"], slip["staked"]) for slip in found["slips"]}
    assert slips == {anna.id: (2, 2500), bert.id: (5, 1500)}
    entries = [json.loads(each["says"]["entry"])["entry"] for each in found["events"] if each["kind"] == "live-entry"]
    assert entries[-4:] == ["choice", "choice", "close", "leave"]
    assert len(found["record"]["log"]["cards"]) == 9
    assert found["state"] == "settled"
    in_words = run("dispute", paid, "--db", url).stdout
    for words in (anna.id, "Seat 5:", "returned 0.00", found["events"][0]["seal"], '"choices":["play","fold"]'):
        assert words in in_words
    assert told("dispute", waiting, "--db", url)["record"] is None
    assert "the round is over" in refused("void", paid, "--reason", "malfunction", "--db", url)
    assert "give cards" in refused("void", waiting, "--reason", "misdeal", "--db", url)
    void = ("void", waiting, "--reason", "misdeal", "--cards", "4", "--db", url)
    assert told(*void) == {"round": waiting, "table": table, "reason": "misdeal"}
    assert (anna.balance, pit.view(table).void) == (had + 1500, "misdeal")
    refused(*void)
    pit.tick(table, 60_000)
    assert pit.view(table).phase == "betting", "the table goes on"
    assert audited(pit.house).live_slips == 3
    pit.house.close()
    assert " rounds of live tables with 3 slips, " in run("audit", "--db", url).stdout
