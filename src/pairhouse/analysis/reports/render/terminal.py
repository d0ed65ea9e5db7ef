"""The par sheet in a terminal: every wager in a line, and the rows of each."""

from collections.abc import Iterator
from fractions import Fraction

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pairhouse.analysis.exact.repricing import Repriced
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.reports.par import ParSheet
from pairhouse.analysis.reports.render.document import DataTable, Prose, one_in, percent, signed
from pairhouse.core.money import amount_text, price_text

DIGITS_MAX = 21  # of one figure in a terminal of 80 columns; --json and the documents have all of them


def as_text(sheet: ParSheet) -> RenderableType:
    """Identity, prices, rows, and how to play where there is a choice."""
    decks = f"{sheet.decks} deck{'s' * (sheet.decks > 1)}"
    offered = "" if sheet.offered else ", which no table deals"
    about = Text(f"{sheet.name}, {decks}{offered} · rules {sheet.rules_hash[:12]}", style="bold")
    return Group(about, Text(), _prices(sheet), Text(), _Rows(sheet), *_notes(sheet))


def _table(*titles: str) -> Table:
    """A column of names, which may be broken between words, and columns of figures, which are never broken."""
    table = Table(box=None, pad_edge=False, header_style="dim italic")
    table.add_column(titles[0], overflow="fold")
    for title in titles[1:]:
        table.add_column(title, justify="right", no_wrap=True, overflow="ellipsis")
    return table


def _expectation(ev: Fraction) -> str:
    """As a fraction, or as a decimal where that is too long for its column."""
    return str(ev) if len(str(ev)) < DIGITS_MAX else signed(float(ev), 12)


def ways_text(number: int) -> str:
    """All digits, or a rounded number where these are too many for its column."""
    return f"{number:,}" if len(f"{number:,}") <= DIGITS_MAX else f"about {number:.6e}"


def _prices(sheet: ParSheet) -> Table:
    table = _table("wager", "house edge", "expectation", "hit", "deviation", "largest win")
    for wager, solved in sheet.solved.items():
        line = [percent(-solved.ev), signed(solved.ev, 10), percent(solved.hit, 3), signed(solved.variance**0.5, 3)]
        table.add_row(wager, *line, "")
    for wager, each in sheet.wagers.items():
        line = [percent(-each.ev), _expectation(each.ev), percent(each.hit, 3), signed(each.deviation, 3)]
        table.add_row(wager, *line, price_text(each.largest.pays))
    return table


class _Rows:
    """The rows of every wager; a terminal too narrow for all columns is spared the chance that `1 in` says as well."""

    def __init__(self, sheet: ParSheet) -> None:
        self.sheet = sheet

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        table = self._table(is_narrow=False)
        needed = Measurement.get(console, options.update(max_width=1000), table).maximum
        yield table if needed <= options.max_width else self._table(is_narrow=True)

    def _table(self, is_narrow: bool) -> Table:
        table = _table("row", "pays", "ways", *([] if is_narrow else ["probability"]), "", "return")
        for wager, each in self.sheet.wagers.items():
            table.add_row(Text(wager, style="bold"))
            for row in each.rows:
                chance = [] if is_narrow else [signed(float(row.probability), 8)]
                figures = [price_text(row.pays), ways_text(row.ways), *chance, one_in(row.probability)]
                name = Padding(Text(row.name), (0, 0, 0, 2))
                table.add_row(name, *figures, signed(float(row.returns), 6))
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
            table = Table(box=None, pad_edge=False, header_style="dim italic")
            for place, column in enumerate(block.columns):
                table.add_column(column, justify="left" if place == 0 else "right", overflow="fold")
            for row in block.rows:
                table.add_row(*row)
            yield table


def repriced_text(found: dict[str, Repriced]) -> RenderableType:
    """Before and after, a line each."""
    table = _table("wager", "", "house edge", "expectation", "hit")
    for wager, each in found.items():
        for when, figures in (("now", each.before), ("then", each.after)):
            name = wager if when == "now" else ""
            table.add_row(name, when, percent(figures.edge), _expectation(figures.ev), percent(figures.hit, 3))
        if each.note:
            table.add_row("", Text(each.note, style="dim"))
    return table
