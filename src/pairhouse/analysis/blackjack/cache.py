"""Solved play stored on disk: the tables of a strategy and what the main wager is worth under it.

Whoever finds it there needs neither the solver nor the compiler.
"""

import zlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from pairhouse.analysis.blackjack.lookup import by_chart, by_composition
from pairhouse.core.game import Variant
from pairhouse.machines.simulate.simulation import Strategy
from pairhouse.machines.stored import stored_as

if TYPE_CHECKING:
    from pairhouse.analysis.blackjack.basic import BasicStrategy

NAMES = ("best", "basic", "mimic-dealer", "never-bust")
ANSWERS: Mapping[str, Callable[[Any, int, int], Any]] = {"chart": by_chart, "composition": by_composition}


class StoredPlay(msgspec.Struct, frozen=True):
    """A way to play: how its tables are read, the tables themselves (type and packed bytes), the expectation."""

    read_by: str
    tables: list[tuple[str, bytes]]
    expectation: float

    def strategy(self, name: str) -> Strategy:
        """For the machine."""
        tables = [np.frombuffer(zlib.decompress(packed), kind).copy() for kind, packed in self.tables]
        return Strategy(name, ANSWERS[self.read_by], tuple(tables))


def packed(strategy: Strategy, expectation: float) -> StoredPlay:
    """A way to play as it is written."""
    tables = [(table.dtype.str, zlib.compress(table.tobytes(), 1)) for table in strategy.tables]
    read_by = next(name for name, answer in ANSWERS.items() if answer is strategy.answer)
    return StoredPlay(read_by, tables, expectation)


def stored_play(variant: Variant, name: str, insures: bool) -> StoredPlay:
    """Play that has a name, solved if it is not on disk."""
    return stored_as(StoredPlay, f"play {variant.rules_hash} {name} {insures}", lambda: _solved(variant, name, insures))


def _solved(variant: Variant, name: str, insures: bool) -> StoredPlay:
    from pairhouse.analysis.blackjack.own_chart import NAMED
    from pairhouse.analysis.blackjack.solution_records import basic_strategy, solution
    from pairhouse.analysis.blackjack.tables import best_strategy

    solved = solution(variant)
    if name == "best":
        return packed(best_strategy(solved, insures), solved.expectation)
    return charted(name, basic_strategy(variant) if name == "basic" else NAMED[name](solved), insures)


def charted(name: str, chart: "BasicStrategy", insures: bool) -> StoredPlay:
    """A chart and what it is worth."""
    from pairhouse.analysis.blackjack.tables import chart_strategy

    return packed(chart_strategy(name, chart, insures), chart.expectation)


def read_play(variant: Variant, name: str, content: Any, insures: bool) -> StoredPlay:
    """A chart from a file, priced by the solver."""
    from pairhouse.analysis.blackjack.own_chart import read_chart
    from pairhouse.analysis.blackjack.solution_records import solution

    whole = content.get("chart", content) if isinstance(content, dict) else content
    return charted(name, read_chart(solution(variant), whole), insures)
