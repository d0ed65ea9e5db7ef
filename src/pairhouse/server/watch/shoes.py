"""Weighs the stakes on a shoe against its cards, and finds tables that a perfect counter could win too much from."""

from collections.abc import Iterable, Sequence
from math import ceil

import numpy as np

from pairhouse.analysis.protect.ceiling import BetLimits, DealtShoes
from pairhouse.analysis.protect.counting_test import decoys_for, soft_rank
from pairhouse.analysis.protect.rule_book import counted_wagers
from pairhouse.analysis.protect.shoe_prices import Decimals, shoe_prices
from pairhouse.core.cards import pack, parse
from pairhouse.core.game import Variant
from pairhouse.games.floor_plan import CEILING_AN_HOUR, SHOE
from pairhouse.house.floor import FloorTable, is_as_planned
from pairhouse.server.watch.messages import CeilingWarning
from pairhouse.server.watch.rounds_read import ShoeRounds

CEILING_SHOES = 200  # the error of the sample is told apart from a table that is too generous
FASTEST_AN_HOUR = 36_000  # where no least time is set: ten rounds a second


def judged_shoe(variant: Variant, shoe: ShoeRounds, decoys: int, seed: int | None) -> tuple[int, float, float]:
    """What was staked on a shoe, what that was worth given its cards, and the evidence that stakes follow them."""
    priced = set(counted_wagers(variant))
    stakes = [_together(seats, priced) for seats in shoe.seats]
    evs = evs_before(variant, shoe.cards)
    others = decoys_for(
        variant,
        variant.options["cut_card"],
        [bool(each) for each in stakes],
        decoys,
        seed,
        left_early=not shoe.is_finished,
    )
    real, decoy_worths = others.worth(stakes, evs)
    return sum(sum(each.values()) for each in stakes), real, soft_rank(real, decoy_worths)


def _together(seats: Sequence[dict[str, int]], priced: set[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for seat in seats:
        for name, stake in seat.items():
            if name in priced:
                found[name] = found.get(name, 0) + stake
    return found


def evs_before(variant: Variant, cards: Sequence[Sequence[str]]) -> Decimals:
    """What a unit on each wager was worth before each round of a shoe, given the cards of the rounds before."""
    prices = shoe_prices(variant)
    left = prices.left_of(pack(*variant.pack))
    rows = []
    for dealt in cards:
        rows.append(left)
        left = left - prices.left_of(parse(dealt))
    return prices.evs(np.array(rows))


def ceiling_warnings(tables: Iterable[FloorTable], round_ms_min: int | None, seed: int = 1) -> list[CeilingWarning]:
    """The tables dealt from a shoe where a perfect counter could win more than the ceiling an hour.

    Those of the floor plan at their own settings are held to it by a test, and not counted again.
    """
    warnings = []
    for table in tables:
        if table.shuffle != SHOE or not (table.is_open or table.is_live) or is_as_planned(table):
            continue
        least_ms = table.round_ms_min if round_ms_min is None else round_ms_min
        pace = FASTEST_AN_HOUR if least_ms == 0 else min(FASTEST_AN_HOUR, 3_600_000 // least_ms)
        variant, limits = table.betting.variant, table.betting.limits
        most = BetLimits({name: limits.most(name) for name in counted_wagers(variant)}, limits.round_maximum)
        if table.is_live:  # all bettors of a coup together
            most = BetLimits({name: limits.most_of_all(name) for name in counted_wagers(variant)})
        cut = variant.options["cut_card"]
        found = DealtShoes(variant, cut, CEILING_SHOES, seed).ceiling(most)
        if found.money_a_round - found.error > CEILING_AN_HOUR / pace:
            warnings.append(CeilingWarning(table.id, cut, pace, ceil(found.an_hour(pace))))
    return warnings
