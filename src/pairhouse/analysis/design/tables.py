"""A wager's rows as a designer sees them: which rows pay, in how many deals each comes, at every number of decks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from pairhouse.analysis.design.search import Numbers
from pairhouse.analysis.exact.prices import stands_alone
from pairhouse.analysis.exact.variants import widened
from pairhouse.analysis.methods.method import COUNTED
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.parts import part_of
from pairhouse.analysis.protect.shoe_prices import Decimals
from pairhouse.core.errors import Refused, unknown
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Paytable, Row, Wager
from pairhouse.core.settlement import settlement_per_unit

Pays = Fraction | int


@dataclass(frozen=True)
class RowWays:
    """For one number of decks: in how many deals each paying row comes, and what all other deals return.

    `ways` has the paying rows from the top; `other` is what the rest returns in all, `other_square` its squares. A
    stake is at risk once in a deal, or not at all.
    """

    decks: int
    total: int
    ways: tuple[int, ...]
    other: Fraction
    other_square: Fraction

    def ev(self, pays: Sequence[int], unit: int = 1) -> Fraction:
        """The expectation when the rows pay so many times 1/unit."""
        paid = sum(ways * pay for ways, pay in zip(self.ways, pays, strict=True))
        return (paid + unit * self.other) / (self.total * unit)

    def variance(self, pays: Sequence[int], unit: int = 1) -> Fraction:
        """The variance when the rows pay so many times 1/unit."""
        squares = sum(ways * pay * pay for ways, pay in zip(self.ways, pays, strict=True))
        return (squares + unit * unit * self.other_square) / (self.total * unit * unit) - self.ev(pays, unit) ** 2

    @property
    def hit(self) -> Fraction:
        return Fraction(sum(self.ways), self.total)


def designed_wager(variant: Variant, wager_id: str) -> Wager:
    """The wager, if its paytable can be designed: it is counted, nothing follows from it, and no choice decides it."""
    method = method_of(variant)
    if wager_id not in variant.wagers:
        raise unknown("wager", wager_id, variant.wagers)
    wager = variant.wagers[wager_id]
    if not stands_alone(variant, wager) or method.source(wager_id) != COUNTED:
        raise Refused("not-designed", f"{wager_id} has no paytable that stands alone, so there is none to design")
    if any(other.base == wager_id for other in variant.wagers.values()):
        given = f"{wager_id} is played, and what follows from it is part of its price"
        raise Refused("not-designed", f"{given}; a paytable alone does not set its price")
    if part_of(variant, wager_id).method.how_played(wager_id):
        given = f"{wager_id} is played, and with other pays it would be played otherwise"
        raise Refused("not-designed", f"{given}; a paytable alone does not set its price")
    if any(line.share for line in wager.paytable.rows):
        raise Refused("not-designed", f"{wager_id} pays shares of a meter, which are no prices")
    return wager


def paying_rows(wager: Wager) -> list[Row]:
    """The rows that win, from the one that pays most; a table may list a row apart that no other row can shadow."""
    return sorted((line for line in wager.paytable.rows if line.pays > 0), key=lambda line: -line.pays)


def at_deck_counts(variant: Variant, decks: Sequence[int]) -> list[Variant]:
    """The same game at each number of decks; its own where none is asked for."""
    if not decks:
        return [variant]
    game = widened(variant.game)
    kept = {name: value for name, value in variant.options.items() if name not in ("decks", "cut_card")}
    return [game.variant({**kept, "decks": number}) for number in decks]


def without_rows(variant: Variant, wager_id: str, dropped: Sequence[str]) -> Variant:
    """The game with some rows of a wager taken out; what they caught goes to the next row that holds."""
    if not dropped:
        return variant

    def changed(wager: Wager) -> Wager:
        if wager.id != wager_id:
            return wager
        table = wager.paytable
        kept = tuple(line for line in table.rows if line.name not in dropped)
        return replace(wager, paytable=Paytable(table.name, table.cites, kept, table.otherwise))

    wagers = tuple(changed(wager) for wager in variant.wagers.values())
    return Variant(replace(variant.game, wagers=lambda _options: wagers), variant.options)


def row_ways(variant: Variant, wager_id: str, dropped: Sequence[str] = ()) -> RowWays:
    """Count the rows of a wager, some of them dropped."""
    tally = part_of(variant, wager_id).method.tally()
    wager = without_rows(variant, wager_id, dropped).wagers[wager_id]
    names = [line.name for line in paying_rows(wager)]
    ways, other, square = [0] * len(names), Fraction(0), Fraction(0)
    for story, number in tally.stories.items():
        settled = [found for _, happened in story if (found := settlement_per_unit(wager, happened)) is not None]
        if len(settled) == 1 and settled[0].row.name in names and settled[0].stake == 1:
            ways[names.index(settled[0].row.name)] += number
            continue
        net = sum((found.net for found in settled), Fraction(0))
        if any(found.net > 0 for found in settled):
            raise Refused("not-designed", f"{wager_id} can be paid more than once in a round; it is not designed here")
        other += number * net
        square += number * net**2
    return RowWays(variant.pack[0], tally.total, tuple(ways), other, square)


def edges(each: RowWays, pays: Numbers, unit: int) -> Decimals:
    """The edge of each row of pays, in decimals."""
    found: Decimals = -((pays / unit) @ (np.array(each.ways) / each.total) + float(each.other / each.total))
    return found


def variances(each: RowWays, pays: Numbers, unit: int) -> Decimals:
    """The variance of each row of pays, in decimals."""
    chances = np.array([float(Fraction(ways, each.total)) for ways in each.ways])
    square = (pays / unit) ** 2 @ chances + float(each.other_square / each.total)
    found: Decimals = square - edges(each, pays, unit) ** 2
    return found


def whole(value: Fraction) -> Pays:
    """A whole number as one."""
    return int(value) if value.denominator == 1 else value
