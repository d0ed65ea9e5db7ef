"""A second derivation of every price: written from the rule books' text, sharing no code with the games or machines.

Only the prices themselves are read from the paytables, by row name. What happens, and how often, is worked out again by
plain loops over cards. Two derivations that agree as fractions are worth more than one that is trusted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pairhouse.core.game import Variant

Distribution = Mapping[Fraction, Fraction]  # what a unit wins -> how likely


@dataclass(frozen=True)
class Second:
    """How the second derivation was made, what it found for each wager, and whether it should know every wager."""

    method: str
    wagers: Mapping[str, Distribution]
    covers_all: bool = True


def pays_of(variant: Variant, wager: str) -> dict[str, Fraction]:
    """The prices of a wager by row name; what is in no row loses."""
    return {line.name: line.pays for line in variant.wagers[wager].paytable.rows}


def settled(ways: Mapping[str, int], pays: Mapping[str, Fraction], total: int) -> dict[Fraction, Fraction]:
    """Ways by row name as chances by net result; ways not named lose the stake."""
    found: dict[Fraction, int] = {}
    for name, number in ways.items():
        found[pays[name]] = found.get(pays[name], 0) + number
    rest = total - sum(ways.values())
    found[Fraction(-1)] = found.get(Fraction(-1), 0) + rest
    return {net: Fraction(number, total) for net, number in found.items() if number}
