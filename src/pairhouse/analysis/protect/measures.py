"""What a follower of a wager wins, in the figures that analysts use, read off shoes that were dealt.

Per 100 rounds and unit of stake: the win, in how many rounds there is a bet, the mean edge of those bets, the standard
deviation. The desirability index is 1,000 times the win of a round over the deviation of a round. N0 is the number of
rounds after which the win is as large as the deviation. The turning point is where the first-order price, a straight
line in the true count, is 0.
"""

from fractions import Fraction
from math import sqrt

import msgspec
import numpy as np

from pairhouse.analysis.protect.effects import Effects, faces_by_rank
from pairhouse.analysis.protect.round_sums import BINS, REACH, Totals
from pairhouse.analysis.protect.shoe_prices import Decimals
from pairhouse.analysis.protect.tags import Tags

HUNDRED = 100


class Per100(msgspec.Struct, frozen=True):
    """Figures of a follower for every 100 rounds, per unit of stake."""

    win: float
    bets: float
    edge: float
    deviation: float
    desirability: float
    n0: float | None


class CountWins(Per100, frozen=True):
    """A follower of the count, who bets from a whole true count on; None where no true count is worth a bet."""

    bet_from: int | None


class CeilingWins(Per100, frozen=True):
    """A follower who knows every price; `error` is one standard error of the win."""

    error: float


class AtCount(msgspec.Struct, frozen=True):
    """Rounds that began at a true count (rounded down): their share of all rounds, and the mean price in them."""

    count: int
    share: float
    price: float


class SolvedCeiling(msgspec.Struct, frozen=True):
    """The ceiling per 100 rounds by rounds that were solved, one standard error, and in how many it was worth a bet."""

    win: float
    error: float
    rounds: int
    bets: int


class CutWins(msgspec.Struct, frozen=True):
    """A wager with the cut card in one place: rounds of a shoe, the count's win, the ceiling.

    `solved` is there for wagers that are priced by first order: their ceiling by a sample of rounds that were solved.
    """

    behind_cut: int
    rounds_a_shoe: float
    count: CountWins
    ceiling: CeilingWins
    solved: SolvedCeiling | None = None


def per_100(offered: float, won: float, square: float, rounds: float) -> Per100:
    """The figures from sums over rounds: how often there was a bet, what it was worth, its mean square."""
    mean = won / rounds
    deviation = sqrt(max(square / rounds - mean * mean, 0.0))
    return Per100(
        win=HUNDRED * mean,
        bets=HUNDRED * offered / rounds,
        edge=won / offered if offered else 0.0,
        deviation=sqrt(HUNDRED) * deviation,
        desirability=1000 * mean / deviation if deviation else 0.0,
        n0=(deviation / mean) ** 2 if mean > 0 else None,
    )


def cut_wins(totals: Totals, cuts: list[int], cut: int, wager: int) -> CutWins:
    """One wager with the cut card in one of the places that were dealt."""
    place = cuts.index(cut)
    rounds = int(totals.rounds[: place + 1].sum())
    offered, won, square = (
        getattr(totals, name)[: place + 1, wager].sum(axis=0) for name in ("offered", "won", "square")
    )
    from_there = won[::-1].cumsum()[::-1]
    first = int(from_there.argmax())
    bet_from = first - REACH if from_there[first] > 0 else None
    above = slice(first, BINS) if bet_from is not None else slice(0, 0)
    figures = per_100(float(offered[above].sum()), float(won[above].sum()), float(square[above].sum()), rounds)
    count = CountWins(**msgspec.structs.asdict(figures), bet_from=bet_from)
    bets, gains, squares = (
        float(column[: place + 1, wager].sum()) for column in (totals.best_offered, totals.best_won, totals.best_square)
    )
    at_best = per_100(bets, gains, squares, rounds)
    ceiling = CeilingWins(**msgspec.structs.asdict(at_best), error=HUNDRED * ceiling_error(totals, place, wager))
    return CutWins(cut, rounds / int(totals.shoes[0]), count, ceiling)


def ceiling_error(totals: Totals, place: int, wager: int) -> float:
    """One standard error of the ceiling a round: how much it differs from shoe to shoe. The last column is all."""
    shoes, rounds = int(totals.shoes[0]), float(totals.rounds[: place + 1].sum())
    won = totals.best_won[: place + 1].sum(axis=0)
    mean = float(np.append(won, won.sum())[wager]) / rounds
    squares = float(totals.shoe_squares[place, wager]) - 2 * mean * float(totals.shoe_products[place, wager])
    squares += mean**2 * float(totals.round_squares[place])
    return sqrt(max(squares, 0.0) * shoes / (shoes - 1)) / rounds


def by_true_count(totals: Totals, cuts: list[int], cut: int, wager: int) -> list[AtCount]:
    """The price at each true count, and how often it comes; the outermost hold everything beyond them."""
    place = cuts.index(cut)
    offered: Decimals = totals.offered[: place + 1, wager].sum(axis=0)
    won: Decimals = totals.won[: place + 1, wager].sum(axis=0)
    return [
        AtCount(at - REACH, float(offered[at] / offered.sum()), float(won[at] / offered[at]))
        for at in range(BINS)
        if offered[at] > 0
    ]


def slope_of(effects: Effects, tags: Tags) -> Fraction:
    """By how much the first-order price rises for each unit of the true count, exactly."""
    by_name = faces_by_rank(len(effects.by_face))
    number, deck = sum(effects.held, Fraction(0)), len(effects.by_face)
    held = {name: sum((effects.held[face] for face in faces), Fraction(0)) for name, faces in by_name.items()}
    mean = sum((held[name] * tags.get(name, 0) for name in held), Fraction(0)) / number
    effect = {name: Fraction(value) for name, value in effects.by_rank.items()}
    both = sum((held[name] * (tags.get(name, 0) - mean) * effect[name] for name in held), Fraction(0))
    spread = sum((held[name] * (tags.get(name, 0) - mean) ** 2 for name in held), Fraction(0))
    return both / spread * (number - 1) / deck if spread else Fraction(0)


def turning_point(effects: Effects, tags: Tags) -> float | None:
    """The true count at which the first-order price is 0; None where no count changes the price."""
    slope = slope_of(effects, tags)
    return float(-Fraction(effects.price) / slope) if slope else None
