"""What could be won with a fresh shuffle before every round: exact, and usually nothing, proven by the prices."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from pairhouse.analysis.protect.ceiling import BetLimits
from pairhouse.analysis.protect.rule_book import fresh_prices
from pairhouse.core.errors import Refused, unknown
from pairhouse.core.game import Variant


class FreshProof(msgspec.Struct, frozen=True):
    """The exact expectation of each wager from a fresh shuffle, and what could be won a round, in minor units.

    A shuffle makes every order of the cards equally likely whatever was seen before, so these prices hold for every
    player in every round. Where none is above 0, no stakes win on average: the ceiling is 0, proven.
    """

    expectations: dict[str, Fraction]
    money_a_round: Fraction

    @property
    def nothing_to_win(self) -> bool:
        return self.money_a_round == 0


def fresh_shuffle_ceiling(variant: Variant, limits: BetLimits) -> FreshProof:
    """The ceiling with a fresh shuffle before every round; a wager without an exact price is refused by name."""
    expectations = {name: price.ev for name, price in fresh_prices(variant).items()}
    for name in limits.most:
        if name not in expectations:
            raise Refused("not-priced", f"{name} has no exact price here, so nothing can be proven about it")
    best = sum((max(expectations[name], Fraction(0)) * most for name, most in limits.most.items()), Fraction(0))
    return FreshProof({name: expectations[name] for name in limits.most}, best)


def house_an_hour(variant: Variant, stakes: Mapping[str, int], pace: float) -> float:
    """What the house expects an hour from ordinary play: these stakes in every round, at the prices of a fresh shoe."""
    prices = fresh_prices(variant)
    for name in stakes:
        if name not in prices:
            raise unknown("wager", name, prices)
    return pace * float(-sum((stake * prices[name].ev for name, stake in stakes.items()), Fraction(0)))
