"""The live watch: what a record of evidence says, and which step a policy takes."""

from typing import NamedTuple

import msgspec

from pairhouse.analysis.exact.covariance import covariances
from pairhouse.analysis.protect.evidence import BILLION, Evidence, Odds, WagerOdds
from pairhouse.analysis.protect.rule_book import fresh_prices, fresh_tally, is_chosen, least_net
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant

NOTHING, WARN, LOWER, CLOSE = "nothing", "warn", "lower limits", "close"


class WatchPolicy(NamedTuple):
    """How sure the house must be for each step: the chance that a record without fault ever causes it, at most.

    The rates are for one record and one direction, over its whole life. With 10,000 players a false "close" at
    1 in 100,000,000 happens at most once in 10,000 such houses.
    """

    warn: float = 1e-4
    lower: float = 1e-6
    close: float = 1e-8

    def step(self, peak: float) -> str:
        """The step that a fortune at its highest calls for."""
        for name, alpha in ((CLOSE, self.close), (LOWER, self.lower), (WARN, self.warn)):
            if peak * alpha >= 1:
                return name
        return NOTHING


def check_policy(policy: WatchPolicy) -> None:
    """Refuse rates that are no chances, or steps that come in another order."""
    if not 0 < policy.close <= policy.lower <= policy.warn < 1:
        given = f"warn {policy.warn:g}, lower {policy.lower:g}, close {policy.close:g}"
        raise Refused("bad-policy", f"rates of {given} are not possible; give chances, each at most the one before")


class WeighedRecord(msgspec.Struct, frozen=True):
    """A record for people, in minor units. `chance` bounds how likely so much evidence ever is without a cause."""

    rounds: int
    staked: int
    net: int
    expected: float
    advantage: float
    z: float | None
    wins_too_much: float
    wins_too_much_chance: float
    loses_too_much: float
    loses_too_much_chance: float
    step: str


def read(evidence: Evidence, policy: WatchPolicy | None = None) -> WeighedRecord:
    """What a record says now."""
    policy = policy or WatchPolicy()
    check_policy(policy)
    return WeighedRecord(
        rounds=evidence.rounds,
        staked=evidence.staked,
        net=evidence.net,
        expected=evidence.expected_billionths / BILLION,
        advantage=evidence.advantage_billionths / BILLION,
        z=evidence.z,
        wins_too_much=evidence.up_peak,
        wins_too_much_chance=1 / evidence.up_peak,
        loses_too_much=evidence.down_peak,
        loses_too_much_chance=1 / evidence.down_peak,
        step=policy.step(max(evidence.up_peak, evidence.down_peak)),
    )


def odds_of(variant: Variant) -> Odds:
    """The odds of every counted wager, with exact covariances. A solved wager is added by who solves it."""
    found = {}
    for name, price in fresh_prices(variant).items():
        least = min(least_net(variant, name), *(row.pays for row in price.rows))
        found[name] = WagerOdds(price.ev, least, price.largest.pays, price.variance, is_chosen(variant, name))
    if not found:  # plain blackjack: what is settled before the choices is priced with them
        return Odds({})
    matrix = covariances(fresh_tally(variant), list(found)).covariance
    names = list(found)
    between = {(names[i], names[j]): value for i, line in enumerate(matrix) for j, value in enumerate(line)}
    return Odds(found, between)
