"""The par sheet: everything the price of a game consists of, as one record."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec

from pairhouse.analysis.exact.counts import Counted, counted
from pairhouse.analysis.exact.covariance import Together, together, whole_nets
from pairhouse.analysis.exact.insurance import GivenTens, given_tens, insurance_price
from pairhouse.analysis.exact.prices import Price, PricedRow, prices
from pairhouse.analysis.exact.risk import Ahead, Band, Ruin, ahead, bands, ruin, volatility_index
from pairhouse.analysis.exact.three_card import ThreeCardStrategy, strategy_of
from pairhouse.analysis.exact.variants import at_decks, is_offered
from pairhouse.analysis.reports.readings import Reading, readings_of
from pairhouse.core.cards import FACES, Card, check_from, pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.money import EXACT, step_for, winnings
from pairhouse.core.tally import Story
from pairhouse.games import blackjack, three_card_poker
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
    bands_99: list[Band]
    ahead: list[Ahead]
    ruin: list[Ruin]
    by_stake: list[AtStake] = []


class AtDecks(msgspec.Struct, frozen=True):
    """The expectation of every wager at a number of decks, and whether a table would offer it."""

    decks: int
    offered: bool
    ev: dict[str, Fraction]


class ParSheet(msgspec.Struct, frozen=True):
    """The par sheet of a game under chosen options. `main` is the solved wager of a blackjack game."""

    game: str
    name: str
    options: dict[str, Any]
    rules_hash: str
    version: str
    decks: int
    jokers_per_deck: int
    offered: bool
    wagers: dict[str, WagerSheet]
    by_decks: list[AtDecks]
    together: Together | None
    main: dict[str, Any] | None
    insurance_by_hand: list[GivenTens]
    strategy: ThreeCardStrategy | None
    readings: list[Reading]
    removed: list[str] = []

    def record(self) -> dict[str, Any]:
        """For JSON: the solved wager stands among the others, and parts that a game does not have are left out."""
        record: dict[str, Any] = msgspec.structs.asdict(self)
        main = record.pop("main")
        if main is not None:
            record["wagers"] = {"main": main, **self.wagers}
        return {key: value for key, value in record.items() if value is not None and value != []}


def to_json(record: Any) -> bytes:
    """A record as one line of JSON, fractions as text."""
    return msgspec.json.encode(record, enc_hook=_fraction_text)


def _fraction_text(value: Any) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def main_wager(variant: Variant) -> dict[str, Any]:
    """The solved main wager of a blackjack game, as a record with `ev`, `error` and the strategy class it is for."""
    from pairhouse.analysis.blackjack import report

    solved = report.main_wager(variant)
    rows = [(Fraction(row["pays"]).limit_denominator(1000), Fraction(row["probability"])) for row in solved["rows"]]
    stakes = [{"stake": each.stake, "ev": float(each.ev)} for each in by_stake(rows, variant.rounding)]
    return {
        **solved,
        **({"by_stake": stakes} if stakes else {}),
        "chart": report.chart(variant),
        "exceptions": report.exceptions(variant),
    }


def other_readings(variant: Variant) -> list[Reading]:
    """Every reading of this game that changes a price, counted or solved."""
    from pairhouse.analysis.blackjack.readings import solved_readings

    return [*readings_of(variant), *solved_readings(variant)]


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
    tally = counted(variant, remaining(variant, removed) if removed else None)
    found = prices(tally)
    priced = list(found)
    insurance = insurance_price(variant)
    if insurance is not None:
        found = {"insurance": insurance, **found}
    decks, jokers = variant.pack
    is_blackjack = variant.game.play is blackjack.play
    shown = priced if with_matrix or len(priced) <= TOGETHER_MAX else one_of_each(found, priced)
    return ParSheet(
        game=variant.game.id,
        name=variant.game.name,
        options=dict(variant.options),
        rules_hash=variant.rules_hash,
        version=__version__,
        decks=decks,
        jokers_per_deck=jokers,
        offered=is_offered(variant),
        wagers={wager: wager_sheet(variant, price) for wager, price in found.items()},
        by_decks=by_decks(variant, priced),
        together=together(tally, shown) if len(shown) > 1 else None,
        main=main_wager(variant) if is_blackjack else None,
        insurance_by_hand=given_tens(variant) if insurance is not None else [],
        strategy=strategy_of(variant) if variant.game.play is three_card_poker.play else None,
        readings=other_readings(variant) if with_readings else [],
        removed=[FACES[card] for card in removed],
    )


def one_of_each(found: Mapping[str, Price], wagers: Sequence[str]) -> list[str]:
    """The first wager of each price."""
    first: dict[tuple[tuple[int, Fraction], ...], str] = {}
    for wager in wagers:
        first.setdefault(tuple((row.ways, row.pays) for row in found[wager].rows), wager)
    return list(first.values())


def wager_sheet(variant: Variant, price: Price) -> WagerSheet:
    """Everything that follows from a wager's rows."""
    ev, variance, largest = price.ev, price.variance, price.largest
    wager = variant.wagers[price.wager]
    return WagerSheet(
        name=wager.name,
        rules=wager.paytable.cites,
        ev=ev,
        variance=variance,
        hit=price.hit,
        rows=[_row(row) for row in complete(variant, price)],
        method=price.method,
        total_ways=price.total,
        staked=price.staked,
        element_of_risk=price.element_of_risk,
        deviation=sqrt(variance),
        skewness=price.skewness,
        volatility_index=volatility_index(variance),
        largest=Largest(largest.name, largest.pays, largest.probability, float(1 / largest.probability)),
        bands_99=bands(ev, variance),
        ahead=ahead([(row.pays, row.probability) for row in price.rows]),
        ruin=ruin(ev, variance),
        by_stake=by_stake([(row.pays, row.probability) for row in price.rows], variant.rounding),
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


def by_decks(variant: Variant, wagers: list[str]) -> list[AtDecks]:
    """How the expectation moves with the decks. What a story pays does not depend on them, so it is looked up once."""
    variants = at_decks(variant)
    if len(variants) < 2:
        return []
    tallies = {decks: counted(other) for decks, other in variants.items()}
    stories = {story: 1 for tally in tallies.values() for story in tally.stories}
    steps, net = whole_nets(Counted(variant, stories, len(stories), ""), wagers)
    found = []
    for decks, tally in tallies.items():
        ev = {wager: Fraction(_sum(tally, net[wager]), tally.total * steps) for wager in wagers}
        insurance = insurance_price(variants[decks])
        if insurance is not None:
            ev = {"insurance": insurance.ev, **ev}
        found.append(AtDecks(decks, is_offered(variants[decks]), ev))
    return found


def _sum(tally: Counted, net: dict[Story, int]) -> int:
    return sum(number * net[story] for story, number in tally.stories.items())
