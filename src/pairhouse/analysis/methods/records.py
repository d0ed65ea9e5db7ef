"""What a method answers with: prices, reasons why there is none, best play and advice."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from pairhouse.analysis.exact.prices import Price
from pairhouse.analysis.reports.charts import Chart

Value = Fraction | float  # exact, or a decimal with a stated error


class Unpriced(msgspec.Struct, frozen=True):
    """A wager without a price of its own, and why."""

    wager: str
    reason: str


class SolvedPrice(msgspec.Struct, frozen=True, kw_only=True):
    """The price of a wager under best play, in decimals with their error and the class of strategies it is best in.

    `rows` holds each net result with its chance, off by at most `rows_error`; `details` what else the solver found.
    """

    wager: str
    ev: float
    error: float
    variance: float
    hit: float
    rows: list[dict[str, Any]]
    rows_error: float
    method: str
    strategy_class: str
    details: Mapping[str, Any]

    def record(self) -> dict[str, Any]:
        """For JSON: all figures side by side."""
        figures = {name: getattr(self, name) for name in self.__struct_fields__ if name not in ("wager", "details")}
        return {**figures, **self.details}


Priced = Price | SolvedPrice


class Square(msgspec.Struct, frozen=True):
    """A square of a strategy chart, by its row and column."""

    chart: str
    row: str
    column: str


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What each legal action is worth per unit of the first stake, best first.

    Where nothing is left to decide, `actions` is empty, `value` says what the hand is worth and `says` why. `insurance`
    is what insurance adds, where it is offered. `error` bounds how far the values are off; 0 where they are exact.
    """

    actions: dict[str, Value]
    best: str | None = None
    strategy_class: str = ""
    error: float = 0.0
    insurance: Value | None = None
    value: Value | None = None
    says: str = ""
    square: Square | None = None


class SolvedGame(msgspec.Struct, frozen=True, kw_only=True):
    """How a game is best played. `ev` is None where nothing is decided during a round."""

    ev: Value | None
    strategy_class: str
    says: list[str]
    charts: list[Chart]
    record: dict[str, Any]  # everything, for JSON


class SolvedFigures(msgspec.Struct, frozen=True):
    """A solved wager in a certificate: its price to nine decimals, and exact values that the solver was held to.

    `exact` maps a hand to the value of each action, as a fraction. `small_shoes` maps a shoe to the expectation of the
    whole game on it, as a fraction, dealt through under the solver's play. `agree` says whether the solver's own values
    are the same within its stated error.
    """

    ev: str
    basic_strategy_ev: str
    strategy_class: str
    error: str
    exact: dict[str, dict[str, str]]
    small_shoes: dict[str, str]
    agree: bool
