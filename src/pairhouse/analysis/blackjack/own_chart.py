"""Charts that are not the solver's own: named ways to play and charts from a file, priced by the solver too."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pairhouse.analysis.blackjack.basic import BasicStrategy, ChartEntry
from pairhouse.analysis.blackjack.hands import VALUES
from pairhouse.analysis.blackjack.solution_records import UPS, value_name
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.games.blackjack_choices import ACTIONS, DOUBLE, HIT, STAND, SURRENDER, Rules
from pairhouse.games.blackjack_hand import WORDS, is_soft, total

HARD, SOFT = range(4, 21), range(12, 21)
PLAYED = {action.name: 1 << bit for bit, action in enumerate(ACTIONS) if 1 << bit <= SURRENDER}
STANDS_FROM = {False: 17, True: 18}  # where a chart says double and it is not allowed, and the chart says no more

Cells = dict[tuple[int, bool, int], ChartEntry]
Pairs = dict[tuple[int, int], bool]


@dataclass(frozen=True, eq=False)
class OwnChart(BasicStrategy):
    """A chart given from outside. It is played and priced like the solver's."""

    given_cells: Cells
    given_pairs: Pairs

    @cached_property
    def cells(self) -> Cells:
        return self.given_cells

    @cached_property
    def pairs(self) -> Pairs:
        return self.given_pairs


def mimic_dealer(solution: Solution) -> OwnChart:
    """Draw and stand like the dealer; never double, split or surrender."""
    hits = solution.rules.hits_soft_17
    return _plain(solution, lambda soft, points: points < 17 or (hits and soft and points == 17))


def never_bust(solution: Solution) -> OwnChart:
    """Stand on hard 12 and on soft 18; never double, split or surrender."""
    return _plain(solution, lambda soft, points: points < (18 if soft else 12))


def _plain(solution: Solution, draws: Any) -> OwnChart:
    cells = {}
    for up in VALUES:
        for soft, totals in ((False, HARD), (True, SOFT)):
            for points in totals:
                action = HIT if draws(soft, points) else STAND
                cells[up, soft, points] = ChartEntry(action, action)
    return OwnChart(solution, cells, {(up, pair): False for up in VALUES for pair in VALUES})


NAMED = {"mimic-dealer": mimic_dealer, "never-bust": never_bust}


def read_chart(solution: Solution, content: Any) -> OwnChart:
    """A chart as `solve --json` writes it: `hard`, `soft` and `pairs`, each row ten actions against 2 to 10 and ace.

    An action is one word, or two as in `double/stand`: the second is for when the first is not allowed.
    """
    if not isinstance(content, dict) or not {"hard", "soft", "pairs"} <= set(content):
        raise Refused("bad-strategy", f"a chart has the parts hard, soft and pairs; this has {_parts(content)}")
    cells: Cells = {}
    pairs: Pairs = {}
    for soft, part, lowest in ((False, "hard", 5), (True, "soft", 13)):
        for points in range(lowest, 21):
            for up, text in zip(UPS, _row(content, part, str(points)), strict=True):
                cells[up, soft, points] = _choice(solution.rules, text, soft, points, f"{part} {points}")
    for pair in VALUES:
        word = 2 * WORDS[pair]
        cell = is_soft(word), total(word)
        for up, text in zip(UPS, _row(content, "pairs", value_name(pair)), strict=True):
            pairs[up, pair] = text == "split"
            if text == "split":
                cells.setdefault((up, *cell), ChartEntry(HIT, HIT))
            elif pair in (1, 2):  # no other two cards come to these totals
                cells[up, *cell] = _choice(solution.rules, text, *cell, f"pairs {value_name(pair)}")
    return OwnChart(solution, cells, pairs)


def _parts(content: Any) -> str:
    return one_of(content) if isinstance(content, dict) and content else shown(content)


def _row(content: Mapping[str, Any], part: str, name: str) -> list[str]:
    """Ten actions, or a refusal that names the cell that is missing."""
    row = content[part].get(name) if isinstance(content[part], dict) else None
    if row is None:
        raise Refused("bad-strategy", f"the chart has no row {part} {name}")
    if not isinstance(row, list):
        raise Refused("bad-strategy", f"row {part} {name} is {shown(row)}; a row is ten actions, against 2 to 10 and A")
    for up, text in zip(UPS, [*row, *[None] * len(UPS)], strict=False):
        if not isinstance(text, str):
            raise Refused("bad-strategy", f"the chart has no action for {part} {name} against {value_name(up)}")
    return row[: len(UPS)]


def _choice(rules: Rules, text: str, soft: bool, points: int, where: str) -> ChartEntry:
    first, _, second = text.partition("/")
    second = second or ("stand" if points >= STANDS_FROM[soft] else "hit")
    for word, accepted in ((first, [name for name in PLAYED if name != "split"]), (second, ["hit", "stand"])):
        if word not in accepted:
            raise Refused("bad-strategy", f"{where} says {shown(text)}; an action is {one_of(accepted)}")
    action = PLAYED[first]
    if action == SURRENDER and not rules.surrender:
        raise Refused("bad-strategy", f"{where} says surrender, which this table does not offer")
    return ChartEntry(action, action if action in (HIT, STAND) else PLAYED[second])


def chart_record(chart: BasicStrategy) -> dict[str, dict[str, list[str]]]:
    """A chart as a file holds it, with what is done where the first choice is not allowed."""
    names = {bit: name for name, bit in PLAYED.items()}

    def text(choice: ChartEntry) -> str:
        if choice.first in (DOUBLE, SURRENDER):
            return f"{names[choice.first]}/{names[choice.later]}"
        return names[choice.first]

    record: dict[str, dict[str, list[str]]] = {"hard": {}, "soft": {}, "pairs": {}}
    for soft, part, lowest in ((False, "hard", 5), (True, "soft", 13)):
        for points in range(lowest, 21):
            record[part][str(points)] = [text(chart.cells[up, soft, points]) for up in UPS]
    for pair in VALUES:
        word = 2 * WORDS[pair]
        kept = [text(chart.cells[up, is_soft(word), total(word)]) for up in UPS]
        split = [chart.pairs.get((up, pair), False) for up in UPS]
        record["pairs"][value_name(pair)] = ["split" if s else k for s, k in zip(split, kept, strict=True)]
    return record
