"""`pairhouse report`: what happened in a period, for an operator or a regulator."""

import sys
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from pairhouse.cli.arguments import write
from pairhouse.cli.books import reading
from pairhouse.cli.serve import Db

Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help="sessions, players, tables, wagers, open-rounds, large-wins, free-bets, exclusions or changes.",
    ),
]


def report(
    kind: Kind,
    since: Annotated[str | None, typer.Option("--from", metavar="DAY", help="From this day or time, in UTC.")] = None,
    until: Annotated[str | None, typer.Option("--to", metavar="DAY", help="To the end of this day, in UTC.")] = None,
    form: Annotated[str, typer.Option("--format", help="csv or json")] = "csv",
    least: Annotated[int, typer.Option(help="The smallest large win, in minor units.", min=0)] = 100_000,
    out: Annotated[Path | None, typer.Option("--out", help="A file; else the report is printed.")] = None,
    db: Db = None,
) -> None:
    """Tell what happened in a period, by default the month so far. Where nothing did, it says so."""
    from pairhouse.core.errors import Refused
    from pairhouse.house.reports.writing import check_format, find_report, read_period, write_report
    from pairhouse.house.store.writer import now_ms

    find_report(kind)
    period, form = read_period(since, until, now_ms(), least), check_format(form)

    def write_to(target: BinaryIO) -> int:
        with reading(db) as tx:
            return write_report(tx, kind, period, form, target)

    if out is None:
        write_to(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    part = out.with_name(out.name + ".part")
    try:
        with part.open("wb") as file:
            count = write_to(file)
        part.replace(out)
    except OSError as error:
        raise Refused("bad-file", f"{out} cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
    write(f"{count} lines in {out}")
