"""Our figure for what others have published about blackjack itself, by the names they have in `published.csv`."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from pairhouse.analysis.blackjack.basic import BasicStrategy
from pairhouse.analysis.blackjack.exact import dealer_ends, unseen
from pairhouse.analysis.blackjack.hands import DEALER_BLACKJACK, DEALER_BUST, VALUES
from pairhouse.analysis.blackjack.solution_records import exceptions, solution, value_name
from pairhouse.analysis.blackjack.solve import fresh_shoe
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.core.game import Variant
from pairhouse.games.blackjack_hand import WORDS, is_blackjack
from pairhouse.games.catalogue import find


def blackjack(**options: Any) -> Variant:
    return find("blackjack").variant(options)


def table_of(parameters: str) -> Variant:
    """The table behind the short names that charts are headed with, such as `6D S17 DAS LS RSA`."""
    words = set(re.findall(r"\w+", parameters))
    number = re.match(r"\d+", parameters)
    assert number, parameters
    return blackjack(
        decks=int(number[0]),
        double_after_split="NDAS" not in words,
        surrender="late" if "LS" in words else "none",
        resplit_aces="RSA" in words,
        max_hands=2 if "no resplit" in parameters else 4,
    )


def main_wager(parameters: str, quantity: str) -> Fraction:
    """The expectation for a player, or the edge of the house."""
    solved = solution(table_of(parameters))
    value = BasicStrategy(solved).expectation if quantity.startswith("house edge TD") else solved.expectation
    return Fraction(-value if quantity.startswith("house edge") else value)


def early_surrender(solved: Solution, up: int) -> float:
    """What it adds to give up half before the dealer looks: each hand that is worth less than that is given up."""
    hands = [(a, b) for a in VALUES for b in range(a, 11) if not is_blackjack(WORDS[a] + WORDS[b])]
    worth = {hand: solved.ups[up].value(*hand, solved.blackjack_pays) for hand in hands}
    return sum(solved.deal_chance(up, *hand) * max(0.0, -0.5 - worth[hand]) for hand in hands)


def rule_variation(parameters: str, quantity: str) -> Fraction:
    """What another rule is worth to the player."""
    assert parameters == "relative to 8D S17 DOA DAS SPL4"
    solved = solution(blackjack(decks=8))
    if quantity == "draw to split aces effect":
        return Fraction(solution(blackjack(decks=8, hit_split_aces=True)).expectation - solved.expectation)
    return Fraction(early_surrender(solved, {"A": 1, "10": 10}[quantity.split()[3]]))


def dealer_final(parameters: str, quantity: str) -> Fraction:
    """How a dealer ends from an up card, nothing else known, as an exact fraction."""
    up = {"A": 1}.get(parameters[-1]) or int(parameters[-1])
    shoe = unseen([int(count) for count in fresh_shoe(1)], up)
    ends = dealer_ends(blackjack(decks=1, hole_card="none").rules, up, shoe)
    places = {"bust": DEALER_BUST, "BJ": DEALER_BLACKJACK}
    return ends[places[quantity] if quantity in places else int(quantity) - 17]


def hit_rather_than_stand(variant: Variant, up: int, soft: bool, total: int) -> list[str]:
    """Hands of three cards with this total that should draw, high cards first, or the aces of a soft hand."""
    solved = solution(variant).ups[up]
    hands, table = solved.hands, solved.table
    wanted = (
        (hands.counts.sum(axis=1) == 3) & (hands.totals == total) & (hands.soft == soft) & (table.hit > table.stand)
    )
    order = list(VALUES) if soft else list(reversed(VALUES))
    names = ["".join("A23456789T"[v - 1] * row[v] for v in order) for row in hands.counts[np.flatnonzero(wanted)]]
    return sorted(names, key=lambda name: "A23456789T".index(name[0]))


def exception_list(parameters: str, _quantity: str) -> str:
    """Hands whose own cards decide against the chart, as the source writes them."""
    variant = blackjack(decks=int(parameters[0]))
    twos = []
    for cell in exceptions(variant):
        low, high = cell["hand"].split("-")
        twos.append((int(low) + int(high), -int(high), f"{high}+{low}", cell["up"], cell["best"]))
    first = "; ".join(f"{total}({cards}) vs {up} {best}" for total, _, cards, up, best in sorted(twos))
    sixteen = " ".join(hit_rather_than_stand(variant, 10, False, 16))
    eighteen = " ".join(hit_rather_than_stand(variant, 1, True, 18))
    name = value_name(1)
    return f"{first}; 3+ cards: 16 vs 10 stand except {sixteen}; soft 18 vs {name} stand except {eighteen}"


BLACKJACK: dict[str, Callable[[str, str], Fraction | str]] = {
    "main": main_wager,
    "rule variation": rule_variation,
    "dealer final": dealer_final,
    "CD exceptions": exception_list,
}
