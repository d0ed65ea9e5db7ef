"""The rule books: Markdown in `docs/rules`, carried inside the installed package."""

import inspect
import re
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from pairhouse.core.game import Game
from pairhouse.core.rule import is_rule
from pairhouse.games.catalogue import find

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
    """The rule book of a game, as Markdown; for a game without one, what its own source says."""
    file = _shelf() / f"{game_id}.md"
    return file.read_text(encoding="utf-8") if file.is_file() else own_book(find(game_id))


def own_book(game: Game) -> str:
    """A rule book made of a game's summary, its options, its wagers, and what its rules say of themselves."""
    module = import_module(game.module)
    rules = [each for each in vars(module).values() if is_rule(each) and each.__module__ == game.module]
    said = [inspect.getdoc(each) for each in rules]
    options = [f"- `{option.name}`: {option.says}" for option in game.options]
    parts = [
        f"# {game.name}",
        game.summary,
        "## Rules",
        *(text for text in said if text),
        *(["## Options", "\n".join(options)] if options else []),
        "## Wagers",
        "\n".join(f"- {wager.name} (`{wager.id}`)" for wager in game.variant().wagers.values()),
    ]
    return "\n\n".join(parts) + "\n"


def numbered_rules(book: str) -> list[NumberedRule]:
    """Every numbered rule of a book, in order."""
    return [NumberedRule(number, text.strip()) for number, text in _RULE.findall(book)]
