"""Actual against theoretical hold: what the house kept of each wager, and how far that is from what it should keep.

The z-score uses the exact variance of the wager: so many units were staked in so many bets of known size, each with the
variance of the par sheet. A hold is judged by its z-score; a percentage alone says nothing.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec
from sqlalchemy import bindparam, func, select

from pairhouse.casino.floor import read_table, table_ids
from pairhouse.casino.store.database import Tx
from pairhouse.casino.store.schema import rounds
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import find
from pairhouse.server.models import Hold, HoldLine
from pairhouse.server.prices import PriceBook

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
_OPEN = select(func.coalesce(func.sum(rounds.c.staked), 0)).where(rounds.c.state == "open")


@dataclass(slots=True)
class _Sum:
    """Of one wager: first stakes, their squares, and what the house kept of them and of what followed from them."""

    rounds: int = 0
    staked: int = 0
    first: int = 0
    squares: int = 0
    kept: int = 0


def hold_report(tx: Tx, prices: PriceBook) -> Hold:
    """Every wager at every table that has been dealt."""
    lines: list[HoldLine] = []
    for table_id in table_ids(tx):
        variant = read_table(tx, table_id).house.variant
        sheet = prices.sheet(variant)
        for wager, total in sums_of(tx, table_id, variant).items():
            lines.append(_line(variant, table_id, wager, total, (sheet or {}).get("wagers", {}).get(wager)))
    row = tx.one(_OPEN, {})
    return Hold(lines, int(row[0]) if row else 0)


def sums_of(tx: Tx, table_id: str, variant: Variant) -> dict[str, _Sum]:
    """What was staked and kept at a table under the rules in force; a wager that follows is counted with its base."""
    base = {wager.id: wager.base or wager.id for wager in find(variant.game.id).wagers(variant.options)}
    sums: dict[str, _Sum] = {}
    after = ""
    while rows := tx.all(_PAGE, {"after": after, "table": table_id}):
        after = rows[-1][0]
        for _, result, seats, rules_hash in rows:
            if rules_hash == variant.rules_hash:
                _add(sums, base, msgspec.json.decode(result), msgspec.json.decode(seats))
    return sums


def _add(sums: dict[str, _Sum], base: dict[str, str], result: list[Any], seats: list[dict[str, int]]) -> None:
    for bets, first in zip(result, seats, strict=True):
        for wager, stake in first.items():
            total = sums.setdefault(wager, _Sum())
            total.rounds += 1
            total.first += stake
            total.squares += stake * stake
        for wager, bet in bets.items():
            total = sums.setdefault(base[wager], _Sum())
            total.staked += bet["stake"]
            total.kept += bet["stake"] - bet["returned"]


def _line(variant: Variant, table_id: str, wager: str, total: _Sum, priced: dict[str, Any] | None) -> HoldLine:
    theory = z = None
    if priced is not None and priced.get("ev") is not None:
        ev, variance = float(Fraction(str(priced["ev"]))), float(Fraction(str(priced["variance"])))
        theory = f"{-ev:.6f}"
        spread = sqrt(variance * total.squares)
        if spread:
            z = f"{(total.kept + ev * total.first) / spread:+.3f}"
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
