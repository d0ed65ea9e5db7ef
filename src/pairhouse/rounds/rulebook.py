"""The rule books: Markdown in `docs/rules`, carried inside the installed package."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

_RULE = re.compile(r"^- \*\*\[([A-Z0-9]+-\d+)\]\*\* (.*?)(?=^- \*\*\[|^#|\Z)", re.MULTILINE | re.DOTALL)


class NumberedRule(msgspec.Struct, frozen=True):
    """One rule of a book, with its text in Markdown."""

    id: str
    text: str


def _shelf() -> Traversable:
    """Where the books stand: in the package, or in the source tree it was installed from."""
    packaged = files("pairhouse") / "rulebooks"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "docs" / "rules"


def read_book(game_id: str) -> str:
    """The rule book of a game, as Markdown."""
    return (_shelf() / f"{game_id}.md").read_text(encoding="utf-8")


def numbered_rules(book: str) -> list[NumberedRule]:
    """Every numbered rule of a book, in order."""
    return [NumberedRule(number, text.strip()) for number, text in _RULE.findall(book)]
