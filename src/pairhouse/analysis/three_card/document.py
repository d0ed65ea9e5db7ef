"""How to play Three Card Poker, in a printed par sheet and in a workbook."""

from typing import Any

from pairhouse.analysis.reports.charts import Chart
from pairhouse.analysis.reports.render.document import (
    LEFT,
    RIGHT,
    Block,
    ChartBlock,
    DataTable,
    Prose,
    Section,
    grouped,
    percent,
    signed,
)
from pairhouse.analysis.three_card.strategy import ThreeCardStrategy


def strategy_sections(found: ThreeCardStrategy, chart: Chart) -> list[Section]:
    """Which hands to play, how close it is, and what other ways cost."""
    opening = (
        f"The weakest hand worth playing is {found.weakest}. It was found by valuing every hand both ways, not "
        "assumed: playing it loses less than the ante that folding gives up; playing the next lower hand loses more."
    )
    near = [[each.hand, grouped(each.deals), signed(float(each.play), 6), "play" if each.play > each.fold else "fold"]
            for each in found.around]  # fmt: skip
    ways = [[each.name, each.says, percent(-each.ev), percent(-each.element_of_risk), percent(each.plays, 2)]
            for each in found.strategies]  # fmt: skip
    return [
        Section("strategy", "How to play", [
            Prose(opening),
            DataTable(["hand", "deals", "antes won by playing", "best"], [LEFT, RIGHT, RIGHT, LEFT], near),
            ChartBlock(chart),
            Prose("The price of other strategies, per ante and per unit finally at risk (element of risk):"),
            DataTable(["strategy", "", "edge per ante", "element of risk", "hands played"],
                  [LEFT, LEFT, RIGHT, RIGHT, RIGHT], ways, faint=[1]),
        ])
    ]  # fmt: skip


def strategy_brief(found: ThreeCardStrategy) -> list[Block]:
    """The weakest hand to play, and what other ways cost, in a few lines."""
    titles = ["strategy", "edge per ante", "element of risk"]
    ways = [
        [f"{each.name}: {each.says}", percent(-each.ev), percent(-each.element_of_risk)] for each in found.strategies
    ]
    return [Prose(f"Play {found.weakest} and better."), DataTable(titles, [LEFT, RIGHT, RIGHT], ways)]


def strategy_page(found: ThreeCardStrategy) -> list[list[Any]]:
    """The hands around the weakest one worth playing, as a page of a workbook."""
    titles: list[Any] = ["hand", "deals", "play", "play, exact", "fold"]
    rows = [[each.hand, each.deals, float(each.play), each.play, float(each.fold)] for each in found.around]
    return [titles, *rows]
