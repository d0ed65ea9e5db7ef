"""The main wager in a certificate: the solver's figures, single hands derived again as exact fractions, and the whole
game on small shoes, splits included, dealt card by card through the rule book."""

from fractions import Fraction

import numpy as np

from pairhouse.analysis.blackjack.basic import BasicStrategy
from pairhouse.analysis.blackjack.exact import ExactHand
from pairhouse.analysis.blackjack.solution_records import ERROR, action_names, solution, value_name
from pairhouse.analysis.blackjack.solve import STRATEGY_CLASS
from pairhouse.analysis.blackjack.strategy import CompositionPlay
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.analysis.methods.records import SolvedFigures
from pairhouse.core.game import Variant
from pairhouse.machines.enumerate import enumerate_rounds

HANDS = ((6, 10, 10), (5, 6, 6), (2, 10, 1), (1, 6, 7), (8, 8, 9), (9, 9, 4))  # two cards and the up card
SMALL_SHOES: tuple[dict[int, int], ...] = ({8: 5, 10: 7}, {1: 3, 8: 3, 10: 6})  # value -> how many cards


def solved_figures(variant: Variant) -> SolvedFigures:
    """Solve the game, and derive some of its hands again in exact fractions."""
    solved = solution(variant)
    shoe = [int(count) for count in solved.shoe]
    exact: dict[str, dict[str, str]] = {}
    agree = True
    for first, second, up in HANDS:
        values = ExactHand(variant.rules, shoe, up).actions(first, second)
        found = solved.ups[up].actions(first, second)
        agree &= all(abs(Fraction(found[action]) - value) < Fraction(ERROR) for action, value in values.items())
        hand = f"{value_name(first)}-{value_name(second)} against {value_name(up)}"
        exact[hand] = {name: str(values[action]) for action in values for name in action_names(variant, {action: 0.0})}
    small = {shoe_name(small): dealt_through(variant, small) for small in SMALL_SHOES}
    agree &= all(abs(Fraction(found) - ev) < Fraction(ERROR) for ev, found in small.values())
    dealt = {shoe: str(ev) for shoe, (ev, _) in small.items()}
    ev, basic = solved.expectation, BasicStrategy(solved).expectation
    return SolvedFigures(f"{ev:.9f}", f"{basic:.9f}", STRATEGY_CLASS, f"{ERROR:g}", exact, dealt, agree)


def shoe_name(shoe: dict[int, int]) -> str:
    """A shoe of a few cards in short: `5x8 7x10`."""
    return " ".join(f"{number}x{value_name(value)}" for value, number in shoe.items())


def dealt_through(variant: Variant, shoe: dict[int, int]) -> tuple[Fraction, float]:
    """The expectation on a small shoe: exactly, every path of the rule book under the solver's play; and as solved."""
    counts = np.zeros(11)
    counts[list(shoe)] = list(shoe.values())
    solved = Solution(variant.rules, counts, solution(variant).blackjack_pays)
    cards = [value - 1 for value, number in shoe.items() for _ in range(number)]
    tally = enumerate_rounds(variant.game.play, variant.rules, cards, strategy=CompositionPlay(solved))
    return tally.expectation(variant.wagers["main"]), solved.expectation
