"""A par sheet as a document: what is told, in which order, and how figures are written."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pairhouse.analysis.exact.risk import BANKROLLS, bands
from pairhouse.analysis.methods.method import Method
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.par_section import protection_section
from pairhouse.analysis.reports.meter_prices import MeterPrices
from pairhouse.analysis.reports.par import ParSheet, WagerSheet
from pairhouse.analysis.reports.render import plots
from pairhouse.analysis.reports.render.document import (
    LEFT,
    RIGHT,
    Block,
    DataTable,
    Document,
    Fact,
    Facts,
    Picture,
    Prose,
    Section,
    exact,
    grouped,
    one_in,
    percent,
    signed,
    significant,
)
from pairhouse.analysis.reports.render.solved import glance_row, solved_title
from pairhouse.core.money import amount_text, price_text
from pairhouse.games.catalogue import named_by

FUNNELS_MAX = 6  # wagers whose bands are drawn
HEAT_FROM = 5  # wagers from which correlations are a picture and not a table


@dataclass(frozen=True)
class SamePrice:
    """Wagers with the same price in every row, told once."""

    wagers: tuple[str, ...]
    names: tuple[str, ...]
    sheet: WagerSheet

    @property
    def title(self) -> str:
        """The name; of two both, of many the first."""
        if len(self.names) <= 2:
            return ", ".join(self.names)
        return f"{self.names[0]} and {len(self.names) - 1} alike"


def by_price(sheet: ParSheet) -> list[SamePrice]:
    """The wagers by price, in the order of the layout."""
    found: dict[Any, list[str]] = {}
    for wager, each in sheet.wagers.items():
        found.setdefault((each.total_ways, tuple((row.ways, row.pays) for row in each.rows)), []).append(wager)
    named = [(wagers, tuple(sheet.wagers[wager].name for wager in wagers)) for wagers in found.values()]
    return [SamePrice(tuple(wagers), names, sheet.wagers[wagers[0]]) for wagers, names in named]


def compose(sheet: ParSheet, rules: Sequence[str] = (), numbered: Sequence[tuple[str, str]] = ()) -> Document:
    """The document: `rules` are the rules in brief, `numbered` all of them; both come from the rule book."""
    prices, method = by_price(sheet), method_of(sheet.variant)
    sections = [
        Section("glance", "At a glance", glance(sheet, prices)),
        Section("rules", "Rules in brief", [Prose(text) for text in rules]),
        *method.sections(sheet),
        Section("wagers", "The wagers, row by row", [Prose(ROWS_SAY), *not_priced(sheet)]),
        *wager_sections(method, sheet, prices),
        Section("risk", "Risk", risk(sheet, prices)),
        *decks_section(sheet, prices),
        *readings_section(sheet),
        *together_section(sheet),
        protection_section(sheet.variant),
        Section("method", "Method and hashes", how_found(sheet)),
        Section("appendix", "The rules, numbered", [Facts([Fact(number, text) for number, text in numbered])]),
    ]
    told = [section for section in sections if section.blocks]
    offered = "" if sheet.offered else " Priced for an analyst: no table deals the game with these decks."
    decks = f"{sheet.decks} deck{'s' * (sheet.decks > 1)}"
    return Document(sheet.name, f"Par sheet · {decks}.{offered}", identity(sheet), told, footer(sheet))


ROWS_SAY = (
    "Ways are whole numbers of equally likely deals. A row’s return is its probability times what it pays; the returns "
    "add up to the expectation. All figures are per unit of the initial bet, with whatever follows from it included."
)


def identity(sheet: ParSheet) -> list[Fact]:
    """What is priced, under which options."""
    words = [f"{name.replace('_', ' ')} {_word(value)}" for name, value in sheet.options.items() if name != "decks"]
    cards = sheet.decks * (52 + sheet.jokers_per_deck)
    return [
        Fact("Game", sheet.game),
        Fact("Cards", f"{cards} in {sheet.decks} deck{'s' * (sheet.decks > 1)}"),
        Fact("Options", ", ".join(words)),
        Fact("Rules hash", sheet.rules_hash),
        Fact("Version", sheet.version),
    ]


def _word(value: Any) -> str:
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


def footer(sheet: ParSheet) -> str:
    return f"{sheet.name} · rules {sheet.rules_hash[:12]} · version {sheet.version}"


def not_priced(sheet: ParSheet) -> list[Block]:
    """The wagers without a price of their own, each with the reason."""
    reasons = [f"{wager} ({reason})" for wager, reason in sheet.not_priced.items()]
    return [Prose(f"Without a price of their own: {'; '.join(reasons)}.", quiet=True)] if reasons else []


def glance(sheet: ParSheet, prices: Sequence[SamePrice]) -> list[Block]:
    """Every price in a line, and a picture to compare them."""
    rows = [glance_row(sheet.names[wager], price) for wager, price in sheet.solved.items()]
    for price in prices:
        each = price.sheet
        rows.append([
            price.title,
            percent(-each.ev),
            percent(each.hit, 3),
            signed(each.deviation, 4),
            price_text(each.largest.pays),
            one_in(each.largest.probability),
        ])  # fmt: skip
    titles = ["wager", "house edge", "hit frequency", "deviation", "largest win", "comes"]
    blocks: list[Block] = [DataTable(titles, [LEFT, *[RIGHT] * 5], rows)]
    if len(prices) > 2:
        svg = plots.edges([price.title for price in prices], [price.sheet for price in prices])
        blocks.append(Picture(svg, "The house edge of every wager, as bars."))
    return blocks


def wager_sections(method: Method, sheet: ParSheet, prices: Sequence[SamePrice]) -> list[Section]:
    """Every price, and what else is to be said of its wagers."""
    found = []
    for price in prices:
        found.append(wager_section(price))
        for wager in price.wagers:
            found += method.sections_after(wager, sheet)
    return found


def wager_section(price: SamePrice) -> Section:
    """One price: its rows, and everything exact."""
    each = price.sheet
    blocks: list[Block] = []
    if len(price.wagers) > 1:
        blocks.append(Prose(f"One price for {len(price.wagers)} wagers: {', '.join(price.wagers)}.", quiet=True))
    rows = [
        [row.name, price_text(row.pays), grouped(row.ways), signed(float(row.probability), 8), _comes(row.probability),
         signed(float(row.returns), 8)]
        for row in each.rows
    ]  # fmt: skip
    rows.append(["all", "", grouped(each.total_ways), "1", "", signed(float(each.ev), 8)])
    titles = ["row", "pays", "ways", "probability", "comes", "return"]
    blocks.append(DataTable(titles, [LEFT, *[RIGHT] * 5], rows, faint=[4], total=True))
    blocks.append(Facts(exact_facts(each)))
    blocks += meter_blocks(each.meter)
    if sum(row.pays > 0 for row in each.rows) > 1:
        blocks.append(Picture(plots.returns(each), plots.words_for(each), wide=False))
        blocks.append(Picture(plots.funnel(each), "The 99 % band of the net result by number of rounds.", wide=False))
    ids = price.wagers[0] if len(price.wagers) == 1 else ""
    return Section(f"wager-{price.wagers[0]}", price.title, blocks, level=2, aside=f"{ids} {each.rules}".strip())


def meter_blocks(meter: MeterPrices | None) -> list[Block]:
    """At which reading of the meter a wager is priced, and what it is worth at others."""
    if meter is None:
        return []
    even = "No reading up to the ceiling is worth a ticket."
    if meter.break_even is not None:
        even = f"From a reading of {amount_text(meter.break_even)} the expectation is not below zero."
    says = f"Priced with the meter at {amount_text(meter.reading)} before the round. {even}"
    rows = [[amount_text(at.reading), percent(-at.ev), signed(float(at.ev), 10)] for at in meter.readings]
    return [Prose(says), DataTable(["meter", "house edge", "expectation"], [RIGHT] * 3, rows, small=True)]


def _comes(chance: Fraction) -> str:
    """How rare a row is; of one that comes more often than not, nothing need be said."""
    return one_in(chance) if chance < Fraction(1, 2) else ""


def exact_facts(each: WagerSheet) -> list[Fact]:
    """The figures of a wager, each as a decimal and as a fraction."""
    facts = [
        Fact("Expectation", signed(float(each.ev), 10), exact(each.ev)),
        Fact("House edge", percent(-each.ev, 6)),
        Fact("Hit frequency", percent(each.hit, 6), exact(each.hit)),
        Fact("Variance", signed(float(each.variance), 8), exact(each.variance)),
        Fact("Deviation", signed(each.deviation, 8)),
        Fact("Skewness", signed(each.skewness, 6)),
        Fact("Volatility index", f"{each.volatility_index:.4f}"),
    ]
    if each.staked != 1:
        facts[2:2] = [
            Fact("Staked in all", signed(float(each.staked), 8), exact(each.staked)),
            Fact("Element of risk", percent(-each.element_of_risk, 6), exact(-each.element_of_risk)),
        ]
    rounded = [Fact(f"House edge at a stake of {at.stake}", percent(-at.ev, 6), exact(-at.ev)) for at in each.by_stake]
    return facts + rounded


RISK_SAYS = (
    "After n rounds of one unit, the net result per round lies within the expectation ± 2.576 σ/√n with 99 % "
    "confidence (normal approximation). The table gives that half-width in per cent of the bet. The volatility index "
    "of a wager is 1.645 σ."
)
FUNNELS_SAY = "The 99 % band of the net result per round, for each of the first wagers, by number of rounds."
AHEAD_SAYS = (
    "The chance to have won more than lost after n rounds of one unit: computed from the exact distribution of the sum "
    "(by a tilted Fourier transform, relative error below 10⁻⁹), and in grey what the normal approximation would say. "
    "For a wager with rare large wins the two differ widely while n is small."
)


def risk(sheet: ParSheet, prices: Sequence[SamePrice]) -> list[Block]:
    """Bands, the chance to be ahead, and ruin, for all wagers together."""
    powers = ["10³", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸", "10⁹"]
    widths = [
        [price.title, percent(price.sheet.ev, 3), *(_half(band.high - band.low) for band in price.sheet.bands_99)]
        for price in prices
    ]
    for wager, solved in reversed(sheet.solved.items()):
        halves = [_half(band.high - band.low) for band in bands(solved.ev, solved.variance)]
        widths.insert(0, [solved_title(sheet.names[wager]), percent(solved.ev, 3), *halves])
    chances = []
    for price in prices:
        line = [price.title]
        for each in price.sheet.ahead:
            line += [chance_text(each.chance), chance_text(each.normal_approximation)]
        chances.append(line)
    ahead_titles = [text for rounds in ("10²", "10³", "10⁴", "10⁵") for text in (rounds, "normal")]
    return [
        Prose(RISK_SAYS),
        DataTable(["wager", "net", *powers], [LEFT, *[RIGHT] * 8], widths, small=True),
        Picture(plots.funnels([(price.title, price.sheet) for price in prices[:FUNNELS_MAX]]), FUNNELS_SAY),
        Prose(AHEAD_SAYS),
        DataTable(["wager", *ahead_titles], [LEFT, *[RIGHT] * 8], chances, faint=[2, 4, 6, 8], small=True),
        *ruin_blocks(prices),
    ]


def chance_text(chance: float | None, digits: int = 2) -> str:
    """A chance in per cent, or what it is below or above; None is one too small for a float."""
    if chance == 0:
        return "never"
    least = 10.0**-digits
    if chance is None or 100 * chance < least / 2:
        return f"< {percent(least / 100, digits)}"
    return percent(chance, digits) if 100 * (1 - chance) >= least / 2 else f"> {percent(1 - least / 100, digits)}"


def _half(width: float) -> str:
    return f"±{significant(100 * width / 2, 3)}"


def ruin_blocks(prices: Sequence[SamePrice]) -> list[Block]:
    """Ruin: certain without an edge; with one, by the exponential approximation."""
    winning = [price for price in prices if price.sheet.ev > 0]
    blocks: list[Block] = []
    if len(winning) < len(prices):
        which = "Every wager here" if not winning else "Every other wager"
        blocks.append(Prose(
            f"Risk of ruin. {which} has an expectation that is not above zero. Whoever goes on betting a fixed unit "
            "then loses any bankroll with certainty; only the time it takes depends on the bankroll."
        ))  # fmt: skip
    if winning:
        rows = [[price.title, *(chance_text(each.chance, 4) for each in price.sheet.ruin)] for price in winning]
        blocks.append(Prose("With a positive expectation, ruin has about the chance exp(−2·E·B/σ²) (approximation):"))
        titles = ["wager", *(f"bankroll {units}" for units in BANKROLLS)]
        blocks.append(DataTable(titles, [LEFT, RIGHT, RIGHT], rows))
    return blocks


def decks_section(sheet: ParSheet, prices: Sequence[SamePrice]) -> list[Section]:
    """The edge at every number of decks."""
    if not sheet.by_decks:
        return []
    first = [price.wagers[0] for price in prices]
    rows = [
        [price.title, *(percent(-at.ev[wager], 3) for at in sheet.by_decks)]
        for price, wager in zip(prices, first, strict=True)
    ]
    titles = ["wager", *(f"{at.decks}{'' if at.offered else '*'}" for at in sheet.by_decks)]
    faint = [place for place, at in enumerate(sheet.by_decks, 1) if not at.offered]
    blocks: list[Block] = [
        Prose("House edge by number of decks. A star: no table deals the game so; priced for comparison."),
        DataTable(titles, [LEFT, *[RIGHT] * len(sheet.by_decks)], rows, faint=faint, small=True),
    ]
    shown = {wager: price.title for price, wager in zip(prices, first, strict=True)}
    shown = dict(list(shown.items())[:6])
    blocks.append(Picture(plots.by_decks(sheet.by_decks, shown), "The house edge against the number of decks."))
    return [Section("decks", "Sensitivity to decks", blocks)]


def readings_section(sheet: ParSheet) -> list[Section]:
    """Where a document can be read two ways: the price under each."""
    if not sheet.readings:
        return []
    says = "Where the document can be read two ways, the game is dealt under the first; the other is priced too."
    rows = [
        [each.rule, each.how, each.wager, percent(-each.ours, 4), percent(-each.other, 4)] for each in sheet.readings
    ]
    titles = ["rule", "the other reading", "wager", "edge as dealt", "edge otherwise"]
    table = DataTable(titles, [LEFT, LEFT, LEFT, RIGHT, RIGHT], rows, small=True)
    return [Section("readings", "Sensitivity to readings", [Prose(says), table])]


def together_section(sheet: ParSheet) -> list[Section]:
    """How wagers move together."""
    found = sheet.together
    if found is None:
        return []
    says = (
        "Correlation of the net results of two wagers in one round. A set of wagers has the variance that the exact "
        "covariances of the JSON sheet give; what is near zero may be played together without more risk than apart."
    )
    if any(0 < len(set(group.wagers) & {*found.wagers}) < len(group.wagers) for group in by_price(sheet)):
        says += " One wager of each price is shown."
    names = [sheet.wagers[wager].name for wager in found.wagers]
    blocks: list[Block] = [Prose(says)]
    if len(names) < HEAT_FROM:
        pairs = [(i, j) for i in range(len(names)) for j in range(i)]
        rows = [
            [f"{names[j]} and {names[i]}", signed(found.correlation[i][j], 6), signed(float(found.covariance[i][j]), 8),
             str(found.covariance[i][j]).replace("-", "−")]
            for i, j in pairs
        ]  # fmt: skip
        blocks.append(DataTable(["wagers", "correlation", "covariance", "exactly"], [LEFT, *[RIGHT] * 3], rows))
    else:
        blocks.append(Picture(plots.heat(found, names), "A triangle of correlations between wagers."))
    return [Section("together", "How wagers move together", blocks)]


def how_found(sheet: ParSheet) -> list[Block]:
    """How the figures were found, and what names them."""
    methods = dict.fromkeys(each.method for each in sheet.wagers.values())
    said = ". ".join(text[:1].upper() + text[1:] for text in methods)
    return [
        Prose(f"{said}. Weights are whole numbers and every figure with a fraction is exact; decimals are rounded."),
        Prose("What is counted is the source that deals the game: a rule is written once, and the hash names it."),
        Facts([
            Fact("Rules hash, SHA-256", sheet.rules_hash),
            Fact("Version", sheet.version),
            Fact("A second derivation", f"pairhouse certify {named_by(sheet.game)}"),
            Fact("Signed off by", "________________________________"),
        ]),
    ]  # fmt: skip
