"""The par sheet as one web page that asks the network for nothing."""

import base64
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import groupby
from typing import Any

from pairhouse.analysis.reports.render import missing_extra
from pairhouse.analysis.reports.render.document import Block, Document, Picture

# Actions of every game's charts: the colours people know, light enough to print letters on.
COLOURS = {
    "P": "#bfe0d2", "F": "#f0c9bd", "H": "#f3d3a8", "S": "#f0bdb4", "D": "#b9d3ee", "DS": "#b9d3ee", "DH": "#b9d3ee",
    "R": "#dcd3ea", "RH": "#dcd3ea", "RS": "#dcd3ea", "RP": "#dcd3ea", "PH": "#d5e8b8", "I": "#e6e2c3", "N": "#eceff1",
}  # fmt: skip


def in_runs(blocks: Sequence[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Blocks in order; narrow pictures that follow one another stand side by side."""
    for narrow, run in groupby(blocks, key=lambda block: isinstance(block, Picture) and not block.wide):
        if narrow:
            yield "side", list(run)
        else:
            yield from ((type(block).__name__, [block]) for block in run)


def data_uri(svg: str) -> str:
    """A picture carried inside the page."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def as_html(document: Document) -> str:
    """The page."""
    try:
        import jinja2
        import markupsafe
    except ModuleNotFoundError as error:
        raise missing_extra(error.name) from None

    def marked(text: str) -> Any:
        """The little Markdown that rule books use: `code`, **bold** and *emphasis*."""
        safe = str(markupsafe.escape(text))
        safe = re.sub(r"`([^`]+)`", r"<code>\1</code>", safe)
        safe = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", safe)
        return markupsafe.Markup(re.sub(r"\*([^*]+)\*", r"<i>\1</i>", safe))

    made = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    made.filters |= {"in_runs": in_runs, "data_uri": data_uri, "marked": marked}
    source = (files("pairhouse.analysis.reports.render") / "templates" / "par.html.j2").read_text(encoding="utf-8")
    return made.from_string(source).render(document=document, colours=COLOURS)
