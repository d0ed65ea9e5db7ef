"""Limits and cut cards found from a ceiling keep it under the sum that was asked for, and are not needlessly low."""

from functools import lru_cache

import pytest

from pairhouse.analysis.protect.ceiling import DealtShoes, table_limits
from pairhouse.analysis.protect.safe_limits import safe_cut_card, safe_limits
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import find

pytestmark = pytest.mark.slow  # `make test-protect`

BACCARAT = find("nepal-super-baccarat").variant()
LIMITS = table_limits(BACCARAT, 50_000, round_most=1_000_000)
PACE = 70


@lru_cache(maxsize=1)
def shoes() -> DealtShoes:
    return DealtShoes(BACCARAT, 14, 60, 8)


@pytest.mark.parametrize("behind_cut", [14, 104, 208])
def test_limits_keep_the_ceiling_under_the_sum(behind_cut: int) -> None:
    allowed = 0.3 * shoes().ceiling(LIMITS, behind_cut).an_hour(PACE)
    found = safe_limits(shoes(), LIMITS, behind_cut, PACE, allowed)
    assert allowed / 2 < shoes().ceiling(found, behind_cut).at_most_an_hour(PACE) <= allowed
    assert all(stake % 100 == 0 and stake <= 50_000 for stake in found.most.values())
    assert found.most["player"] == found.most["banker"] == 50_000 > found.most["tie-on-0"]


def test_generous_sums_change_nothing_and_impossible_ones_are_refused() -> None:
    assert safe_limits(shoes(), LIMITS, 208, PACE, 1e9) == LIMITS
    with pytest.raises(Refused, match="give a sum above 0"):
        safe_limits(shoes(), LIMITS, 208, PACE, 0)
    assert set(safe_limits(shoes(), LIMITS, 14, PACE, 1).most.values()) <= {0, 100}


def test_the_cut_card_is_as_deep_as_the_sum_allows() -> None:
    cut = safe_cut_card(shoes(), LIMITS, PACE, 20_000)
    assert cut is not None
    assert shoes().ceiling(LIMITS, cut).at_most_an_hour(PACE) <= 20_000
    assert shoes().ceiling(LIMITS, cut - 1).at_most_an_hour(PACE) > 20_000
    assert safe_cut_card(shoes(), LIMITS, PACE, -1_000_000) is None
