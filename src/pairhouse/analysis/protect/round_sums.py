"""Sums over the rounds of shoes, compiled: what is gone before each round, and what two players make of its prices."""

from math import floor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pairhouse.machines.cache import cached_jit

Numbers = npt.NDArray[np.int64]
Decimals = npt.NDArray[np.float64]
REACH = 40  # true counts beyond this share the outermost bins
BINS = 2 * REACH + 1
jit = cached_jit("round-sums", __name__, nogil=True, error_model="numpy")


class Totals(NamedTuple):
    """Sums over shoes, by cut card (the one with most cards behind it first: later rows add what is dealt beyond it).

    `offered`, `won` and `square` are by wager and bin of the true count; `best_...` over rounds in which a wager was
    worth more than 0. Sums over shoes of squares are for the error.
    """

    shoes: Numbers
    rounds: Numbers  # [cut]
    offered: Decimals  # [cut, wager, bin]
    won: Decimals
    square: Decimals
    best_offered: Decimals  # [cut, wager]
    best_won: Decimals
    best_square: Decimals
    any_bet: Numbers  # [cut]
    one_won: Decimals  # [cut]: what the one best bet of each round is worth
    shoe_squares: Decimals  # [cut, wager + 1]: of a shoe's ceiling; the last column is that of all wagers together
    shoe_products: Decimals  # with the shoe's rounds
    round_squares: Decimals  # [cut]

    @classmethod
    def empty(cls, cuts: int, wagers: int) -> "Totals":
        by_bin, by_wager = (cuts, wagers, BINS), (cuts, wagers)
        return cls(
            np.zeros(1, np.int64), np.zeros(cuts, np.int64), np.zeros(by_bin), np.zeros(by_bin), np.zeros(by_bin),
            np.zeros(by_wager), np.zeros(by_wager), np.zeros(by_wager), np.zeros(cuts, np.int64), np.zeros(cuts),
            np.zeros((cuts, wagers + 1)), np.zeros((cuts, wagers + 1)), np.zeros(cuts),
        )  # fmt: skip

    def add(self, other: "Totals") -> None:
        for mine, theirs in zip(self, other, strict=True):
            np.add(mine, theirs, out=mine)

    def copied(self) -> "Totals":
        """The same sums, which stay as they are when more is added here."""
        return Totals(**{name: values.copy() for name, values in self.arrays().items()})

    def arrays(self) -> dict[str, Any]:
        return self._asdict()


class PricedRounds(NamedTuple):
    """The rounds of some shoes, one after another.

    `evs`, `squares`, `offered` and `counts` are by round and wager; `rounds` says how many rounds each shoe has, and
    `reached` how many of them are dealt with each cut card.
    """

    evs: Decimals
    squares: Decimals
    offered: Decimals
    counts: Decimals
    rounds: Numbers
    reached: Numbers

    def of_shoes(self, first: int, end: int) -> "PricedRounds":
        """The rounds of the shoes from one to before another."""
        before = int(self.rounds[:first].sum())
        these = slice(before, before + int(self.rounds[first:end].sum()))
        by_round = (self.evs[these], self.squares[these], self.offered[these], self.counts[these])
        return PricedRounds(*by_round, self.rounds[first:end], self.reached[first:end])


@jit
def add_rounds(dealt: PricedRounds, sums: Totals, gains: Decimals) -> None:
    """Add rounds to the sums; each belongs to the first cut card that lets it be dealt. `gains` is for work."""
    cuts, wagers = dealt.reached.shape[1], dealt.evs.shape[1]
    at = 0
    for shoe in range(dealt.rounds.size):
        gains[:] = 0.0
        for number in range(dealt.rounds[shoe]):
            cut = 0
            while number >= dealt.reached[shoe, cut]:
                cut += 1
            best, together = 0.0, 0.0
            for wager in range(wagers):
                ev, offered = dealt.evs[at, wager], dealt.offered[at, wager]
                worth, square = ev * offered, dealt.squares[at, wager] * offered
                bin_of = min(max(floor(dealt.counts[at, wager] + 1e-9), -REACH), REACH) + REACH
                sums.offered[cut, wager, bin_of] += offered
                sums.won[cut, wager, bin_of] += worth
                sums.square[cut, wager, bin_of] += square
                if ev > 0:
                    sums.best_offered[cut, wager] += offered
                    sums.best_won[cut, wager] += worth
                    sums.best_square[cut, wager] += square
                    gains[cut, wager] += worth
                    together += worth
                    best = max(best, worth)
            gains[cut, wagers] += together
            sums.rounds[cut] += 1
            sums.any_bet[cut] += best > 0
            sums.one_won[cut] += best
            at += 1
        for cut in range(cuts):
            reached = dealt.reached[shoe, cut]
            for place in range(wagers + 1):
                gains[cut, place] += gains[cut - 1, place] if cut > 0 else 0.0
                sums.shoe_squares[cut, place] += gains[cut, place] ** 2
                sums.shoe_products[cut, place] += gains[cut, place] * reached
            sums.round_squares[cut] += float(reached) ** 2
    sums.shoes[0] += dealt.rounds.size


@jit
def add_gone(cards: Numbers, starts: Numbers, rounds: Numbers, each: Any, found: Any) -> None:
    """What the cards gone at each start of a round add up to, a row of `each` a card; shoes one after another."""
    at = 0
    for shoe in range(rounds.size):
        for number in range(rounds[shoe]):
            first = 0
            if number > 0:
                first = starts[at - 1]
                found[at] = found[at - 1]
            for card in range(first, starts[at]):
                found[at] += each[cards[shoe, card]]
            at += 1


class Returns(NamedTuple):
    """What deals give back on a unit, in steps of 1/`steps`: an entry for each cell and wager that wins there.

    `column` says where the prices of each wager go; a wager no cell wins for has a column too.
    """

    cell: Numbers
    wager: Numbers
    back: Numbers
    steps: int
    column: Numbers


@jit
def price_rounds(
    ways: Numbers, returns: Returns, cards_left: Numbers, draws: int, evs: Decimals, squares: Decimals
) -> None:
    """Expectation and mean square of wagers by round, into their columns, from the ordered deals of each cell."""
    back, squared = np.zeros(returns.column.size, np.int64), np.zeros(returns.column.size)
    for row in range(ways.shape[0]):
        for wager in range(back.size):
            back[wager], squared[wager] = 0, 0.0
        for entry in range(returns.cell.size):
            deals, value, wager = ways[row, returns.cell[entry]], returns.back[entry], returns.wager[entry]
            back[wager] += deals * value
            squared[wager] += float(deals) * float(value * value)
        total = float(returns.steps)
        for drawn in range(draws):
            total *= cards_left[row] - drawn
        for wager in range(back.size):
            mean = back[wager] / total
            evs[row, returns.column[wager]] = mean - 1
            squares[row, returns.column[wager]] = squared[wager] / (total * returns.steps) - 2 * mean + 1
