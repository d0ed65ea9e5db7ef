"""Pictures for a par sheet, as SVG: drawn once, the same on screen and on paper."""

import io
from collections.abc import Sequence
from math import sqrt
from typing import Any

from pairhouse.analysis.exact.covariance import Covariances
from pairhouse.analysis.exact.risk import Z_99
from pairhouse.analysis.reports.par import AtDecks, WagerSheet
from pairhouse.analysis.reports.render import missing_extra
from pairhouse.analysis.reports.render.document import one_in, percent
from pairhouse.core.money import price_text

INK, QUIET, WIN, LOSS, BAND = "#1d2733", "#8a94a0", "#2b6f64", "#b4563c", "#cfe0dc"
LINES = ("#2b6f64", "#b4563c", "#44608f", "#b08a2e", "#7a4f80", "#5d6b3a", "#8a5a44", "#3c8fa5")
ROWS_MAX = 8  # rows with a bar of their own; the smaller ones share one
STYLE = {
    "font.family": "STIXGeneral",
    "mathtext.fontset": "stix",
    "font.size": 10,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "text.color": INK,
    "svg.hashsalt": "pairhouse",
    "svg.fonttype": "path",
}


def figure(width: float, height: float) -> tuple[Any, Any]:
    """An empty picture in the style of the sheet, without any window."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise missing_extra(error.name) from None
    matplotlib.rcParams.update(STYLE)
    made = Figure(figsize=(width, height), layout="constrained")
    return made, made.subplots()


def as_svg(made: Any) -> str:
    """The picture as SVG, from its first tag on, without dates or addresses of its maker."""
    out = io.StringIO()
    made.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def edges(names: Sequence[str], sheets: Sequence[WagerSheet]) -> str:
    """What the house keeps of each wager, longest first as on the layout."""
    made, axes = figure(6.6, 0.5 + 0.2 * len(names))
    values = [-100 * float(sheet.ev) for sheet in sheets]
    places = range(len(names))
    axes.barh(places, values, color=[LOSS if value >= 0 else WIN for value in values], height=0.62)
    room = max(map(abs, values), default=1) * 0.012
    for place, value in zip(places, values, strict=True):
        text = f"{value:.3f}".replace("-", "−")
        axes.text(value + room, place, text, va="center", ha="left", fontsize=8.5)
    axes.set_yticks(places, names, fontsize=9)
    axes.invert_yaxis()
    axes.set_xlabel("house edge, % of the initial bet")
    axes.margins(x=0.09, y=0.01)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    return as_svg(made)


def returns(sheet: WagerSheet) -> str:
    """What each row adds to the expectation, and the sum they leave."""
    rows = sorted((row for row in sheet.rows if row.returns), key=lambda row: -abs(row.returns))
    kept = sorted(rows[:ROWS_MAX], key=lambda row: -row.pays)
    values = [100 * float(row.returns) for row in kept]
    names = [row.name for row in kept]
    if rows[ROWS_MAX:]:
        values.append(100 * float(sum(row.returns for row in rows[ROWS_MAX:])))
        names.append(f"{len(rows) - ROWS_MAX} other rows")
    values.append(100 * float(sheet.ev))
    names.append("expectation")
    made, axes = figure(3.3, 0.75 + 0.2 * len(names))
    places = range(len(values))
    colours = [WIN if value > 0 else LOSS for value in values[:-1]] + [INK]
    axes.barh(places, values, color=colours, height=0.62)
    axes.set_yticks(places, names, fontsize=8.5)
    axes.invert_yaxis()
    axes.axvline(0, color=QUIET, linewidth=0.6)
    axes.set_xlabel("return, % of the bet", fontsize=9)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    return as_svg(made)


def funnel(sheet: WagerSheet) -> str:
    """The 99 % band of the net result per round, narrowing on the expectation."""
    made, axes = figure(3.3, 1.9)
    draw_funnel(axes, sheet)
    axes.set_xlabel("rounds", fontsize=9)
    axes.set_ylabel("net per round, %", fontsize=9)
    return as_svg(made)


def funnels(named: Sequence[tuple[str, WagerSheet]]) -> str:
    """The bands of several wagers beside one another, each on its own scale."""
    columns = min(3, len(named))
    lines = -(-len(named) // columns)
    made, _ = figure(6.6 if columns > 1 else 3.4, 0.2 + 1.65 * lines)
    made.clear()
    for number, (name, sheet) in enumerate(named):
        axes = made.add_subplot(lines, columns, number + 1)
        draw_funnel(axes, sheet)
        axes.set_title(name, fontsize=9)
        axes.tick_params(labelsize=7.5)
        if number % columns == 0:
            axes.set_ylabel("net per round, %", fontsize=8)
        if number >= len(named) - columns:
            axes.set_xlabel("rounds", fontsize=8)
    return as_svg(made)


def draw_funnel(axes: Any, sheet: WagerSheet) -> None:
    """One band, from 100 to 10 million rounds."""
    rounds = [10 ** (power / 8) for power in range(16, 57)]
    ev, half = float(sheet.ev), Z_99 * sheet.deviation
    low = [100 * (ev - half / sqrt(n)) for n in rounds]
    high = [100 * (ev + half / sqrt(n)) for n in rounds]
    axes.fill_between(rounds, low, high, color=BAND, linewidth=0)
    axes.plot(rounds, low, rounds, high, color=WIN, linewidth=0.8)
    axes.axhline(0, color=QUIET, linewidth=0.6)
    axes.axhline(100 * ev, color=LOSS, linewidth=1)
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.set_xlim(rounds[0], rounds[-1])
    reach = 100 * half / sqrt(1000)
    axes.set_ylim(100 * ev - 1.6 * reach, 100 * ev + 1.6 * reach)


def by_decks(found: Sequence[AtDecks], names: dict[str, str]) -> str:
    """The edge against the number of decks; a ring where a table deals it."""
    made, axes = figure(6.6, 2.7)
    decks = [at.decks for at in found]
    for number, (wager, name) in enumerate(names.items()):
        colour = LINES[number % len(LINES)]
        values = [-100 * float(at.ev[wager]) for at in found]
        axes.plot(decks, values, color=colour, linewidth=1.2, label=name)
        offered = [(at.decks, value) for at, value in zip(found, values, strict=True) if at.offered]
        if offered:
            axes.plot(*zip(*offered, strict=True), "o", color=colour, markersize=4.5, fillstyle="full")
    axes.set_xticks(decks)
    axes.set_xlabel("decks (a dot: dealt at a table)")
    axes.set_ylabel("house edge, %")
    axes.legend(frameon=False, fontsize=8.5, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return as_svg(made)


def heat(found: Covariances, names: Sequence[str]) -> str:
    """Correlations as a triangle of colours, with numbers where there is room."""
    size = len(names)
    side = min(6.6, 2.2 + 0.34 * size)
    made, axes = figure(side, side * 0.92)
    cells = [[found.between(i, j) if j < i else float("nan") for j in range(size)] for i in range(size)]
    axes.imshow(cells, cmap="BrBG", vmin=-1, vmax=1)
    if size <= 14:
        for i in range(size):
            for j in range(i):
                shade = "white" if abs(cells[i][j]) > 0.6 else INK
                axes.text(
                    j, i, f"{cells[i][j]:.2f}".replace("-", "−"), ha="center", va="center", fontsize=8, color=shade
                )
    small = 9 if size <= 14 else 6.5
    axes.set_xticks(range(size - 1), names[:-1], rotation=90, fontsize=small)
    axes.set_yticks(range(1, size), names[1:], fontsize=small)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return as_svg(made)


def words_for(sheet: WagerSheet) -> str:
    """A picture of rows in words."""
    best = sheet.largest
    return (
        f"{sheet.name}: expectation {percent(sheet.ev)} of the bet; "
        f"the largest win, {best.name}, pays {price_text(best.pays)} and comes {one_in(best.probability)}."
    )
