"""Par sheets as files: the format follows from the suffix."""

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from pairhouse.analysis.reports.par import ParSheet, to_json
from pairhouse.analysis.reports.render import missing_extra
from pairhouse.analysis.reports.render.document import Document
from pairhouse.core.errors import Refused, one_of
from pairhouse.rounds.rulebook import book_of, numbered_rules


def document_of(sheet: ParSheet) -> Document:
    """The sheet as a document, with the rules from the rule book."""
    from pairhouse.analysis.reports.render.compose import compose

    book = book_of(sheet.variant.game)
    opening = book.partition("\n## ")[0].split("\n\n")[1:]
    brief = [" ".join(paragraph.split()) for paragraph in opening if paragraph.strip()]
    return compose(sheet, brief, [(rule.id, without_tables(rule.text)) for rule in numbered_rules(book)])


def without_tables(text: str) -> str:
    """A rule as one paragraph; tables of a rule book stay in the rule book."""
    prose = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("|"))
    return re.sub(r"\s+", " ", prose).strip()


def _html(sheet: ParSheet) -> bytes:
    from pairhouse.analysis.reports.render.html import as_html

    return as_html(document_of(sheet)).encode()


def _pdf(sheet: ParSheet) -> bytes:
    from pairhouse.analysis.reports.render.pdf import as_pdf

    return as_pdf(document_of(sheet))


def _xlsx(sheet: ParSheet) -> bytes:
    from pairhouse.analysis.reports.render.workbook import as_xlsx

    return as_xlsx(sheet)


FORMATS: dict[str, Callable[[ParSheet], bytes]] = {
    ".html": _html,
    ".pdf": _pdf,
    ".xlsx": _xlsx,
    ".json": lambda sheet: to_json(sheet.record()),
}


LIBRARIES = {  # of the `reports` extra
    ".html": ("jinja2", "markupsafe", "matplotlib.figure"),
    ".pdf": ("typst", "matplotlib.figure"),
    ".xlsx": ("xlsxwriter",),
}


def check_libraries(suffixes: Iterable[str]) -> None:
    """Refuse a format whose libraries are not installed, before anything is counted."""
    for library in (library for suffix in suffixes for library in LIBRARIES.get(suffix, ())):
        try:
            import_module(library)
        except ModuleNotFoundError as error:
            raise missing_extra(error.name) from None


def check_format(file: Path) -> None:
    """Refuse a file whose suffix names no format."""
    if file.suffix.lower() not in FORMATS:
        raise Refused("bad-file", f"{file} names no format of a par sheet; end it in {one_of(FORMATS)}")


def sheet_bytes(sheet: ParSheet, file: Path) -> bytes:
    """The sheet in the format of a file's suffix."""
    check_format(file)
    return FORMATS[file.suffix.lower()](sheet)
