"""How simulated choices are made, by name or from a file, and the exact price of every wager under that play."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pairhouse.analysis.blackjack import cache as kept
from pairhouse.analysis.exact.counts import Counted, counted
from pairhouse.analysis.exact.insurance import insurance_price
from pairhouse.analysis.exact.prices import Price, PricedRow, prices
from pairhouse.analysis.exact.three_card import Solved, solve_three_card
from pairhouse.analysis.simulation.scoring import INSURANCE
from pairhouse.analysis.simulation.strategy_lookup import by_strength
from pairhouse.core.cards import RANK_NAMES
from pairhouse.core.errors import Refused, one_of, shown
from pairhouse.core.game import Variant
from pairhouse.games import blackjack, three_card_poker
from pairhouse.games.three_card_poker import FOLD, PLAY, QUEEN_HEIGHT
from pairhouse.machines.simulate.simulation import Strategy
from pairhouse.machines.stored import kept_as

Moments = dict[str, tuple[float, float, float]]  # wager -> expectation, variance, skewness
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
        return [*kept.NAMES]
    return ["best", "basic", *THREE_CARD] if variant.game.play is three_card_poker.play else ["best"]


def way_to_play(variant: Variant, name: str = "best", insures: bool = True, hurried: bool = False) -> Way:
    """A way by its name or its file; refused where the game does not know it.

    Hurried, what needs no strategy is priced by the second derivation, which needs no compiler.
    """
    if variant.game.play is blackjack.play:
        return _blackjack(variant, name, insures, hurried)
    if variant.game.play is three_card_poker.play:
        return _three_card(variant, name)
    if name != "best":
        raise Refused("no-decision", f"{variant.game.name} has no decision, so there is no strategy to choose")
    return Way("best", None, lambda: _priced(variant, hurried), lambda: counted(variant))


def _priced(variant: Variant, hurried: bool) -> dict[str, Exact]:
    """What is decided by the cards alone."""
    if not hurried:
        return _exact(counted(variant))
    key = f"second {variant.rules_hash}"
    return {wager: Exact(*found) for wager, found in kept_as(Moments, key, lambda: _second(variant)).items()}


def _second(variant: Variant) -> Moments:
    """Expectation, variance and skewness by the second derivation."""
    from pairhouse.analysis.second_derivation.by_game import SECOND  # noqa: PLC0415 (only where nothing is kept)

    derived = SECOND[variant.game.play](variant)
    found = {}
    for wager, chances in derived.wagers.items():
        rows = tuple(PricedRow("", 0, chance, net) for net, chance in chances.items())
        price = Price(wager, rows, 0, Fraction(1), derived.method)
        found[wager] = float(price.ev), float(price.variance), price.skewness
    return found


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


def _blackjack(variant: Variant, name: str, insures: bool, hurried: bool) -> Way:
    if name in kept.NAMES:
        play = kept.kept_play(variant, name, insures)
    else:
        content = read_strategy(variant, name)
        play = kept.read_play(variant, name, content, insures)
    strategy = play.strategy(name)
    return Way(name, strategy, lambda: _with_main(variant, play.expectation, hurried), lambda: None)


def _with_main(variant: Variant, main: float, hurried: bool) -> dict[str, Exact]:
    """The solved main wager, insurance and the counted side bets, where there are any."""
    found = {"main": Exact(main, None)}
    if any(wager.decided_by is blackjack.InitialDeal for wager in variant.wagers.values()):
        found |= _priced(variant, hurried)
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
