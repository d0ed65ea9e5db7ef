"""A simulated sample of a game: every wager's estimate with its error, held to the exact price; saved and resumed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.simulation.scoring import Numbers, Score, Spread, moments
from pairhouse.analysis.simulation.strategies import ExactFigures, Way
from pairhouse.core.errors import Refused, shown
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import GAMES, SOURCES, load
from pairhouse.machines.simulate.cluster import Recipe
from pairhouse.machines.simulate.philox import SEED_MAX
from pairhouse.machines.simulate.run import Progress
from pairhouse.machines.simulate.simulation import BLOCK_ROUNDS, Simulation


class Estimate(msgspec.Struct, frozen=True):
    """What a wager came to per unit, the error of that, and how far it lies from the exact price, in such errors.

    The error is that of the exact variance where there is one: a sample that never met a rare win does not know it.
    `rounds` are those in which the wager was at stake; without any there is no `ev`, and where every round came to the
    same and no exact variance is known there is no `stderr`.
    """

    ev: float | None
    stderr: float | None
    z: float | None
    exact: float | None
    rounds: int


@dataclass(frozen=True, eq=False)
class Sampling:
    """What is sampled: a variant, the wagers that are measured, and how choices are made."""

    variant: Variant
    way: Way
    score: Score
    asked: str  # the strategy as it was asked for: a name or a file
    meter: int | None = None  # the reading at which wagers on a meter are measured

    @classmethod
    def of(
        cls,
        variant: Variant,
        strategy: str = "best",
        wagers: Sequence[str] | None = None,
        *,
        hurried: bool = False,
        meter: int | None = None,
    ) -> "Sampling":
        """All wagers, or those named, under a strategy; wagers on a meter at a reading, or at its seed.

        Hurried, the compiler is left alone where it can be.
        """
        method = method_of(variant) if meter is None else method_of(variant).at_reading(meter)
        score = method.score(wagers)
        way = method.play(strategy, wagers=score.wagers, hurried=hurried)
        return cls(method.variant, way, score, strategy, method.reading)

    @property
    def recipe(self) -> Recipe:
        """How a worker elsewhere makes the same simulation."""
        game, options = self.variant.game, tuple(sorted(self.variant.options.items()))
        source = SOURCES.get(game.id, "")
        given = (game.id, options, self.asked, self.score.wagers, self.meter, source, self.variant.rules_hash)
        return simulation_of, given

    @cached_property
    def simulation(self) -> Simulation:
        """For the machine."""
        return Simulation(self.variant, self.score.scoring, self.score.draws, self.way.strategy)

    @cached_property
    def exact(self) -> dict[str, ExactFigures]:
        """The exact prices under the same play."""
        return self.way.exact()

    def begin(self, seed: int) -> Progress:
        """A run at its start."""
        return Progress(self.simulation.scoring.cells, check_seed(seed))

    def estimates(self, tally: Numbers) -> dict[str, Estimate]:
        """Every wager's estimate from a tally."""
        spreads = self.score.spreads(tally)
        return {wager: estimate(spreads[wager], self.exact.get(wager)) for wager in self.score.wagers}

    def first(self, tally: Numbers) -> tuple[str, float, float]:
        """The first wager's running estimate and error, cheap enough to show after every block."""
        name = self.score.wagers[0]
        rounds, mean, variance = moments(self.score.spreads(tally)[name])
        return name, float(mean), sqrt(variance / rounds) if rounds else float("inf")

    @property
    def identity(self) -> dict[str, Any]:
        """What a resumed run must share with the one that was stopped."""
        return {
            "game": self.variant.game.id,
            "options": dict(self.variant.options),
            "rules_hash": self.variant.rules_hash,
            "strategy": self.way.name,
            "wagers": list(self.score.wagers),
            "block_rounds": BLOCK_ROUNDS,
            "meter": self.meter,
        }

    def save(self, progress: Progress, file: Path) -> None:
        """Write where a run stands: whole blocks only, so that it can go on."""
        cells = {str(cell): int(progress.counts[cell]) for cell in np.flatnonzero(progress.counts)}
        record = {**self.identity, "seed": progress.seed, "blocks": progress.blocks, "cells": cells}
        try:
            file.write_bytes(msgspec.json.encode(record))
        except OSError as error:
            raise Refused("bad-file", f"{file} cannot be written: {error.strerror}") from None

    def resume(self, file: Path) -> Progress:
        """Where a run was stopped; refused when it was another run."""
        try:
            record = msgspec.json.decode(file.read_bytes())
            progress = self.begin(int(record["seed"]))
            progress.blocks = int(record["blocks"])
            for cell, number in record["cells"].items():
                progress.counts[int(cell)] = number
        except OSError as error:
            raise Refused("bad-file", f"{file} cannot be read: {error.strerror}; nothing was stopped here") from None
        except (msgspec.DecodeError, KeyError, ValueError, IndexError, TypeError, AttributeError):
            raise Refused("bad-file", f"{file} is not a stopped simulation") from None
        for name, value in self.identity.items():
            if record.get(name) != value:
                given = f"{file} is of {name} {shown(record.get(name))}, not {shown(value)}"
                raise Refused("other-run", f"{given}; start anew, or give what it was started with")
        if int(progress.counts.sum()) != progress.blocks * BLOCK_ROUNDS:
            raise Refused("bad-file", f"{file} is damaged: its rounds are not those of {progress.blocks} blocks")
        return progress


def simulation_of(
    game: str,
    options: tuple[tuple[str, Any], ...],
    strategy: str,
    wagers: tuple[str, ...],
    meter: int | None,
    source: str,
    rules: str,
) -> Simulation:
    """A simulation from plain words, in whatever process; a game from a file is loaded from there, under one hash."""
    if source and game not in GAMES:
        try:
            load(source)
        except Refused as refused:
            given = f"a worker could not load the game: {refused}"
            raise Refused(refused.code, f"{given}; give every worker the same file at the same path") from None
    sampling = Sampling.of(analyst(game, dict(options)), strategy, wagers, meter=meter)
    if sampling.variant.rules_hash != rules:
        given = f"{source or game} has other rules on a worker than where the run was started"
        raise Refused("other-rules", f"{given}; give every worker the same file and the same version")
    return sampling.simulation


def check_seed(seed: int) -> int:
    """A seed that has a key of its own."""
    if not 0 <= seed <= SEED_MAX:
        raise Refused("bad-seed", f"seed {seed} is not possible; give 0 to {SEED_MAX}")
    return seed


def estimate(spread: Spread, exact: ExactFigures | None) -> Estimate:
    """The mean of a spread, its error, and its distance from the exact one."""
    rounds, mean, variance = moments(spread)
    price = exact.ev if exact is not None else None
    if not rounds:
        return Estimate(None, None, None, price, 0)
    known = exact.variance if exact is not None else None
    stderr = sqrt(known / rounds) if known is not None else sqrt(variance / rounds) or None
    if price is None or stderr is None:
        return Estimate(float(mean), stderr, None, price, rounds)
    off = float(mean) - price
    z = off / stderr if stderr else 0.0 if abs(off) < 1e-12 else float("inf")
    return Estimate(float(mean), stderr, z, price, rounds)
