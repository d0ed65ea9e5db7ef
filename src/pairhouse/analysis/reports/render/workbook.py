"""The par sheet as a workbook: decimals to calculate with, and every fraction as text beside them."""

import io
from fractions import Fraction
from typing import Any

from pairhouse.analysis.exact.risk import SMALLEST
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.reports.par import ParSheet, WagerSheet
from pairhouse.analysis.reports.render import missing_extra

Cells = list[Any]


def as_xlsx(sheet: ParSheet) -> bytes:
    """A workbook: summary, rows, risk, decks and covariances, each on its own sheet."""
    try:
        import xlsxwriter
    except ModuleNotFoundError as error:
        raise missing_extra(error.name) from None
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": f"{sheet.name}, par sheet", "comments": f"rules {sheet.rules_hash}"})
    head = book.add_format({"italic": True, "bottom": 1, "text_wrap": True, "valign": "bottom"})
    for name, rows in pages(sheet).items():
        page = book.add_worksheet(name)
        page.freeze_panes(1, 1)
        for place, title in enumerate(rows[0]):
            page.write(0, place, title, head)
        for number, cells in enumerate(rows[1:], 1):
            for place, cell in enumerate(cells):
                page.write(number, place, _cell(cell))
        for place in range(len(rows[0])):
            page.set_column(place, place, _width([row[place] for row in rows if place < len(row)]))
    book.close()
    return out.getvalue()


def _cell(value: Any) -> Any:
    """Whole numbers beyond what a cell can hold exactly are kept as text."""
    if isinstance(value, Fraction) or (isinstance(value, int) and abs(value) > 10**15):
        return str(value)
    return value


def _width(cells: Cells) -> float:
    return min(44, max(9, *(len(str(cell)) + 1 for cell in cells)))


def pages(sheet: ParSheet) -> dict[str, list[Cells]]:
    """The sheets of the workbook; the first row of each holds the titles."""
    found = {
        "Summary": _summary(sheet),
        "Rows": _rows(sheet),
        "Risk": _risk(sheet),
        "About": [["", ""], *([name, str(value)] for name, value in _about(sheet).items())],
    }
    if sheet.by_decks:
        wagers = list(sheet.by_decks[0].ev)
        titles: Cells = ["decks", "offered", *(f"{wager}{kind}" for wager in wagers for kind in ("", ", exact"))]
        lines: list[Cells] = [
            [at.decks, at.offered, *(cell for wager in wagers for cell in (float(at.ev[wager]), at.ev[wager]))]
            for at in sheet.by_decks
        ]
        found["Decks"] = [titles, *lines]
    if sheet.together is not None:
        names = sheet.together.wagers
        pairs = [(i, j) for i in range(len(names)) for j in range(i + 1)]
        found["Together"] = [
            ["wager", "with", "correlation", "covariance", "covariance, exact"],
            *(
                [names[i], names[j], sheet.together.correlation[i][j], float(value), value]
                for i, j in pairs
                for value in [sheet.together.covariance[i][j]]
            ),
        ]
    for wager, solved in sheet.solved.items():
        found[wager.capitalize()] = [
            ["net result", "probability"],
            *([row["pays"], row["probability"]] for row in solved.rows),
            *([name, value] for name, value in solved.record().items() if isinstance(value, str | float)),
        ]
    found |= method_of(sheet.variant).workbook_pages(sheet)
    on_meters = {wager: each.meter for wager, each in sheet.wagers.items() if each.meter is not None}
    if on_meters:
        found["Meter"] = [
            ["wager", "meter", "ev", "ev, exact"],
            *([wager, at.reading, float(at.ev), at.ev] for wager, meter in on_meters.items() for at in meter.readings),
            *([wager, meter.break_even, "breaks even", ""] for wager, meter in on_meters.items()),
        ]
    if sheet.not_priced:
        found["Not priced"] = [["wager", "why"], *([wager, reason] for wager, reason in sheet.not_priced.items())]
    return found


def _about(sheet: ParSheet) -> dict[str, Any]:
    return {
        "game": sheet.game, "name": sheet.name, "version": sheet.version, "rules hash": sheet.rules_hash,
        "decks": sheet.decks, "offered at a table": sheet.offered, **sheet.options,
    }  # fmt: skip


def _summary(sheet: ParSheet) -> list[Cells]:
    titles: Cells = [
        "wager", "name", "ev", "ev, exact", "house edge", "element of risk", "hit", "hit, exact", "variance",
        "variance, exact", "deviation", "skewness", "volatility index", "largest win", "one in", "method",
    ]  # fmt: skip
    return [titles, *([wager, *_figures(each)] for wager, each in sheet.wagers.items())]


def _figures(each: WagerSheet) -> Cells:
    return [
        each.name, float(each.ev), each.ev, -float(each.ev), -float(each.element_of_risk), float(each.hit), each.hit,
        float(each.variance), each.variance, each.deviation, each.skewness, each.volatility_index,
        float(each.largest.pays), each.largest.one_in, each.method,
    ]  # fmt: skip


def _rows(sheet: ParSheet) -> list[Cells]:
    titles: Cells = ["wager", "row", "pays", "pays, exact", "ways", "of", "probability", "probability, exact", "return"]
    return [
        titles,
        *(
            [wager, row.name, float(row.pays), row.pays, row.ways, each.total_ways, float(row.probability),
             row.probability, float(row.returns)]
            for wager, each in sheet.wagers.items()
            for row in each.rows
        ),
    ]  # fmt: skip


def _risk(sheet: ParSheet) -> list[Cells]:
    titles: Cells = ["wager", "rounds", "band 99 %, low", "high", "chance ahead", "normal approximation"]
    lines: list[Cells] = []
    for wager, each in sheet.wagers.items():
        chances = {ahead.rounds: ahead for ahead in each.ahead}
        widths = {band.rounds: band for band in each.bands_99}
        for rounds in sorted({*chances, *widths}):
            band, ahead = widths.get(rounds), chances.get(rounds)
            lines.append([
                wager, rounds, band.low if band else "", band.high if band else "",
                *((_chance(ahead.chance), _chance(ahead.normal_approximation)) if ahead else ("", "")),
            ])  # fmt: skip
    return [titles, *lines]


def _chance(chance: float | None) -> float | str:
    """A chance to calculate with, or in words what it is below where a float cannot hold it."""
    return f"< {SMALLEST:g}" if chance is None else chance
