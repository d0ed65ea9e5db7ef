"""Which wish to loosen when no paytable fits: each by itself, all others kept, by as little as helps.

A wish is widened until something fits; what is nearest to it then is nearest of all, since everything that is not
farther away was compared. Where too many would have to be compared, it was widened too far.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from pairhouse.analysis.design.designing import DesignedTable, Designer, Loosening, Shape
from pairhouse.analysis.design.search import LARGEST, Numbers
from pairhouse.analysis.design.tables import edges, variances, whole
from pairhouse.analysis.design.wishes import Range, Wishes, in_digits
from pairhouse.analysis.protect.shoe_prices import Decimals
from pairhouse.core.errors import Refused

LOOSENED_MAX = 300_000  # paytables compared to find the least loosening
EXAMINED_MAX = 10_000_000  # beginnings looked at for one try
TRIES = 60
FINER = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 5), Fraction(1, 10))  # steps below one, of the wished one

Away = Callable[[Shape, Numbers], Decimals]


def loosenings(designer: Designer, wishes: Wishes) -> Iterator[Loosening]:
    """Each wish by itself: the least change with which something fits."""
    return Loosener(designer).each(wishes)


@dataclass(frozen=True, eq=False)
class Loosener:
    """Searches again with one wish left out or widened, and takes what is nearest to it."""

    designer: Designer

    def each(self, wishes: Wishes) -> Iterator[Loosening]:
        """Each wish by itself: the least change with which something fits."""
        yield self._told(lambda: self._by_edge(wishes), "edge", wishes.edge.text(percent=True))
        if wishes.hit is not None:
            yield self._told(lambda: self._by_hit(wishes), "hit", wishes.hit.text(percent=True))
        for name in ("variance", "top"):
            given = getattr(wishes, name)
            if given is not None:
                yield self._told(lambda name=name: self._by_figure(wishes, name), name, given.text())  # type: ignore[misc]
        if wishes.countable is not None:
            text = f"{float(wishes.countable):g} per 100 rounds"
            yield self._told(lambda: self._by_countable(wishes, text), "countable", text)
        for row, pays in wishes.keep.items():
            yield self._told(lambda row=row: self._by_kept(wishes, row), "keep", f"{row}={pays}")  # type: ignore[misc]
        yield self._told(lambda: self._by_step(wishes, None), "step", str(wishes.step))
        for row, step in wishes.row_steps.items():
            yield self._told(lambda row=row: self._by_step(wishes, row), "step", f"{row}={step}")  # type: ignore[misc]
        if len(self.designer.variants) > 1:
            text = ",".join(map(str, self.designer.decks))
            yield self._told(lambda: self._by_decks(wishes, text), "decks", text)

    def _told(self, loosen: Callable[[], Loosening], wish: str, given: str) -> Loosening:
        try:
            return loosen()
        except Refused as refused:
            if refused.code not in ("too-many", "too-large"):
                raise
            return Loosening(wish, given, None, None, "too many paytables would have to be compared")

    def _by_edge(self, wishes: Wishes) -> Loosening:
        def away(shape: Shape, pays: Numbers) -> Decimals:
            every = [_away(wishes.edge, edges(each, pays, self.designer.unit(wishes))) for each in shape.counts]
            return np.max(every, axis=0)  # type: ignore[no-any-return]

        def widened(by: Fraction) -> Wishes:
            return replace(wishes, edge=wishes.edge.widened(by))

        given, limit = wishes.edge.text(percent=True), self.designer.widest(wishes)
        example = self._least(widened, away, Fraction(1, 1000), limit)
        if example is None:
            return Loosening("edge", given, None, None)
        return Loosening("edge", given, needed(wishes.edge, example.edge.values(), True), example)

    def _by_hit(self, wishes: Wishes) -> Loosening:
        """The rows decide it: the choice of rows that is nearest, of those with which anything fits."""
        given = wishes.hit
        assert given is not None
        shapes = self.designer.shapes(wishes)
        for far in sorted({max(given.away(each.hit) for each in shape.counts) for shape in shapes}):
            example = self._some(replace(wishes, hit=given.widened(far)))
            if example is not None:
                return Loosening("hit", given.text(True), needed(given, example.hit.values(), True), example)
        return Loosening("hit", given.text(True), None, None)

    def _by_figure(self, wishes: Wishes, name: str) -> Loosening:
        given: Range = getattr(wishes, name)
        unit = self.designer.unit(wishes)

        def away(shape: Shape, pays: Numbers) -> Decimals:
            if name == "top":
                return _away(given, pays[:, 0] / unit)
            return np.max([_away(given, variances(each, pays, unit)) for each in shape.counts], axis=0)  # type: ignore[no-any-return]

        def widened(by: Fraction) -> Wishes:
            return replace(wishes, **{name: given.widened(by)})  # type: ignore[arg-type]

        example = self._nearest_of_all(replace(wishes, **{name: None}), widened, away)  # type: ignore[arg-type]
        if example is None:
            return Loosening(name, given.text(), None, None)
        figures = [Fraction(example.top)] if name == "top" else list(example.variance.values())
        return Loosening(name, given.text(), needed(given, figures, False), example)

    def _by_countable(self, wishes: Wishes, given: str) -> Loosening:
        free = replace(wishes, countable=None)

        def worst(shape: Shape, pays: Numbers) -> Decimals:
            return np.max(list(self.designer.ceilings(shape, pays, self.designer.unit(free)).values()), axis=0)  # type: ignore[no-any-return]

        found = self._nearest(free, worst, wishes)
        if found is None or found.countable is None:
            return Loosening("countable", given, None, None)
        most = in_digits(Fraction(max(found.countable.values())), ROUND_CEILING)
        return Loosening("countable", given, f"{most} per 100 rounds", found)

    def _by_kept(self, wishes: Wishes, row: str) -> Loosening:
        kept = wishes.keep[row]
        free = replace(wishes, keep={name: pays for name, pays in wishes.keep.items() if name != row})

        def away(shape: Shape, pays: Numbers) -> Decimals:
            found: Decimals = np.abs(pays[:, shape.names.index(row)] / self.designer.unit(free) - float(kept))
            return found

        def widened(by: Fraction) -> Wishes:
            return replace(free, near={row: Range(kept - by, kept + by)})

        example = self._nearest_of_all(free, widened, away)
        given = f"{row}={whole(kept)}"
        if example is None:
            return Loosening("keep", given, None, None)
        return Loosening("keep", given, f"{row}={example.rows[row]}", example)

    def _by_step(self, wishes: Wishes, row: str | None) -> Loosening:
        """The largest of the smaller steps with which something fits: of every row, or of one that has its own."""
        wished = wishes.step if row is None else wishes.row_steps[row]
        named = "" if row is None else f"{row}="
        largest = min(ceil(wished) - 1, self.designer.largest_pay(wishes))
        whole_steps = [Fraction(step) for step in range(largest, 0, -1)]
        finer = [part * min(wished, Fraction(1)) for part in FINER]
        for step in [*whole_steps, *finer]:
            own = {**wishes.row_steps, row: step} if row is not None else wishes.row_steps
            example = self._some(replace(wishes, step=wishes.step if row is not None else step, row_steps=own))
            if example is not None:
                return Loosening("step", f"{named}{wished}", f"{named}{step}", example)
        return Loosening("step", f"{named}{wished}", None, None, f"none of the smaller steps down to {finer[-1]} helps")

    def _by_decks(self, wishes: Wishes, given: str) -> Loosening:
        """One number of decks left out; of several that help, the first."""
        for out in self.designer.decks:
            others = [number for number in self.designer.decks if number != out]
            example = Loosener(self.designer.at(others))._some(wishes)
            if example is not None:
                return Loosening("decks", given, ",".join(map(str, others)), example)
        return Loosening("decks", given, None, None)

    def _some(self, wishes: Wishes) -> DesignedTable | None:
        """One that fits, near the middle of the edges: of very many that fit only those nearest to it are compared."""
        edge = wishes.edge

        def away(shape: Shape, pays: Numbers) -> Decimals:
            every = [
                np.abs(edges(each, pays, self.designer.unit(wishes)) - float(edge.middle)) for each in shape.counts
            ]
            return np.max(every, axis=0)  # type: ignore[no-any-return]

        def narrowed(by: Fraction) -> Wishes:
            least, most = edge.middle - by, edge.middle + by
            low = least if edge.least is None else max(edge.least, least)
            inner = Range(low, most if edge.most is None else min(edge.most, most))
            return replace(wishes, edge=inner)

        return self._nearest_of_all(wishes, narrowed, away, Fraction(1, 10**4))

    def _nearest_of_all(
        self, free: Wishes, widened: Callable[[Fraction], Wishes], away: Away, first: Fraction = Fraction(1)
    ) -> DesignedTable | None:
        """Without the wish, what is nearest to it; where too many fit then, with the wish widened only so far."""
        if not self.designer.is_endless(free):
            try:
                return self._nearest(free, away)
            except Refused as refused:
                if refused.code not in ("too-many", "too-large"):
                    raise
        return self._least(widened, away, first, Fraction(LARGEST))

    def _least(
        self, widened: Callable[[Fraction], Wishes], away: Away, first: Fraction, limit: Fraction
    ) -> DesignedTable | None:
        """Widen a wish until something fits, but not so far that too many do; None where nothing does at the limit."""
        nothing, many, by = Fraction(0), None, first
        for _ in range(TRIES):
            try:
                example = self._nearest(widened(by), away)
            except Refused as refused:
                if refused.code != "too-many":
                    raise
                many = by
            else:
                if example is not None or by >= limit:
                    return example
                nothing = by
            by = min(2 * by, limit) if many is None else (nothing + many) / 2
        raise Refused("too-many", "too many paytables are equally near")

    def _nearest(self, wishes: Wishes, away: Away, told_for: Wishes | None = None) -> DesignedTable | None:
        """Of everything that fits, the table that is least away."""
        best: tuple[float, Shape, list[int]] | None = None
        for each in self.designer.fitting(wishes, LOOSENED_MAX, EXAMINED_MAX):
            if len(each.pays):
                distance = away(each.shape, each.pays)
                at = int(distance.argmin())
                if best is None or distance[at] < best[0]:
                    best = float(distance[at]), each.shape, each.pays[at].tolist()
        return None if best is None else self.designer.table(best[1], best[2], told_for or wishes)


def _away(given: Range, values: Decimals) -> Decimals:
    """How far figures are outside a range, in decimals."""
    found = np.zeros(len(values))
    if given.least is not None:
        found = np.maximum(found, float(given.least) - values)
    if given.most is not None:
        found = np.maximum(found, values - float(given.most))
    return found


def needed(given: Range, figures: Any, percent: bool) -> str:
    """The band with the one end moved as far as it must be."""
    values = list(figures)
    least, most = given.least, given.most
    if least is not None:
        least = min([least, *values])
    if most is not None:
        most = max([most, *values])
    return Range(least, most).text(percent)
