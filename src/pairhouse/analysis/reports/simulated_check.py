"""The simulated part of a certificate: rounds of a named seed, and how far each wager lies from its price."""

import msgspec

from pairhouse.analysis.simulation.agreement import agreement
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.machines.simulate.simulation import BLOCK_ROUNDS

ROUNDS, SEED = 8 * BLOCK_ROUNDS, 1
NOT_LOOKED_UP = ("too-many-situations", "forgetful")


class SimulatedCheck(msgspec.Struct, frozen=True):
    """Simulated rounds of the rule book's own source. The same seed and rounds give the same figures anywhere."""

    rounds: int
    seed: int
    strategy: str
    z: dict[str, str]
    tests: int
    least_p: str
    how: str
    agree: bool


def simulated_check(variant: Variant) -> SimulatedCheck:
    """Simulate, and hold every wager to its exact price; no rounds where best play cannot be looked up."""
    try:
        found = agreement(variant, ROUNDS, SEED)
    except Refused as refused:
        if refused.code not in NOT_LOOKED_UP:
            raise
        return SimulatedCheck(0, SEED, "best", {}, 0, "", f"not simulated: {refused}", agree=True)
    z = {wager: f"{told.simulated.z:+.4f}" for wager, told in found.wagers.items() if told.simulated.z is not None}
    least = f"{found.least_p:.4g}"
    return SimulatedCheck(found.rounds, SEED, found.strategy, z, len(found.tests), least, found.how, found.agrees)
