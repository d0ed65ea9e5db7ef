"""The square of the strategy chart a hand is, and charts as the pages read them."""

import pytest

from pairhouse.core.cards import parse
from pairhouse.server.models import ChartCell
from pairhouse.server.routes.charts import blackjack_cell, charts_of, three_card_cell


@pytest.mark.parametrize(
    ("held", "up", "can_split", "cell"),
    [
        ("10h 6c", "5s", False, ("hard", "16", "5")),
        ("Ah 7c", "Ks", False, ("soft", "18", "10")),
        ("8h 8c", "Ad", True, ("pairs", "8", "A")),
        ("8h 8c", "Ad", False, ("hard", "16", "A")),
        ("10h Kc", "2d", True, ("pairs", "10", "2")),
        ("Ah Ac 5d", "9d", False, ("soft", "17", "9")),
    ],
)
def test_the_square_of_a_blackjack_hand(held: str, up: str, can_split: bool, cell: tuple[str, str, str]) -> None:
    assert blackjack_cell(parse(held.split()), parse([up])[0], can_split) == ChartCell(*cell)


@pytest.mark.parametrize(
    ("held", "cell"),
    [
        ("Qh 6c 4d", ChartCell("queen-high", "6", "4")),
        ("4h Qc Jd", ChartCell("queen-high", "J", "4")),
        ("Ah Qc 6d", None),
        ("Qh Qc 6d", None),
        ("Kh 6c 4d", None),
    ],
)
def test_only_queen_high_hands_are_on_the_chart(held: str, cell: ChartCell | None) -> None:
    assert three_card_cell(parse(held.split())) == cell


def test_charts_from_a_par_sheet() -> None:
    """Three for blackjack by kind of hand, one for Three Card Poker, none where nothing is decided."""
    grid = {"hard": {"16": ["stand"] * 10}, "soft": {"18": ["stand"] * 10}, "pairs": {"8": ["split"] * 10}}
    found = charts_of({"wagers": {"main": {"chart": grid}}})
    assert [(chart.id, chart.rows) for chart in found] == [("hard", ["16"]), ("soft", ["18"]), ("pairs", ["8"])]
    told = {"title": "t", "corner": "c", "columns": ["2", "3"], "rows": ["J"], "legend": {"P": "play"}}
    poker = charts_of({"wagers": {}, "strategy": {"chart": told | {"cells": [[{"action": "P", "note": "n"}, None]]}}})
    assert poker[0].squares[0][0] is not None
    assert (poker[0].squares[0][0].action, poker[0].squares[0][1]) == ("play", None)
    assert charts_of({"wagers": {}}) == []
