"""Limits and cut cards that follow from what a perfect counter could win: the ceiling, asked the other way round."""

from collections.abc import Mapping
from dataclasses import replace

from pairhouse.analysis.protect.ceiling import BetLimits, DealtShoes
from pairhouse.core.errors import Refused

TRIES = 50


def safe_limits(
    shoes: DealtShoes, limits: BetLimits, behind_cut: int, pace: float, sum_an_hour: float, unit: int = 100
) -> BetLimits:
    """The largest stakes up to `limits` for which the ceiling stays under a sum an hour, in steps of `unit`.

    Every wager gets the same share of the sum, and what one does not use goes to the others: plain bets that a counter
    can hardly use keep their limit, those that pay 100 to 1 lose most of it. A limit of 0 closes a wager. The error of
    the sample is on the safe side (`at_most_an_hour`).
    """
    if sum_an_hour <= 0:
        raise Refused("bad-sum", f"a ceiling of {sum_an_hour:g} an hour is not possible; give a sum above 0")
    apart = shoes.ceiling(replace(limits, round_most=None), behind_cut)
    wins = {name: pace * apart.wagers[name].money_a_round for name in limits.most}
    target = sum_an_hour
    for _ in range(TRIES):
        share = _share(wins, target)
        most = {
            name: most if wins[name] <= share else int(most * share / wins[name]) // unit * unit
            for name, most in limits.most.items()
        }
        found = replace(limits, most=most)
        at_most = shoes.ceiling(found, behind_cut).at_most_an_hour(pace)
        if at_most <= sum_an_hour:
            return found
        target *= 0.99 * sum_an_hour / at_most
    sentence = f"no stakes keep the ceiling under {sum_an_hour:g} minor units an hour"
    raise Refused("no-limits", f"{sentence} with {behind_cut} cards behind the cut card; cut off more")


def _share(wins: Mapping[str, float], target: float) -> float:
    """The most that one wager may bring, so that all together bring the target."""
    left, share = target, target
    for number, win in enumerate(sorted(wins.values())):
        share = left / (len(wins) - number)
        if win > share:
            return share
        left -= win
    return max(share, *wins.values())


def safe_cut_card(shoes: DealtShoes, limits: BetLimits, pace: float, sum_an_hour: float) -> int | None:
    """The fewest cards behind the cut card that keep the ceiling under a sum an hour; None where none is enough."""
    low, high = shoes.behind_cut, shoes.size - 1
    if shoes.ceiling(limits, high).at_most_an_hour(pace) > sum_an_hour:
        return None
    while low < high:
        middle = (low + high) // 2
        if shoes.ceiling(limits, middle).at_most_an_hour(pace) > sum_an_hour:
            low = middle + 1
        else:
            high = middle
    return low
