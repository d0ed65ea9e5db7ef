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

    def __repr__(self) -> str:
        return f"<price of {self.wager}: {self.ev:+.12f}, house edge {-self.ev:.4%}>"

    def record(self) -> dict[str, Any]:
        """For JSON: all figures side by side."""
        figures = {name: getattr(self, name) for name in self.__struct_fields__ if name not in ("wager", "details")}
        return {**figures, **self.details}


Priced = Price | SolvedPrice


class Calls(msgspec.Struct, frozen=True):
    """With which arguments a moment of a rule book is called under a way to play, each with its chance.

    The chances are fractions, or decimals that `missing` bounds how far they are off together; `method` says how they
    were found.
    """

    chances: dict[tuple[int, ...], Value]
    missing: float
    method: str
    strategy_class: str


class Square(msgspec.Struct, frozen=True):
    """A square of a strategy chart, by its row and column."""

    chart: str
    row: str
    column: str


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What each legal action is worth per unit of the first stake, best first.

    Where nothing is left to decide, `actions` is empty, `value` says what the hand is worth and `says` why. `offers` is
    what each wager offered beside the choice adds. `error` bounds how far the values are off; 0 where they are exact.
    """

    actions: dict[str, Value]
    best: str | None = None
    strategy_class: str = ""
    error: float = 0.0
    offers: dict[str, Value] = {}
    value: Value | None = None
    says: str = ""
    square: Square | None = None

    def __repr__(self) -> str:
        worth = {} if self.value is None else {"worth": self.value}
        named = {**self.actions, **worth, **self.offers}
        figures = ", ".join(f"{name} {float(value):+.6f}" for name, value in named.items())
        return f"<advice: {f'{self.says} ' if self.says else ''}{figures}>"


class BetOnNextCard(msgspec.Struct, frozen=True):
    """A wager offered when a card of some ranks is up, and won when the card after it has one of other ranks."""

    offered_on: frozenset[int]
    won_by: frozenset[int]
    wins: Fraction
    loses: Fraction


class Removal(msgspec.Struct, frozen=True):
    """The price of a wager from a fresh pack, and with one card gone, by the card's rank (ace first).

    `error` bounds how far each is off. `as_before` holds the prices when nobody changes their play for the card that is
    gone. `up` says of how many cards of a rank lie face up already, and are no cards of the pack.
    """

    price: Value
    without: list[Value]
    error: float = 0.0
    as_before: list[Value] | None = None
    up: dict[int, int] = {}


class SeenCard(msgspec.Struct, frozen=True):
    """A wager when a card of the dealer's is seen before the choice: its value, what it gains, how it is played."""

    wager: str
    ev: float
    gain: float
    deviation: float | None
    win_chance: float | None
    error: float
    exact: Fraction | None
    how: dict[str, Any]


class SharedHands(msgspec.Struct, frozen=True):
    """The first wager of a seat that sees every other seat's hand: exact, or sampled with its error."""

    seats: int
    ev: float
    error: float
    exact: Fraction | None


class KnownPlay(msgspec.Struct, frozen=True):
    """What cards that a player should not know change in the play of a game; `marked` names what backs can tell."""

    seen: SeenCard | None = None
    marked: str = ""
    marked_ev: Fraction | None = None
    shared: list[SharedHands] = []


class SolvedGame(msgspec.Struct, frozen=True, kw_only=True):
    """How a game is best played. `ev` is None where nothing is decided during a round.

    With a `sampling_error` it is not exact: `ev` is the value of a play that was found by sampling.
    """

    ev: Value | None
    strategy_class: str
    says: list[str]
    charts: list[Chart]
    record: dict[str, Any]  # everything, for JSON
    sampling_error: float | None = None

    def __repr__(self) -> str:
        return f"<solved: {' '.join(self.says)}>"


class Drill(msgspec.Struct, frozen=True, kw_only=True):
    """A decision to practise: the hand, what is shown, how often a round asks it, and each action's value, best first.

    Cards are faces, or values alone where suits do not matter.
    """

    hand: list[str]
    up: str | None
    frequency: Fraction
    values: Mapping[str, Value]

    @property
    def loss(self) -> Value:
        """What the smallest mistake costs."""
        best, *others = self.values.values()
        return best - others[0] if others else best - best


class SolvedFigures(msgspec.Struct, frozen=True):
    """A solved wager in a certificate: its price to nine decimals, and exact values that the solver was held to.

    `exact` maps a hand to the value of each action, as a fraction. `small_shoes` maps a shoe to the expectation of the
    whole game on it, as a fraction, dealt through under the solver's play. `agree` says whether the solver's own values
    are the same within its stated error. `side_bets` holds wagers that depend on how the hand is played, to nine
    decimals with a bound on their error.
    """

    ev: str
    basic_strategy_ev: str
    strategy_class: str
    error: str
    exact: dict[str, dict[str, str]]
    small_shoes: dict[str, str]
    agree: bool
    side_bets: dict[str, str] = {}
