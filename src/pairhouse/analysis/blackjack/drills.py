"""The first decisions of blackjack for practice: how often each comes up, and what every action is worth there."""

from collections import Counter
from fractions import Fraction

from pairhouse.analysis.blackjack.basic import two_cards
from pairhouse.analysis.blackjack.solution_records import UPS, action_names, solution, value_name
from pairhouse.analysis.blackjack.solve import ruled_out
from pairhouse.analysis.methods.records import Drill
from pairhouse.core.game import Variant
from pairhouse.games.blackjack_hand import WORDS, is_blackjack


def drills(variant: Variant) -> list[Drill]:
    """Every two-card hand that is played, against every up card."""
    solved = solution(variant)
    return [
        Drill(
            hand=[value_name(first), value_name(second)],
            up=value_name(up),
            frequency=frequency(variant, first, second, up),
            values=action_names(variant, solved.ups[up].actions(first, second)),
        )
        for up in UPS
        for first, second in two_cards()
        if not is_blackjack(WORDS[first] + WORDS[second])
    ]


def frequency(variant: Variant, first: int, second: int, up: int) -> Fraction:
    """The chance that a round from a fresh pack asks about these two cards against this up card."""
    decks, _ = variant.pack
    left = Counter({value: (16 if value == 10 else 4) * decks for value in range(1, 11)})
    chance = Fraction(1 if first == second else 2)
    for card in (first, second, up):
        chance *= Fraction(left[card], left.total())
        left[card] -= 1
    hidden = ruled_out(variant.rules, up)  # the round goes on only if the hole card makes no blackjack
    return chance * (1 - Fraction(left[hidden], left.total())) if hidden else chance
