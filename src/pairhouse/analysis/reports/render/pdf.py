"""The par sheet in print, set by Typst from a wheel: no other program is needed."""

from importlib.resources import files

import msgspec

from pairhouse.analysis.reports.render import missing_extra
from pairhouse.analysis.reports.render.document import Document
from pairhouse.analysis.reports.render.html import COLOURS


def as_pdf(document: Document) -> bytes:
    """The pages."""
    try:
        import typst
    except ModuleNotFoundError as error:
        raise missing_extra(error.name) from None
    source = (files("pairhouse.analysis.reports.render") / "templates" / "par.typ").read_bytes()
    inputs = {"document": msgspec.json.encode(document).decode(), "colours": msgspec.json.encode(COLOURS).decode()}
    made: bytes = typst.compile(source, sys_inputs=inputs, ignore_system_fonts=True)
    return made
