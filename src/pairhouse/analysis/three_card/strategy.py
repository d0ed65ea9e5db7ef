"""The strategy of Three Card Poker: the weakest hand worth playing, and what other ways to play cost."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.methods.records import Square
from pairhouse.analysis.reports.charts import Cell, Chart
from pairhouse.analysis.three_card.counts import Strategy, ThreeCard
from pairhouse.core.cards import RANK_NAMES, Card, rank
from pairhouse.core.errors import Refused, shown
from pairhouse.games.three_card_poker import FOLD, PLAY, QUEEN_HEIGHT

NEIGHBOURS = 3  # hands shown on either side of the weakest one worth playing
QUEEN_HIGH = "queen-high"
BASIC_WEAKEST = QUEEN_HEIGHT << 8 | 6 << 4 | 4  # the advice every book gives: Q-6-4
STRATEGY_CLASS = "best play given the three cards held and any others seen; per unit of the ante"


class HandValue(msgspec.Struct, frozen=True):
    """What playing a hand is worth, in antes; folding is worth -1."""

    hand: str
    deals: int
    play: Fraction
    fold: Fraction


class StrategyPrice(msgspec.Struct, frozen=True):
    """What the game costs when every hand is played in one way."""

    name: str
    says: str
    ev: Fraction
    staked: Fraction
    element_of_risk: Fraction
    plays: Fraction


class ThreeCardStrategy(msgspec.Struct, frozen=True):
    """What the solver found."""

    weakest: str
    is_threshold: bool
    around: list[HandValue]
    strategies: list[StrategyPrice]


def at_least(weakest: int) -> Strategy:
    """Play this strength and anything above it."""
    return lambda strength: PLAY if strength >= weakest else FOLD


# Ways to play that have a name, besides the best.
NAMED: dict[str, Strategy] = {
    "basic": at_least(BASIC_WEAKEST),
    "queen-or-better": at_least(QUEEN_HEIGHT << 8),
    "always-play": lambda _strength: PLAY,
    "never-play": lambda _strength: FOLD,
}


def hand_name(strength: int) -> str:
    """`Q-6-4`: the ranks that decide a hand, highest first."""
    heights = (strength >> 8 & 15, strength >> 4 & 15, strength & 15)
    return "-".join(RANK_NAMES[height - 1] if height < 14 else "A" for height in heights)


def read_weakest(content: Any) -> int:
    """`{"play": "Q-6-4"}`: the weakest hand that a strategy file plays."""
    hand = content.get("play") if isinstance(content, dict) else None
    ranks = hand.split("-") if isinstance(hand, str) else []
    heights = [14 if name == "A" else RANK_NAMES.index(name) + 1 for name in ranks if name in RANK_NAMES]
    if len(ranks) != 3 or len(heights) != 3 or heights != sorted(set(heights), reverse=True):
        wanted = 'a strategy for Three Card Poker names the weakest hand it plays, as {"play": "Q-6-4"}'
        raise Refused("bad-strategy", f"{wanted}; this has {shown(content)}")
    return heights[0] << 8 | heights[1] << 4 | heights[2]


def strategy_of(game: ThreeCard) -> ThreeCardStrategy:
    """All that a par sheet says about how to play."""
    order, weakest = list(game.worths), game.played[0]
    at = order.index(weakest)
    near = order[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1]
    named: list[tuple[str, str, Strategy]] = [
        ("best", f"play {hand_name(weakest)} and better, fold the rest", game.best),
        (
            "queen or better",
            "play whatever the dealer would qualify with: mimic the dealer",
            NAMED["queen-or-better"],
        ),
        ("always play", "never fold", NAMED["always-play"]),
        ("never play", "always fold", NAMED["never-play"]),
    ]
    return ThreeCardStrategy(
        hand_name(weakest),
        game.played == order[at:],
        [_value(game, strength) for strength in reversed(near)],
        [_priced(game, name, says, strategy) for name, says, strategy in named],
    )


def _value(game: ThreeCard, strength: int) -> HandValue:
    deals = game.worths[strength].deals
    return HandValue(hand_name(strength), deals, game.value(PLAY, strength), game.value(FOLD, strength))


def _priced(game: ThreeCard, name: str, says: str, strategy: Strategy) -> StrategyPrice:
    paid = price(game.under(strategy), "ante")
    deals = sum(worth.deals for worth in game.worths.values())
    plays = sum(worth.deals for strength, worth in game.worths.items() if strategy(strength) == PLAY)
    return StrategyPrice(name, says, paid.ev, paid.staked, paid.element_of_risk, Fraction(plays, deals))


def queen_chart(game: ThreeCard) -> Chart:
    """Queen-high hands by their second and third card: where play turns into fold."""
    rows: list[str] = []
    cells: list[list[Cell | None]] = []
    lows = list(range(2, 10))
    for middle in range(11, 2, -1):
        rows.append(RANK_NAMES[middle - 1])
        cells.append([_cell(game, QUEEN_HEIGHT << 8 | middle << 4 | low) for low in lows])
    return Chart(
        QUEEN_HIGH,
        "Queen-high hands: antes won by playing (folding costs 1)",
        "second card, by third card",
        [RANK_NAMES[low - 1] for low in lows],
        rows,
        cells,
        {"P": "play", "F": "fold"},
    )


def _cell(game: ThreeCard, strength: int) -> Cell | None:
    if strength not in game.worths:
        return None
    value = f"{float(game.value(PLAY, strength)):.4f}".replace("-", "−")
    return Cell("P" if game.best(strength) == PLAY else "F", value)


def queen_square(held: Sequence[Card]) -> Square | None:
    """The square of a queen-high hand; every other hand is played or folded without a look at the chart."""
    ranks = sorted((rank(card) or 13 for card in held), reverse=True)
    if ranks[0] != RANK_NAMES.index("Q") or len(set(ranks)) < 3:
        return None
    return Square(QUEEN_HIGH, RANK_NAMES[ranks[1]], RANK_NAMES[ranks[2]])
