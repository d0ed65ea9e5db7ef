"""What the solver found, as records: the whole game, its charts, and the price of the main wager."""

from fractions import Fraction
from functools import lru_cache
from typing import Any

from pairhouse.analysis.blackjack import MAIN
from pairhouse.analysis.blackjack.basic import BasicStrategy, two_cards
from pairhouse.analysis.blackjack.hands import VALUES
from pairhouse.analysis.blackjack.solve import STRATEGY_CLASS, fresh_shoe
from pairhouse.analysis.blackjack.spread import Spread
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.analysis.methods.records import SolvedGame, SolvedPrice
from pairhouse.analysis.reports.charts import Cell, Chart
from pairhouse.core.game import Variant
from pairhouse.games.blackjack_choices import SPLIT
from pairhouse.games.blackjack_hand import WORDS, is_blackjack, is_soft, total

ERROR = 1e-12  # sums of products of at most some thirty rounded factors, checked against exact fractions
LETTERS = {"stand": "S", "hit": "H", "double": "D", "split": "P", "surrender": "R"}
TITLES = {"hard": "Hard totals", "soft": "Soft totals", "pairs": "Pairs"}
UPS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)


def blackjack_pays(variant: Variant) -> Fraction:
    """The price of a blackjack."""
    return next(line.pays for line in variant.wagers[MAIN].paytable.rows if line.name == "blackjack")


@lru_cache(maxsize=8)
def solution(variant: Variant) -> Solution:
    """The solved game of a variant, from a fresh shoe."""
    return Solution(variant.rules, fresh_shoe(variant.pack[0]), float(blackjack_pays(variant)))


@lru_cache(maxsize=8)
def basic_strategy(variant: Variant) -> BasicStrategy:
    """The chart of a variant."""
    return BasicStrategy(solution(variant))


def value_name(card_value: int) -> str:
    """`A`, `2` .. `10`: all ten-value cards alike."""
    return "A" if card_value == 1 else str(card_value)


def action_names(variant: Variant, values: dict[int, float]) -> dict[str, float]:
    """Values by the names of the actions, best first."""
    names = {1 << bit: action.name for bit, action in enumerate(variant.game.actions)}
    return {names[action]: number for action, number in sorted(values.items(), key=lambda item: -item[1])}


@lru_cache(maxsize=8)
def main_wager(variant: Variant) -> SolvedPrice:
    """The price of the main wager: decimals with their error, under a named class of strategies."""
    solved = solution(variant)
    ev = solved.expectation  # first, because it solves the up cards side by side
    spread, basic = Spread(solved), basic_strategy(variant)
    rows = [{"name": f"net {net:+g}", "pays": net, "probability": p} for net, p in spread.chances.items() if p > 0]
    return SolvedPrice(
        wager=MAIN,
        ev=ev,
        error=ERROR,
        variance=spread.variance,
        hit=sum(p for net, p in spread.chances.items() if net > 0),
        rows=rows,
        rows_error=spread.split_chance,
        method="dealer's ends by ordered draws, best play by backward induction, splits by recursion on pair cards",
        strategy_class=STRATEGY_CLASS,
        details={
            "basic_strategy_ev": basic.expectation,
            "basic_strategy_cost": basic.cost,
            "by_up_card": {value_name(up): solved.by_up_card[up] for up in UPS},
            "exceptions": exceptions(variant),
        },
    )


def chart(variant: Variant) -> dict[str, dict[str, list[str]]]:
    """The basic strategy chart: rows of hard totals, soft totals and pairs, columns 2 to 10 and ace."""
    basic = basic_strategy(variant)
    names = {1 << bit: action.name for bit, action in enumerate(variant.game.actions)}
    rows: dict[str, dict[str, list[str]]] = {"hard": {}, "soft": {}, "pairs": {}}
    for kind, soft, totals in (("hard", False, range(5, 21)), ("soft", True, range(13, 21))):
        for points in totals:
            rows[kind][str(points)] = [names[basic.cells[up, soft, points].first] for up in UPS]
    for pair in VALUES:
        word = 2 * WORDS[pair]
        kept = [basic.cells[up, is_soft(word), total(word)].first for up in UPS]
        split = [basic.pairs[up, pair] for up in UPS]
        rows["pairs"][value_name(pair)] = [names[SPLIT if s else k] for s, k in zip(split, kept, strict=True)]
    return rows


def exceptions(variant: Variant) -> list[dict[str, Any]]:
    """Two-card hands whose best play is not what the chart says for their total."""
    solved, basic = solution(variant), basic_strategy(variant)
    found = []
    for up in UPS:
        for first, second in two_cards():
            word = WORDS[first] + WORDS[second]
            if first == second or is_blackjack(word):
                continue
            values = action_names(variant, solved.ups[up].actions_of(word))
            best = next(iter(values))
            says = action_names(variant, {basic.cells[up, is_soft(word), total(word)].first: 0.0})
            if best not in says:
                hand = f"{value_name(first)}-{value_name(second)}"
                gain = values[best] - values[next(iter(says))]
                found.append(
                    {"hand": hand, "up": value_name(up), "best": best, "chart": next(iter(says)), "gain": gain}
                )
    return found


def charts(variant: Variant) -> list[Chart]:
    """The basic strategy as charts to print, one for each kind of hand."""
    found = []
    for kind, rows in chart(variant).items():
        cells: list[list[Cell | None]] = [[Cell(LETTERS[action]) for action in actions] for actions in rows.values()]
        used = {action for actions in rows.values() for action in actions}
        legend = {letter: word for word, letter in LETTERS.items() if word in used}
        columns = [value_name(up) for up in UPS]
        found.append(Chart(kind, TITLES[kind], "hand, by up card", columns, list(rows), cells, legend))
    return found


def solved_game(variant: Variant) -> SolvedGame:
    """Everything about a game: expectation, every two-card hand, the chart, its cost and its exceptions."""
    solved, main = solution(variant), main_wager(variant)
    hands = {
        f"{value_name(a)}-{value_name(b)}": {
            value_name(up): action_names(variant, solved.ups[up].actions(a, b)) for up in UPS
        }
        for a, b in two_cards()
        if not is_blackjack(WORDS[a] + WORDS[b])
    }
    record = {
        "game": variant.game.id,
        "options": dict(variant.options),
        "rules_hash": variant.rules_hash,
        **main.record(),
        "columns": [value_name(up) for up in UPS],
        "chart": chart(variant),
        "hands": hands,
    }
    by_chart, cost = main.details["basic_strategy_ev"], main.details["basic_strategy_cost"]
    says = [
        "D: double, or else hit or stand. R: surrender, or else hit.",
        f"Played by this chart {by_chart:+.6%}; it costs {cost:.6%} against best play,",
        f"which differs on {len(main.details['exceptions'])} two-card hands (see --json).",
    ]
    return SolvedGame(ev=main.ev, strategy_class=STRATEGY_CLASS, says=says, charts=charts(variant), record=record)
