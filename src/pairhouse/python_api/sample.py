"""A simulated sample as a table: every wager's estimate, its standard error, and its distance from the exact price."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pairhouse.analysis.simulation.sampling import Estimate, Sampling, check_seed
from pairhouse.core.errors import Refused, shown
from pairhouse.core.game import Variant
from pairhouse.machines.simulate.interpreted import PLAIN_ROUNDS_MAX, interpreter
from pairhouse.machines.simulate.run import go_on, threads
from pairhouse.machines.stored import stored_tallies
from pairhouse.python_api.arguments import integer, whole
from pairhouse.python_api.text_table import FigureTable


class Sample(FigureTable[Estimate]):
    """What each wager came to in a simulation."""

    columns = ("wager", "estimate", "error", "exact", "z")

    def __init__(self, title: str, estimates: Mapping[str, Estimate], rounds: int, seed: int) -> None:
        super().__init__(estimates)
        self.title, self.rounds, self.seed = title, rounds, seed

    def cells(self, name: str, row: Estimate) -> Sequence[str]:
        figures = ((row.ev, "+.6f"), (row.stderr, ".6f"), (row.exact, "+.6f"), (row.z, "+.2f"))
        written = [f"{figure:{form}}" if figure is not None else "" for figure, form in figures]
        return name, *written

    def record(self, name: str, row: Estimate) -> dict[str, Any]:
        return {"wager": name, **msgspec.structs.asdict(row)}


def simulate(
    variant: Variant,
    rounds: float,
    seed: int,
    strategy: str,
    wagers: Sequence[str] | None,
    workers: int | None,
    meter: int | None,
) -> Sample:
    """Play rounds of a game; few of them are played without the compiler, which is quicker and deals the same cards."""
    count = whole(rounds, "rounds")
    if workers is not None:
        whole(workers, "workers")
    if isinstance(wagers, str) or (wagers is not None and not wagers):
        raise Refused("bad-option", f"wagers of {shown(wagers)} cannot be measured; give a list of their ids")
    is_short = count <= PLAIN_ROUNDS_MAX
    with stored_tallies():
        sampling = Sampling.of(variant, strategy, wagers, hurried=is_short, meter=meter)
        progress = sampling.begin(check_seed(integer(seed, "seed")))
        with interpreter(sampling.simulation) if is_short else threads(sampling.simulation, workers) as crew:
            go_on(crew, progress, count)
        title = f"{variant.game.name}: {count:,} rounds of seed {seed}, strategy {sampling.way.name}"
        return Sample(title, sampling.estimates(progress.tally), count, seed)
