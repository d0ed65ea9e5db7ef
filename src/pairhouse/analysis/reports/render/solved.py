"""A wager that is solved in decimals, in a document: a line beside the other wagers, its figures, its net result."""

from pairhouse.analysis.methods.records import SolvedPrice
from pairhouse.analysis.reports.render.document import (
    LEFT,
    RIGHT,
    Block,
    DataTable,
    Fact,
    Prose,
    one_in,
    percent,
    signed,
)


def solved_title(name: str) -> str:
    """How the wager is called beside those that are counted."""
    return f"{name}, best played"


def glance_row(name: str, price: SolvedPrice) -> list[str]:
    """The wager in a line."""
    best = max(price.rows, key=lambda row: row["pays"])
    return [
        solved_title(name),
        percent(-price.ev),
        percent(price.hit, 3),
        signed(price.variance**0.5, 4),
        f"{best['pays']:g} to 1",
        one_in(best["probability"]),
    ]


def solved_facts(price: SolvedPrice) -> list[Fact]:
    """The figures of the wager."""
    return [
        Fact("Expectation", f"{signed(price.ev, 10)} ± {price.error:.0e}".replace("e-", "e−")),
        Fact("House edge", percent(-price.ev, 6)),
        Fact("Hit frequency", percent(price.hit, 4)),
        Fact("Variance", signed(price.variance, 6)),
        Fact("Deviation", signed(price.variance**0.5, 6)),
        Fact("Method", price.method),
    ]


def net_blocks(price: SolvedPrice, inexact: str) -> list[Block]:
    """The chance of every net result; `inexact` names the rounds for which it is an approximation."""
    says = (
        "The chance of every net result, with everything that follows the first stake. It is exact to the rounding of "
        f"decimals but for {inexact}, which are {percent(price.rows_error, 3)} of all: that bounds how far the table "
        "can be off."
    )
    rows = [
        [signed(row["pays"], 1), signed(row["probability"], 10), one_in(row["probability"])]
        for row in sorted(price.rows, key=lambda row: -row["pays"])
    ]
    return [Prose(says), DataTable(["net, units", "probability", "comes"], [LEFT, RIGHT, RIGHT], rows, faint=[2])]
