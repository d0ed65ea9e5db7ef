"""Backups: made while the house is open, checked before they are put back, and never put over newer books unasked."""

import os
import random
import threading
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

import postgres
from direct_house import DATABASES, Guest, audited, enrich, new_database
from old_books import TABLE, jokers_hit, lucky_seeds, move_in
from pairhouse.core.errors import Refused
from pairhouse.house.backup.make import make_backup
from pairhouse.house.backup.manifest import MANIFEST, Manifest, read_manifest
from pairhouse.house.backup.restore import restore
from pairhouse.house.epoch import books_epoch
from pairhouse.house.house import House
from pairhouse.house.sealing_key import SealOptions, key_file_of
from pairhouse.house.store.database import Database


@pytest.fixture(autouse=True)
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """pg_dump and pg_restore of the very server."""
    monkeypatch.setenv("PATH", f"{postgres.programs()}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return new_database(request.param, tmp_path)


def opened(url: str) -> tuple[House, Guest]:
    house = House(url)
    guest = Guest(house, random.Random(5))
    enrich(house, guest.id)
    guest.sit(TABLE)
    guest.play(TABLE)
    return house, guest


def backed_up(url: str, folder: Path) -> Manifest:
    with closing(Database(url)) as database:
        return make_backup(database, folder)


def restored(folder: Path, url: str, replace: str | None = None) -> None:
    with closing(Database(url)) as database:
        restore(folder, database, replace)


def test_a_backup_of_a_house_in_play_is_put_back_and_what_was_revealed_since_is_worthless(
    url: str, tmp_path: Path
) -> None:
    house, guest = opened(url)
    other = Guest(house, random.Random(6))
    enrich(house, other.id)
    other.sit(TABLE)
    is_over = threading.Event()

    def keep_playing() -> None:
        while not is_over.is_set():
            other.play(TABLE, [{"card-A": 200}])

    player = threading.Thread(target=keep_playing)
    player.start()
    try:
        manifest = backed_up(url, tmp_path / "backup")
    finally:
        is_over.set()
        player.join()
    revealed, _ = house.do(lambda tx: house.dealer.rotate(tx, guest.id, TABLE))
    house.close()
    assert manifest == read_manifest(tmp_path / "backup")
    assert (tmp_path / "backup" / manifest.file).stat().st_mode & 0o777 == 0o600

    with pytest.raises(Refused, match="newer than the backup") as refused:
        restored(tmp_path / "backup", url)
    assert f"--replace {manifest.books}" in str(refused.value)
    restored(tmp_path / "backup", url, manifest.books)
    house = House(url)
    for player_of in (guest, other):
        move_in(player_of, house)
        player_of.sit(TABLE)
    known = lucky_seeds(revealed.server_seed, revealed.nonces, 8)
    assert jokers_hit(guest, known) <= 4
    found = audited(house)
    assert found.difference is None
    assert [(epoch.epoch, epoch.seeds) for epoch in found.epochs] == [(2, 2)]
    assert "restored from the backup" in found.epochs[0].reason
    assert found.epochs[0].missing, "what had been seen after the backup is named"
    house.close()


def test_a_backup_goes_to_another_place_and_begins_a_new_epoch_there(url: str, tmp_path: Path) -> None:
    house, guest = opened(url)
    manifest = backed_up(url, tmp_path / "backup")
    house.close()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    place = new_database(Database(url).kind, elsewhere)
    restored(tmp_path / "backup", place)
    with pytest.raises(Refused, match="give the key of these books"):
        House(place)
    with closing(Database(url)) as database:
        key_file = key_file_of(database, SealOptions())
    again = House(place, sealing=SealOptions(key_file))
    with again.database.reading() as tx:
        assert books_epoch(tx) == (manifest.books, 2)
    move_in(guest, again)
    with pytest.raises(Refused, match="sit down"):
        guest.bet(TABLE)
    assert audited(again).clean
    again.close()


def test_an_open_house_is_not_replaced(url: str, tmp_path: Path) -> None:
    house, _ = opened(url)
    manifest = backed_up(url, tmp_path / "backup")
    with pytest.raises(Refused, match="stop it first"):
        restored(tmp_path / "backup", url, manifest.books)
    house.close()
    restored(tmp_path / "backup", url)  # it is as new as the books: no word is needed


def test_other_books_are_replaced_only_by_name(url: str, tmp_path: Path) -> None:
    house, _ = opened(url)
    backed_up(url, tmp_path / "backup")
    house.close()
    other_url = new_database(Database(url).kind, tmp_path)
    other, _ = opened(other_url)
    with other.database.reading() as tx:
        here = books_epoch(tx)
    other.close()
    for word in (None, "yes"):
        with pytest.raises(Refused, match=f"other books \\({here.id}\\)"):
            restored(tmp_path / "backup", other_url, word)
    again = House(other_url)
    with again.database.reading() as tx:
        assert books_epoch(tx) == here, "nothing was changed"
    again.close()
    restored(tmp_path / "backup", other_url, here.id)
    kept = [path.name for path in tmp_path.glob("*.before-*")]
    assert len(kept) == (1 if other_url.startswith("sqlite") else 0)


def changed(folder: Path, **change: object) -> None:
    manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(msgspec.structs.replace(manifest, **change)))


def test_a_damaged_backup_is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    url = new_database("sqlite", tmp_path)
    house, _ = opened(url)
    house.close()
    folder = tmp_path / "backup"
    backed_up(url, folder)
    before = Path(url.removeprefix("sqlite:///")).read_bytes()
    good = (folder / MANIFEST).read_bytes()
    content = bytearray((folder / "books.db").read_bytes())
    content[5000] ^= 1
    (folder / "books.db").write_bytes(content)
    for change, says in (
        ({}, "SHA-256"),
        ({"bytes": 5}, "its manifest says 5"),
        ({"schema": "9999"}, "does not know"),
        ({"format": 2}, "another version"),
        ({"database": "postgresql", "file": "books.pgdump"}, "cannot be read"),
        ({"file": "../other"}, "another version"),
    ):
        (folder / MANIFEST).write_bytes(good)
        changed(folder, **change)
        if "schema" in change:
            content[5000] ^= 1
            (folder / "books.db").write_bytes(content)
        with pytest.raises(Refused, match=says):
            restored(folder, url)
    (folder / MANIFEST).write_text("{")
    with pytest.raises(Refused, match="is no backup"):
        restored(folder, url)
    with pytest.raises(Refused, match="is there already"):
        backed_up(url, folder)
    assert Path(url.removeprefix("sqlite:///")).read_bytes() == before
    again = House(url)
    with again.database.reading() as tx:
        assert books_epoch(tx).epoch == 1
    again.close()


def test_without_the_programs_of_postgresql_the_sentence_names_their_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = new_database("postgresql", tmp_path)
    House(url).close()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Refused, match="Debian's package postgresql-client"):
        backed_up(url, tmp_path / "backup")
    assert list(tmp_path.glob("*backup*")) == []
