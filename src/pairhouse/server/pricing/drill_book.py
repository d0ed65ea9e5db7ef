"""The drills of the tables: worked out in a process of their own when somebody first asks, and kept on disk."""

import asyncio
import logging
from collections import OrderedDict
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from pairhouse.core.game import Variant
from pairhouse.core.places import cache_root
from pairhouse.server.models import DrillRecord
from pairhouse.server.pricing.price_book import ask_child, option_words
from pairhouse.version import __version__

log = logging.getLogger("pairhouse.drills")

BOOKS_KEPT = 16
DECIMALS = 9


class DrillBook:
    """Drills by rules hash. What is not there yet is None, and is being worked out."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, list[DrillRecord]] = OrderedDict()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def drills(self, variant: Variant) -> list[DrillRecord] | None:
        """The drills of a variant, or None while they are worked out."""
        if not variant.actions:
            return []
        known = self._kept.get(variant.rules_hash) or self._read(variant)
        if known is None and variant.rules_hash not in self._tasks:
            task = self._tasks[variant.rules_hash] = asyncio.create_task(self._work_out(variant))
            task.add_done_callback(lambda _: self._tasks.pop(variant.rules_hash, None))
        return known

    def _read(self, variant: Variant) -> list[DrillRecord] | None:
        path = path_of(variant)
        if not path.exists():
            return None
        found = [_record(drill) for drill in msgspec.json.decode(path.read_bytes())["drills"]]
        self._kept[variant.rules_hash] = found
        while len(self._kept) > BOOKS_KEPT:
            self._kept.popitem(last=False)
        return found

    async def _work_out(self, variant: Variant) -> None:
        out, err, status = await ask_child("solve", variant.game.id, "--drills", "--json", *option_words(variant))
        if status != 0:
            log.error("no drills", extra={"game": variant.game.id, "reason": err.decode().strip()[-200:]})
            return
        path = path_of(variant)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_bytes(out)
        part.replace(path)

    async def finished(self) -> None:
        """Wait for what is being worked out."""
        await asyncio.gather(*self._tasks.values())

    async def close(self) -> None:
        """Stop working things out."""
        for task in [*self._tasks.values()]:
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


def path_of(variant: Variant) -> Path:
    """Where the drills of a variant are kept."""
    return cache_root() / "drills" / f"{variant.rules_hash}-{__version__}.json"


def _record(drill: dict[str, Any]) -> DrillRecord:
    values = {name: f"{float(Fraction(str(value))):+.{DECIMALS}f}" for name, value in drill["values"].items()}
    return DrillRecord(drill["hand"], drill["up"], f"{float(Fraction(drill['frequency'])):.{DECIMALS}f}", values)
