"""Two cards gone together: recounted with both gone, as fractions, and averaging to nothing."""

from fractions import Fraction

import pytest

from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.effects import effects
from pairhouse.analysis.protect.second_order import kind_of_pair, of_an_untouched, second_orders
from pairhouse.core.cards import pack, parse


def test_a_bet_no_card_touches() -> None:
    """PAIR's table shoe-d: two cards gone together matter, one alone does not."""
    variant = analyst("pair-v3", {"paytable": "shoe-d"})
    pair = effects(variant, ["pair"])
    found = second_orders(variant, pair.values())["pair"]
    assert set(found) == {"one card twice", "one rank", "one suit", "neither"}
    assert found["one card twice"] > found["one rank"] > 0 > found["neither"]
    # Over all second cards they average to nothing: the first one changes no price, nor does one put aside unseen.
    weights = {"one card twice": 5, "one rank": 18, "one suit": 72, "neither": 216}
    assert sum(weights[name] * found[name] for name in found) == 0
    assert found == of_an_untouched(variant, pair["pair"])  # all pairs, and one of each kind priced anew


def test_nothing_is_left_over_all_pairs() -> None:
    """Two cards put aside unseen change no price, nor does one: beyond single effects, all pairs add up to nothing."""
    variant = analyst("la-paire")
    found = effects(variant, ["poker", "red", "card-A"])
    weights = {"one rank": 13 * 6 + 1, "one suit": 4 * 78, "neither": 54 * 53 // 2 - 79 - 312}
    for orders in second_orders(variant, found.values()).values():
        assert set(orders) == set(weights)  # one deck: no card twice
        assert sum(weights[kind] * change for kind, change in orders.items()) == 0


@pytest.mark.parametrize(
    ("cards", "kind"),
    [("Ac Ac", "one card twice"), ("Ac Ad", "one rank"), ("Ac 2c", "one suit"), ("Ac 2d", "neither")],
)
def test_kinds_of_pairs(cards: str, kind: str) -> None:
    one, other = parse(cards.split())
    assert kind_of_pair(one, other) == kind
    assert kind_of_pair(52, 53) == "one rank"
    assert kind_of_pair(one, 53) == "neither"


def test_wagers_that_are_not_counted_are_left_out() -> None:
    variant = analyst("blackjack")
    assert second_orders(variant, effects(variant, ["insurance"]).values()) == {}


def test_baccarat_pairs_by_recounting() -> None:
    variant = analyst("nepal-super-baccarat")
    found = effects(variant, ["tie"])["tie"]
    orders = second_orders(variant, [found])["tie"]
    method, decks = method_of(variant), 8
    total, number = Fraction(0), 0
    for rank in range(13):  # two nines gone, two aces gone, ...: suits are nothing to a tie
        left = list(pack(decks))
        left.remove(rank)
        left.remove(rank + 13)
        total += method.exact_price("tie", left).ev - Fraction(found.price) - 2 * Fraction(found.by_face[rank])
        number += 1
    assert orders["one rank"] == orders["one card twice"] == total / number
