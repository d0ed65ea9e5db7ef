"""The compiled count held to the oracle: the same rule book, walked card by card in plain Python, on a small deck."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from pairhouse.core.tally import Story, Tally

Chances = dict[tuple[Any, ...], Fraction]  # what was settled, in order -> how likely


class OracleCheck(msgspec.Struct, frozen=True):
    """A small deck, how many different stories it tells, and whether both machines give each the same chance."""

    deck: str
    stories: int
    agree: bool


def oracle_check(deck: str, *walked_and_counted: tuple[Tally, Mapping[Story, int]]) -> OracleCheck:
    """Compare the oracle's tally of a deck with the count's, once for each way the deck was played."""
    checks = [(chances(walked.weights), shares(counted)) for walked, counted in walked_and_counted]
    return OracleCheck(deck, sum(len(slow) for slow, _ in checks), all(slow == fast for slow, fast in checks))


def shares(ways: Mapping[Story, int]) -> Chances:
    """Numbers of deals as chances."""
    total = sum(ways.values())
    return chances({story: Fraction(number, total) for story, number in ways.items()})


def chances(weights: Mapping[Story, Fraction]) -> Chances:
    """Stories without their seats: what is settled for every seat is settled for this one."""
    found: Chances = {}
    for story, weight in weights.items():
        what = tuple(happened for _, happened in story)
        found[what] = found.get(what, Fraction(0)) + weight
    return found
