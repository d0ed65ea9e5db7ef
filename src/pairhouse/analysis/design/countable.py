"""What a perfect follower of the shoe would win with any paytable: row chances from shoes dealt once, any pays after.

The chance of every row before every round of the shoes does not depend on what the rows pay. So it is counted once,
exactly, and the ceiling of a paytable is a sum over those rounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from pairhouse.analysis.design.tables import paying_rows, without_rows
from pairhouse.analysis.protect.followed_shoes import Numbers, all_ends, cards_a_round, gone_by
from pairhouse.analysis.protect.parts import part_of
from pairhouse.analysis.protect.shoe_prices import Decimals, ShoePrices
from pairhouse.core.cards import pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Paytable, Wager

SHOES, SEED = 300, 1
TABLES_AT_ONCE = 2000


@dataclass(frozen=True, eq=False)
class RowChances:
    """By round and row (top row first) the chance of the row; by round what everything else returns on average."""

    rows: Decimals
    other: Decimals
    shoe: Numbers  # of each round, counted from 0
    behind_cut: int

    def ceilings(self, pays: Decimals) -> Decimals:
        """For each row of pays: units won per 100 rounds by betting whenever the bet is worth more than 0."""
        found = np.zeros(len(pays))
        rows, other = self.rows.astype(np.float32), self.other.astype(np.float32)  # seven digits are plenty here
        for start in range(0, len(pays), TABLES_AT_ONCE):
            evs = rows @ pays[start : start + TABLES_AT_ONCE].T.astype(np.float32) + other[:, None]
            found[start : start + TABLES_AT_ONCE] = 100 * np.maximum(evs, 0).mean(axis=0)
        return found

    def error(self, pays: Sequence[float]) -> float:
        """One standard error of the ceiling of one paytable: how much it differs from shoe to shoe."""
        gains = np.maximum(self.rows @ np.array(pays) + self.other, 0)
        rounds = np.bincount(self.shoe)
        residual = np.bincount(self.shoe, gains) - gains.mean() * rounds
        shoes = len(rounds)
        return float(100 * np.sqrt((residual @ residual) * shoes / (shoes - 1)) / len(gains))


def row_chances(variant: Variant, wager_id: str, dropped: Sequence[str], behind_cut: int) -> RowChances:
    """Deal shoes of a variant and count the chance of every row before every round."""
    if part_of(variant, wager_id).counting is None:
        given = f"{variant.game.name} is not counted from the cards that are left"
        raise Refused("not-counted", f"{given}, so --countable cannot be held to")
    told_apart = _told_apart(without_rows(variant, wager_id, dropped), wager_id)
    part = part_of(told_apart, wager_id)
    prices = ShoePrices(part.variant, part.counting)
    place = prices.wagers.index(wager_id)
    group = next(each for each in prices.groups if place in each.places)
    returns = group.returns[:, group.places.index(place)]
    random, fresh = np.random.default_rng(SEED), np.array(pack(*variant.pack), np.int64)
    fixed, kinds = cards_a_round(variant, 1), int(prices.class_of.max()) + 1
    orders = random.permuted(np.tile(fresh, (SHOES, 1)), axis=1)
    starts = [np.concatenate(([0], ends[:-1])) for ends in all_ends(variant, orders, behind_cut, fixed)]
    shoe = np.repeat(np.arange(SHOES), [len(each) for each in starts])
    remaining = prices.left_of(fresh.tolist())[None, :] - gone_by(prices.class_of[orders], kinds, starts)
    ways = group.evaluator.ways(remaining).astype(np.float64)
    total = np.ones(len(remaining))
    for drawn in range(prices.draws):
        total *= remaining.sum(axis=1) - drawn
    paying = len(paying_rows(told_apart.wagers[wager_id]))
    chances = np.column_stack(
        [ways[:, returns == (row + 2) * prices.steps].sum(axis=1) / total for row in range(paying)]
    )
    pushed = ways[:, returns == prices.steps].sum(axis=1) / total
    return RowChances(chances, -(1 - chances.sum(axis=1) - pushed), shoe, behind_cut)


def _told_apart(variant: Variant, wager_id: str) -> Variant:
    """The game with the paying rows of a wager at 1, 2, 3 ...: prices that tell them apart; pushes stay pushes."""

    def changed(wager: Wager) -> Wager:
        if wager.id != wager_id:
            return wager
        table, paying = wager.paytable, [line.name for line in paying_rows(wager)]
        if any(-1 < line.pays < 0 for line in table.rows):
            raise Refused("not-designed", f"{wager_id} can lose a part of its stake; --countable is not held to here")
        rows = tuple(
            replace(line, pays=Fraction(paying.index(line.name) + 1)) if line.name in paying else line
            for line in table.rows
        )
        return replace(wager, paytable=Paytable(table.name, table.cites, rows, table.otherwise))

    wagers = tuple(changed(wager) for wager in variant.wagers.values())
    return Variant(replace(variant.game, wagers=lambda _options: wagers), variant.options)
