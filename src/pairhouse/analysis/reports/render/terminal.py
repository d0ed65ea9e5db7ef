"""The par sheet in a terminal: every wager in a line, and the rows of each."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pairhouse.analysis.exact.repricing import Repriced
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.reports.par import ParSheet
from pairhouse.analysis.reports.render.document import DataTable, Prose, one_in, percent, signed
from pairhouse.core.money import amount_text, price_text


def as_text(sheet: ParSheet) -> RenderableType:
    """Identity, prices, rows, and how to play where there is a choice."""
    decks = f"{sheet.decks} deck{'s' * (sheet.decks > 1)}"
    offered = "" if sheet.offered else ", which no table deals"
    about = Text(f"{sheet.name}, {decks}{offered} · rules {sheet.rules_hash[:12]}", style="bold")
    return Group(about, Text(), _prices(sheet), Text(), _rows(sheet), *_notes(sheet))


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim italic")
    for place, title in enumerate(titles):
        table.add_column(title, justify="left" if place == 0 else "right", overflow="fold")
    return table


def _prices(sheet: ParSheet) -> Table:
    table = _table("wager", "house edge", "expectation", "hit", "deviation", "largest win")
    for wager, solved in sheet.solved.items():
        line = [percent(-solved.ev), signed(solved.ev, 10), percent(solved.hit, 3), signed(solved.variance**0.5, 3)]
        table.add_row(wager, *line, "")
    for wager, each in sheet.wagers.items():
        ev = str(each.ev) if len(str(each.ev)) < 26 else signed(float(each.ev), 12)
        table.add_row(
            wager, percent(-each.ev), ev, percent(each.hit, 3), signed(each.deviation, 3), price_text(each.largest.pays)
        )
    return table


def _rows(sheet: ParSheet) -> Table:
    table = _table("row", "pays", "ways", "probability", "", "return")
    for wager, each in sheet.wagers.items():
        table.add_row(Text(wager, style="bold"))
        for row in each.rows:
            chance, adds = signed(float(row.probability), 8), signed(float(row.returns), 6)
            table.add_row(f"  {row.name}", price_text(row.pays), f"{row.ways:,}", chance, one_in(row.probability), adds)
    return table


def _notes(sheet: ParSheet) -> Iterator[RenderableType]:
    """Readings of a meter, wagers without a price, and how to play."""
    for wager, each in sheet.wagers.items():
        if each.meter is not None:
            even = "no reading" if each.meter.break_even is None else amount_text(each.meter.break_even)
            at = f"priced with the meter at {amount_text(each.meter.reading)}; it breaks even from {even}"
            yield Text(f"\n{wager}: {at}.")
            table = _table("meter", "house edge", "expectation")
            for reading in each.meter.readings:
                table.add_row(amount_text(reading.reading), percent(-reading.ev), signed(float(reading.ev), 10))
            yield table
    for wager, reason in sheet.not_priced.items():
        yield Text(f"{wager} has no price of its own: {reason}.", style="dim")
    for block in method_of(sheet.variant).how_to_play(sheet):
        if isinstance(block, Prose):
            yield Text(f"\n{block.text}", style="bold")
        elif isinstance(block, DataTable):
            table = _table(*block.columns)
            for row in block.rows:
                table.add_row(*row)
            yield table


def repriced_text(found: dict[str, Repriced]) -> RenderableType:
    """Before and after, a line each."""
    table = _table("wager", "", "house edge", "expectation", "hit")
    for wager, each in found.items():
        for when, figures in (("now", each.before), ("then", each.after)):
            name = wager if when == "now" else ""
            table.add_row(name, when, percent(figures.edge), str(figures.ev), percent(figures.hit, 3))
        if each.note:
            table.add_row("", Text(each.note, style="dim"))
    return table
