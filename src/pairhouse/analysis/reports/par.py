"""The par sheet: everything the price of a game consists of, as one record."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.covariance import Covariances, covariances, whole_nets
from pairhouse.analysis.exact.prices import Price, PricedRow
from pairhouse.analysis.exact.risk import Ahead, ConfidenceBand, Ruin, ahead, bands, ruin, volatility_index
from pairhouse.analysis.exact.variants import at_decks, is_offered
from pairhouse.analysis.methods.method import COUNTED, FORMULA, Method
from pairhouse.analysis.methods.records import SolvedPrice, Unpriced
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.reports.charts import Chart
from pairhouse.analysis.reports.meter_prices import MeterPrices, meter_prices
from pairhouse.analysis.reports.readings import Reading
from pairhouse.core.cards import FACES, Card, check_from, pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.money import EXACT, step_for, winnings
from pairhouse.core.tally import Story
from pairhouse.version import __version__

TOGETHER_MAX = 40  # beyond so many wagers the matrix holds one of each price, unless all are asked for


class ParRow(msgspec.Struct, frozen=True):
    """One way a wager can end; `returns` is what it adds to the expectation."""

    name: str
    ways: int
    probability: Fraction
    pays: Fraction
    returns: Fraction


class Largest(msgspec.Struct, frozen=True):
    """The largest win and how rare it is: `one_in` deals on average."""

    name: str
    pays: Fraction
    probability: Fraction
    one_in: float


class AtStake(msgspec.Struct, frozen=True):
    """The expectation per unit when so many minor units are staked and payments are rounded."""

    stake: int
    ev: Fraction


class WagerSheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """The exact price of a wager per unit of the initial bet, and what follows from it."""

    name: str
    rules: str
    ev: Fraction
    variance: Fraction
    hit: Fraction
    rows: list[ParRow]
    method: str
    total_ways: int
    staked: Fraction
    element_of_risk: Fraction
    deviation: float
    skewness: float
    volatility_index: float
    largest: Largest
    bands_99: list[ConfidenceBand]
    ahead: list[Ahead]
    ruin: list[Ruin]
    by_stake: list[AtStake] = []
    meter: MeterPrices | None = None


class AtDecks(msgspec.Struct, frozen=True):
    """The expectation of every wager at a number of decks, and whether a table would offer it."""

    decks: int
    offered: bool
    ev: dict[str, Fraction]


class ParSheet(msgspec.Struct, frozen=True, kw_only=True):
    """The par sheet of a game under chosen options.

    `wagers` are priced exactly, `solved` in decimals with their error, `not_priced` says why the others have no price
    of their own. `details` holds what only this rule book has to say, by field. `variant` is what is priced.
    """

    variant: Variant
    game: str
    name: str
    options: dict[str, Any]
    rules_hash: str
    version: str
    decks: int
    jokers_per_deck: int
    offered: bool
    names: dict[str, str]
    wagers: dict[str, WagerSheet]
    solved: dict[str, SolvedPrice]
    solved_by_stake: dict[str, list[AtStake]]
    not_priced: dict[str, str]
    by_decks: list[AtDecks]
    together: Covariances | None
    charts: list[Chart]
    details: dict[str, Any]
    readings: list[Reading]
    removed: list[str] = []

    def __repr__(self) -> str:
        number = len(self.wagers) + len(self.solved)
        return f"<par sheet of {self.name}: {number} wager{'s' * (number != 1)}; rules {self.rules_hash[:12]}>"

    def record(self) -> dict[str, Any]:
        """For JSON: all wagers in the order of the layout; parts that a game does not have are left out."""
        record: dict[str, Any] = msgspec.structs.asdict(self)
        for name in ("variant", "names", "solved", "solved_by_stake", "details"):
            del record[name]
        priced = {**self.wagers, **{wager: self._solved_record(wager) for wager in self.solved}}
        record["wagers"] = {wager: priced[wager] for wager in self.names if wager in priced}
        return {key: value for key, value in (record | self.details).items() if value not in (None, [], {})}

    def _solved_record(self, wager: str) -> dict[str, Any]:
        stakes = [{"stake": each.stake, "ev": float(each.ev)} for each in self.solved_by_stake[wager]]
        return self.solved[wager].record() | ({"by_stake": stakes} if stakes else {})


def to_json(record: Any) -> bytes:
    """A record as one line of JSON, fractions as text."""
    return msgspec.json.encode(record, enc_hook=_fraction_text)


def _fraction_text(value: Any) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def remaining(variant: Variant, removed: Sequence[Card]) -> list[Card]:
    """What is left of a fresh shoe without these cards: a counter's or a lab's question."""
    if not variant.game.shoe:
        sentence = f"{variant.game.name} is shuffled for every round; only a shoe that is dealt down has cards removed"
        raise Refused("bad-shoe", sentence)
    check_from(removed, *variant.pack)
    return list((Counter(pack(*variant.pack)) - Counter(removed)).elements())


def par_sheet(
    variant: Variant, *, with_matrix: bool = False, with_readings: bool = False, removed: Sequence[Card] = ()
) -> ParSheet:
    """The par sheet of a variant; all covariances of very many wagers, and other readings, where asked for.

    With cards removed the wagers are priced from what remains; sensitivity and readings are those of a fresh shoe.
    """
    method = method_of(variant)
    shoe = remaining(variant, removed) if removed else None
    counted = method.wagers_from(COUNTED)
    found = method.prices(shoe)
    exact = {wager: price for wager, price in found.items() if isinstance(price, Price)}
    solved = {wager: price for wager, price in found.items() if isinstance(price, SolvedPrice)}
    decks, jokers = variant.pack
    shown = counted if with_matrix or len(counted) <= TOGETHER_MAX else one_of_each(exact, counted)
    return ParSheet(
        variant=variant,
        game=variant.game.id,
        name=variant.game.name,
        options=dict(variant.options),
        rules_hash=variant.rules_hash,
        version=__version__,
        decks=decks,
        jokers_per_deck=jokers,
        offered=is_offered(variant),
        names={wager: each.name for wager, each in method.variant.wagers.items()},
        wagers={wager: wager_sheet(method, price) for wager, price in exact.items()},
        solved=solved,
        solved_by_stake={wager: by_stake(_rows_of(price), variant.rounding) for wager, price in solved.items()},
        not_priced={wager: each.reason for wager, each in found.items() if isinstance(each, Unpriced)},
        by_decks=by_decks(method),
        together=covariances(method.tally(shoe), shown) if len(shown) > 1 else None,
        charts=method.charts(),
        details=method.details(),
        readings=method.readings() if with_readings else [],
        removed=[FACES[card] for card in removed],
    )


def _rows_of(price: SolvedPrice) -> list[tuple[Fraction, Fraction]]:
    return [(Fraction(row["pays"]).limit_denominator(1000), Fraction(row["probability"])) for row in price.rows]


def one_of_each(found: Mapping[str, Price], wagers: Sequence[str]) -> list[str]:
    """The first wager of each price."""
    first: dict[tuple[tuple[int, Fraction], ...], str] = {}
    for wager in wagers:
        first.setdefault(tuple((row.ways, row.pays) for row in found[wager].rows), wager)
    return list(first.values())


def wager_sheet(method: Method, price: Price) -> WagerSheet:
    """Everything that follows from a wager's rows."""
    ev, variance, largest = price.ev, price.variance, price.largest
    wager, endings = method.wager(price.wager), [(row.pays, row.probability) for row in price.rows]
    return WagerSheet(
        name=wager.name,
        rules=wager.paytable.cites,
        ev=ev,
        variance=variance,
        hit=price.hit,
        rows=[_row(row) for row in complete(method.variant, price)],
        method=price.method,
        total_ways=price.total,
        staked=price.staked,
        element_of_risk=price.element_of_risk,
        deviation=sqrt(variance),
        skewness=price.skewness,
        volatility_index=volatility_index(variance),
        largest=Largest(largest.name, largest.pays, largest.probability, float(1 / largest.probability)),
        bands_99=bands(ev, variance),
        ahead=ahead(endings),
        ruin=ruin(ev, variance),
        by_stake=by_stake(endings, method.variant.rounding) if wager.fixed is None else [],
        meter=meter_prices(method, price.wager),
    )


def by_stake(rows: Sequence[tuple[Fraction, Fraction]], rounding: str) -> list[AtStake]:
    """What rounding makes of a price, stake by stake up to the step at which every payment is whole again.

    A larger stake is rounded like what it leaves over from that step, and matters as much less as it is larger.
    """
    step = step_for([pays for pays, _ in rows])
    if rounding == EXACT or step == 1:
        return []
    return [
        AtStake(stake, sum((chance * winnings(stake, pays, rounding) for pays, chance in rows), Fraction(0)) / stake)
        for stake in range(1, step + 1)
    ]


def _row(row: PricedRow) -> ParRow:
    return ParRow(row.name, row.ways, row.probability, row.pays, row.returns)


def complete(variant: Variant, price: Price) -> Iterable[PricedRow]:
    """The rows of a price, with those of the paytable that these decks cannot make."""
    if any(other.base == price.wager for other in variant.wagers.values()):
        return price.rows  # its rows tell of several paytables at once
    seen = {row.name for row in price.rows}
    paytable = variant.wagers[price.wager].paytable
    never = [PricedRow(row.name, 0, Fraction(0), row.pays) for row in paytable.rows if row.name not in seen]
    return sorted([*price.rows, *never], key=lambda row: -row.pays)


def by_decks(method: Method) -> list[AtDecks]:
    """How the expectation moves with the decks. What a story pays does not depend on them, so it is looked up once."""
    methods = {decks: method_of(other) for decks, other in at_decks(method.given).items()}
    if len(methods) < 2:
        return []
    counted = method.wagers_from(COUNTED)
    tallies = {decks: other.tally() for decks, other in methods.items()} if counted else {}
    stories = {story: 1 for tally in tallies.values() for story in tally.stories}
    steps, net = whole_nets(Counted(method.variant, stories, len(stories), ""), counted)
    found = []
    for decks, other in methods.items():
        ev = {wager: other.exact_price(wager).ev for wager in other.wagers_from(FORMULA)}
        ev |= {wager: Fraction(_sum(tallies[decks], net[wager]), tallies[decks].total * steps) for wager in counted}
        found.append(AtDecks(decks, is_offered(other.given, method.given.game), ev))
    return found


def _sum(tally: Counted, net: dict[Story, int]) -> int:
    return sum(number * net[story] for story, number in tally.stories.items())
