"""How simulated choices are made, by name or from a file, and the exact price of every wager under that play."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pairhouse.analysis.blackjack import own_chart
from pairhouse.analysis.blackjack.basic import BasicStrategy
from pairhouse.analysis.blackjack.report import solution
from pairhouse.analysis.blackjack.tables import best_strategy, chart_strategy
from pairhouse.analysis.counts import Counted, counted
from pairhouse.analysis.insurance import insurance_price
from pairhouse.analysis.prices import prices
from pairhouse.analysis.scoring import INSURANCE
from pairhouse.analysis.three_card import Solved, solve_three_card
from pairhouse.core.cards import RANK_NAMES
from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.core.game import Variant
from pairhouse.games import blackjack, three_card_poker
from pairhouse.games.three_card_poker import FOLD, PLAY, QUEEN_HEIGHT
from pairhouse.machines.simulate.kernel import Strategy

STRENGTHS = 1 << 15
BASIC_WEAKEST = QUEEN_HEIGHT << 8 | 6 << 4 | 4  # the advice every book gives: Q-6-4


@dataclass(frozen=True)
class Exact:
    """An exact expectation; variance and skewness where they are exact too."""

    ev: float
    variance: float | None
    skewness: float = 0.0


@dataclass(frozen=True)
class Way:
    """A way to play a variant: the tables for the machine, and what every wager is exactly worth under it."""

    name: str
    strategy: Strategy | None
    exact: Callable[[], dict[str, Exact]]
    tally: Callable[[], Counted | None]


def names_for(variant: Variant) -> list[str]:
    """The ways to play that have a name."""
    if variant.game.play is blackjack.play:
        return ["best", "basic", *own_chart.NAMED]
    return ["best", "basic", *THREE_CARD] if variant.game.play is three_card_poker.play else ["best"]


def way_to_play(variant: Variant, name: str = "best", insures: bool = True) -> Way:
    """A way by its name or its file; refused where the game does not know it."""
    if variant.game.play is blackjack.play:
        return _blackjack(variant, name, insures)
    if variant.game.play is three_card_poker.play:
        return _three_card(variant, name)
    if name != "best":
        raise Refused("no-decision", f"{variant.game.name} has no decision, so there is no strategy to choose")
    return Way("best", None, lambda: _exact(counted(variant)), lambda: counted(variant))


def _exact(tally: Counted) -> dict[str, Exact]:
    return {wager: Exact(float(p.ev), float(p.variance), p.skewness) for wager, p in prices(tally).items()}


def read_strategy(variant: Variant, name: str) -> Any:
    """The content of a strategy file, or a refusal that says what would be accepted."""
    accepted = names_for(variant)
    path = Path(name)
    if not path.is_file():
        sentence = f"strategy {shown(name)} is unknown; choose {one_of(accepted)}, or give a JSON file that is there"
        raise Refused("unknown-strategy", sentence)
    try:
        return msgspec.json.decode(path.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
        raise Refused("bad-strategy", f"{name} cannot be read as JSON: {error}") from None


def _blackjack(variant: Variant, name: str, insures: bool) -> Way:
    solved = solution(variant)
    if name == "best":
        strategy = best_strategy(solved, insures)
        return Way(name, strategy, lambda: _with_main(variant, solved.expectation), lambda: None)
    if name == "basic":
        chart = BasicStrategy(solved)
    elif name in own_chart.NAMED:
        chart = own_chart.NAMED[name](solved)
    else:
        content = read_strategy(variant, name)
        whole = content.get("chart", content) if isinstance(content, dict) else content
        chart = own_chart.read_chart(solved, whole)
    strategy = chart_strategy(name, chart, insures)
    return Way(name, strategy, lambda: _with_main(variant, chart.expectation), lambda: None)


def _with_main(variant: Variant, main: float) -> dict[str, Exact]:
    """The solved main wager, insurance and the counted side bets."""
    found = {"main": Exact(main, None), **_exact(counted(variant))}
    insurance = insurance_price(variant)
    if insurance is not None:
        found[INSURANCE] = Exact(float(insurance.ev), float(insurance.variance), insurance.skewness)
    return found


def _at_least(weakest: int) -> Callable[[int], int]:
    return lambda strength: PLAY if strength >= weakest else FOLD


THREE_CARD: dict[str, Callable[[int], int]] = {
    "queen-or-better": _at_least(QUEEN_HEIGHT << 8),
    "always-play": lambda _strength: PLAY,
    "never-play": lambda _strength: FOLD,
}


def by_strength(tables: Any, legal: int, situation: int) -> Any:
    """Play or fold by the strength of the hand."""
    return np.int64(tables[0][situation])


def _three_card(variant: Variant, name: str) -> Way:
    solved = solve_three_card(variant)
    if name == "best":
        decide: Callable[[int], int] = solved.best
    elif name == "basic":
        decide = _at_least(BASIC_WEAKEST)
    elif name in THREE_CARD:
        decide = THREE_CARD[name]
    else:
        decide = _at_least(_weakest(read_strategy(variant, name)))
    table = np.full(STRENGTHS, FOLD, np.uint8)
    for strength in solved.values:
        table[strength] = decide(strength)
    tally = _Later(solved, decide)
    return Way(name, Strategy(name, by_strength, (table,)), lambda: _exact(tally()), tally)


@dataclass(frozen=True)
class _Later:
    """The tally under a strategy, counted when it is asked for."""

    solved: Solved
    decide: Callable[[int], int]

    def __call__(self) -> Counted:
        return self.solved.under(self.decide)


def _weakest(content: Any) -> int:
    """`{"play": "Q-6-4"}`: the weakest hand that is played."""
    hand = content.get("play") if isinstance(content, dict) else None
    ranks = hand.split("-") if isinstance(hand, str) else []
    heights = [14 if name == "A" else RANK_NAMES.index(name) + 1 for name in ranks if name in RANK_NAMES]
    if len(ranks) != 3 or len(heights) != 3 or heights != sorted(set(heights), reverse=True):
        wanted = 'a strategy for Three Card Poker names the weakest hand it plays, as {"play": "Q-6-4"}'
        raise Refused("bad-strategy", f"{wanted}; this has {shown(content)}")
    return heights[0] << 8 | heights[1] << 4 | heights[2]
