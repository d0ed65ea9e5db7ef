"""A way to play: how simulated choices are made, and the exact price of every wager under that play."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import Price, PricedRow, prices
from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.machines.simulate.simulation import Strategy
from pairhouse.machines.stored import stored_as

if TYPE_CHECKING:
    from pairhouse.analysis.methods.method import Method

Moments = dict[str, tuple[float, float, float]]  # wager -> expectation, variance, skewness


@dataclass(frozen=True)
class ExactFigures:
    """An exact expectation; variance and skewness where they are exact too."""

    ev: float
    variance: float | None
    skewness: float = 0.0

    @classmethod
    def of(cls, price: Price) -> "ExactFigures":
        """The figures of an exact price, in decimals."""
        return cls(float(price.ev), float(price.variance), price.skewness)


@dataclass(frozen=True)
class Way:
    """A way to play a variant: the tables for the machine, and what every wager is exactly worth under it."""

    name: str
    strategy: Strategy | None
    exact: Callable[[], dict[str, ExactFigures]]
    tally: Callable[[], Counted | None]


def exact_in(tally: Counted) -> dict[str, ExactFigures]:
    """Every wager that a tally decides."""
    return {wager: ExactFigures.of(price) for wager, price in prices(tally).items()}


def counted_exact(method: "Method", hurried: bool) -> dict[str, ExactFigures]:
    """The wagers that the cards alone decide. Hurried, they are priced by the second derivation, which needs no
    compiler; not where a meter moves the prices."""
    variant = method.variant
    if not hurried or variant.game.meter(variant.options) is not None:
        return exact_in(method.tally())
    found = stored_as(Moments, f"second {variant.rules_hash}", lambda: _second_moments(method))
    return {wager: ExactFigures(*moments) for wager, moments in found.items()}


def _second_moments(method: "Method") -> Moments:
    """Expectation, variance and skewness by the second derivation."""
    derived = method.second()
    found = {}
    for wager, chances in derived.wagers.items():
        rows = tuple(PricedRow("", 0, chance, net) for net, chance in chances.items())
        price = Price(wager, rows, 0, Fraction(1), derived.method)
        found[wager] = float(price.ev), float(price.variance), price.skewness
    return found


def read_strategy(accepted: list[str], name: str) -> Any:
    """The content of a strategy file, or a refusal that says what would be accepted."""
    path = Path(name)
    if not path.is_file():
        sentence = f"strategy {shown(name)} is unknown; choose {one_of(accepted)}, or give a JSON file that is there"
        raise Refused("unknown-strategy", sentence)
    try:
        return msgspec.json.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
        raise Refused("bad-strategy", f"{name} cannot be read as JSON: {error}") from None
