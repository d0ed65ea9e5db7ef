"""The games of the gallery and games as text: loaded for a test, without a place in the catalogue."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from pairhouse.analysis.generic.plain_count import CardNeeded, PathTable
from pairhouse.analysis.generic.trial_rounds import actions_of
from pairhouse.analysis.generic.walker import Net
from pairhouse.core.cards import Card
from pairhouse.core.game import Game, Variant
from pairhouse.games.game_files import load_file

GALLERY = Path(__file__).parents[1] / "gallery"
FILES = sorted(file.stem for file in GALLERY.glob("*.py"))


def gallery(name: str) -> Game:
    """A game of the gallery, by the name of its file."""
    return load_file(str(GALLERY / f"{name}.py"), "")


@contextmanager
def written(folder: Path, name: str, text: str) -> Iterator[Game]:
    """A game from its text, in a file of this name; forgotten afterwards."""
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    try:
        yield load_file(str(folder / f"{name}.py"), "")
    finally:
        sys.modules.pop(name, None)
        sys.path.remove(str(folder))


def changed(name: str, *changes: tuple[str, str]) -> str:
    """The text of a file of the gallery with some words changed."""
    text = (GALLERY / f"{name}.py").read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


@dataclass
class _Node:
    """A point of the whole tree: its chance of being dealt, and what follows."""

    reach: Fraction
    value: Fraction = Fraction(0)
    chances: "list[tuple[Fraction, _Node]]" = field(default_factory=list)
    asked: "tuple[Any, ...] | None" = None  # which choice, what is legal, the situation, and all that came before
    actions: "dict[int, _Node]" = field(default_factory=dict)


class _Stop(Exception):
    """A choice is asked that the history does not answer."""

    def __init__(self, asked: tuple[int, int, int]) -> None:
        super().__init__()
        self.asked = asked


class _Tree:
    """The whole tree of a game on a small deck, in plain Python and fractions."""

    def __init__(self, variant: Variant, cards: Sequence[Card], net: Net) -> None:
        self.variant, self.cards, self.net = variant, cards, net
        self.choices: list[_Node] = []
        self.best: dict[tuple[Any, ...], int] = {}
        self.root = self.grow((), (), Fraction(1))

    def grow(self, path: tuple[Card, ...], tape: tuple[int, ...], reach: Fraction, past: tuple[Any, ...] = ()) -> _Node:
        """What can follow these cards and actions."""

        def answer(at: int, legal: int, situation: int) -> int:
            if at == len(tape):
                raise _Stop((at, legal, situation))
            return tape[at]

        node, table = _Node(reach), PathTable(path, answer)
        try:
            self.variant.game.play(table, self.variant.rules)
        except CardNeeded:
            left = [*self.cards]
            for card in path:
                left.remove(card)
            share = Fraction(1, len(left))
            node.chances = [(share, self.grow((*path, card), tape, reach * share, past)) for card in left]
        except _Stop as stop:
            node.asked = (*stop.asked, past)
            node.actions = {
                action: self.grow(path, (*tape, action), reach, (*past, stop.asked, action))
                for action in actions_of(stop.asked[1])
            }
            self.choices.append(node)
        else:
            node.value = self.net(tuple((1, happened) for _, happened in table.story))
        return node

    def worth(self, node: _Node) -> Fraction:
        """Under the best actions found so far."""
        if node.asked is not None:
            return self.worth(node.actions[self.best[node.asked]])
        return node.value + sum((share * self.worth(after) for share, after in node.chances), Fraction(0))

    def work_back(self, number: int) -> None:
        """The best action of every situation of one choice."""
        sums: dict[tuple[Any, ...], dict[int, Fraction]] = {}
        for node in self.choices:
            if node.asked is not None and node.asked[0] == number:
                told = sums.setdefault(node.asked, {})
                for action, after in node.actions.items():
                    told[action] = told.get(action, Fraction(0)) + node.reach * self.worth(after)
        for asked, told in sums.items():
            self.best[asked] = max(told, key=told.__getitem__)


def plain_best(variant: Variant, cards: Sequence[Card], net: Net) -> Fraction:
    """Best play on a small deck for one who remembers everything: the whole tree, worked back choice by choice."""
    tree = _Tree(variant, cards, net)
    for number in sorted({node.asked[0] for node in tree.choices if node.asked}, reverse=True):
        tree.work_back(number)
    return tree.worth(tree.root)
