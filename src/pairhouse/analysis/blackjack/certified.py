"""The main wager in a certificate: the solver's figures, and single hands derived again as exact fractions."""

from fractions import Fraction

import msgspec

from pairhouse.analysis.blackjack.basic import BasicStrategy
from pairhouse.analysis.blackjack.exact import ExactHand
from pairhouse.analysis.blackjack.report import ERROR, action_names, solution, value_name
from pairhouse.analysis.blackjack.solve import STRATEGY_CLASS
from pairhouse.core.game import Variant

HANDS = ((6, 10, 10), (5, 6, 6), (2, 10, 1), (1, 6, 7), (8, 8, 9), (9, 9, 4))  # two cards and the up card


class SolvedFigures(msgspec.Struct, frozen=True):
    """What the solver found, to nine decimals, and exact values of some hands that it was held to.

    `exact` maps a hand to the value of each action but a split, as a fraction; `agree` says whether the solver's values
    are the same within its stated error.
    """

    ev: str
    basic_strategy_ev: str
    strategy_class: str
    error: str
    exact: dict[str, dict[str, str]]
    agree: bool


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
    ev, basic = solved.expectation, BasicStrategy(solved).expectation
    return SolvedFigures(f"{ev:.9f}", f"{basic:.9f}", STRATEGY_CLASS, f"{ERROR:g}", exact, agree)
