"""The rule books: Markdown in `docs/rules`, carried inside the installed package."""

import inspect
import re
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import count
from pathlib import Path

import msgspec

from pairhouse.core.game import Game, Variant
from pairhouse.core.money import price_text
from pairhouse.core.options import Option
from pairhouse.core.paytable import Wager
from pairhouse.core.rule import is_rule
from pairhouse.games.catalogue import find, is_listed

_RULE = re.compile(r"^- \*\*\[([A-Z0-9]+-\d+)\]\*\* (.*?)(?=^- \*\*\[|^#|\Z)", re.MULTILINE | re.DOTALL)
_CITED = re.compile(r"\[([A-Z][A-Z0-9]*-\d+)\]")


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


def book_of(game: Game) -> str:
    """The rule book of a game, which need not be in the catalogue: one from a session has no other."""
    return read_book(game.id) if is_listed(game) else own_book(game)


def own_book(game: Game) -> str:
    """A rule book made of a game's summary, what its rules say of themselves, its wagers and its options."""
    host, variant = game.host, game.variant()
    theirs = host.variant().wagers if host is not None else {}
    options = [option for option in game.options if len(option.choices) > 1] if host is None else []
    parts = [
        f"# {game.name}",
        game.summary,
        _cards_text(variant)
        if host is None
        else f"The rules of {host.name} (`{host.id}`) hold, and what follows beside them.",
        "## Rules",
        "\n".join(f"- **[{number}]** {text}" for number, text in _said(game).items()),
        "## Wagers",
        *(_wager_text(variant, wager) for wager in variant.wagers.values() if wager.id not in theirs),
        *(["## Options", "\n".join(_option_text(option) for option in options)] if options else []),
    ]
    return "\n\n".join(parts) + "\n"


def _cards_text(variant: Variant) -> str:
    decks, jokers = variant.pack
    with_jokers = f", with {jokers} Joker{'s' * (jokers > 1)} in each" if jokers else ""
    shuffled = "once for every shoe" if variant.game.shoe else "for every round"
    return f"Dealt from {decks} deck{'s' * (decks > 1)} of 52 cards{with_jokers}, shuffled {shuffled}."


def _said(game: Game) -> dict[str, str]:
    """What each rule says of itself, by its number: the one it gives, else the next; how it is played comes first."""
    scope = game.play.__globals__ if game.is_from_session else vars(import_module(game.module))
    rules = [each for each in scope.values() if is_rule(each) and each.__module__ == game.module]
    first = {game.play: 0}
    rules.sort(key=lambda each: first.get(each, 1))
    docs = [inspect.getdoc(each) or "" for each in rules]
    texts = [" ".join(doc.split()) for doc in docs if doc]
    is_own = game.host is None or game.cites != game.host.cites
    letters = game.cites if is_own else "".join(word[0] for word in game.id.split("-")).upper()
    taken = {number for text in texts for number in _CITED.findall(text)}
    free = (number for at in count(1) if (number := f"{letters}-{at}") not in taken)
    said: dict[str, str] = {}
    for text in texts:
        number = next(iter(_CITED.findall(text)), None) or next(free)
        told = _CITED.sub("", text).strip()
        said[number] = f"{said[number]} {told}" if number in said else told
    return said


def _wager_text(variant: Variant, wager: Wager) -> str:
    """A wager, how it comes to be made, and its paytable."""
    about = ""
    if wager.base is not None:
        share = "as much as" if wager.multiple == 1 else f"{wager.multiple} times"
        on = f"the stake on {variant.wagers[wager.base].name}"
        about = f", paid on {on} without one of its own" if wager.bonus else f", {share} {on}, by a choice in the round"
    rows = [(row.name, "a share of the meter" if row.share else price_text(row.pays)) for row in wager.paytable.rows]
    lines = [f"| {name} | {pays} |" for name, pays in [*rows, (wager.paytable.otherwise, "loses")]]
    return "\n".join([f"- {wager.name} (`{wager.id}`){about}", "", "| Result | Pays |", "|---|--:|", *lines])


def _option_text(option: Option) -> str:
    return (
        f"- `{option.name}`: {option.says}; {option.accepted} ({option.text(option.default)} unless another is chosen)"
    )


def numbered_rules(book: str) -> list[NumberedRule]:
    """Every numbered rule of a book, in order."""
    return [NumberedRule(number, text.strip()) for number, text in _RULE.findall(book)]
