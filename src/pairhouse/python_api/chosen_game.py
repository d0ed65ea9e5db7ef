"""A game under chosen options, with everything that can be asked of it: prices, best play, samples, rounds, reports."""

import hashlib
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from pairhouse.core.cards import Card, parse
from pairhouse.core.errors import Refused, shown
from pairhouse.core.game import Game, Variant
from pairhouse.core.meter import Meter
from pairhouse.core.paytable import placed
from pairhouse.games.catalogue import GAMES, find, given
from pairhouse.python_api.arguments import Cards, integer, read_cards, read_wagers, whole
from pairhouse.python_api.dealt_round import DealtRound
from pairhouse.python_api.file_changes import forget
from pairhouse.rounds.fairness import Order, WordStream
from pairhouse.rounds.records import to_json
from pairhouse.rounds.round_log import MeterReading, meter_at, read_round
from pairhouse.rounds.shuffle import fresh_cards

if TYPE_CHECKING:  # loaded by the calls that need them, so that `import pairhouse` stays light
    from pairhouse.analysis.methods.records import Priced
    from pairhouse.analysis.simulation.agreement import Agreement
    from pairhouse.python_api.best_play import BestPlay
    from pairhouse.python_api.par_report import Report
    from pairhouse.python_api.price_table import PriceTable
    from pairhouse.python_api.sample import Sample


def game(name: str | Game, **options: Any) -> "ChosenGame":
    """A game by its id (or a `Game` of your own) under these options; those not named have their defaults."""
    return ChosenGame((name if isinstance(name, Game) else find(name)).variant(options))


def load(source: str | PathLike[str], **options: Any) -> "ChosenGame":
    """A game from a file (`my_game.py`, `my_game.py:NAME`) or a module. Its code is run, and anew if it changed."""
    if not isinstance(source, (str, PathLike)):
        raise Refused("bad-file", f"{shown(source)} is no file of a game; give its name, such as my_game.py")
    name = fspath(source)
    forget(name)
    return ChosenGame(given(name).variant(options))


def settle(log: Mapping[str, Any] | str | bytes) -> DealtRound:
    """A round from its log, as `pairhouse settle` reads it: a record or its JSON."""
    if not isinstance(log, (Mapping, str, bytes)):
        raise Refused("bad-round", f"{shown(log)} is no round; give its log, or the JSON of it")
    found = read_round(log if isinstance(log, (str, bytes)) else to_json(dict(log)))
    found.replay()  # refuses other rules than those in force
    variant = found.variant
    meter = found.meter_before(variant)
    return DealtRound(variant, parse(found.cards), found.seats, found.choices, found.void, meter)


def list_games() -> list["ChosenGame"]:
    """Every game of the catalogue under its default options."""
    return [ChosenGame(each.variant()) for each in GAMES.values()]


class ChosenGame:
    """A game under chosen options. Stakes are integer minor units (cents); prices are per unit of the first stake."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant

    @property
    def id(self) -> str:
        """The id by which commands and the API know the game."""
        return self.variant.game.id

    @property
    def name(self) -> str:
        """What the game is called."""
        return self.variant.game.name

    @property
    def options(self) -> dict[str, Any]:
        """All options, chosen or default."""
        return dict(self.variant.options)

    @property
    def wagers(self) -> list[str]:
        """The ids of the wagers that can be placed before the cards."""
        return [wager.id for wager in placed(list(self.variant.wagers.values()))]

    @property
    def rules_hash(self) -> str:
        """Names the rules and options: two rounds with one hash were played under the same rules."""
        return self.variant.rules_hash

    def __repr__(self) -> str:
        default = self.variant.game.variant().options
        chosen = [f"{name}={value!r}" for name, value in self.options.items() if default.get(name) != value]
        wagers = self.wagers if len(self.wagers) <= 4 else [*self.wagers[:3], f"... {len(self.wagers)} in all"]
        call = ", ".join([repr(self.id), *chosen])
        return f"<game({call}): wagers {', '.join(wagers)}; rules {self.rules_hash[:12]}>"

    # Prices and best play

    def price(self, wager: str, *, meter: int | None = None) -> "Priced":
        """The exact price of a wager; blackjack's main wager is solved in decimals that state their error.

        A wager on a progressive meter is priced at a reading of the meter, in cents: its seed unless told.
        """
        from pairhouse.analysis.methods.registry import method_of  # noqa: PLC0415

        method = method_of(self.variant)
        return (method if meter is None else method.at_reading(integer(meter, "meter"))).price(wager)

    def prices(self) -> "PriceTable":
        """The price of every wager, or the reason why it has none."""
        from pairhouse.python_api.price_table import PriceTable  # noqa: PLC0415

        return PriceTable(self.variant)

    def best(self) -> "BestPlay":
        """Best play: what it is worth, its charts, and advice for any hand."""
        from pairhouse.python_api.best_play import BestPlay  # noqa: PLC0415

        return BestPlay(self.variant)

    def strategies(self) -> list[str]:
        """The names of the ways to play that `simulate` knows."""
        from pairhouse.analysis.methods.registry import method_of  # noqa: PLC0415

        return method_of(self.variant).strategies()

    # Simulation

    def simulate(
        self,
        rounds: float,
        *,
        seed: int = 1,
        strategy: str = "best",
        wagers: Sequence[str] | None = None,
        workers: int | None = None,
        meter: int | None = None,
    ) -> "Sample":
        """Play so many rounds; the same seed gives the same rounds on any machine."""
        from pairhouse.python_api.sample import simulate  # noqa: PLC0415

        return simulate(self.variant, rounds, seed, strategy, wagers, workers, meter)

    def agree(self, rounds: float, *, seed: int = 1, dealt_rounds: float = 2000) -> "Agreement":
        """Hold exact prices, simulated rounds and really dealt rounds to each other; `.agrees` is the verdict."""
        from pairhouse.analysis.simulation.agreement import agreement  # noqa: PLC0415

        counted, dealt = whole(rounds, "rounds"), whole(dealt_rounds, "dealt_rounds")
        return agreement(self.variant, counted, seed, dealt_rounds=dealt, shuffled=fresh_cards)

    # Rounds

    def deal(
        self,
        wagers: Mapping[str, int] | None = None,
        *,
        seats: Sequence[Mapping[str, int]] | None = None,
        seed: int | None = None,
        meter: int | None = None,
        **stakes: int,
    ) -> DealtRound:
        """Deal a round from a fresh pack: `deal(ante=1000)`, `deal({"card-A": 500})` or `deal(seats=[{...}, {...}])`.

        With a seed the cards are the same every time; without one they come from the operating system's randomness.
        A wager whose id has a hyphen is written with an underscore as a keyword: `any_paire=500`. `meter` is what a
        progressive meter shows before the round, in cents: its seed unless told.
        """
        if seats is not None and (wagers is not None or stakes):
            raise Refused("bad-seats", "give the wagers of one seat, or `seats` for several, not both")
        given = seats if seats is not None else [{**read_wagers(wagers or {}), **self._by_id(stakes)}]
        cards = fresh_cards(self.variant) if seed is None else seeded_cards(self.variant, seed)
        return DealtRound(self.variant, cards, given, meter=self._meter(meter))

    def settle(
        self,
        cards: Cards,
        seats: Sequence[Mapping[str, int]],
        choices: Sequence[str] = (),
        *,
        void: str | None = None,
        meter: int | None = None,
    ) -> DealtRound:
        """A round from its log: the cards in the order they are dealt, the wagers of each seat, the choices made.

        `meter` is what a progressive meter shows before the round, in cents: its seed unless told.
        """
        return DealtRound(self.variant, read_cards(cards), seats, choices, void, self._meter(meter))

    def _meter(self, reading: int | None) -> Meter | None:
        """The progressive meter at a reading."""
        return meter_at(self.variant, None if reading is None else MeterReading(integer(reading, "meter")))

    def _by_id(self, stakes: Mapping[str, int]) -> dict[str, int]:
        """Keyword names as wager ids: an underscore stands for a hyphen where the wager has one."""
        by_keyword = {wager.replace("-", "_"): wager for wager in self.variant.wagers}
        return {by_keyword.get(name, name): stake for name, stake in stakes.items()}

    # Reports

    def par(self, *, removed: Cards = ()) -> "Report":
        """The par sheet: print it, read its record, or save it in several formats."""
        from pairhouse.python_api.par_report import par_report  # noqa: PLC0415

        return par_report(self.variant, read_cards(removed))

    def rules(self) -> str:
        """The rule book, as Markdown."""
        from pairhouse.rounds.rulebook import book_of  # noqa: PLC0415

        return book_of(self.variant.game)


def seeded_cards(variant: Variant, seed: int) -> list[Card]:
    """The whole pack in an order that depends on the seed alone, by the shuffle that live tables use."""
    key = hashlib.sha256(f"deal {integer(seed, 'seed')}".encode()).digest()
    return list(Order(WordStream(key, "deal", "", [str(seed)], 0), *variant.pack)[:])
