"""Actual against theoretical hold: what the house kept of each wager, and how far that is from what it should keep.

The z-score uses the exact variance of the wager: so many units were staked in so many bets of known size, each with the
variance of the par sheet. A hold is judged by its z-score; a percentage alone says nothing.

A wager that is decided together with the one it follows from (a Play bet with its Ante, doubles and splits with the
main bet) is counted with it, as the par sheet prices it: per unit of the first stake. One that is decided by itself
(insurance) has a line of its own. Seats of one round share the dealer's cards, so their bets vary together; they are
counted as if they always won and lost together, which makes z too small rather than too large. That coups of one shoe
depend on one another a little is left out. A price that moves with a meter has no z.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec
from sqlalchemy import bindparam, func, select

from pairhouse.analysis.exact.prices import stands_alone
from pairhouse.core.game import Variant
from pairhouse.house.floor import read_table, table_ids
from pairhouse.house.live.closed_rounds import ClosedLiveRound, closed_live_round
from pairhouse.house.store.database import Tx
from pairhouse.house.store.live_schema import live_rounds, live_slips
from pairhouse.house.store.schema import rounds
from pairhouse.server.models import Hold, HoldLine
from pairhouse.server.pricing.price_book import PriceBook

PAGE = 5_000
_PAGE = (
    select(rounds.c.id, rounds.c.result, rounds.c.seats, rounds.c.rules_hash)
    .where(
        rounds.c.id > bindparam("after"),
        rounds.c.table_id == bindparam("table"),
        rounds.c.state == "settled",
    )
    .order_by(rounds.c.id)
    .limit(PAGE)
)
_LIVE_PAGE = (
    select(live_rounds.c.id)
    .where(
        live_rounds.c.id > bindparam("after"),
        live_rounds.c.table_id == bindparam("table"),
        live_rounds.c.state == "settled",
        live_rounds.c.rules_hash == bindparam("rules"),
    )
    .order_by(live_rounds.c.id)
    .limit(PAGE)
)
_OPEN = select(func.coalesce(func.sum(rounds.c.staked), 0)).where(rounds.c.state == "open")
_LIVE_OPEN = (
    select(func.coalesce(func.sum(live_slips.c.staked - live_slips.c.decided), 0))
    .join(live_rounds, live_rounds.c.id == live_slips.c.round_id)
    .where(live_rounds.c.state == "open")
)


@dataclass(slots=True)
class WagerSum:
    """Of one wager: bets, all that was staked, first stakes, the squares of each round's, and what the house kept."""

    rounds: int = 0
    staked: int = 0
    first: int = 0
    squares: int = 0
    kept: int = 0


def hold_report(tx: Tx, prices: PriceBook) -> Hold:
    """Every wager at every table that has been dealt."""
    lines: list[HoldLine] = []
    for table_id in table_ids(tx):
        variant = read_table(tx, table_id).betting.variant
        sheet = prices.sheet(variant)
        for wager, total in sums_of(tx, table_id, variant).items():
            lines.append(_line(variant, table_id, wager, total, (sheet or {}).get("wagers", {}).get(wager)))
    return Hold(lines, int(tx.value(_OPEN, {})) + int(tx.value(_LIVE_OPEN, {})))


def sums_of(tx: Tx, table_id: str, variant: Variant) -> dict[str, WagerSum]:
    """What was staked and kept at a table under the rules in force."""
    base = counted_with(variant)
    sums: dict[str, WagerSum] = {}
    after = ""
    while rows := tx.all(_PAGE, {"after": after, "table": table_id}):
        after = rows[-1][0]
        for _, result, seats, rules_hash in rows:
            if rules_hash == variant.rules_hash:
                add_round(sums, base, msgspec.json.decode(result), msgspec.json.decode(seats))
    for played in live_rounds_of(tx, table_id, variant):
        add_round(sums, base, [dict(bets) for bets in played.wagers], played.stakes)
    return sums


def live_rounds_of(tx: Tx, table_id: str, variant: Variant) -> Iterator[ClosedLiveRound]:
    """The settled rounds that people shared at a table under the rules in force; each is dealt again."""
    after = ""
    while rows := tx.all(_LIVE_PAGE, {"after": after, "table": table_id, "rules": variant.rules_hash}):
        after = rows[-1][0]
        for (round_id,) in rows:
            played = closed_live_round(tx, round_id)
            if played is not None:
                yield played


def counted_with(variant: Variant) -> dict[str, str]:
    """On which line each wager stands."""
    return {name: name if stands_alone(variant, wager) else str(wager.base) for name, wager in variant.wagers.items()}


def add_round(
    sums: dict[str, WagerSum], line_of: dict[str, str], result: list[Any], seats: list[dict[str, int]]
) -> None:
    """Add a settled round to the sums of its wagers."""
    first: dict[str, int] = {}
    for bets, placed in zip(result, seats, strict=True):
        for wager, bet in bets.items():
            total = sums.setdefault(line_of[wager], WagerSum())
            total.staked += bet["stake"]
            total.kept += bet["stake"] - bet["returned"]
            if line_of[wager] == wager:
                total.rounds += 1
                first[wager] = first.get(wager, 0) + placed.get(wager, bet["stake"])
    for wager, stake in first.items():
        sums[wager].first += stake
        sums[wager].squares += stake * stake


def z_of(total: WagerSum, ev: float, variance: float) -> float | None:
    """By how many standard deviations the house is ahead of the price, given per unit of the first stake."""
    spread = sqrt(variance * total.squares)
    return (total.kept + ev * total.first) / spread if spread else None


def _line(variant: Variant, table_id: str, wager: str, total: WagerSum, priced: dict[str, Any] | None) -> HoldLine:
    theory = z = None
    if priced is not None and priced.get("ev") is not None and priced.get("meter") is None:
        ev, variance = float(Fraction(str(priced["ev"]))), float(Fraction(str(priced["variance"])))
        theory = f"{-ev:.6f}"
        found = z_of(total, ev, variance)
        z = f"{found:+.3f}" if found is not None else None
    return HoldLine(
        game=variant.game.id,
        table=table_id,
        wager=wager,
        rounds=total.rounds,
        staked=total.staked,
        kept=total.kept,
        hold=f"{total.kept / total.first:.6f}" if total.first else None,
        theory=theory,
        z=z,
    )
