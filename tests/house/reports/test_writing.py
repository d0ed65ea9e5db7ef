"""Reports: every figure is that of the rounds themselves, on both databases; empty ones say so; memory stays flat."""

import csv
import io
import json
import random
import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from api_house import Clock
from direct_house import DATABASES, Guest, enrich, new_books
from pairhouse.core.errors import Refused
from pairhouse.house.care.changes import SetLimit, TakeBreak, change_care
from pairhouse.house.care.policy import NO_POLICY
from pairhouse.house.floor import change_table
from pairhouse.house.house import House
from pairhouse.house.people import new_key, new_session
from pairhouse.house.reports import round_lines
from pairhouse.house.reports.columns import MONEY, TEXT, ReportKind, ReportPeriod, csv_cells, decimal_text
from pairhouse.house.reports.writing import REPORTS, check_format, read_period, write_report
from pairhouse.house.tokens import hash_of
from pairhouse.rounds.round_view import RoundView

PAIRE, POKER = "la-paire", "three-card-poker"
EVER = ReportPeriod(0, 4_000_000_000_000, 0)


class Played:
    """A house with two players, some rounds an hour apart, one of them open, and some changes."""

    def __init__(self, url: str) -> None:
        self.clock = Clock()
        self.house = House(url, clock=self.clock)
        self.rounds: list[tuple[str, int, RoundView]] = []  # player, session, round
        guests = [Guest(self.house, random.Random(n)) for n in range(2)]
        for session in range(2):
            for guest in guests:
                guest.token = hash_of(self.house.do(partial(new_session, player_id=guest.id)))
                for table in (PAIRE, POKER):
                    guest.sit(table)
                self.rounds += [(guest.id, session, guest.play(table)) for table in (PAIRE, POKER, PAIRE)]
            self.clock.pass_minutes(60)
        guest = guests[0]
        guest.token = hash_of(self.house.do(partial(new_session, player_id=guest.id)))
        self.open = guest.bet(POKER, [{"ante": 500}])
        for change in (SetLimit("loss", "day", 500), TakeBreak(24)):
            self.house.do(partial(change_care, policy=NO_POLICY, player_id=guest.id, change=change))
        self.house.do(lambda tx: change_table(tx, "tests", PAIRE, {"name": "=1+1"}))
        self.house.do(lambda tx: new_key(tx, "desk", "operator"))
        self.guests = guests

    def report(self, kind: str, period: ReportPeriod = EVER) -> list[dict[str, Any]]:
        """The lines of a report as JSON; as CSV they are the same."""
        told, rows = json.loads(self.text(kind, "json", period)), list(self.csv(kind, period))
        assert told["count"] == len(told["lines"])
        for line, row in zip(told["lines"], rows, strict=False):
            assert {name: "" if value is None else str(value) for name, value in line.items()} == {
                name: value.removeprefix("'") for name, value in row.items()
            }
        lines: list[dict[str, Any]] = told["lines"]
        return lines

    def csv(self, kind: str, period: ReportPeriod = EVER) -> Iterator[dict[str, str]]:
        return csv.DictReader(io.StringIO(self.text(kind, "csv", period)))

    def text(self, kind: str, form: str, period: ReportPeriod = EVER) -> str:
        target = io.BytesIO()
        with self.house.database.reading() as tx:
            write_report(tx, kind, period, form, target)
        return target.getvalue().decode()


@pytest.fixture(scope="module", params=DATABASES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    found = Played(new_books(request.param, tmp_path_factory.mktemp("books")))
    patch = pytest.MonkeyPatch()
    yield found
    patch.undo()
    found.house.close()


def test_players_and_sessions_add_up_to_the_rounds(played: Played) -> None:
    net: Counter[str] = Counter()
    sessions: dict[tuple[str, int], int] = defaultdict(int)
    for player, session, view in played.rounds:
        net[player] += view.net or 0
        sessions[player, session] += view.staked
    net[played.guests[0].id] -= played.open.staked
    assert {line["player"]: line["net_minor"] for line in played.report("players")} == net
    found = [line["staked_minor"] for line in played.report("sessions") if line["rounds"] == 3]
    assert sorted(found) == sorted(sessions.values())
    assert len(played.report("sessions")) == 5


def test_tables_and_wagers_add_up_to_the_rounds(played: Played) -> None:
    kept: Counter[str] = Counter()
    wagers: Counter[tuple[str, str]] = Counter()
    for _, _, view in played.rounds:
        kept[view.table] -= view.net or 0
        for seat in view.view.wagers:
            for name, bet in seat.items():
                wagers[view.table, name] += bet["stake"] - (bet["returned"] or 0)
    kept[POKER] += played.open.staked
    assert {line["table"]: line["kept_minor"] for line in played.report("tables")} == kept
    assert {(one["table"], one["wager"]): one["kept_minor"] for one in played.report("wagers")} == wagers


def test_open_rounds_and_large_wins(played: Played) -> None:
    (waiting,) = played.report("open-rounds")
    assert (waiting["round"], waiting["held"], waiting["held_minor"]) == (played.open.id, "5.00", 500)
    wins = {view.id: view.net for _, _, view in played.rounds if (view.net or 0) >= 300}
    found = played.report("large-wins", EVER._replace(least=300))
    assert {line["round"]: line["won_minor"] for line in found} == wins


def test_exclusions_and_changes_are_told_with_before_and_after(played: Played) -> None:
    (away,) = played.report("exclusions")
    assert (away["kind"], away["player"]) == ("break", played.guests[0].id)
    changes = {line["what"]: line for line in played.report("changes")}
    assert {"table-added", "table-changed", "care-changed", "exclusion-added", "key-added"} <= set(changes)
    assert json.loads(changes["table-changed"]["after"])["name"] == "=1+1"
    assert changes["table-changed"]["by"] == "tests"
    assert '"loss-day":500' in changes["care-changed"]["after"]


@pytest.mark.parametrize("kind", list(REPORTS))
def test_where_nothing_happened_it_says_so(played: Played, kind: str) -> None:
    past = ReportPeriod(1_000, 2_000, 0)
    told = json.loads(played.text(kind, "json", past))
    assert (told["lines"], told["count"], told["says"]) == ([], 0, "no activity")
    (row,) = played.csv(kind, past)
    assert next(iter(row.values())) == "no activity"


@pytest.mark.parametrize("kind", ["sessions", "players", "tables", "wagers", "open-rounds", "large-wins"])
def test_pages_change_nothing(played: Played, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = played.report(kind)
    for name in ("_BY_PLAYER", "_BY_TIME", "_RESULTS"):
        monkeypatch.setattr(round_lines, name, getattr(round_lines, name).limit(2))
    assert played.report(kind) == whole


def test_text_is_no_formula_in_a_spreadsheet(played: Played) -> None:
    (paire,) = [row for row in played.csv("tables") if row["table"] == PAIRE]
    assert paire["name"] == "'=1+1"
    report = ReportKind("", {"a": TEXT, "b": MONEY}, lambda tx, period: iter(()))
    for start in ("=", "+", "-", "@", "\t", "\r"):
        assert csv_cells(report, (f"{start}cmd", -150)) == [f"'{start}cmd", "-1.50", -150]
    assert csv_cells(report, (None, None)) == ["", "", ""]
    assert decimal_text(123_450_005) == "1234500.05"


def test_a_period_is_read_from_days_and_times() -> None:
    now = 1_794_851_283_006  # 16 November 2026
    assert read_period("2026-11-01", "2026-11-30", now)[:2] == (1_793_491_200_000, 1_796_083_200_000)
    assert read_period(None, None, now)[:2] == (1_793_491_200_000, now + 1)
    assert read_period("2026-11-01T01:00+01:00", None, now).since == 1_793_491_200_000
    wrong = [("yesterday", None), ("2026-11-02", "2026-11-01"), ("1960-01-01", None), ("", None), (None, "99999-01-01")]
    for since, until in wrong:
        with pytest.raises(Refused) as refused:
            read_period(since, until, now)
        assert refused.value.code == "bad-period"
    with pytest.raises(Refused, match="csv or json"):
        check_format("pdf")


def test_a_long_report_needs_no_more_memory_than_a_short_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_lines, "_BY_TIME", round_lines._BY_TIME.limit(200))
    house = House(new_books("sqlite", tmp_path))
    guest = Guest(house, random.Random(1))
    enrich(house, guest.id)
    guest.sit(PAIRE)
    guest.play(PAIRE)

    def peak() -> int:
        tracemalloc.start()
        with house.database.reading() as tx, (tmp_path / "out").open("wb") as file:
            count = write_report(tx, "large-wins", EVER._replace(least=-(10**12)), "csv", file)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        counts.append(count)
        return found

    def copies(number: int) -> None:
        """Copies of a round, in the rows that reports read."""
        values = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {number}) "
        columns = "table_id,table_version,game,options,rules_hash,stream_id,nonce,client_seeds,first_card,seats,meter,state,opened_at,closed_at,staked,returned,log,result"
        house.do(
            lambda tx: tx.raw(
                f"{values} INSERT INTO rounds (id,{columns}) SELECT printf('01%06d%018d',{number},i),{columns} FROM rounds, n WHERE rounds.id = (SELECT max(id) FROM rounds)"
            )
        )
        house.do(
            lambda tx: tx.raw(
                f"{values} INSERT INTO seated SELECT player_id, printf('01%06d%018d',{number},i), seats, game FROM seated, n WHERE round_id = (SELECT max(round_id) FROM seated)"
            )
        )

    counts: list[int] = []
    copies(400)
    short = peak()
    copies(3_000)
    long = peak()
    assert counts == [401, 3_401]
    assert long < 1.3 * short + 200_000
    house.close()
