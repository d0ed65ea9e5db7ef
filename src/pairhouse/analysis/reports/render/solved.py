"""The solved main wager of a blackjack game in a document: its value, its net result, and its charts."""

from collections.abc import Mapping
from typing import Any

from pairhouse.analysis.reports.charts import Cell, Chart
from pairhouse.analysis.reports.render.document import (
    LEFT,
    RIGHT,
    Block,
    ChartBlock,
    Fact,
    Facts,
    Prose,
    Section,
    Table,
    one_in,
    percent,
    signed,
)

LETTERS = {"stand": "S", "hit": "H", "double": "D", "split": "P", "surrender": "R"}
KINDS = {"hard": "Hard totals", "soft": "Soft totals", "pairs": "Pairs"}


def main_section(main: Mapping[str, Any] | None) -> list[Section]:
    """What is known of the main wager, always with the class of strategies it is best in."""
    if main is None:
        return []
    blocks: list[Block] = [
        Prose(f"Best play in this class: {main['strategy_class']}."),
        Facts(_facts(main)),
        Prose("The value of a round by the dealer’s up card, in units:"),
        _by_up_card(main["by_up_card"]),
    ]
    sections = [Section("main", "The main wager, best played", blocks)]
    if "chart" in main:
        sections.append(Section("main-chart", "Basic strategy", _charts(main), level=2))
    if main.get("rows"):
        sections.append(Section("main-net", "Net result of a round", _net(main), level=2))
    return sections


def glance_row(main: Mapping[str, Any]) -> list[str]:
    """The main wager in a line beside the other wagers."""
    best = max(main["rows"], key=lambda row: row["pays"])
    return [
        "Blackjack, best played",
        percent(-main["ev"]),
        percent(main["hit"], 3),
        signed(float(main["variance"]) ** 0.5, 4),
        f"{best['pays']:g} to 1",
        one_in(best["probability"]),
    ]


def _facts(main: Mapping[str, Any]) -> list[Fact]:
    deviation = float(main["variance"]) ** 0.5
    return [
        Fact("Expectation", f"{signed(main['ev'], 10)} ± {main['error']:.0e}".replace("e-", "e−")),
        Fact("House edge", percent(-main["ev"], 6)),
        Fact(
            "With basic strategy",
            f"{percent(-main['basic_strategy_ev'], 6)}, {signed(main['basic_strategy_cost'], 8)} more",
        ),
        Fact("Hit frequency", percent(main["hit"], 4)),
        Fact("Variance", signed(main["variance"], 6)),
        Fact("Deviation", signed(deviation, 6)),
        Fact("Method", str(main["method"])),
    ]


def _by_up_card(values: Mapping[str, float]) -> Table:
    return Table(
        ["up card", *values],
        [LEFT, *[RIGHT] * len(values)],
        [["value", *(signed(value, 4) for value in values.values())]],
        small=True,
    )


def _charts(main: Mapping[str, Any]) -> list[Block]:
    """The chart that rests on totals only, and the hands it plays wrongly."""
    found: list[Block] = []
    columns = list(main["by_up_card"])
    for kind, title in KINDS.items():
        rows = main["chart"][kind]
        cells: list[list[Cell | None]] = [[Cell(LETTERS[action]) for action in actions] for actions in rows.values()]
        used = {cell.action for line in cells for cell in line if cell is not None}
        legend = {letter: word for word, letter in LETTERS.items() if letter in used}
        found.append(ChartBlock(Chart(title, "hand, by up card", columns, list(rows), cells, legend)))
    missed = main.get("exceptions", [])
    if not missed:
        return [*found, Prose("Every two-card hand is best played as the chart says.", quiet=True)]
    rows = [[each["hand"], each["up"], each["best"], each["chart"], signed(each["gain"], 6)] for each in missed]
    found.append(Prose("Two-card hands that are better played otherwise, with what that gains in units:"))
    found.append(Table(["hand", "up card", "best", "chart", "gain"], [LEFT, RIGHT, RIGHT, RIGHT, RIGHT], rows))
    return found


def _net(main: Mapping[str, Any]) -> list[Block]:
    says = (
        "The chance of every net result, doubles and splits included. Rounds without a split are exact to the rounding "
        f"of decimals; rounds with a split are {percent(main['rows_error'], 3)} of all, which bounds how far the table "
        "can be off."
    )
    rows = [
        [signed(row["pays"], 1), signed(row["probability"], 10), one_in(row["probability"])]
        for row in sorted(main["rows"], key=lambda row: -row["pays"])
    ]
    return [Prose(says), Table(["net, units", "probability", "comes"], [LEFT, RIGHT, RIGHT], rows, faint=[2])]
