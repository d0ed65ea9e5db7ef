"""Par sheets for people: one document, told as a web page, in print, as a workbook and in a terminal."""

from pairhouse.core.errors import Refused


def missing_extra(library: str | None) -> Refused:
    """What to say when a library of the `reports` extra is not installed."""
    return Refused("missing-extra", f"this report needs {library}; install it with: pip install pairhouse[reports]")
