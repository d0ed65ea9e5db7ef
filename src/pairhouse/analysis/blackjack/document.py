"""The main wager and insurance in a printed par sheet: value by up card, charts, net result, own cards seen."""

from collections.abc import Mapping, Sequence
from typing import Any

from pairhouse.analysis.blackjack.insurance import GivenTens
from pairhouse.analysis.methods.records import SolvedPrice
from pairhouse.analysis.reports.charts import Chart
from pairhouse.analysis.reports.render.document import (
    LEFT,
    RIGHT,
    Block,
    ChartBlock,
    DataTable,
    Fact,
    Facts,
    Prose,
    Section,
    percent,
    signed,
)
from pairhouse.analysis.reports.render.solved import net_blocks, solved_facts


def main_sections(main: SolvedPrice, charts: Sequence[Chart]) -> list[Section]:
    """What is known of the main wager, always with the class of strategies it is best in."""
    by_chart, cost = main.details["basic_strategy_ev"], main.details["basic_strategy_cost"]
    facts = solved_facts(main)
    facts.insert(2, Fact("With basic strategy", f"{percent(-by_chart, 6)}, {signed(cost, 8)} more"))
    blocks: list[Block] = [
        Prose(f"Best play in this class: {main.strategy_class}."),
        Facts(facts),
        Prose("The value of a round by the dealer’s up card, in units:"),
        _by_up_card(main.details["by_up_card"]),
    ]
    return [
        Section("main", "The main wager, best played", blocks),
        Section("main-chart", "Basic strategy", _charts(charts, main.details["exceptions"]), level=2),
        Section("main-net", "Net result of a round", net_blocks(main, "rounds with a split"), level=2),
    ]


def _by_up_card(values: Mapping[str, float]) -> DataTable:
    return DataTable(
        ["up card", *values],
        [LEFT, *[RIGHT] * len(values)],
        [["value", *(signed(value, 4) for value in values.values())]],
        small=True,
    )


def _charts(charts: Sequence[Chart], missed: Sequence[Mapping[str, Any]]) -> list[Block]:
    """The chart that rests on totals only, and the hands it plays wrongly."""
    found: list[Block] = [ChartBlock(chart) for chart in charts]
    if not missed:
        return [*found, Prose("Every two-card hand is best played as the chart says.", quiet=True)]
    rows = [[each["hand"], each["up"], each["best"], each["chart"], signed(each["gain"], 6)] for each in missed]
    found.append(Prose("Two-card hands that are better played otherwise, with what that gains in units:"))
    found.append(DataTable(["hand", "up card", "best", "chart", "gain"], [LEFT, RIGHT, RIGHT, RIGHT, RIGHT], rows))
    return found


def insurance_sections(by_hand: Sequence[GivenTens]) -> list[Section]:
    """Insurance as a seat sees it: its own two cards change the chance of a ten beneath the ace."""
    rows = [
        [str(each.tens_held), str(each.ten_below), percent(-each.ev), str(each.ev).replace("-", "−")]
        for each in by_hand
    ]
    titles = ["tens in the seat’s hand", "chance of a ten beneath", "house edge", "expectation"]
    says = "Per unit of the insurance stake, which is half the main bet. The seat’s own tens make it worse:"
    blocks: list[Block] = [Prose(says), DataTable(titles, [LEFT, *[RIGHT] * 3], rows)]
    return [Section("insurance-seen", "Insurance, own cards seen", blocks, 2)]
