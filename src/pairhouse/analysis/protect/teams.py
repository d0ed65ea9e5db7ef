"""Teams who share out the wagers of a round, one follower each: which of them are worth it, and what they win together.

Followers do not get in each other's way: a stake changes no card. So what a team wins is the sum of what its members
win, and the best team of so many is those wagers with the highest ceilings.
"""

from collections.abc import Mapping

import msgspec


class Team(msgspec.Struct, frozen=True):
    """So many followers, a wager each: what they win together per 100 rounds, and their share of all there is."""

    followers: int
    wagers: list[str]
    win: float
    share: float


def teams(ceilings: Mapping[str, float]) -> list[Team]:
    """The best team of each size, until a further follower would win nothing."""
    best = [wager for wager in sorted(ceilings, key=lambda name: -ceilings[name]) if ceilings[wager] > 0]
    whole = sum(ceilings.values())
    return [
        Team(number, best[:number], won, won / whole)
        for number in range(1, len(best) + 1)
        for won in [sum(ceilings[wager] for wager in best[:number])]
    ]
