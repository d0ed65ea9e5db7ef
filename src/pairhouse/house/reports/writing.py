"""The kinds of reports, and writing one: line by line to a file, so that memory stays the same however long it is."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import BinaryIO

import msgspec

from pairhouse.core.errors import Refused, one_of, shown, unknown
from pairhouse.house.care.periods import MONTH, period_start
from pairhouse.house.reports import care_lines, free_bet_lines, round_lines
from pairhouse.house.reports.columns import (
    MONEY,
    NUMBER,
    TEXT,
    TIME,
    ReportKind,
    ReportPeriod,
    cells,
    csv_cells,
    header,
)
from pairhouse.house.store.database import Tx
from pairhouse.rounds.round_view import at_text

CSV, JSON = "csv", "json"
FORMATS = (CSV, JSON)
NO_ACTIVITY = "no activity"
LARGE_WIN = 100_000
_money = {"staked": MONEY, "returned": MONEY, "net": MONEY}
_kept = {"staked": MONEY, "returned": MONEY, "kept": MONEY}
_won = {"staked": MONEY, "returned": MONEY, "won": MONEY}
_who = {"player": TEXT, "name": TEXT}

REPORTS: dict[str, ReportKind] = {
    "sessions": ReportKind(
        "Sessions: rounds of a player with no pause of more than half an hour between; without stakes of free bets.",
        {**_who, "from": TIME, "to": TIME, "minutes": NUMBER, "rounds": NUMBER, **_money},
        round_lines.session_lines,
    ),
    "players": ReportKind(
        "What each player has played.",
        {**_who, "wallet": TEXT, "first": TIME, "last": TIME, "rounds": NUMBER, **_money},
        round_lines.player_lines,
    ),
    "tables": ReportKind(
        "What each table has come to; `kept` is the house's.",
        {"table": TEXT, "name": TEXT, "game": TEXT, "rounds": NUMBER, **_kept},
        round_lines.table_lines,
    ),
    "wagers": ReportKind(
        "What each wager at each table has come to, over settled rounds. Free bets count as money does.",
        {"table": TEXT, "wager": TEXT, "bets": NUMBER, **_kept},
        round_lines.wager_lines,
    ),
    "open-rounds": ReportKind(
        "Rounds that wait for their player, with what is held in them.",
        {"round": TEXT, **_who, "table": TEXT, "game": TEXT, "opened": TIME, "held": MONEY},
        round_lines.open_lines,
    ),
    "large-wins": ReportKind(
        "Rounds that won at least 1,000.00 over their stakes, or another amount if it is given.",
        {"round": TEXT, **_who, "table": TEXT, "game": TEXT, "closed": TIME, **_won},
        round_lines.large_win_lines,
    ),
    "free-bets": ReportKind(
        "Free bets granted in the period, and what has become of each; `paid` is what its rounds paid in money.",
        {
            "free_bet": TEXT,
            **_who,
            "granted_at": TIME,
            "expires": TIME,
            "withdrawn": TIME,
            "good_for": TEXT,
            "by": TEXT,
            "granted": MONEY,
            "used": MONEY,
            "held": MONEY,
            "remaining": MONEY,
            "ended": MONEY,
            "paid": MONEY,
        },
        free_bet_lines.free_bet_lines,
    ),
    "exclusions": ReportKind(
        "Breaks and self-exclusions in force at some time of the period.",
        {"player": TEXT, "account": TEXT, "kind": TEXT, "from": TIME, "until": TIME, "by": TEXT},
        care_lines.exclusion_lines,
    ),
    "changes": ReportKind(
        "Every change of tables, games, players, limits and keys, with before and after, and its sealed event.",
        {"at": TIME, "what": TEXT, "subject": TEXT, "by": TEXT, "before": TEXT, "after": TEXT, "event": TEXT},
        care_lines.change_lines,
    ),
}


def find_report(kind: str) -> ReportKind:
    """A kind of report by its name."""
    if kind not in REPORTS:
        raise unknown("report", kind, REPORTS)
    return REPORTS[kind]


def read_period(since: str | None, until: str | None, now: int, least: int = LARGE_WIN) -> ReportPeriod:
    """A period from two dates or times in UTC; by default the month so far. A last day is included."""
    found = ReportPeriod(
        _time(since, False) if since is not None else period_start(MONTH, now),
        _time(until, True) if until is not None else now + 1,
        least,
    )
    if found.since >= found.until:
        begins, ends = shown(since) if since else "the first of this month", shown(until) if until else "now"
        raise Refused("bad-period", f"the period ends before it begins: from {begins} to {ends}")
    return found


def _time(text: str, is_end: bool) -> int:
    try:
        at = datetime.fromisoformat(text)
        at = at.replace(tzinfo=at.tzinfo or UTC)
        if is_end and len(text) <= len("2026-11-16"):
            at += timedelta(days=1)
        found = (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
        if found < 0:
            raise ValueError
    except (ValueError, OverflowError):
        accepted = "give a day or a time in UTC, such as 2026-11-16 or 2026-11-16T08:30"
        raise Refused("bad-period", f"{shown(text)} is no time; {accepted}") from None
    return found


def check_format(given: str) -> str:
    if given not in FORMATS:
        raise Refused("bad-format", f"{shown(given)} is no format of reports; choose {one_of(FORMATS)}")
    return given


def write_report(tx: Tx, kind: str, period: ReportPeriod, form: str, target: BinaryIO) -> int:
    """Write a report to a file; the number of its lines."""
    report, count = find_report(kind), 0
    parts = _csv_parts(report, tx, period) if form == CSV else _json_parts(kind, report, tx, period)
    for part in parts:
        target.write(part)
        count += 1
    return count - 2  # what stands before and after the lines


def _csv_parts(report: ReportKind, tx: Tx, period: ReportPeriod) -> Iterator[bytes]:
    names = header(report)
    yield _csv_line(names)
    is_empty = True
    for line in report.lines(tx, period):
        is_empty = False
        yield _csv_line(csv_cells(report, line))
    yield _csv_line([NO_ACTIVITY, *[""] * (len(names) - 1)]) if is_empty else b""


def _csv_line(values: list[str] | list[str | int]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerow(values)
    return text.getvalue().encode()


def _json_parts(kind: str, report: ReportKind, tx: Tx, period: ReportPeriod) -> Iterator[bytes]:
    names, count = header(report), 0
    about = {"report": kind, "from_at": at_text(period.since), "to_at": at_text(period.until)}
    yield msgspec.json.encode(about)[:-1] + b',"lines":['
    for line in report.lines(tx, period):
        yield (b",\n" if count else b"\n") + msgspec.json.encode(dict(zip(names, cells(report, line), strict=True)))
        count += 1
    says = f"{count} lines" if count else NO_ACTIVITY
    yield b'],"count":%d,"says":%s}\n' % (count, msgspec.json.encode(says))
