"""A real replica that lags and is promoted: the house that goes on with it begins a new epoch."""

import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

import postgres
from direct_house import Guest, audited, deal_from_shoe, enrich, new_database
from old_books import TABLE, jokers_hit, lucky_seeds, move_in
from pairhouse.house.epoch.old_books import OLD
from pairhouse.house.epoch.seen import FOLDER_VARIABLE
from pairhouse.house.house import House

pytestmark = pytest.mark.slow


def run(program: str, *words: str) -> None:
    """Run a program of PostgreSQL, as the user that its server runs as."""
    user = postgres.server().system_user if os.geteuid() == 0 else None
    subprocess.run([str(postgres.programs() / program), *words], user=user, check=True, stdout=subprocess.DEVNULL)


def ask(url: str, text: str) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(text.encode()).fetchone()
    return row[0] if row else None


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name, for a socket, that the server's user may enter."""
    made = Path(tempfile.mkdtemp(prefix="pairhouse-replica-"))
    made.chmod(0o777)
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def replica(folder: Path) -> Iterator[str]:
    """The address of a running replica of the tests' server (its database `postgres`)."""
    data, primary = folder / "data", make_url(str(postgres.server().get_uri()))
    run(
        "pg_basebackup",
        f"--pgdata={data}",
        f"--host={primary.query['host']}",
        "--username=postgres",
        "-R",
        "-c",
        "fast",
    )
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c port=5499"
    run("pg_ctl", f"--pgdata={data}", f"--options={options}", f"--log={folder / 'log'}", "--wait", "start")
    yield f"postgresql://postgres@/postgres?host={folder}&port=5499"
    run("pg_ctl", f"--pgdata={data}", "--mode=immediate", "stop")


def caught_up(primary: str, replica: str) -> None:
    """Until the replica has replayed what the primary has written."""
    written = ask(primary, "SELECT pg_current_wal_lsn()::text")
    for _ in range(200):
        if ask(replica, f"SELECT pg_last_wal_replay_lsn() >= '{written}'"):
            return
        time.sleep(0.1)
    raise AssertionError("the replica does not catch up")


def test_a_lagging_replica_is_promoted(
    folder: Path, replica: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "seen"))
    url = new_database("postgresql", tmp_path)
    house = House(url)
    guest = Guest(house, random.Random(5))
    enrich(house, guest.id)
    guest.sit(TABLE)
    guest.play(TABLE)
    deal_from_shoe(house)
    guest.sit("nepal-super-baccarat")
    guest.play("nepal-super-baccarat", [{"banker": 200}])
    guest.sit("blackjack-poker-pairs")
    while (open_there := guest.bet("blackjack-poker-pairs", [{"main": 200}])).state != "open":
        pass
    caught_up(url, replica)
    run("pg_ctl", f"--pgdata={folder / 'data'}", "--mode=fast", "stop")  # it misses all that follows
    revealed, _ = house.do(lambda tx: house.dealer.rotate(tx, guest.id, TABLE))
    house.close()
    (folder / "data" / "postgresql.auto.conf").write_text("primary_conninfo = ''\n")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c port=5499"
    run("pg_ctl", f"--pgdata={folder / 'data'}", f"--options={options}", f"--log={folder / 'log'}", "--wait", "start")
    assert ask(replica, "SELECT pg_promote()") is True

    promoted = make_url(replica).set(database=make_url(url).database).render_as_string(hide_password=False)
    house = House(promoted)
    move_in(guest, house)
    found = audited(house)
    assert found.clean
    told = [(epoch.epoch, epoch.reason, epoch.rounds, epoch.seeds) for epoch in found.epochs]
    assert told == [(2, OLD, 1, 3)]
    with house.database.reading() as tx:
        assert house.pit.find(tx, open_there.id, guest.id).state == "void", "its stake has gone back"
    guest.sit("nepal-super-baccarat")
    assert guest.play("nepal-super-baccarat", [{"banker": 200}]).proof.first_card == 0, "a new shoe"
    guest.sit(TABLE)
    assert jokers_hit(guest, lucky_seeds(revealed.server_seed, revealed.nonces, 8)) <= 4
    house.close()
