"""The few lines of a par sheet about clever players: what a count could follow, and where the rest is found."""

from fractions import Fraction

from pairhouse.analysis.protect.effects import effects
from pairhouse.analysis.protect.measures import turning_point
from pairhouse.analysis.protect.tags import best_counts, by_rank
from pairhouse.analysis.reports.render.document import LEFT, RIGHT, DataTable, Prose, Section, percent, signed
from pairhouse.core.game import Variant

SHOWN = 10
SHUFFLED = "It is shuffled before every round, so no card that was seen tells anything about the next round."
MORE = "`pairhouse protect` deals shoes and says what could be won, and what to change."


def protection_section(variant: Variant) -> Section:
    """One sentence where every round is shuffled; else the wagers whose price turns at the nearest true count."""
    if not variant.game.shoe:
        return Section("protection", "Protection", [Prose(f"{SHUFFLED} {MORE}")])
    found = []
    for wager, each in effects(variant).items():
        count = max(best_counts(by_rank(each), [1]), key=lambda one: one.correlation_squared, default=None)
        turns = None if count is None else turning_point(each, count.tags)
        if count is not None and turns is not None:
            tags = ", ".join(f"{name} {tag:+d}".replace("-", "−") for name, tag in count.tags.items() if tag)
            edge, follows = percent(-Fraction(each.price), 3), f"{count.correlation:.3f}"
            found.append((turns, [variant.wagers[wager].name, edge, signed(turns, 2), follows, tags]))
    found.sort(key=lambda line: line[0])
    says = (
        f"It is dealt from a shoe, so cards that were seen change prices. The {min(SHOWN, len(found))} wagers that "
        "turn at the nearest true count of their best count with tags of −1, 0 and 1; “follows” is the correlation of "
        f"the count with the price. {MORE}"
    )
    titles = ["wager", "edge", "turns at", "follows", "tags"]
    table = DataTable(titles, [LEFT, RIGHT, RIGHT, RIGHT, LEFT], [line for _, line in found[:SHOWN]], small=True)
    return Section("protection", "Protection", [Prose(says), table])
