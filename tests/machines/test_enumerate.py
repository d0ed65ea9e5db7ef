"""The oracle against brute force: its tally is that of live play over every order of a small shoe."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb

import pytest

from pairhouse.core.cards import pack, parse
from pairhouse.core.errors import Refused
from pairhouse.core.tally import Tally
from pairhouse.games.catalogue import GAMES
from pairhouse.machines.enumerate import Strategy, enumerate_rounds, first_legal
from pairhouse.machines.replay import replay


def highest_legal(legal: int, _situation: int) -> int:
    """A strategy that doubles, splits and insures whenever it can."""
    return 1 << legal.bit_length() - 1


def by_brute_force(game: str, options: dict[str, object], shoe: list[int], strategy: Strategy) -> Tally:
    """Every order of the shoe through live play; orders that only differ behind the last card used are one."""
    variant = GAMES[game].variant(options)
    names = {1 << bit: action.name for bit, action in enumerate(variant.game.actions)}
    bits = {name: bit for bit, name in names.items()}
    opener = next(wager.id for wager in variant.wagers.values() if wager.opens)
    tally = Tally()
    counted: set[tuple[int, ...]] = set()
    for order in set(permutations(shoe)):
        choices: list[str] = []
        state = replay(variant, order, [{opener: 1000}], choices)
        while state.awaiting is not None:
            legal = sum(bits[name] for name in state.awaiting.options)
            choices.append(names[strategy(legal, state.awaiting.situation)])
            state = replay(variant, order, [{opener: 1000}], choices)
        used = order[: state.cards_used]
        if used not in counted:
            counted.add(used)
            tally.add(tuple(state.happened), chance(used, shoe))
    return tally


def chance(cards: tuple[int, ...], shoe: list[int]) -> Fraction:
    """The probability that a shoe deals these cards in this order."""
    left, total, result = Counter(shoe), len(shoe), Fraction(1)
    for card in cards:
        result *= Fraction(left[card], total)
        left[card] -= 1
        total -= 1
    return result


@pytest.mark.parametrize(
    ("game", "options", "shoe", "strategy"),
    [
        ("nepal-super-baccarat", {}, "Ac 3d 4h 6s 9c Kd 2h", first_legal),
        ("la-paire", {}, "Ac Ad Kc Qc X1 X2 2h", first_legal),
        ("three-card-poker", {}, "Ac Kc Qc 2d 3h 4s 4h", first_legal),
        ("blackjack", {}, "Ac Ad 10h Ks 9c 5d 6h", first_legal),
        ("blackjack", {"max_hands": 2}, "8c 8c 10h 10h 10h 9d 9d 9d 9d", highest_legal),
        ("blackjack", {"hole_card": "none", "surrender": "late"}, "Ac 10d 10h Ks 9c 5d 6h", highest_legal),
        ("blackjack-poker-pairs", {}, "Ac Ac 10h 10h 8c 8c 5d 6h", first_legal),
    ],
)
def test_the_oracle_is_live_play_over_every_order(
    game: str, options: dict[str, object], shoe: str, strategy: Strategy
) -> None:
    """Face-down cards drawn late, and a peek that narrows them, come to the same as cards dealt in order."""
    cards = parse(shoe.split())
    variant = GAMES[game].variant(options)
    oracle = enumerate_rounds(variant.game.play, variant.rules, cards, strategy=strategy)
    assert oracle.total == 1
    assert oracle.weights == by_brute_force(game, options, cards, strategy).weights


def test_prices_against_closed_forms() -> None:
    """La Pair'e on four ranks of each suit and two Jokers, 18 cards. [LP-32] [LP-33] [LP-36] [LP-38] [LP-39]"""
    variant = GAMES["la-paire"].variant()
    deck = [card for card in pack(1, 2) if card >= 52 or card % 13 in (0, 1, 11, 12)]
    tally = enumerate_rounds(variant.game.play, variant.rules, deck)
    pairs = comb(18, 2)
    expected = {
        "card-A": Fraction(4 * 13, 18) - 1,
        "card-joker": Fraction(2 * 26, 18) - 1,
        "split-K-joker": Fraction(6 * 6, 18) - 1,
        "card-7": Fraction(-1),
        "red": Fraction(8 * 2, 18) - 1,
        "paire-K": Fraction(comb(4, 2) * 226, pairs) - 1,
        "paire-joker": Fraction(1301, pairs) - 1,
        "any-paire": Fraction(4 * comb(4, 2) * 17 + 51, pairs) - 1,
    }
    assert {name: tally.expectation(variant.wagers[name]) for name in expected} == expected


def test_a_shoe_that_runs_out_is_refused() -> None:
    variant = GAMES["blackjack"].variant()
    with pytest.raises(Refused, match="too small"):
        enumerate_rounds(variant.game.play, variant.rules, parse(["2c", "3c", "4c", "5c"]), strategy=highest_legal)
