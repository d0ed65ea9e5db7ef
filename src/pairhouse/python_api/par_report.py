"""A par sheet in a Python program: print it, read its record, save it in one or several formats."""

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console

from pairhouse.analysis.reports.files import check_format, sheet_bytes
from pairhouse.analysis.reports.par import ParSheet, par_sheet
from pairhouse.analysis.reports.render.terminal import as_text
from pairhouse.core.cards import Card
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.machines.stored import stored_tallies

TEXT_WIDTH = 120


class Report:
    """The par sheet of a game under chosen options."""

    def __init__(self, sheet: ParSheet) -> None:
        self.sheet = sheet

    @property
    def record(self) -> dict[str, Any]:
        """The whole sheet by its fields, as `pairhouse par --json` prints it."""
        return self.sheet.record()

    def save(self, *files: str | Path) -> list[Path]:
        """Write the sheet to each file, in the format its suffix names: .html, .pdf, .xlsx or .json."""
        if not files:
            raise Refused("bad-file", "no file was named; name one or more, such as sheet.html")
        paths = [Path(file) for file in files]
        for path in paths:
            check_format(path)
        for path in paths:
            try:
                path.write_bytes(sheet_bytes(self.sheet, path))
            except OSError as error:
                raise Refused("bad-file", f"{path} cannot be written: {error.strerror}") from None
        return paths

    def __str__(self) -> str:
        page = StringIO()
        Console(file=page, width=TEXT_WIDTH, highlight=False).print(as_text(self.sheet))
        return page.getvalue().rstrip()

    def __repr__(self) -> str:
        return repr(self.sheet)


def par_report(variant: Variant, removed: Sequence[Card]) -> Report:
    """The par sheet with all its parts; tallies that were counted before are read back."""
    with stored_tallies():
        return Report(par_sheet(variant, with_matrix=True, with_readings=True, removed=removed))
