"""The strategy of Three Card Poker: the weakest hand worth playing, and what other ways to play cost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from pairhouse.analysis.exact.counts import Counted, Strategy, ThreeCard, three_card
from pairhouse.analysis.exact.prices import nets, price
from pairhouse.analysis.reports.charts import Cell, Chart
from pairhouse.core.cards import RANK_NAMES
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story
from pairhouse.games.three_card_poker import FOLD, PLAY, QUEEN_HEIGHT

NEIGHBOURS = 3  # hands shown on either side of the weakest one worth playing


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
    chart: Chart


@dataclass(frozen=True)
class Solved:
    """Both answers to every hand, valued under the prices in force."""

    game: ThreeCard
    values: Mapping[int, tuple[Fraction, Fraction, int]]  # strength -> antes won by playing, by folding, deals

    def best(self, strength: int) -> int:
        """The better action; a hand worth the same either way is folded."""
        plays, folds, _ = self.values[strength]
        return PLAY if plays > folds else FOLD

    def under(self, strategy: Strategy) -> Counted:
        return self.game.under(strategy)


def solve_three_card(variant: Variant, counted_as: Variant | None = None) -> Solved:
    """Value every hand both ways. With `counted_as`, deals are those of that variant and only the prices are new."""
    ways = three_card(counted_as or variant).ways
    stories: set[Story] = {story for by_hand in ways.values() for found in by_hand.values() for story in found}
    everything = Counted(variant, dict.fromkeys(stories, 1), len(stories), "")
    net = nets(everything, "ante")

    def won(action: int, strength: int) -> Fraction:
        return sum((number * net[story] for story, number in ways[action][strength].items()), Fraction(0))

    values = {
        strength: (won(PLAY, strength), won(FOLD, strength), sum(found.values()))
        for strength, found in ways[PLAY].items()
    }
    return Solved(ThreeCard(variant, ways), values)


def hand_name(strength: int) -> str:
    """`Q-6-4`: the ranks that decide a hand, highest first."""
    heights = (strength >> 8 & 15, strength >> 4 & 15, strength & 15)
    return "-".join(RANK_NAMES[height - 1] if height < 14 else "A" for height in heights)


def strategy_of(variant: Variant) -> ThreeCardStrategy:
    """All that a par sheet says about how to play."""
    solved = solve_three_card(variant)
    order = sorted(solved.values)
    played = [strength for strength in order if solved.best(strength) == PLAY]
    weakest = played[0]
    at = order.index(weakest)
    near = order[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1]
    named: list[tuple[str, str, Strategy]] = [
        ("best", f"play {hand_name(weakest)} and better, fold the rest", solved.best),
        ("queen or better", "play whatever the dealer would qualify with: mimic the dealer", _from(QUEEN_HEIGHT << 8)),
        ("always play", "never fold", lambda _strength: PLAY),
        ("never play", "always fold", lambda _strength: FOLD),
    ]
    return ThreeCardStrategy(
        hand_name(weakest),
        played == order[at:],
        [_value(solved, strength) for strength in reversed(near)],
        [_priced(solved, name, says, strategy) for name, says, strategy in named],
        queen_chart(solved),
    )


def _from(lowest: int) -> Callable[[int], int]:
    """Play this strength and anything above it."""
    return lambda strength: PLAY if strength >= lowest else FOLD


def _value(solved: Solved, strength: int) -> HandValue:
    plays, folds, deals = solved.values[strength]
    return HandValue(hand_name(strength), deals, plays / deals, folds / deals)


def _priced(solved: Solved, name: str, says: str, strategy: Strategy) -> StrategyPrice:
    paid = price(solved.under(strategy), "ante")
    deals = sum(number for _, _, number in solved.values.values())
    plays = sum(number for strength, (_, _, number) in solved.values.items() if strategy(strength) == PLAY)
    return StrategyPrice(name, says, paid.ev, paid.staked, paid.element_of_risk, Fraction(plays, deals))


def queen_chart(solved: Solved) -> Chart:
    """Queen-high hands by their second and third card: where play turns into fold."""
    rows: list[str] = []
    cells: list[list[Cell | None]] = []
    lows = list(range(2, 10))
    for middle in range(11, 2, -1):
        rows.append(RANK_NAMES[middle - 1])
        cells.append([_cell(solved, QUEEN_HEIGHT << 8 | middle << 4 | low) for low in lows])
    return Chart(
        "Queen-high hands: antes won by playing (folding costs 1)",
        "second card, by third card",
        [RANK_NAMES[low - 1] for low in lows],
        rows,
        cells,
        {"P": "play", "F": "fold"},
    )


def _cell(solved: Solved, strength: int) -> Cell | None:
    if strength not in solved.values:
        return None
    plays, _, deals = solved.values[strength]
    return Cell("P" if solved.best(strength) == PLAY else "F", f"{float(plays / deals):.4f}".replace("-", "−"))
