"""Prices read from a tally, exact: rows, expectation, spread, and how wagers move together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pairhouse.analysis.exact.counts import Counted
from pairhouse.core.errors import Refused, one_of, unknown
from pairhouse.core.game import Variant
from pairhouse.core.paytable import Wager
from pairhouse.core.settlement import settlement_per_unit
from pairhouse.core.tally import Story


@dataclass(frozen=True)
class PricedRow:
    """One way a wager can end: in how many deals, and what it then wins per unit."""

    name: str
    ways: int
    probability: Fraction
    pays: Fraction

    @property
    def returns(self) -> Fraction:
        """What this row adds to the expectation."""
        return self.probability * self.pays


@dataclass(frozen=True)
class Price:
    """A wager's price per unit of the initial bet, with everything that follows from it (Play, the Ante Bonus)."""

    wager: str
    rows: tuple[PricedRow, ...]
    total: int
    staked: Fraction
    method: str

    def __repr__(self) -> str:
        return f"<price of {self.wager}: {self.ev}, house edge {-float(self.ev):.4%}>"

    def moment(self, power: int, about: Fraction = Fraction(0)) -> Fraction:
        """The mean of (net - about) to a power."""
        return sum((row.probability * (row.pays - about) ** power for row in self.rows), Fraction(0))

    @property
    def ev(self) -> Fraction:
        """Expected net result per unit of the initial bet."""
        return self.moment(1)

    @property
    def variance(self) -> Fraction:
        return self.moment(2, self.ev)

    @property
    def third_moment(self) -> Fraction:
        """About the mean; divided by the deviation cubed it is the skewness."""
        return self.moment(3, self.ev)

    @property
    def skewness(self) -> float:
        return float(self.third_moment) / float(self.variance) ** 1.5 if self.variance else 0.0

    @property
    def hit(self) -> Fraction:
        """How often the bet wins something."""
        return sum((row.probability for row in self.rows if row.pays > 0), Fraction(0))

    @property
    def element_of_risk(self) -> Fraction:
        """The expectation per unit finally at risk."""
        return self.ev / self.staked

    @property
    def largest(self) -> PricedRow:
        """The row that wins most."""
        return max(self.rows, key=lambda row: row.pays)


def stands_alone(variant: Variant, wager: Wager) -> bool:
    """Whether a wager has a price of its own: it is placed before the cards, or decided apart from its base."""
    return wager.base is None or wager.decided_by is not variant.wagers[wager.base].decided_by


def wager_group(counted: Counted, wager_id: str) -> list[Wager]:
    """A wager and those that are decided with it; refused where the tally does not decide it."""
    variant = counted.variant
    if wager_id not in variant.wagers:
        raise unknown("wager", wager_id, variant.wagers)
    wager = variant.wagers[wager_id]
    if not stands_alone(variant, wager):
        given = f"{wager_id} follows from {wager.base}"
        raise Refused("not-priced", f"{given} and is part of its price; ask for {wager.base}")
    if any(line.share for line in wager.paytable.rows):
        given = f"{wager_id} pays shares of a meter"
        raise Refused("meter-wager", f"{given}, so it has a price only at a reading of the meter")
    if wager.decided_by not in counted.kinds:
        given = f"{wager_id} is not decided by what this tally counts"
        raise Refused("not-priced", f"{given} ({one_of(sorted(kind.__name__ for kind in counted.kinds))})")
    others = [other for other in variant.wagers.values() if other.base == wager_id and not stands_alone(variant, other)]
    return [wager, *others]


def ending_of(group: Sequence[Wager], story: Story) -> tuple[str, Fraction, Fraction]:
    """The name, the net and the stake, per unit, of how a group of wagers ends in a story."""
    ended = [(wager, settlement_per_unit(wager, happened)) for wager in group for _, happened in story]
    settled = [(wager, found) for wager, found in ended if found is not None]
    if len(settled) == 1 and not settled[0][0].bonus:  # as nearly all do: there is nothing to add up
        found = settled[0][1]
        return found.row.name, found.net, found.stake
    names: list[str] = []
    net = staked = Fraction(0)
    for wager, found in settled:
        net += found.net
        staked += found.stake
        name = f"{found.row.name} bonus" if wager.bonus else found.row.name
        if wager.bonus or name not in names:
            names.append(name)
    return ", ".join(names), net, staked


def price(counted: Counted, wager: str) -> Price:
    """A wager's exact price from a tally; refused where it is unknown or the tally does not decide it."""
    group = wager_group(counted, wager)
    ended: dict[tuple[str, Fraction, Fraction], int] = {}
    for story, number in counted.stories.items():
        ending = ending_of(group, story)
        ended[ending] = ended.get(ending, 0) + number
    staked = sum((at_risk * number for (_, _, at_risk), number in ended.items()), Fraction(0))
    ways: dict[tuple[str, Fraction], int] = {}
    for (name, net, _), number in ended.items():
        ways[name, net] = ways.get((name, net), 0) + number
    ordered = sorted(ways.items(), key=lambda item: (-item[0][1], item[0][0]))
    rows = tuple(PricedRow(name, n, Fraction(n, counted.total), net) for (name, net), n in ordered)
    return Price(wager, rows, counted.total, staked / counted.total, counted.method)


def prices(counted: Counted) -> dict[str, Price]:
    """Every wager that this tally decides."""
    variant = counted.variant
    offered = [w for w in variant.wagers.values() if stands_alone(variant, w) and w.decided_by in counted.kinds]
    return {w.id: price(counted, w.id) for w in offered if not any(line.share for line in w.paytable.rows)}


def nets(counted: Counted, wager: str) -> dict[Story, Fraction]:
    """What a unit on a wager wins in each story."""
    group = wager_group(counted, wager)
    return {story: ending_of(group, story)[1] for story in counted.stories}


def covariance(counted: Counted, first: str, second: str) -> Fraction:
    """How two wagers of one round move together, per unit on each."""
    one, other = nets(counted, first), nets(counted, second)
    both = sum((n * one[s] * other[s] for s, n in counted.stories.items()), Fraction(0)) / counted.total
    return both - price(counted, first).ev * price(counted, second).ev


def combined(counted: Counted, stakes: Mapping[str, int]) -> tuple[Fraction, Fraction]:
    """Expectation and variance of a set of wagers, in the units of the stakes."""
    each = {wager: nets(counted, wager) for wager in stakes}
    mean = square = Fraction(0)
    for story, number in counted.stories.items():
        net = sum((stake * each[wager][story] for wager, stake in stakes.items()), Fraction(0))
        mean += number * net
        square += number * net * net
    mean /= counted.total
    return mean, square / counted.total - mean**2
