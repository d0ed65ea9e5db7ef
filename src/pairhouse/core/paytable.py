"""Ordered paytables over what happened: the first row that holds is paid. Bets are data; variants differ only here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from numbers import Rational
from typing import Any, TypeVar

from pairhouse.core.errors import Refused, shown

PUSH = Fraction(0)
LOSES = Fraction(-1)
REMEMBERED_MAX = 4096


def always(_happened: Any) -> bool:
    """The condition of a row that catches everything left."""
    return True


def once(_happened: Any) -> int:
    """A wager at risk with its stake, once."""
    return 1


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a paytable: paid `pays` to 1 when the condition holds, or a share of the progressive meter."""

    name: str
    pays: Fraction
    when: Callable[[Any], bool]
    share: Fraction | None = None

    @property
    def wins(self) -> bool:
        return self.pays > 0 or self.share is not None


def row(name: str, pays: int | Fraction, when: Callable[[Any], bool] = always) -> Row:
    """A row paid `pays` to 1."""
    if isinstance(pays, bool) or not isinstance(pays, Rational | float) or not isfinite(pays):
        raise Refused("bad-row", f"the row {name} pays {shown(pays)}; write a number, such as 11 or Fraction(5, 2)")
    return Row(name, Fraction(pays), when)


def share(name: str, of_meter: Fraction, when: Callable[[Any], bool]) -> Row:
    """A row that takes a share of the meter; the stake itself was the price of the ticket and stays with the house."""
    return Row(name, LOSES, when, of_meter)


@lru_cache(maxsize=256)
def _lost(name: str) -> Row:
    return Row(name, LOSES, always)


@dataclass(frozen=True, slots=True)
class Paytable:
    """Ordered rows; when none holds the wager loses, under the name `otherwise`."""

    name: str
    cites: str
    rows: tuple[Row, ...]
    otherwise: str = "no win"

    def paid(self, happened: Any) -> Row:
        """The row that is paid: the first that holds."""
        for line in self.rows:
            if line.when(happened):
                return line
        return _lost(self.otherwise)

    @property
    def prices(self) -> list[Fraction]:
        return [line.pays for line in self.rows]


Found = TypeVar("Found")


class Remembered(dict[Any, Found]):
    """What was found for each happening. Rule books have a few hundred; beyond a limit all are forgotten."""

    def __setitem__(self, happened: Any, found: Found) -> None:
        if len(self) >= REMEMBERED_MAX:
            self.clear()
        super().__setitem__(happened, found)


@dataclass(frozen=True, slots=True)
class Wager:
    """A bet: its paytable, and the kind of happening that decides it.

    A wager is placed before the cards, or (with `base`) follows from a choice: its stake is then `multiple` of the
    stake on the base wager. `bonus` pays on the base stake without a stake of its own. `times` says how often the
    stake is at risk in this happening (a doubled hand twice, a play bet never made not at all). `opens` marks the
    wagers of which a seat must hold at least one. `fixed` is the only stake a wager accepts, where it has one price.
    """

    id: str
    name: str
    paytable: Paytable
    decided_by: type
    opens: bool = False
    group: str = ""
    base: str | None = None
    multiple: Fraction = Fraction(1)
    bonus: bool = False
    times: Callable[[Any], int] = once
    fixed: int | None = None
    rows_found: Remembered[tuple[Row, int]] = field(default_factory=Remembered, init=False, repr=False, compare=False)
    settled_per_unit: Remembered[Any] = field(default_factory=Remembered, init=False, repr=False, compare=False)

    def decide(self, happened: Any) -> tuple[Row, int]:
        """The row that is paid, and how many times the stake is at risk; looked up where this has happened before."""
        found = self.rows_found.get(happened)
        if found is None:
            found = self.rows_found[happened] = self.paytable.paid(happened), self.times(happened)
        return found


def placed(wagers: Sequence[Wager]) -> list[Wager]:
    """The wagers a player puts down before the cards."""
    return [wager for wager in wagers if wager.base is None]
