"""Other readings of the documents: a rule that can be read two ways, priced both ways.

A reading is priced without touching the games: a changed price is a changed paytable over the same tally, and a changed
rule is a copy of the rule book in which one rule has another in its place. Which readings there are is told by the
method of each rule book.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import price
from pairhouse.core.cards import Card
from pairhouse.core.game import Variant
from pairhouse.core.hands import in_order
from pairhouse.core.paytable import Paytable, Row
from pairhouse.core.rule import rule
from pairhouse.machines.link import Function, link


@dataclass(frozen=True)
class Reading:
    """A rule that can be read two ways, and the expectation of a wager under each."""

    rule: str
    ruling: int
    wager: str
    ours: Fraction
    other: Fraction
    how: str


def with_paytables(variant: Variant, paytables: Mapping[str, Paytable]) -> Variant:
    """The variant with other paytables for some of its wagers."""
    wagers = tuple(replace(w, paytable=paytables.get(w.id, w.paytable)) for w in variant.wagers.values())
    return Variant(replace(variant.game, wagers=lambda _options: wagers), variant.options)


def repriced(counted: Counted, wager: str, paytable: Paytable) -> Fraction:
    """The expectation of a wager under another paytable, from the same tally."""
    return price(replace(counted, variant=with_paytables(counted.variant, {wager: paytable})), wager).ev


def with_row(paytable: Paytable, at: int, line: Row) -> Paytable:
    """The paytable with one more row."""
    return replace(paytable, rows=(*paytable.rows[:at], line, *paytable.rows[at:]))


def with_price(paytable: Paytable, name: str, pays: int | Fraction) -> Paytable:
    """The paytable with another price for a row."""
    rows = tuple(replace(line, pays=Fraction(pays)) if line.name == name else line for line in paytable.rows)
    return replace(paytable, rows=rows)


def with_rules(function: Function, changes: Mapping[Function, Function], name: str) -> Function:
    """A copy of a rule in which other rules stand in the place of some; nothing else changes.

    Compiled code is kept on disk under a rule's name and module, so the copy gets a name of its own and the module of
    the rules that changed.
    """
    copy = link(function, changes, rule)
    copy.__name__, copy.__module__ = name, next(iter(changes.values())).__module__
    return copy


def hands_of(shoe: Iterable[Card], size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every hand as a set of so many cards, with the number of ways to take it from the shoe."""
    held = Counter(shoe)
    for hand in combinations_with_replacement(sorted(held), size):
        ways = prod(comb(held[card], number) for card, number in Counter(hand).items())
        if ways:
            yield hand, ways


def expectation(paytable: Paytable, happenings: Iterable[tuple[Any, int]]) -> Fraction:
    """The expectation of a unit on a paytable over what can happen, each with its number of ways."""
    total, net = 0, Fraction(0)
    for happened, ways in happenings:
        total += ways
        net += ways * paytable.paid(happened).pays
    return net / total


@rule
def is_straight_ace_high(a: Card, b: Card, c: Card) -> bool:
    """Three ranks in a row; the ace stands above the king only. [LP-29] [BPP-44]"""
    top, middle, low = in_order(a, b, c)
    return top == middle + 1 and middle == low + 1
