"""The main wager of blackjack as fractions: held to rounds that are dealt, to decimals, and to what must add up to 0."""

from fractions import Fraction

import numpy as np
import pytest

from pairhouse.analysis.blackjack.certified import SMALL_SHOES, dealt_through
from pairhouse.analysis.blackjack.exact_ends import ExactEnds, moduli
from pairhouse.analysis.blackjack.exact_main import ExactMain, without_each
from pairhouse.analysis.blackjack.hands import VALUES
from pairhouse.analysis.blackjack.solution_records import ERROR, blackjack_pays
from pairhouse.analysis.blackjack.solve import fresh_shoe
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.analysis.exact.variants import analyst

OPTIONS: list[tuple[str, dict[str, str], int]] = [
    ("blackjack", {"decks": "1"}, 5),
    ("blackjack", {"decks": "8", "soft_17": "hit", "surrender": "late", "resplit_aces": "yes"}, 10),
    ("blackjack", {"decks": "2", "hole_card": "none", "surrender": "late", "charlie": "6"}, 1),
    ("blackjack", {"decks": "1", "double": "9-11", "max_hands": "3", "charlie": "5", "hit_split_aces": "yes"}, 8),
    ("blackjack", {"decks": "4", "max_hands": "2", "double_after_split": "no", "blackjack_pays": "6:5"}, 2),
    ("blackjack-poker-pairs", {}, 7),
]


def exact_main(game: str, options: dict[str, str], cards: dict[int, int] | None = None) -> ExactMain:
    variant = analyst(game, options)
    shoe = fresh_shoe(variant.pack[0]) if cards is None else [cards.get(value, 0) for value in range(11)]
    return ExactMain(variant.rules, [int(count) for count in shoe], blackjack_pays(variant))


@pytest.mark.parametrize("game", ["blackjack", "blackjack-poker-pairs"])
def test_small_shoes_against_every_path_of_the_rule_book(game: str) -> None:
    for small in SMALL_SHOES:
        dealt, _ = dealt_through(analyst(game), small)
        assert exact_main(game, {}, small).whole.best == dealt


def test_play_as_before_gains_and_loses_nothing_over_the_cards_of_a_shoe() -> None:
    shoe = {1: 4, 5: 6, 8: 6, 10: 9}
    main = exact_main("blackjack", {"resplit_aces": "yes"}, shoe)
    changes = {gone: main.without(gone).as_before - main.whole.best for gone in shoe}
    assert sum(shoe[gone] * change for gone, change in changes.items()) == 0
    assert all(changes.values())
    assert all(main.without(gone).best >= main.without(gone).as_before for gone in shoe)


@pytest.mark.parametrize(("game", "options", "gone"), OPTIONS[:1])
def test_fractions_are_the_decimals_of_the_solver(game: str, options: dict[str, str], gone: int) -> None:
    main, shoe = exact_main(game, options), fresh_shoe(analyst(game, options).pack[0])
    for number in (0, gone):
        left = shoe.copy()
        left[number] -= number > 0
        solved = Solution(main.rules, left, float(main.pays)).expectation
        assert abs((main.without(number) if number else main.whole).best - Fraction(solved)) < Fraction(ERROR)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "gone"), OPTIONS[1:])
def test_so_are_those_of_other_rules(game: str, options: dict[str, str], gone: int) -> None:
    test_fractions_are_the_decimals_of_the_solver(game, options, gone)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_effects_of_play_as_before_add_up_to_nothing(decks: int) -> None:
    variant = analyst("blackjack", {"decks": str(decks)})
    (whole, before), *without = without_each(variant.rules, decks, Fraction(3, 2))
    assert whole == before
    held = [16 if value == 10 else 4 for value in VALUES]
    assert sum(number * (as_before - whole) for number, (_, as_before) in zip(held, without, strict=True)) == 0


def test_ends_are_counted_in_whole_numbers() -> None:
    """Against two draws in a row from what is left, with a six up and an ace and tens alone to come."""
    rules = analyst("blackjack").rules
    ends = ExactEnds(rules, 6, (0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 5))
    none = np.zeros((1, 11), np.int64)
    # An ace stops at 17. A ten makes 16: then an ace makes 17, a ten is a bust. All are continued to the longest.
    further = 1
    for drawn in range(2, ends.longest):
        further *= max(7 - drawn, 1)
    won, lost = 5 * 4, 2 * 6 + 5 * 2
    assert ends.stands(none, np.array([18]))[0] == (won + lost) * further
    assert ends.stands(none, np.array([16]))[0] == (won - lost) * further
    assert ends.stands(none, np.array([17]))[0] == won * further


def test_moduli_share_no_factor_and_are_large_enough() -> None:
    found = moduli(10**40, 5040)
    assert len(found) == len(set(found)) == 4
    product = 1
    for modulus in found:
        assert pow(product, -1, modulus) or product == 1
        assert modulus * 5040 < 2**53
        product *= modulus
    assert product > 10**40
