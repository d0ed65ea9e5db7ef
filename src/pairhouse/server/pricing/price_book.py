"""Exact prices for the tables: taken from the par sheet, counted in a process of their own, kept on disk."""

import asyncio
import logging
import os
import sys
from collections import OrderedDict
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from pairhouse.core.game import Variant
from pairhouse.core.places import cache_root
from pairhouse.server.models import WagerPrice
from pairhouse.server.pricing.solver import environment
from pairhouse.version import __version__

log = logging.getLogger("pairhouse.prices")

SHEETS_KEPT = 256  # in memory; all are on disk
COUNT_MAX_S = 900.0


def _decimal(number: Fraction | float) -> str:
    return f"{float(number):.8f}"


def price_of(record: dict[str, Any]) -> WagerPrice:
    """A line of the par sheet as players see it."""
    if isinstance(record["ev"], str):
        ev, hit = Fraction(record["ev"]), Fraction(record["hit"])
        exact = {"ev": str(ev), "edge_exact": str(-ev), "hit": str(hit)}
        decimals = {"edge": _decimal(-ev), "hit_decimal": _decimal(hit)}
        meter = record["meter"]["reading"] if "meter" in record else None
        return WagerPrice(**exact, **decimals, method=record["method"], meter=meter)
    return WagerPrice(
        ev=None,
        edge=_decimal(-record["ev"]),
        edge_exact=None,
        hit=None,
        hit_decimal=_decimal(record["hit"]) if record.get("hit") is not None else None,
        method=record["method"],
        error=str(record.get("error")),
        strategy=record.get("strategy_class"),
    )


class PriceBook:
    """Par sheets by rules hash. What is not there yet is None; `fill` counts it."""

    def __init__(self) -> None:
        self._sheets: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._prices: dict[str, dict[str, WagerPrice]] = {}  # of these sheets

    def sheet(self, variant: Variant) -> dict[str, Any] | None:
        """The par sheet of a variant, if it is counted."""
        found = self._sheets.get(variant.rules_hash)
        if found is None:
            path = self._path(variant)
            if path.exists():
                found = self._sheets[variant.rules_hash] = msgspec.json.decode(path.read_bytes())
                while len(self._sheets) > SHEETS_KEPT:
                    self._prices.pop(self._sheets.popitem(last=False)[0], None)
        return found

    def prices(self, variant: Variant) -> dict[str, WagerPrice] | None:
        """The price of every wager of a variant, if it is counted."""
        sheet = self.sheet(variant)
        if sheet is None:
            return None
        found = self._prices.get(variant.rules_hash)
        if found is None:
            found = self._prices[variant.rules_hash] = {name: price_of(each) for name, each in sheet["wagers"].items()}
        return found

    def not_priced(self, variant: Variant) -> dict[str, str]:
        """The wagers of a variant without a price of their own, each with the reason, once it is counted."""
        reasons: dict[str, str] = (self.sheet(variant) or {}).get("not_priced", {})
        return reasons

    def _path(self, variant: Variant) -> Path:
        return cache_root() / "par" / f"{variant.rules_hash}-{__version__}.json"

    async def fill(self, variants: list[Variant]) -> None:
        """Count what is missing, one after another, in a process that stands behind all others."""
        for variant in variants:
            if self.sheet(variant) is None:
                await self._count(variant)

    async def _count(self, variant: Variant) -> None:
        out, err, status = await ask_child("par", variant.game.id, "--json", *option_words(variant))
        if status != 0:
            log.error("no price", extra={"game": variant.game.id, "reason": err.decode().strip()[-200:]})
            return
        path = self._path(variant)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(out)
        part.replace(path)


def option_words(variant: Variant) -> list[str]:
    """The options of a variant as words of a command."""
    return [word for name, value in variant.options.items() for word in ("--option", f"{name}={_word(value)}")]


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


async def ask_child(*words: str) -> tuple[bytes, bytes, int | None]:
    """Run a command of ours within limits, in a process that ends with this one, even when this one is killed."""
    theirs, ours = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "pairhouse.server.processes.child_process", *words),
            stdin=theirs,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment(),
        )
        try:
            async with asyncio.timeout(COUNT_MAX_S):
                out, err = await process.communicate()
        except TimeoutError:
            out, err = b"", f"not counted in {COUNT_MAX_S:.0f} s".encode()
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()  # and its pipes are closed
        return out, err, process.returncode
    finally:
        os.close(theirs)
        os.close(ours)
