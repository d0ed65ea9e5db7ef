"""What is simulated, without the compiler: a variant, how it is scored, how choices are made.

The compiler is loaded when the compiled loop is first used; a short run does without (`interpreted.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pairhouse.core.game import Variant
from pairhouse.machines.link import Function
from pairhouse.machines.simulate.philox import key_of
from pairhouse.machines.simulate.score import Scoring
from pairhouse.machines.simulate.stream import AHEAD_MAX, BEGINNING, VALUES, ShoeShape, Stream

Numbers = npt.NDArray[np.int64]
Counts = npt.NDArray[np.uint32]
Tables = tuple[npt.NDArray[Any], ...]
Answer = Callable[[Any, int, int], Any]  # (the strategy's tables, legal actions, situation) -> action

BLOCK_ROUNDS = 1 << 20
TABLES_MAX = 3  # tables that a strategy can look things up in


@dataclass(frozen=True, eq=False)
class Strategy:
    """How choices are made: a small function of the rule-book kind, and the tables it looks things up in.

    One that goes `by_cards` is asked with the cards turned up so far or dealt to the seat, at most eight and the first
    one lowest, in place of the situation.
    """

    name: str
    answer: Function
    tables: Tables
    by_cards: bool = False


@dataclass(frozen=True, eq=False)
class Simulation:
    """What is simulated: a variant, how it is scored and played, and the most cards a round can take.

    `draws` of at most eight are all dealt ahead of the round; 0 says that there is no small limit.
    """

    variant: Variant
    scoring: Scoring
    draws: int = 0
    strategy: Strategy | None = None

    @property
    def shoe(self) -> ShoeShape:
        decks, jokers = self.variant.pack
        return ShoeShape(decks * (52 + jokers), 52 + jokers, self.draws or AHEAD_MAX)

    @cached_property
    def tables(self) -> Tables:
        """The tables of the strategy, as many as compiled code expects."""
        given = self.strategy.tables if self.strategy else ()
        return (*given, *[np.zeros(1, np.uint8)] * TABLES_MAX)[:TABLES_MAX]

    @property
    def has_classes(self) -> bool:
        """Whether rounds are sorted: not where all cards are dealt ahead, nor where play goes by whole cards."""
        return not self.draws and not (self.strategy is not None and self.strategy.by_cards)

    @cached_property
    def branch_classes(self) -> npt.NDArray[np.uint8]:
        """The class of a round by its first cards: rounds of one class take the same branches and are played in a row.

        All are of class 0 where the classes are not on disk, and where all cards are dealt ahead.
        """
        from pairhouse.machines.simulate.branch_classes import known_beginnings  # noqa: PLC0415 (it knows simulations)

        known = known_beginnings(self) if self.has_classes else None
        return np.zeros(VALUES**BEGINNING, np.uint8) if known is None else known

    def get_ready(self) -> None:
        """Find the branch classes before a long run. That takes two seconds, once, and saves a tenth."""
        from pairhouse.machines.simulate.branch_classes import beginnings  # noqa: PLC0415

        if self.has_classes:
            self.__dict__["branch_classes"] = beginnings(self)

    @cached_property
    def loop(self) -> Function:
        """The compiled loop, ready to run."""
        from pairhouse.machines.simulate.kernel import loop_of  # noqa: PLC0415 (the compiler)
        from pairhouse.machines.simulate.numba_inlining import clean_copies  # noqa: PLC0415

        loop = loop_of(
            self.variant.game.play,
            self.variant.rules,
            self.scoring,
            self.draws,
            self.strategy,
        )
        if not loop.signatures:  # type: ignore[attr-defined]
            with clean_copies():
                self._run(loop, Stream(0, 0, 0), 0)
        return loop

    def block(self, seed: int, block: int, rounds: int = BLOCK_ROUNDS) -> Numbers:
        """The tally of one block: how often each cell came up in its first so many rounds."""
        key_a, key_b = key_of(seed)
        return self._run(self.loop, Stream(int(key_a), int(key_b), block), rounds).astype(np.int64)

    def _run(self, loop: Function, stream: Stream, rounds: int) -> Counts:
        from pairhouse.machines.simulate.deal import new_lanes  # noqa: PLC0415

        counts = np.zeros(self.scoring.cells, np.uint32)
        scoring = self.scoring
        loop(
            stream,
            self.shoe,
            rounds,
            new_lanes(),
            self.branch_classes,
            scoring.offsets,
            self.tables,
            scoring.zero,
            counts,
        )
        return counts
