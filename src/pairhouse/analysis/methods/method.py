"""The one interface that prices, strategies, simulations, reports and advice ask, whatever the rule book."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pairhouse.analysis.exact.counts import Counted, Counting
from pairhouse.analysis.exact.prices import Price, stands_alone
from pairhouse.analysis.exact.prices import price as price_from
from pairhouse.analysis.exact.variants import at_meter
from pairhouse.analysis.methods.records import (
    Advice,
    BetOnNextCard,
    Calls,
    Drill,
    KnownPlay,
    Priced,
    Removal,
    SolvedGame,
    Unpriced,
)
from pairhouse.analysis.reports.charts import Chart
from pairhouse.core.cards import Card, parse
from pairhouse.core.errors import Refused, unknown
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Wager
from pairhouse.machines.events import View

if TYPE_CHECKING:  # what these need (numpy, the compiler) is loaded by whoever asks for it
    from pairhouse.analysis.exact.oracle_check import OracleCheck
    from pairhouse.analysis.reports.par import ParSheet
    from pairhouse.analysis.reports.readings import Reading
    from pairhouse.analysis.reports.render.document import Block, Section
    from pairhouse.analysis.second_derivation import Second
    from pairhouse.analysis.simulation.scoring import Score
    from pairhouse.analysis.simulation.strategies import Way
    from pairhouse.machines.simulate.shoes import Dealing

COUNTED, FORMULA, SOLVED = "counted", "formula", "solved"  # where a price comes from
BURNT = 1  # cards burnt from a new shoe
Moment = Callable[..., Any]  # a rule that does nothing, where side bets are decided


class Method(ABC):
    """How one rule book is counted, solved, scored, advised and derived a second time, under one variant.

    Wagers on a progressive meter are priced at its seed; `at_reading` gives the method at another reading. With
    `dealt_as` the deals are those of another variant of the same game and only the prices are new.
    """

    counting: ClassVar[Counting | None] = None  # the part of the rule book that is counted, before any choice
    solved_least: ClassVar[int] = 0  # the fewest cards that `solved_left` takes

    def __init__(self, variant: Variant, dealt_as: Variant | None = None, reading: int | None = None) -> None:
        meter = variant.game.meter(variant.options)
        self.given = variant
        self.reading = meter.amount if reading is None and meter is not None else reading
        self.variant = at_meter(variant, self.reading)
        self.dealt_as = variant if dealt_as is None else dealt_as

    def repriced(self, variant: Variant) -> Self:
        """The method for a variant that deals the same and pays otherwise; nothing is counted again."""
        return type(self)(variant, self.dealt_as, self.reading)

    def at_reading(self, reading: int) -> Self:
        """The method with the progressive meter at a reading, in minor units."""
        return type(self)(self.given, self.dealt_as, reading)

    # Prices

    @abstractmethod
    def tally(self, shoe: Sequence[Card] | None = None) -> Counted:
        """Every story that is counted exactly, from a fresh pack or from these cards; choices are made best."""

    def source(self, wager: str) -> str | None:
        """Where the price of a wager comes from; None where it has no price of its own."""
        return COUNTED if stands_alone(self.variant, self.wager(wager)) else None

    def reason(self, wager: str) -> str:
        """Why a wager has no price of its own."""
        base = self.wager(wager).base
        return f"it follows from {base} and is part of the price of {base}"

    def priced_apart(self, wager: str) -> Priced:
        """The price of a wager that the tally does not decide: by a formula, or solved."""
        raise LookupError(f"{wager} is priced by no other way than the tally")

    def wager(self, wager: str) -> Wager:
        """A wager by its id, or a refusal that names those there are."""
        if wager not in self.variant.wagers:
            raise unknown("wager", wager, self.variant.wagers)
        return self.variant.wagers[wager]

    def wagers_from(self, *sources: str) -> list[str]:
        """The wagers priced in one of these ways, in the order of the layout."""
        return [wager for wager in self.variant.wagers if self.source(wager) in sources]

    def price(self, wager: str, shoe: Sequence[Card] | None = None) -> Priced:
        """The price of a wager per unit of its first stake; refused where it is unknown or has none."""
        source = self.source(wager)
        if source is None:
            raise Refused("not-priced", f"{wager} has no price of its own: {self.reason(wager)}")
        return price_from(self.tally(shoe), wager) if source == COUNTED else self.priced_apart(wager)

    def exact_price(self, wager: str, shoe: Sequence[Card] | None = None) -> Price:
        """The price of a wager as fractions; refused where it is solved in decimals."""
        found = self.price(wager, shoe)
        if not isinstance(found, Price):
            raise Refused("not-exact", f"{wager} is solved in decimals, with an error below {found.error:g}")
        return found

    def prices(self, shoe: Sequence[Card] | None = None) -> dict[str, Priced | Unpriced]:
        """Every wager in the order of the layout: its price, or why it has none."""
        return {
            wager: self.price(wager, shoe) if self.source(wager) else Unpriced(wager, self.reason(wager))
            for wager in self.variant.wagers
        }

    def how_played(self, _wager: str) -> str:
        """In a few words, how the choices behind a price are made; empty where there are none."""
        return ""

    # Moments of side bets

    def late_moments(self) -> Mapping[Moment, list[tuple[int, ...]]]:
        """The moments for side bets that come after choices, each with all arguments it can be called with."""
        return {}

    def calls_at(self, moment: Moment, _strategy: str = "best") -> Calls:
        """With which arguments a late moment is called under a way to play, each with its chance."""
        raise LookupError(f"{moment.__name__} is no moment that is worked out")

    # What a clever player could win

    def unfollowed(self, wager: str) -> str | None:
        """Why no price of a wager can be told from the cards that are left; None where one can."""
        return None if self.source(wager) is not None else self.reason(wager)

    def removal(self, _wager: str) -> Removal | None:
        """The price with one card gone, where it is not simply counted again."""
        return None

    def left_price(self, _wager: str) -> Callable[[Sequence[Card]], tuple[float, float]] | None:
        """What gives a wager's expectation and mean square from any cards left, in a millisecond; None without it."""
        return None

    def bet_on_next_card(self, _wager: str) -> BetOnNextCard | None:
        """For a wager that only the card after the one that is up decides: which cards, and what it pays."""
        return None

    def solved_left(self, _wager: str, _cards: Sequence[Card]) -> float | None:
        """The expectation of a wager that is played, solved again for the cards that are left; None without a way."""
        return None

    @property
    def solved_rounds(self) -> int:
        """How many rounds are solved for the cards that are left, to know the ceiling of a wager that is played."""
        return 200

    def cards_a_round(self, _seats: int) -> int | None:
        """How many cards a round takes on average, where choices decide it; None where it is not known."""
        return None

    def known_play(self, _seed: int) -> KnownPlay | None:
        """What seeing a card of the dealer's or other seats' hands is worth; None where that means nothing."""
        return None

    # Play

    @property
    def decides(self) -> bool:
        """Whether a player chooses anything during a round."""
        return bool(self.variant.actions)

    def strategies(self) -> list[str]:
        """The ways to play that have a name; the first is the best."""
        return ["best"]

    @abstractmethod
    def play(self, name: str = "best", *, wagers: Sequence[str] = (), hurried: bool = False) -> "Way":
        """A way to play by its name or file: its tables, and what each wager is exactly worth under it.

        `wagers` are those that will be measured. Hurried, what needs no strategy is priced without the compiler.
        """

    @abstractmethod
    def best(self) -> SolvedGame:
        """How the game is best played."""

    @abstractmethod
    def advise(self, hand: Sequence[Card], up: Card | None = None, seen: Sequence[Card] = ()) -> Advice:
        """What each action is worth with a hand, against an up card, given other cards that have been seen."""

    def advise_at(self, view: View) -> Advice:
        """What each awaited action is worth in a round, given every card its player has seen."""
        held, up, seen = seen_cards(view)
        return self.advise(held, up, seen)

    def drills(self) -> list[Drill]:
        """The decisions a player practises; none where nothing is decided."""
        return []

    def charts(self) -> list[Chart]:
        """The strategy charts people know."""
        return []

    # Simulation

    @abstractmethod
    def score(self, wagers: Sequence[str] | None = None) -> "Score":
        """How simulated rounds are counted, for these wagers or for all."""

    @abstractmethod
    def shoe_dealing(self, behind_cut: int | None) -> "Dealing":
        """How a whole shoe is dealt down, with so many cards behind the cut card; refused where there is no shoe."""

    @abstractmethod
    def net_chances(self, stakes: Mapping[str, int]) -> dict[Fraction, float]:
        """What these stakes win together in one round, each net result with its chance."""

    # Checks and reports

    @abstractmethod
    def second(self) -> "Second":
        """The prices again, by a derivation that shares no code with the first."""

    @abstractmethod
    def small(self) -> "OracleCheck":
        """The count held to a plain walk through the rule book, on a small deck."""

    def solved_again(self) -> Any | None:
        """What a certificate says of wagers that are solved: figures derived again, with `agree`."""
        return None

    def readings(self) -> "list[Reading]":
        """Other readings of the game's document that change a price, each priced both ways."""
        return []

    def details(self) -> dict[str, Any]:
        """What else a par sheet says of this rule book, by the name of the field."""
        return {}

    def sections(self, sheet: "ParSheet") -> "list[Section]":
        """The parts of a printed par sheet that tell how to play."""
        from pairhouse.analysis.reports.render.document import ChartBlock, Section

        charts = [ChartBlock(chart) for chart in sheet.charts]
        return [Section("strategy", "How to play", [*charts])] if charts else []

    def how_to_play(self, _sheet: "ParSheet") -> "list[Block]":
        """The same in a few lines, for a terminal."""
        return []

    def sections_after(self, _wager: str, _sheet: "ParSheet") -> "list[Section]":
        """The parts of a printed par sheet that follow a wager's own."""
        return []

    def workbook_pages(self, _sheet: "ParSheet") -> dict[str, list[list[Any]]]:
        """Further pages of a workbook."""
        return {}


def seen_cards(view: View) -> tuple[list[Card], Card | None, list[Card]]:
    """The hand that is asked in a view, the house's first open card, and every other open card."""
    if view.awaiting is None:
        raise Refused("nothing-asked", "the round asks nothing now, so there is nothing to advise")
    asked = view.awaiting["seat"], view.awaiting["hand"]
    held: list[Card] = []
    seen: list[Card] = []
    up: Card | None = None
    for hand in view.hands:
        cards = parse([card for card in hand.cards if card is not None])
        if (hand.seat, hand.hand) == asked:
            held = cards
        elif hand.seat is None and up is None and cards:
            up, seen = cards[0], [*seen, *cards[1:]]
        else:
            seen += cards
    return held, up, seen
