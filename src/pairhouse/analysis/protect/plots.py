"""Pictures for the protection report, as SVG: price against true count, how often counts come, ceilings, tags."""

from collections.abc import Sequence
from typing import Any

from pairhouse.analysis.protect.measures import AtCount
from pairhouse.analysis.protect.protection import WagerProtection
from pairhouse.analysis.reports.render.plots import BAND, INK, LINES, LOSS, QUIET, WIN, as_svg, figure

SHARE_LEAST = 0.001  # rarer counts are left out of pictures


def common(found: Sequence[AtCount]) -> list[AtCount]:
    """The counts that come often enough to be drawn."""
    return [at for at in found if at.share >= SHARE_LEAST]


def panels(each: WagerProtection) -> str:
    """Four pictures of one wager: price by true count, how often counts come, tags, ceiling by cut card."""
    made, _ = figure(6.6, 3.9)
    made.clear()
    drawn = [(draw_price, each), (draw_frequency, each), (draw_tags, each), (draw_cuts, each)]
    for number, (draw, what) in enumerate(drawn):
        axes = made.add_subplot(2, 2, number + 1)
        draw(axes, what)
        axes.tick_params(labelsize=8)
    return as_svg(made)


def draw_price(axes: Any, each: WagerProtection) -> None:
    """The mean price at each true count, and the first-order line beside it."""
    shown = common(each.by_true_count)
    counts = [at.count + 0.5 for at in shown]
    prices = [100 * at.price for at in shown]
    line = [100 * (float(each.price) + each.slope * count) for count in counts]
    axes.axhline(0, color=QUIET, linewidth=0.6)
    axes.plot(counts, line, color=QUIET, linewidth=0.9, linestyle="--", label="first order")
    if each.turns_at is not None and counts and counts[0] <= each.turns_at <= counts[-1]:
        axes.axvline(each.turns_at, color=QUIET, linewidth=0.6, linestyle=":", label="turns")
    axes.scatter(counts, prices, s=9, color=[WIN if value > 0 else LOSS for value in prices], zorder=3)
    axes.set_xlabel("true count", fontsize=9)
    axes.set_ylabel("price, % of the stake", fontsize=9)
    axes.legend(frameon=False, fontsize=7.5, loc="best")


def draw_frequency(axes: Any, each: WagerProtection) -> None:
    """How often each true count comes; the counts that are bet on stand out."""
    shown = common(each.by_true_count)
    bet_from = each.per_100.bet_from if each.per_100 is not None else None
    colours = [WIN if bet_from is not None and at.count >= bet_from else BAND for at in shown]
    axes.bar([at.count + 0.5 for at in shown], [100 * at.share for at in shown], width=0.9, color=colours)
    axes.set_xlabel("true count (dark: a bet)", fontsize=9)
    axes.set_ylabel("rounds, %", fontsize=9)


def draw_tags(axes: Any, each: WagerProtection) -> None:
    """The real tags as bars, and the whole-number tags of the count as strokes, on the same scale."""
    names = [name if name != "joker" else "Jk" for name in each.real_tags]
    places = range(len(names))
    colours = [WIN if value > 0 else LOSS for value in each.real_tags.values()]
    axes.axhline(0, color=QUIET, linewidth=0.6)
    axes.bar(places, list(each.real_tags.values()), width=0.62, color=colours)
    number = len(each.tags)
    middle = sum(each.tags.values()) / number
    largest = max(abs(tag - middle) for tag in each.tags.values())
    if largest:
        whole = [(each.tags[name] - middle) / largest for name in each.real_tags]
        axes.plot(places, whole, "_", color=INK, markersize=9, markeredgewidth=1.4)
    axes.set_xticks(places, names)
    axes.set_xlabel("tags: bars the best, strokes the count", fontsize=9)
    axes.set_ylabel("tag, the largest is 1", fontsize=9)
    axes.tick_params(axis="x", length=0)


def draw_cuts(axes: Any, each: WagerProtection) -> None:
    """The ceiling and the count's win against the cards behind the cut card."""
    found = sorted(each.by_cut, key=lambda wins: wins.behind_cut)
    cuts = [wins.behind_cut for wins in found]
    most, errors = [wins.ceiling.win for wins in found], [wins.ceiling.error for wins in found]
    axes.errorbar(cuts, most, errors, color=LOSS, linewidth=1.2, marker="o", markersize=3, capsize=2, label="ceiling")
    solved = [wins for wins in found if wins.solved is not None]
    if solved:
        axes.errorbar(
            [wins.behind_cut for wins in solved],
            [wins.solved.win for wins in solved if wins.solved is not None],
            [wins.solved.error for wins in solved if wins.solved is not None],
            color=LINES[2], linewidth=1.2, marker="s", markersize=3, capsize=2, label="ceiling, solved",
        )  # fmt: skip
    won = [wins.count.win for wins in found]
    axes.plot(cuts, won, color=WIN, linewidth=1.2, marker="o", markersize=3, label="count")
    axes.set_xlabel("cards behind the cut card", fontsize=9)
    axes.set_ylabel("units per 100 rounds", fontsize=9)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=7.5)


def ceilings(names: Sequence[str], ceiling: Sequence[float], count: Sequence[float]) -> str:
    """Every wager's ceiling as a bar, with what the count gets of it."""
    made, axes = figure(6.6, 0.6 + 0.19 * len(names))
    places = range(len(names))
    axes.barh(places, ceiling, color=BAND, height=0.7, label="ceiling")
    axes.barh(places, count, color=WIN, height=0.35, label="count")
    axes.set_yticks(places, names, fontsize=8.5)
    axes.invert_yaxis()
    axes.set_xlabel("units per 100 rounds")
    axes.margins(y=0.01)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.legend(frameon=False, fontsize=8.5, loc="lower right")
    return as_svg(made)


def joint_by_cut(cuts: Sequence[int], all_bets: Sequence[float], one_bet: Sequence[float]) -> str:
    """All wagers together against the cut card: a stake on each good bet, and on the best one only."""
    made, axes = figure(6.6, 2.3)
    order = sorted(range(len(cuts)), key=lambda at: cuts[at])
    for values, colour, label in ((all_bets, LINES[1], "every good bet"), (one_bet, LINES[0], "the best bet only")):
        axes.plot(
            [cuts[at] for at in order], [values[at] for at in order],
            color=colour, linewidth=1.3, marker="o", markersize=3.5, label=label,
        )  # fmt: skip
    axes.set_xlabel("cards behind the cut card")
    axes.set_ylabel("units per 100 rounds")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=8.5)
    return as_svg(made)
