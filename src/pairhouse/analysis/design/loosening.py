"""Which wish to loosen when no paytable fits: each by itself, all others kept, by as little as helps."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from pairhouse.analysis.design.designing import (
    WIDEST,
    DesignedTable,
    Designer,
    Loosening,
    Shape,
    edges,
    variances,
    whole,
)
from pairhouse.analysis.design.search import Numbers
from pairhouse.analysis.design.wishes import Range, Wishes
from pairhouse.analysis.protect.shoe_prices import Decimals
from pairhouse.core.errors import Refused

LOOSENED_MAX = 300_000  # paytables compared to find the least loosening


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
        for name in ("hit", "variance", "top"):
            given = getattr(wishes, name)
            if given is not None:
                text = given.text(percent=name == "hit")
                yield self._told(lambda name=name: self._by_figure(wishes, name), name, text)  # type: ignore[misc]
        if wishes.countable is not None:
            text = f"{float(wishes.countable):g} per 100 rounds"
            yield self._told(lambda: self._by_countable(wishes, text), "countable", text)
        for row, pays in wishes.keep.items():
            yield self._told(lambda row=row: self._by_kept(wishes, row), "keep", f"{row}={pays}")  # type: ignore[misc]

    def _told(self, loosen: Callable[[], Loosening], wish: str, given: str) -> Loosening:
        try:
            return loosen()
        except Refused as refused:
            if refused.code != "too-many":
                raise
            return Loosening(wish, given, None, None, "too many paytables would have to be compared")

    def _by_edge(self, wishes: Wishes) -> Loosening:
        by = Fraction(1, 1000)

        def away(shape: Shape, pays: Numbers) -> Decimals:
            every = [_away(wishes.edge, edges(each, pays, self.designer.unit(wishes))) for each in shape.counts]
            return np.max(every, axis=0)  # type: ignore[no-any-return]

        while by < WIDEST:
            example = self._nearest(replace(wishes, edge=wishes.edge.widened(by)), away)
            if example is not None:
                given, band = wishes.edge.text(percent=True), needed(wishes.edge, example.edge.values(), True)
                return Loosening("edge", given, band, example)
            by *= 2
        return Loosening("edge", wishes.edge.text(percent=True), None, None)

    def _by_figure(self, wishes: Wishes, name: str) -> Loosening:
        given: Range = getattr(wishes, name)
        unit = self.designer.unit(wishes)

        def away(shape: Shape, pays: Numbers) -> Decimals:
            if name == "top":
                return _away(given, pays[:, 0] / unit)
            if name == "hit":
                return np.full(len(pays), max(float(given.away(each.hit)) for each in shape.counts))
            return np.max([_away(given, variances(each, pays, unit)) for each in shape.counts], axis=0)  # type: ignore[no-any-return]

        percent = name == "hit"
        example = self._nearest(replace(wishes, **{name: None}), away)  # type: ignore[arg-type]
        if example is None:
            return Loosening(name, given.text(percent), None, None)
        figures = [Fraction(example.top)] if name == "top" else list(getattr(example, name).values())
        return Loosening(name, given.text(percent), needed(given, figures, percent), example)

    def _by_countable(self, wishes: Wishes, given: str) -> Loosening:
        free = replace(wishes, countable=None)

        def worst(shape: Shape, pays: Numbers) -> Decimals:
            return np.max(list(self.designer.ceilings(shape, pays, self.designer.unit(free)).values()), axis=0)  # type: ignore[no-any-return]

        found = self._nearest(free, worst, wishes)
        if found is None or found.countable is None:
            return Loosening("countable", given, None, None)
        return Loosening("countable", given, f"{max(found.countable.values()):.4g} per 100 rounds", found)

    def _by_kept(self, wishes: Wishes, row: str) -> Loosening:
        kept = wishes.keep[row]
        free = replace(wishes, keep={name: pays for name, pays in wishes.keep.items() if name != row})

        def away(shape: Shape, pays: Numbers) -> Decimals:
            found: Decimals = np.abs(pays[:, shape.names.index(row)] / self.designer.unit(free) - float(kept))
            return found

        example = self._nearest(free, away)
        given = f"{row}={whole(kept)}"
        if example is None:
            return Loosening("keep", given, None, None)
        return Loosening("keep", given, f"{row}={example.rows[row]}", example)

    def _nearest(
        self, wishes: Wishes, away: Callable[[Shape, Numbers], Decimals], told_for: Wishes | None = None
    ) -> DesignedTable | None:
        """Of everything that fits, the table that is least away."""
        best: tuple[float, Shape, list[int]] | None = None
        for each in self.designer.fitting(wishes, LOOSENED_MAX):
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
