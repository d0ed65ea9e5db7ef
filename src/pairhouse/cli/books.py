"""Commands on the books of a house: audit, export, hold, watch, void and table."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from pairhouse.cli.arguments import Json, OptionWords, read_options, write
from pairhouse.cli.serve import Anchor, Db, SealingKey, Signer


@contextmanager
def reading(db: str | None) -> Iterator[Any]:
    """A transaction that reads the books of a house that exists."""
    from pairhouse.core.errors import Refused
    from pairhouse.house.audit import open_books
    from pairhouse.house.house import default_url
    from pairhouse.house.store.database import StoreFailed
    from pairhouse.house.store.migrate import check_version

    database = open_books(db or default_url())
    try:
        with database.reading() as tx:
            check_version(tx)
            yield tx
    except StoreFailed as failed:
        raise Refused("no-books", str(failed)) from None
    finally:
        database.close()


@contextmanager
def house_of(db: str | None) -> Iterator[Any]:
    """Open a house that exists, to change something in it."""
    from pairhouse.core.errors import Refused
    from pairhouse.house.audit import open_books
    from pairhouse.house.house import House, default_url
    from pairhouse.house.store.database import StoreFailed

    url = db or default_url()
    open_books(url)
    try:
        house = House(url, deals=False)
    except StoreFailed as failed:
        raise Refused("no-books", str(failed)) from None
    try:
        yield house
    finally:
        house.close()


def audit(
    db: Db = None,
    json: Json = False,
    since: Annotated[
        list[str] | None,
        typer.Option(metavar="HEAD", help="A file with heads of the log, or a head; the books must extend them."),
    ] = None,
    public_key: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The house's public key, where its sealing key is not at hand."),
    ] = None,
    sealing_key: SealingKey = None,
    signer: Signer = None,
    anchor: Anchor = None,
    processes: Annotated[
        int | None, typer.Option(help="How many processes check rounds; else one for each core.", min=1, max=64)
    ] = None,
) -> None:
    """Check the books: compute seals, cards, results and money again.

    Exit 1 with the first difference, 2 if the audit itself could not be done.
    """
    from rich.console import Console
    from rich.progress import Progress

    from pairhouse.core.errors import Refused
    from pairhouse.house.audit import audit_books, open_books, vault_of
    from pairhouse.house.audit.notebook import AuditFailed
    from pairhouse.house.audit.outside import read_outside
    from pairhouse.house.house import default_url
    from pairhouse.house.sealing_key import SealOptions
    from pairhouse.house.store.database import StoreFailed
    from pairhouse.rounds.records import to_json

    database = open_books(db or default_url())
    vault = vault_of(database)
    outside = read_outside(database, SealOptions(sealing_key, signer, anchor or []), public_key, since or [])
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        tasks = {what: bar.add_task(what, total=None) for what in ("events", "rounds")}

        def progress(what: str, done: int, total: int) -> None:
            bar.update(tasks[what], completed=done, total=total)

        try:
            found = audit_books(database, vault, outside, progress, processes or _cores())
        except StoreFailed as failed:
            raise Refused("no-books", str(failed)) from None
        except AuditFailed as failed:
            write(to_json({"error": str(failed)}) if json else f"No result: {failed}. Please report this error.")
            raise typer.Exit(2) from None
        finally:
            database.close()
    said = clean_report(found) if found.clean else f"The books differ: {found.difference}."
    write(to_json(found) if json else said)
    if not found.clean:
        raise typer.Exit(1)


def _cores() -> int:
    """How many cores this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def clean_report(found: Any) -> str:
    """The text of an audit that found no difference."""
    from pairhouse.core.money import amount_text

    rounds = f"{found.rounds} rounds ({found.replayed} replayed, {found.open_rounds} open)"
    if found.live_rounds:
        rounds += f", {found.live_rounds} rounds of live tables with {found.live_slips} slips"
    people = f"{found.players} players, {found.commitments} commitments"
    events = f"{found.events} events in {len(found.chains)} chains"
    lines = [f"The books are clean: {events}, {rounds}, {found.transfers} transfers, {people}."]
    if found.other_rules:
        other = f"{found.other_rules} rounds are not replayable under the rules in force"
        lines.append(f"{other}; their seals and their money are checked.")
    lines += [epoch_line(epoch) for epoch in found.epochs]
    lines.append(log_report(found))
    lines += [f"  {name:10} {amount_text(amount):>16}" for name, amount in found.accounts.items()]
    return "\n".join(lines)


def epoch_line(epoch: Any) -> str:
    """What an audit says of an epoch that began on old books."""
    began = datetime.fromtimestamp(epoch.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    ended = f"{epoch.rounds} open rounds were voided and {epoch.seeds} seeds revealed"
    return f"Epoch {epoch.epoch} began on {began} ({epoch.reason}): {ended}; {len(epoch.missing)} chains had gone on."


def log_report(found: Any) -> str:
    """What an audit says of the signed log."""
    waiting = f", {found.waiting} more are signed and not in it yet" if found.waiting else ""
    line = f"The signed log has {found.in_log} events{waiting}."
    if not found.heads:
        return f"{line} No head kept outside was compared: give one with --since."
    line += f" They extend {found.heads} heads kept outside, the newest at {found.newest_head} events."
    if found.left_behind:
        line += f" {found.left_behind} heads of an earlier epoch were left behind by a restored backup."
    return line


def export(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="rounds, live-rounds, live-slips, live-entries, transfers, free-bets, free-stakes, events or players.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="A file that ends in .csv or .parquet.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Write the books to a file for other programs, as CSV or Parquet, without secrets."""
    from pairhouse.house.export import export as export_rows
    from pairhouse.rounds.records import to_json

    with reading(db) as tx:
        count = export_rows(tx, what, out)
    write(to_json({"what": what, "rows": count, "file": str(out)}) if json else f"{count} {what} in {out}")


def hold(
    db: Db = None,
    json: Json = False,
    count: Annotated[bool, typer.Option("--count", help="Count prices that are not there yet; takes minutes.")] = False,
) -> None:
    """Actual against theoretical hold of every wager at every table, with its z-score."""
    import asyncio

    from pairhouse.house.floor import read_table, table_ids
    from pairhouse.rounds.records import to_json
    from pairhouse.server.pricing.hold import hold_report
    from pairhouse.server.pricing.price_book import PriceBook

    prices = PriceBook()
    with reading(db) as tx:
        if count:
            asyncio.run(prices.fill([read_table(tx, table_id).betting.variant for table_id in table_ids(tx)]))
        found = hold_report(tx, prices)
    if json:
        write(to_json(found))
        return
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=120)  # nothing is shortened for a file or a pipe
    console.print(hold_table(found))
    console.print(MEANING, style="dim")


MEANING = (
    "z counts standard deviations by which the house is ahead of theory; at an honest table it lies between -3 and +3"
    " in 997 of 1,000 reports. Where players decide (main, ante), theory is best play: below -3 something is wrong,"
    " above +3 players gave away more than they had to. Elsewhere beyond 3 either way asks for an audit, beyond 4 for"
    " closing the table. A wager without z has no price counted yet (`pairhouse hold --count`)."
)


def hold_table(found: Any) -> Any:
    """The hold report as a table for the terminal."""
    from rich.table import Table

    from pairhouse.core.money import amount_text

    table = Table(box=None, pad_edge=False, caption=f"{amount_text(found.in_open_rounds)} is held in open rounds")
    table.add_column("table")
    table.add_column("wager")
    for name in ("bets", "staked", "kept", "hold", "theory", "z"):
        table.add_column(name, justify="right")
    for line in found.lines:
        percent = [f"{float(rate):.3%}" if rate is not None else "" for rate in (line.hold, line.theory)]
        z = line.z or ""
        style = "" if line.z is None or abs(float(line.z)) < 3 else "bold red"
        amounts = (str(line.rounds), amount_text(line.staked), amount_text(line.kept))
        table.add_row(line.table, line.wager, *amounts, *percent, z, style=style)
    return table


def watch(
    db: Db = None,
    json: Json = False,
    lift: Annotated[str | None, typer.Option("--lift", metavar="STEP", help="Undo this step of the watch.")] = None,
) -> None:
    """What the watch has found: steps it took, and the records with the most evidence."""
    from pairhouse.house.watch_log import lift_step
    from pairhouse.rounds.records import to_json
    from pairhouse.server.reading.watch_records import step_record, watch_report

    if lift is not None:
        with house_of(db) as house:
            step = house.do(lambda tx: step_record(lift_step(tx, "command line", lift)))
        write(to_json(step) if json else f"step {step.id} is lifted; the watch begins anew with {_subject(step)}")
        return
    with reading(db) as tx:
        found = watch_report(tx)
    if json:
        write(to_json(found))
        return
    write(
        f"The watch last moved on at {found.looked_at}." if found.looked_at else "The watch has not read these books."
    )
    for step in found.steps:
        done = f"{step.done}, lifted by {step.lifted_by}" if step.lifted_at else step.done
        write(f"{step.id}  {step.at}  {_subject(step)}: {done} ({_evidence(step.figures)})")
    if not found.steps:
        write("No step was taken.")
    for record in found.records:
        write(f"  {record.step:12} {_subject(record)}: {_evidence(record.figures)}")


def _subject(found: Any) -> str:
    """Whom a step or a record of the watch is about."""
    if found.player is not None:
        return f"player {found.player} at {found.table}"
    return f"{found.wager} at {found.table}" if found.wager is not None else f"table {found.table}"


def _evidence(figures: Any) -> str:
    """The figures of a record, in a line."""
    from pairhouse.core.money import amount_text

    net = f"net {amount_text(figures.net)} against {amount_text(figures.expected)} expected"
    z = "" if figures.z is None else f", z {figures.z:+.2f}"
    cards = "" if figures.follows_cards is None else f", follows the cards {figures.follows_cards:g}"
    wins = f"wins too much {figures.wins_too_much:g}, loses too much {figures.loses_too_much:g}"
    return f"{figures.rounds} rounds, {net}{z}; {wins}{cards}"


def void(
    round_id: Annotated[str, typer.Argument(metavar="ROUND", help="The id of an open round.")],
    reason: Annotated[str, typer.Option("--reason", help="misdeal, malfunction or cancelled.")],
    cards: Annotated[int | None, typer.Option("--cards", help="At a live table: the wrong number of cards.")] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Call an open round off: every stake that is not decided goes back, once."""
    from pairhouse.house.live.live_floor import LiveFloor
    from pairhouse.house.pit_acts import live_table_of, void_live_round
    from pairhouse.house.store.transaction import WriteTx
    from pairhouse.rounds.records import to_json

    with house_of(db) as house:
        floor = LiveFloor(house.vault, house.pit.guard)

        def call_off(tx: WriteTx) -> dict[str, str]:
            at_table = live_table_of(tx, round_id)
            if at_table is None:
                return {"player": house.pit.void(tx, "command line", round_id, reason)}
            void_live_round(tx, floor, "command line", at_table, round_id, reason, cards)
            return {"table": at_table}

        whose = house.do(call_off)
    record = {"round": round_id, **whose, "reason": reason}
    to = whose.get("player") or f"everybody at {whose['table']}"
    write(to_json(record) if json else f"round {round_id} is void; what was not decided went back to {to}")


def table(
    table_id: Annotated[str, typer.Argument(metavar="TABLE", help="The id of a table.")],
    status: Annotated[bool | None, typer.Option("--open/--close", help="Open it, or close it.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="Call it something else.")] = None,
    option: OptionWords = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Open, close or rename a table, or switch its options; open rounds go on. Without a change, how it stands."""
    from pairhouse.house.floor import CLOSED, OPEN, FloorTable, change_table, read_table
    from pairhouse.house.live.live_floor import LiveFloor
    from pairhouse.house.store.transaction import WriteTx
    from pairhouse.rounds.records import to_json

    change: dict[str, Any] = {} if status is None else {"status": OPEN if status else CLOSED}
    change |= {} if name is None else {"name": name}
    change |= {"options": read_options(option)} if option else {}
    if change:
        with house_of(db) as house:
            floor = LiveFloor(house.vault, house.pit.guard)

            def set_it(tx: WriteTx) -> FloorTable:
                if option:
                    floor.end_empty_round(tx, "command line", table_id)
                return change_table(tx, "command line", table_id, change)

            found = house.do(set_it)
    else:
        with reading(db) as tx:
            found = read_table(tx, table_id)
    options = dict(found.betting.variant.options)
    record = {
        "id": found.id, "name": found.name, "version": found.version, "status": found.status, "options": options
    }  # fmt: skip
    write(to_json(record) if json else f"{found.name} ({found.id}) is {found.status}, version {found.version}")
