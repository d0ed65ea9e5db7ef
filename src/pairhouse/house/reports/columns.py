"""Columns of reports. Money is shown as people write it and in minor units; text is safe to open in a spreadsheet."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from pairhouse.house.store.database import Tx
from pairhouse.rounds.round_view import at_text

TEXT, NUMBER, MONEY, TIME = "text", "number", "money", "time"
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


class ReportPeriod(NamedTuple):
    """From when until before when, in milliseconds; `least` is the smallest win that counts as large."""

    since: int
    until: int
    least: int


Line = tuple[Any, ...]


class ReportKind(NamedTuple):
    """A kind of report: what it tells, its columns (name and kind), and the function that reads its lines."""

    says: str
    columns: Mapping[str, str]
    lines: Callable[[Tx, ReportPeriod], Iterator[Line]]


def header(report: ReportKind) -> list[str]:
    """The names of all columns; an amount has two."""
    names = []
    for name, kind in report.columns.items():
        names += [name, f"{name}_minor"] if kind == MONEY else [name]
    return names


def cells(report: ReportKind, line: Line) -> list[str | int | None]:
    """A line as values for JSON: amounts twice, times as text."""
    found: list[str | int | None] = []
    for kind, value in zip(report.columns.values(), line, strict=True):
        if kind == MONEY:
            found += [None, None] if value is None else [decimal_text(value), int(value)]
        elif kind == TIME:
            found.append(at_text(value) if value is not None else None)
        else:
            found.append(value)
    return found


def csv_cells(report: ReportKind, line: Line) -> list[str | int]:
    """A line for CSV. Text that a spreadsheet would take for a formula begins with an apostrophe."""
    kinds = [part for kind in report.columns.values() for part in ([MONEY, NUMBER] if kind == MONEY else [kind])]
    found: list[str | int] = []
    for kind, value in zip(kinds, cells(report, line), strict=True):
        is_formula = kind == TEXT and isinstance(value, str) and value.startswith(_FORMULA_STARTS)
        found.append("" if value is None else f"'{value}" if is_formula else value)
    return found


def decimal_text(minor: int) -> str:
    """`-1234.50`, without marks between thousands, so that programs can read it."""
    sign = "-" if minor < 0 else ""
    return f"{sign}{abs(minor) // 100}.{abs(minor) % 100:02d}"
