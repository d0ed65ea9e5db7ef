"""A simulation run: numbered blocks on as many workers as there are, added up in order, stopped at any time.

The tally after so many blocks does not depend on who ran them: a block depends on the seed and its number alone.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from pairhouse.machines.simulate.simulation import BLOCK_ROUNDS, Numbers, Simulation

AHEAD_PER_WORKER = 2  # blocks given out beyond the one a worker is at, so that none ever waits


class Workers(Protocol):
    """What runs blocks: threads of this process, the workers of a cluster, a GPU. `stride` is how many at a time."""

    count: int
    stride: int

    def submit(self, seed: int, block: int, rounds: int) -> "Future[Numbers]": ...


@dataclass
class Threads:
    """Threads: compiled blocks leave the interpreter alone."""

    simulation: Simulation
    pool: ThreadPoolExecutor
    count: int
    stride: int = 1

    def submit(self, seed: int, block: int, rounds: int) -> "Future[Numbers]":
        return self.pool.submit(self.simulation.block, seed, block, rounds)


@contextmanager
def threads(simulation: Simulation, count: int | None = None) -> Iterator[Threads]:
    """So many threads, by default one a core; the loop is compiled before they start."""
    workers = count or os.cpu_count() or 1
    _ = simulation.loop
    with ThreadPoolExecutor(workers) as pool:
        yield Threads(simulation, pool, workers)


@dataclass
class Progress:
    """How far a run is: full blocks in order, and the rounds of a last block that was run in part."""

    cells: int
    seed: int
    blocks: int = 0
    counts: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    last: Numbers | None = None
    last_rounds: int = 0
    interrupted: bool = False

    def __post_init__(self) -> None:
        if self.counts.size == 0:
            self.counts = np.zeros(self.cells, np.int64)

    @property
    def rounds(self) -> int:
        return self.blocks * BLOCK_ROUNDS + self.last_rounds

    @property
    def tally(self) -> Numbers:
        """All rounds so far."""
        return self.counts if self.last is None else self.counts + self.last


Each = Callable[[int, int, Numbers], None]  # the block, its rounds, its tally


def go_on(
    workers: Workers,
    progress: Progress,
    rounds: int | None,
    stop: Callable[[Progress], bool] = lambda _progress: False,
    each: Each = lambda _block, _rounds, _counts: None,
) -> Progress:
    """Run further blocks until so many rounds are done, `stop` says so, or Ctrl-C is pressed.

    `stop` and `each` see the blocks in order.
    What was given out is finished and counted in any case, so a run is always a number of blocks from the first on.
    A last block that was run in part is forgotten, and run again when a run goes further.
    """
    progress.last, progress.last_rounds = None, 0
    waiting: deque[tuple[int, Future[Numbers]]] = deque()
    given = progress.blocks
    interrupted = False
    try:
        while True:
            while not interrupted and len(waiting) <= AHEAD_PER_WORKER * workers.count and _more(given, rounds):
                together = _together(given, rounds, workers.stride)
                waiting.append((together, workers.submit(progress.seed, given, together * BLOCK_ROUNDS)))
                given += together
            if not waiting:
                break
            try:
                waiting[0][1].result()
            except KeyboardInterrupt:
                interrupted = progress.interrupted = True
            together, future = waiting.popleft()
            counts = future.result()
            each(progress.blocks, together * BLOCK_ROUNDS, counts)
            progress.counts += counts
            progress.blocks += together
            interrupted = interrupted or stop(progress)
        if not interrupted and rounds is not None and progress.rounds < rounds:
            rest = rounds - progress.rounds
            progress.last = workers.submit(progress.seed, progress.blocks, rest).result()
            progress.last_rounds = rest
            each(progress.blocks, rest, progress.last)
    except KeyboardInterrupt:
        progress.interrupted = True
        for _, future in waiting:  # pressed twice: what is not done is left
            future.cancel()
    return progress


def _more(given: int, rounds: int | None) -> bool:
    return rounds is None or (given + 1) * BLOCK_ROUNDS <= rounds


def _together(given: int, rounds: int | None, stride: int) -> int:
    return stride if rounds is None else min(stride, rounds // BLOCK_ROUNDS - given)
