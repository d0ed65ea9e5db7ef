"""What an operator does with the books, as commands: audit, export, hold, void, table."""

import csv
import importlib
import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from typer.testing import CliRunner, Result

from direct_house import DATABASES, TABLES, Guest, enrich, new_database
from pairhouse.cli.main import app
from pairhouse.core.errors import Refused
from pairhouse.house import export
from pairhouse.house.commands import RoundBet
from pairhouse.house.export import WHAT
from pairhouse.house.free_bets import FreeBetTerms, grant
from pairhouse.house.house import House
from pairhouse.house.people import new_key, password_hash, register
from pairhouse.version import __version__
from watched import be_watched


@pytest.fixture(scope="module", params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A house with some rounds, one of them open, and some secrets."""
    address = new_database(request.param, tmp_path_factory.mktemp("commands"))
    house = House(address)
    guest = Guest(house, random.Random(4))
    enrich(house, guest.id)
    for table in TABLES:
        guest.sit(table)
        for _ in range(6):
            guest.play(table)
    house.do(lambda tx: register(tx, "somebody", password_hash("correct horse")))
    house.do(lambda tx: new_key(tx, "desk", "admin"))
    free_bet = house.do(lambda tx: grant(tx, "office", "welcome", FreeBetTerms(guest.id, 5_000, 7))).id
    bet = RoundBet(
        table="la-paire", seats=[{"card-2": 500}], client_seed="x", key="free", body_hash="x", free_bet=free_bet
    )
    house.do(lambda tx: house.pit.open_round(tx, token_hash=guest.token, bet=bet))
    while guest.bet("three-card-poker").state != "open":
        pass
    yield address
    house.close()


def run(*words: str) -> Result:
    return CliRunner().invoke(app, [*words])


def told(*words: str) -> Any:
    done = run(*words, "--json")
    assert done.exit_code == 0, (done.output, done.exception)
    return json.loads(done.stdout)


def test_audit_says_what_it_went_through(url: str) -> None:
    found = told("audit", "--db", url)
    assert (found["clean"], found["difference"], found["open_rounds"]) == (True, None, 1)
    assert found["rounds"] == found["replayed"] == 50
    done = run("audit", "--db", url)
    assert done.exit_code == 0
    assert "The books are clean" in done.stdout
    assert "mint" in done.stdout


def test_audit_exits_1_with_the_first_difference_and_2_without_books(tmp_path: Path) -> None:
    address = new_database("sqlite", tmp_path)
    House(address).close()
    with sqlite3.connect(address.removeprefix("sqlite:///")) as books:
        books.execute("UPDATE tables SET name = 'Les Paires' WHERE id = 'la-paire'")
    books.close()
    done = run("audit", "--db", address)
    assert done.exit_code == 1
    assert done.stdout.startswith("The books differ: table version la-paire:1: what the books say is")
    command = [sys.executable, "-m", "pairhouse", "audit", "--db", f"sqlite:///{tmp_path}/none.db"]
    nothing = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (nothing.returncode, nothing.stdout) == (2, "")
    assert "there are no books at" in nothing.stderr


@pytest.mark.parametrize("what", [what for what in WHAT if not what.startswith("live-")])
def test_export_writes_the_same_as_csv_and_parquet(url: str, what: str, tmp_path: Path) -> None:
    rows = told("export", what, "--out", str(tmp_path / "out.csv"), "--db", url)["rows"]
    assert rows == told("export", what, "--out", str(tmp_path / "out.parquet"), "--db", url)["rows"] > 0
    with (tmp_path / "out.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    table = importlib.import_module("pyarrow.parquet").read_table(tmp_path / "out.parquet")
    plain = [{name: "" if cell is None else str(cell) for name, cell in line.items()} for line in table.to_pylist()]
    assert plain == lines
    assert len(lines) == rows
    names = set(table.column_names)
    assert not names & {"sealed_seed", "password", "token_hash", "key_hash", "outside_token", "failures"}
    written = (tmp_path / "out.csv").read_text()
    assert "argon2" not in written
    assert {file.name for file in tmp_path.iterdir()} == {"out.csv", "out.parquet"}


def test_export_pages_lose_nothing(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With pages of three rows the file is the same."""
    told("export", "events", "--out", str(tmp_path / "whole.csv"), "--db", url)
    small = {what: query.limit(3) for what, query in export._STATEMENTS.items()}
    monkeypatch.setattr(export, "_STATEMENTS", small)
    told("export", "events", "--out", str(tmp_path / "pages.csv"), "--db", url)
    assert (tmp_path / "pages.csv").read_text() == (tmp_path / "whole.csv").read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("export", "secrets", "--out", "x.csv"), "'secrets' cannot be exported; choose rounds, live-rounds"),
        (("export", "rounds", "--out", "x.xlsx"), "x.xlsx ends in .xlsx; give a name that ends in .csv or .parquet"),
        (("export", "rounds", "--out", "/nowhere/x.csv"), "cannot be written: No such file or directory"),
        (("void", "01ABC", "--reason", "misdeal"), "there is no round '01ABC'"),
        (("table", "poker", "--close"), "table 'poker' is unknown; there are"),
    ],
)
def test_what_cannot_be_done_is_said(url: str, words: tuple[str, ...], says: str) -> None:
    done = run(*words, "--db", url)
    assert isinstance(done.exception, Refused)
    assert says in str(done.exception)


def test_parquet_without_its_library_is_a_sentence(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = run("export", "rounds", "--out", str(tmp_path / "x.parquet"), "--db", url)
    assert "Parquet needs pyarrow: pip install 'pairhouse[export]'" in str(done.exception)
    assert list(tmp_path.iterdir()) == []


def test_hold_shows_every_wager_and_z_where_a_price_is_counted(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets = tmp_path / "par"
    sheets.mkdir()
    variant = TABLES["three-card-poker"]
    price = {"ev": "-686689/20358520", "variance": "2.68715", "hit": "1/2", "method": "counted"}
    (sheets / f"{variant.rules_hash}-{__version__}.json").write_text(json.dumps({"wagers": {"ante": price}}))
    monkeypatch.setenv("PAIRHOUSE_CACHE", str(tmp_path))
    found = told("hold", "--db", url)
    lines = {(line["table"], line["wager"]): line for line in found["lines"]}
    ante = lines["three-card-poker", "ante"]
    assert (ante["rounds"], ante["theory"]) == (6, "0.033730")
    assert -6 < float(ante["z"]) < 6
    assert lines["blackjack-poker-pairs", "main"]["z"] is None
    assert not any(wager in ("play", "ante-bonus") for _, wager in lines)
    assert found["in_open_rounds"] > 0
    shown = run("hold", "--db", url)
    assert "z counts standard deviations" in shown.stdout
    assert "three-card-poker" in shown.stdout


def test_the_watch_is_listed_and_a_step_of_it_lifted(url: str) -> None:
    assert "The watch has not read these books.\nNo step was taken." in run("watch", "--db", url).stdout
    house = House(url)
    guest = Guest(house, random.Random(5))
    be_watched(house, guest.id)
    house.close()
    (step,) = told("watch", "--db", url)["steps"]
    shown = run("watch", "--db", url).stdout
    assert f"player {guest.id} at nepal-super-baccarat: player limited (300 rounds, net 3,000.00 against" in shown
    assert told("watch", "--lift", step["id"], "--db", url)["lifted_by"] == "command line"
    assert "player limited, lifted by command line" in run("watch", "--db", url).stdout


def test_tables_and_rounds_are_changed_by_hand_and_the_books_stay_clean(url: str) -> None:
    assert told("table", "la-paire", "--close", "--db", url)["status"] == "closed"
    assert told("table", "la-paire", "--open", "--name", "Les Paires", "--db", url)["version"] == 3
    assert told("table", "la-paire", "-o", "pair_bets=la-paire", "--db", url)["version"] == 4
    standing = told("table", "la-paire", "--db", url)
    assert standing.pop("options")["pair_bets"] == "la-paire"
    assert standing == {
        "id": "la-paire",
        "name": "Les Paires",
        "version": 4,
        "status": "open",
    }
    house = House(url)
    with house.database.reading() as tx:
        waiting = tx.all(text("SELECT id FROM rounds WHERE state = 'open'"), {})[0][0]
    house.close()
    assert told("void", waiting, "--reason", "malfunction", "--db", url)["round"] == waiting
    assert told("audit", "--db", url)["open_rounds"] == 0


def test_a_live_table_is_closed_and_opened_again_for_several_people(url: str) -> None:
    assert told("table", "live-la-paire", "--close", "--db", url)["status"] == "closed"
    assert told("table", "live-la-paire", "--open", "--db", url)["status"] == "live"


def test_audit_holds_the_books_to_heads_and_uses_several_processes(tmp_path: Path) -> None:
    address = new_database("sqlite", tmp_path)
    house = House(address)
    guest = Guest(house, random.Random(9))
    for table in ("la-paire", "nepal-super-baccarat", "three-card-poker"):
        guest.sit(table)
        guest.play(table)
    house.close()
    file = Path(address.removeprefix("sqlite:///"))
    heads = file.with_name(f"{file.name}.seal.heads")
    kept = tmp_path / "kept elsewhere"
    kept.write_text(heads.read_text())
    again = House(address)
    Guest(again, random.Random(10)).sit("la-paire")
    again.close()
    alone = told("audit", "--db", address, "--processes", "1")
    beside = told("audit", "--db", address, "--processes", "3", "--since", str(kept))
    assert {**beside, "heads": alone["heads"]} == alone
    assert alone["newest_head"] == alone["in_log"] == alone["events"]
    text = json.loads(kept.read_text().splitlines()[0])["pairhouse_head"]
    assert run("audit", "--db", address, "--since", text).exit_code == 0
    assert run("audit", "--db", address, "--public-key", "ab" * 32).exit_code == 1
    with sqlite3.connect(file) as books:
        books.execute("UPDATE rounds SET returned = 5 WHERE game = 'nepal-super-baccarat'")
    books.close()
    for count in ("1", "3"):
        done = run("audit", "--db", address, "--processes", count)
        assert done.exit_code == 1
        assert "what was returned is 5" in done.stdout


def test_audit_exits_2_when_it_fails_itself(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("a mistake of ours")

    monkeypatch.setattr("pairhouse.house.audit.check_accounts", broken)
    done = run("audit", "--db", url)
    assert done.exit_code == 2
    assert done.stdout.startswith("No result: the audit itself failed at a check of the books as a whole (KeyError")
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "words",
    [
        ("audit",),
        ("hold",),
        ("export", "rounds", "--out", "x.csv"),
        ("watch",),
        ("backup", "copy"),
        ("void", "01ABC", "--reason", "misdeal"),
    ],
)
def test_a_file_that_holds_no_books_is_told_and_left_as_it_is(words: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE notes (words TEXT)")
        before = other.execute("SELECT * FROM sqlite_master").fetchall()
    done = run(*words, "--db", f"sqlite:///{file}")
    assert str(done.exception) == f"there are no books of a house in {file}; `pairhouse serve` opens a house"
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT * FROM sqlite_master").fetchall() == before


def test_books_of_another_version_are_not_read(tmp_path: Path) -> None:
    address = new_database("sqlite", tmp_path)
    House(address).close()
    with closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as books:
        books.execute("UPDATE alembic_version SET version_num = '0003'")
        books.commit()
    said = str(run("report", "players", "--db", address).exception)
    assert said.startswith("these books have schema 0003, and this version reads 00")
    assert said.endswith("; `pairhouse migrate` brings older books to it")


def test_a_key_belongs_to_somebody(tmp_path: Path) -> None:
    done = run("key", " ", "--db", new_database("sqlite", tmp_path))
    assert str(done.exception) == "' ' does not say whose key it is; give 1 to 100 printed characters"
