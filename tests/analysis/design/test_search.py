"""The search misses nothing and lists nothing that does not fit: against trying everything."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairhouse.analysis.design.search import Band, RowRange, SquareBand, search
from pairhouse.core.errors import Refused


def brute(bands: list[Band], rows: list[RowRange]) -> set[tuple[int, ...]]:
    choices = [[pay for pay in range(row.least, row.most + 1) if pay % row.step == 0] for row in rows]
    return {
        pays
        for pays in product(*choices)
        if all(above >= below for above, below in pairwise(pays))
        and all(band.least <= sum(w * p for w, p in zip(band.ways, pays, strict=True)) <= band.most for band in bands)
    }


row_ranges = st.builds(
    lambda least, width, step: RowRange(least, least + width, step),
    st.integers(1, 6),
    st.integers(0, 9),
    st.integers(1, 3),
)


@settings(max_examples=150)
@given(st.data())
def test_everything_that_fits_and_nothing_else(data: st.DataObject) -> None:
    rows = data.draw(st.lists(row_ranges, min_size=1, max_size=4))
    ways = st.tuples(*[st.integers(0, 30)] * len(rows))
    bands = [
        Band(w, least, least + width)
        for w, least, width in data.draw(
            st.lists(st.tuples(ways, st.integers(0, 300), st.integers(0, 120)), min_size=1, max_size=2)
        )
    ]
    found = search(bands, rows).pays.tolist()
    assert len(found) == len(set(map(tuple, found)))
    assert set(map(tuple, found)) == brute(bands, rows)


@settings(max_examples=60)
@given(st.data())
def test_squares_drop_nothing_that_fits(data: st.DataObject) -> None:
    rows = data.draw(st.lists(row_ranges, min_size=2, max_size=3))
    ways = tuple(data.draw(st.lists(st.integers(1, 20), min_size=len(rows), max_size=len(rows))))
    least = data.draw(st.integers(0, 400))
    most = least + data.draw(st.integers(0, 400))
    band = Band(ways, 0, 10**6)
    chances = tuple(float(number) for number in ways)
    found = {tuple(pays) for pays in search([band], rows, [SquareBand(chances, least, most)]).pays.tolist()}
    everything = brute([band], rows)
    fits = {p for p in everything if least <= sum(w * x * x for w, x in zip(ways, p, strict=True)) <= most}
    assert fits <= found <= everything


def test_too_many_are_refused_and_large_numbers_are_whole() -> None:
    with pytest.raises(Refused, match="more than 10 paytables fit"):
        search([Band((1, 1), 0, 100)], [RowRange(1, 50), RowRange(1, 50)], found_max=10)
    huge = 5 * 10**15
    found = search([Band((huge, 3), 7 * huge + 3, 7 * huge + 9)], [RowRange(1, 9), RowRange(1, 9)])
    assert found.pays.tolist() == [[7, 1], [7, 2], [7, 3]]
    assert found.pays.dtype == np.int64
    assert not search([Band((1,), 5, 4)], [RowRange(1, 9)]).pays.size
