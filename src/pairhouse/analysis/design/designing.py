"""Every paytable that fits what is wished, best first; or that none does, and which wish to loosen by how much.

Best first: the smallest distance of the edge from the middle of its band (the largest over the numbers of decks), then
the higher top prize, then the higher pays from the top row down.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from math import ceil, floor, gcd, lcm
from typing import Any

import msgspec
import numpy as np

from pairhouse.analysis.design.countable import RowChances, row_chances
from pairhouse.analysis.design.search import FOUND_MAX, LARGEST, Band, FoundPays, Numbers, RowRange, SquareBand, search
from pairhouse.analysis.design.tables import (
    Pays,
    RowWays,
    at_deck_counts,
    designed_wager,
    edges,
    paying_rows,
    row_ways,
    variances,
    whole,
)
from pairhouse.analysis.design.wishes import Wishes
from pairhouse.analysis.protect.ceiling import check_cut
from pairhouse.analysis.protect.followed_shoes import most_cards, usual_cuts
from pairhouse.analysis.protect.shoe_prices import Decimals
from pairhouse.core.errors import Refused, one_of
from pairhouse.core.game import Variant

ORDER = (
    "the edge nearest to the middle of its band (the farthest of the numbers of decks counts), then the higher top "
    "prize, then higher pays from the top row down"
)
NEAR = 1e-9  # figures so near to a border are compared as fractions


class DesignedTable(msgspec.Struct, frozen=True):
    """A paytable that fits, with its exact figures by number of decks.

    `countable` is the ceiling per 100 rounds on the shoes it was held to, with one standard error.
    """

    rows: dict[str, Pays]
    edge: dict[str, Fraction]
    hit: dict[str, Fraction]
    variance: dict[str, Fraction]
    top: Pays
    countable: dict[str, float] | None = None
    countable_error: dict[str, float] | None = None


class Loosening(msgspec.Struct, frozen=True):
    """The least change of one wish with which something fits, all others kept; none where this wish alone cannot."""

    wish: str
    given: str
    needed: str | None
    example: DesignedTable | None
    note: str = ""


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """What was found. `complete`: every paytable that fits is in `paytables`, of which there are `number`."""

    game: str
    wager: str
    options: dict[str, Any]
    rules_hash: str
    order: str
    wishes: dict[str, Any]
    paytables: list[DesignedTable]
    number: int
    complete: bool
    examined: int
    proof: str
    loosenings: list[Loosening]


@dataclass(frozen=True, eq=False)
class Shape:
    """The rows that are left when some are dropped, counted at every number of decks."""

    names: tuple[str, ...]
    dropped: tuple[str, ...]
    counts: tuple[RowWays, ...]

    @property
    def never(self) -> list[str]:
        """The rows that no deal of any of the numbers of decks makes."""
        return [name for at, name in enumerate(self.names) if not any(each.ways[at] for each in self.counts)]


@dataclass(frozen=True, eq=False)
class Fitting:
    """Rows of pays (in steps of 1/unit) of one shape that fit, and how many beginnings were looked at."""

    shape: Shape
    pays: Numbers
    examined: int


Loosen = Callable[["Designer", Wishes], Iterable[Loosening]]


class Designer:
    """Searches the paytables of one wager."""

    def __init__(self, variant: Variant, wager: str, decks: Sequence[int] = (), behind_cut: int | None = None) -> None:
        designed_wager(variant, wager)
        self.variant, self.wager, self.behind_cut = variant, wager, behind_cut
        self.variants = at_deck_counts(variant, decks)
        self.decks = [each.pack[0] for each in self.variants]
        self.rows = [line.name for line in paying_rows(variant.wagers[wager])]
        if not self.rows:
            raise Refused("not-designed", f"{wager} has no row that wins")
        self._chances: dict[tuple[tuple[str, ...], int], RowChances] = {}

    def check(self, wishes: Wishes) -> None:
        """Refuse wishes that contradict themselves."""
        pays = [wishes.keep[name] for name in self.rows if name in wishes.keep]
        if any(above < below for above, below in pairwise(pays)):
            raise Refused("bad-wish", "the kept rows rise down the table; pays never rise from the top row down")
        both = set(wishes.keep) & set(wishes.drop)
        if both:
            raise Refused("bad-wish", f"{sorted(both)[0]} is both kept and dropped; choose one")
        if len(set(wishes.drop)) == len(self.rows):
            raise Refused("bad-wish", "every row may be dropped; leave one that pays")
        if self.is_endless(wishes):
            given = f"--edge {wishes.edge.text(percent=True)} has no lower end, so pays of any size fit"
            raise Refused("bad-wish", f"{given}; give both ends, or --top with an upper end")

    def at(self, decks: Sequence[int]) -> "Designer":
        """The same at other numbers of decks."""
        return Designer(self.variant, self.wager, decks, self.behind_cut)

    def most_top(self, wishes: Wishes) -> Fraction | None:
        """The most that any row may pay, where the wishes say so."""
        first = self.rows[0]
        if wishes.top is not None and wishes.top.most is not None:
            return wishes.top.most
        return wishes.keep[first] if first in wishes.keep else wishes.near[first].most if first in wishes.near else None

    def is_endless(self, wishes: Wishes) -> bool:
        """Whether pays of any size would fit."""
        return wishes.edge.least is None and self.most_top(wishes) is None

    def widest(self, wishes: Wishes) -> Fraction:
        """How far the band of the edge can be widened before it holds every edge there can be."""
        top = self.most_top(wishes)
        if top is None:
            deals = max(Fraction(each.total, gcd(*each.ways)) for shape in self.shapes(wishes) for each in shape.counts)
            top = Fraction(LARGEST) / (4 * self.unit(wishes) * deals)
        least, most = wishes.edge.least, wishes.edge.most
        return max(
            Fraction(0) if least is None else least + top, Fraction(0) if most is None else 1 - most, Fraction(1)
        )

    def largest_pay(self, wishes: Wishes) -> int:
        """More than this no row can pay, whatever the others do."""
        low, _ = self._edge_ends(wishes)
        counts = [each for shape in self.shapes(wishes) for each in shape.counts]
        return max(floor((-low * each.total - each.other) / ways) for each in counts for ways in each.ways if ways)

    @cached_property
    def _shapes(self) -> dict[tuple[str, ...], Shape]:
        return {}

    def shapes(self, wishes: Wishes) -> Iterator[Shape]:
        """The table with all its rows, and with every choice of droppable rows taken out."""
        droppable = [name for name in self.rows if name in wishes.drop]
        for number in range(len(droppable) + 1):
            for dropped in combinations(droppable, number):
                if dropped not in self._shapes:
                    names = tuple(name for name in self.rows if name not in dropped)
                    counts = tuple(row_ways(variant, self.wager, dropped) for variant in self.variants)
                    self._shapes[dropped] = Shape(names, dropped, counts)
                shape = self._shapes[dropped]
                never = shape.never
                if not never:
                    yield shape
                elif not set(never) & set(wishes.drop):
                    decks = one_of(sorted(each.decks for each in shape.counts))
                    sentence = f"{never[0]} never comes with {decks} decks, so any price would do"
                    raise Refused("row-never-paid", f'{sentence}; let it go with --drop "{never[0]}"')

    def unit(self, wishes: Wishes) -> int:
        """Pays are searched in steps of one over this."""
        return lcm(
            wishes.step.denominator,
            *(step.denominator for step in wishes.row_steps.values()),
            *(pays.denominator for pays in wishes.keep.values()),
        )

    def fitting(self, wishes: Wishes, found_max: int = FOUND_MAX, examined_max: int | None = None) -> list[Fitting]:
        """Every paytable that fits, shape by shape."""
        found = []
        for shape in self.shapes(wishes):
            if wishes.hit is not None and not all(wishes.hit.holds(each.hit) for each in shape.counts):
                continue
            searched = self._searched(shape, wishes, found_max, examined_max)
            pays = self._with_variance(shape, wishes, searched.pays)
            found.append(Fitting(shape, self._uncountable(shape, wishes, pays), searched.examined))
        return found

    def _searched(self, shape: Shape, wishes: Wishes, found_max: int, examined_max: int | None) -> FoundPays:
        unit = self.unit(wishes)
        # the edge is -(paid + other) / total, so what is paid lies between these two, in steps of 1/unit
        low, high = self._edge_ends(wishes)
        common = [gcd(*each.ways) for each in shape.counts]
        bands = [
            Band(
                tuple(ways // by for ways in each.ways),
                max(ceil(unit * (-high * each.total - each.other) / by), 0),
                floor(unit * (-low * each.total - each.other) / by),
            )
            for each, by in zip(shape.counts, common, strict=True)
        ]
        ranges = self._ranges(shape, wishes, bands)
        return search(bands, ranges, self._square_bands(shape, wishes, low, high), found_max, examined_max)

    def _edge_ends(self, wishes: Wishes) -> tuple[Fraction, Fraction]:
        """The wished ends; an open one is as far as any edge is: no edge is below minus the top or above 1."""
        top, low = self.most_top(wishes), wishes.edge.least
        lowest = low if top is None else -top if low is None else max(low, -top)
        if lowest is None:
            raise AssertionError("wishes that pays of any size fit are refused")
        return lowest, Fraction(1) if wishes.edge.most is None else wishes.edge.most

    def _ranges(self, shape: Shape, wishes: Wishes, bands: Sequence[Band]) -> list[RowRange]:
        """What each row may pay: its step, what is kept, the wished top, and never more than the row above."""
        unit, ranges = self.unit(wishes), list[RowRange]()
        for at, name in enumerate(shape.names):
            step = int(wishes.row_steps.get(name, wishes.step) * unit)
            most = min(max(band.most, 0) // band.ways[at] for band in bands if band.ways[at])
            least = step
            if name in wishes.keep:
                least = most = int(wishes.keep[name] * unit)
                step = 1
            if name in wishes.near:
                least = max(least, ceil((wishes.near[name].least or 0) * unit))
                most = min(most, floor((wishes.near[name].most or 0) * unit))
            if at == 0 and wishes.top is not None:
                least = max(least, ceil(wishes.top.least * unit) if wishes.top.least is not None else 0)
                most = min(most, floor(wishes.top.most * unit) if wishes.top.most is not None else most)
            if ranges:
                most = min(most, ranges[-1].most)
            ranges.append(RowRange(least, most, step))
        for at in range(len(ranges) - 2, -1, -1):  # a row pays no less than those below it
            ranges[at] = replace(ranges[at], least=max(ranges[at].least, ranges[at + 1].least))
        return ranges

    def _square_bands(self, shape: Shape, wishes: Wishes, low: Fraction, high: Fraction) -> list[SquareBand]:
        """The mean square of the pays that a wished variance leaves open, the edge anywhere in its band."""
        if wishes.variance is None:
            return []
        unit, found = self.unit(wishes), []
        spread = max(low * low, high * high)
        for each in shape.counts:
            rest = each.other_square / each.total
            least = max((wishes.variance.least or Fraction(0)) - rest, Fraction(0))
            most = Fraction(LARGEST) if wishes.variance.most is None else wishes.variance.most + spread - rest
            chances = tuple(float(Fraction(ways, each.total)) for ways in each.ways)
            found.append(SquareBand(chances, float(least * unit * unit), float(most * unit * unit)))
        return found

    def _with_variance(self, shape: Shape, wishes: Wishes, pays: Numbers) -> Numbers:
        if wishes.variance is None or not len(pays):
            return pays
        unit, keep = self.unit(wishes), np.ones(len(pays), bool)
        for each in shape.counts:
            variance = variances(each, pays, unit)
            near = np.zeros(len(pays), bool)
            for end, above in ((wishes.variance.least, True), (wishes.variance.most, False)):
                if end is not None:
                    apart = variance - float(end) if above else float(end) - variance
                    keep &= apart > -NEAR * max(1.0, abs(float(end)))
                    near |= np.abs(apart) <= NEAR * max(1.0, abs(float(end)))
            for at in np.flatnonzero(keep & near):
                keep[at] = wishes.variance.holds(each.variance(pays[at].tolist(), unit))
        return pays[keep]

    def _uncountable(self, shape: Shape, wishes: Wishes, pays: Numbers) -> Numbers:
        if wishes.countable is None or not len(pays):
            return pays
        keep = np.ones(len(pays), bool)
        for ceilings in self.ceilings(shape, pays, self.unit(wishes)).values():
            keep &= ceilings <= float(wishes.countable)
        return pays[keep]

    def ceilings(self, shape: Shape, pays: Numbers, unit: int) -> dict[str, Decimals]:
        """What a perfect follower would win with each of these rows of pays, by number of decks."""
        found = {}
        for variant in self.variants:
            key = shape.dropped, variant.pack[0]
            if key not in self._chances:
                cut = usual_cuts(variant, 1)[0] if self.behind_cut is None else self.behind_cut
                check_cut(cut, variant.pack[0] * (52 + variant.pack[1]), most_cards(variant, 1))
                self._chances[key] = row_chances(variant, self.wager, shape.dropped, cut)
            found[str(variant.pack[0])] = self._chances[key].ceilings(pays / unit)
        return found

    def table(self, shape: Shape, pays: Sequence[int], wishes: Wishes) -> DesignedTable:
        """One paytable with its exact figures."""
        unit = self.unit(wishes)
        by_decks = {str(each.decks): each for each in shape.counts}
        countable = errors = None
        if wishes.countable is not None:
            found = self.ceilings(shape, np.array([pays], np.int64), unit)
            countable = {decks: float(values[0]) for decks, values in found.items()}
            paid = [pay / unit for pay in pays]
            errors = {decks: self._chances[shape.dropped, int(decks)].error(paid) for decks in found}
        return DesignedTable(
            rows={name: whole(Fraction(pay, unit)) for name, pay in zip(shape.names, pays, strict=True)},
            edge={decks: -each.ev(pays, unit) for decks, each in by_decks.items()},
            hit={decks: each.hit for decks, each in by_decks.items()},
            variance={decks: each.variance(pays, unit) for decks, each in by_decks.items()},
            top=whole(Fraction(pays[0], unit)),
            countable=countable,
            countable_error=errors,
        )

    def best_first(self, fitting: Sequence[Fitting], wishes: Wishes) -> Iterator[tuple[Shape, list[int]]]:
        """What fits in the stated order: by decimals first, and by fractions where those are too near to tell."""
        unit, middle = self.unit(wishes), wishes.edge.middle
        keys, places = [], []
        for number, each in enumerate(fitting):
            if len(each.pays):
                away = np.max([np.abs(edges(count, each.pays, unit) - float(middle)) for count in each.shape.counts], 0)
                keys.append(away)
                places += [(number, at) for at in range(len(each.pays))]
        if not keys:
            return
        distance = np.round(np.concatenate(keys), 12)  # borders that rounding moves are settled below
        tops = np.concatenate([each.pays[:, 0] for each in fitting if len(each.pays)])
        order = np.lexsort((-tops, distance))
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and distance[order[end]] - distance[order[start]] <= 2e-12:
                end += 1
            alike = [places[at] for at in order[start:end].tolist()]
            for number, at in sorted(alike, key=self._exact_key(fitting, middle, unit)):
                yield fitting[number].shape, fitting[number].pays[at].tolist()
            start = end

    def _exact_key(
        self, fitting: Sequence[Fitting], middle: Fraction, unit: int
    ) -> Callable[[tuple[int, int]], tuple[Any, ...]]:
        def key(place: tuple[int, int]) -> tuple[Any, ...]:
            shape, pays = fitting[place[0]].shape, fitting[place[0]].pays[place[1]].tolist()
            return max(abs(-each.ev(pays, unit) - middle) for each in shape.counts), [-pay for pay in pays]

        return key

    def design(self, wishes: Wishes, limit: int | None = None, loosen: "Loosen | None" = None) -> Design:
        """Everything that fits, or the proof that nothing does; `loosen` says what to loosen then."""
        self.check(wishes)
        fitting = self.fitting(wishes)
        number = sum(len(each.pays) for each in fitting)
        examined = sum(each.examined for each in fitting)
        tables: list[DesignedTable] = []
        for shape, pays in self.best_first(fitting, wishes):
            if limit is not None and len(tables) == limit:
                break
            tables.append(self.table(shape, pays, wishes))
        return Design(
            game=self.variant.game.id,
            wager=self.wager,
            options=dict(self.variant.options),
            rules_hash=self.variant.rules_hash,
            order=ORDER,
            wishes=told(wishes),
            paytables=tables,
            number=number,
            complete=number == len(tables),
            examined=examined,
            proof=self.proof(wishes, number, examined),
            loosenings=list(loosen(self, wishes)) if loosen is not None and not number else [],
        )

    def proof(self, wishes: Wishes, number: int, examined: int) -> str:
        """Why nothing is missing, in words."""
        shapes = list(self.shapes(wishes))
        hits = [s for s in shapes if wishes.hit is None or all(wishes.hit.holds(each.hit) for each in s.counts)]
        if not hits:
            return (
                "The rows decide how often something is paid, whatever they pay; no choice of rows comes as often as "
                "wished."
            )
        words = f"Every paytable of {len(hits)} choice{'s' * (len(hits) > 1)} of rows was tried from the bottom row up"
        words += f" ({examined:,} beginnings), and a beginning was left only where no pays of the rows above could fit."
        return f"{words} {'Nothing fits.' if not number else f'{number:,} fit.'}"


def told(wishes: Wishes) -> dict[str, Any]:
    """The wishes as they were understood."""
    found: dict[str, Any] = {"edge": wishes.edge.text(percent=True), "step": str(wishes.step)}
    for name in ("hit", "variance", "top"):
        given = getattr(wishes, name)
        if given is not None:
            found[name] = given.text(percent=name == "hit")
    if wishes.countable is not None:
        found["countable"] = float(wishes.countable)
    if wishes.row_steps:
        found["row_steps"] = {name: str(step) for name, step in wishes.row_steps.items()}
    if wishes.keep:
        found["keep"] = {name: str(pays) for name, pays in wishes.keep.items()}
    if wishes.drop:
        found["drop"] = list(wishes.drop)
    return found
