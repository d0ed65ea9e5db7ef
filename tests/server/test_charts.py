"""Strategy charts as the pages read them."""

from pairhouse.server.routes.charts import charts_of


def test_charts_from_a_par_sheet() -> None:
    """Letters become the words of actions; impossible places stay empty, and no charts are none."""
    cells = [[{"action": "P", "note": "n"}, None]]
    told = {"id": "i", "title": "t", "corner": "c", "columns": ["2", "3"], "rows": ["J"], "legend": {"P": "play"}}
    (chart,) = charts_of({"wagers": {}, "charts": [told | {"cells": cells}]})
    assert (chart.id, chart.columns, chart.rows) == ("i", ["2", "3"], ["J"])
    assert chart.squares[0][0] is not None
    assert (chart.squares[0][0].action, chart.squares[0][0].note, chart.squares[0][1]) == ("play", "n", None)
    assert charts_of({"wagers": {}}) == []
