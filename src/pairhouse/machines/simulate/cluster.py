"""The same blocks on a Dask cluster: each worker process compiles the rule book once and runs any block it is given.

A worker that dies loses only the blocks it was at; the scheduler gives them to another, and a block is the same
whichever worker runs it. Simulations are not sent: each worker makes its own from a small recipe.
"""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pairhouse.core.errors import Refused
from pairhouse.machines.simulate.simulation import BLOCK_ROUNDS, Numbers, Simulation

CONNECT_S = 10
STRIDE = 64  # blocks in one task, so that handing it out costs next to nothing of it
ADDRESS = re.compile(r"([a-z]+://)?[^\s:/]+:\d{1,5}|[a-z]+://\[[0-9a-f:]+\]:\d{1,5}")
Recipe = tuple[Callable[..., Simulation], tuple[Any, ...]]  # a function every worker can import, and what to give it


class RefusedByWorker(Refused):
    """A refusal that finds its way back from a worker in one piece."""

    def __reduce__(self) -> tuple[Any, ...]:
        return RefusedByWorker, (self.code, str(self))


@lru_cache(maxsize=8)
def _made(recipe: Recipe) -> Simulation:
    make, given = recipe
    simulation = make(*given)
    simulation.get_ready()
    return simulation


def run_remote(recipe: Recipe, seed: int, block: int, rounds: int) -> Numbers:
    """So many rounds from a block on, in a worker."""
    try:
        simulation = _made(recipe)
    except Refused as refused:
        raise RefusedByWorker(refused.code, str(refused)) from None
    blocks, rest = divmod(rounds, BLOCK_ROUNDS)
    tally = simulation.block(seed, block + blocks, rest)
    for number in range(block, block + blocks):
        tally += simulation.block(seed, number)
    return tally


@dataclass
class ClusterWorkers:
    """The workers of a Dask cluster as workers of a run."""

    client: Any
    recipe: Recipe
    count: int
    stride: int

    def submit(self, seed: int, block: int, rounds: int) -> "Future[Numbers]":
        key = f"pairhouse-{abs(hash(self.recipe)):x}-{seed}-{block}-{rounds}"
        future: Future[Numbers] = self.client.submit(run_remote, self.recipe, seed, block, rounds, key=key, retries=8)
        return future


@contextmanager
def cluster_workers(
    recipe: Recipe, address: str, connect_s: float = CONNECT_S, stride: int = STRIDE
) -> Iterator[ClusterWorkers]:
    """The cluster behind a scheduler's address, or a refusal that says why it cannot be used."""
    try:
        from distributed import Client  # noqa: PLC0415 (an extra)
    except ImportError:
        raise Refused("no-cluster", "running on a cluster needs `pip install pairhouse[cluster]`") from None
    if not ADDRESS.fullmatch(address):
        raise Refused("no-cluster", f"no scheduler answers at {address!r}: an address looks like tcp://host:8786")
    try:
        client = Client(address, timeout=connect_s, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Refused("no-cluster", f"no scheduler answers at {address!r}: {reason}") from None
    with client:
        threads = sum(worker["nthreads"] for worker in client.scheduler_info(n_workers=-1)["workers"].values())
        if not threads:
            raise Refused("no-cluster", f"the scheduler at {address} has no workers")
        yield ClusterWorkers(client, recipe, threads, stride)
