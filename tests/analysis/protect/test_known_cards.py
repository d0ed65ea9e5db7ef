"""Known cards: recounted with the card in its place, and published figures met."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from pairhouse.analysis.blackjack.hole_card import hole_card_known
from pairhouse.analysis.blackjack.solve import UpCard, fresh_shoe, ruled_out
from pairhouse.analysis.exact.variants import analyst
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.known_cards import next_card
from pairhouse.analysis.three_card import known_hands
from pairhouse.analysis.three_card.counts import value_of_hand
from pairhouse.core.cards import parse
from pairhouse.core.errors import Refused
from pairhouse.games.blackjack_choices import STAND
from pairhouse.games.three_card_poker import PLAY

TCP = analyst("three-card-poker")
BACCARAT = analyst("nepal-super-baccarat")


def test_three_card_poker_with_a_hole_card() -> None:
    """Published: an edge of 3.4829 %, a deviation of 1.7417, a win in 54.2203 % of rounds, and the strategy."""
    found = known_hands.hole_card_known(TCP)
    assert round(100 * float(found.ev), 4) == 3.4829
    assert round(float(found.square - found.ev**2) ** 0.5, 4) == 1.7417
    assert round(100 * float(found.win), 4) == 54.2203
    highs = {"Q": "Q-9-2 or better", "K": "K-9-2 or better", "A": "A-9-2 or better"}
    assert found.weakest == {name: highs.get(name, "every hand") for name in found.weakest}


def test_three_card_poker_with_marked_cards() -> None:
    """Published: 1.837 % when one of the dealer's cards can be told to be high or low; exactly it is 1.8378 %."""
    found = known_hands.marked_dealer_cards(TCP, frozenset({0, 11, 12}))
    assert 1.837 < 100 * float(found) < 1.838


def test_a_shared_hand_is_counted_as_if_it_were_gone() -> None:
    """The sums for cards that are gone are those of the count of this very hand without them."""
    deals, sums = known_hands.deals_of(TCP), known_hands.new_sums()
    hand, gone = parse(["Qc", "6d", "4h"]), parse(["2c", "Ks", "Kh", "9d", "3s", "Jc"])
    a, b, c = sorted(hand)
    kind = known_hands.kind_of((a, b, c))
    known_hands.add_up(deals.game, a, b, c, kind, sums)
    for cards in (gone[:3], gone):
        left = known_hands.value_with_gone(deals.game, a, b, c, kind, sums, np.array(sorted(cards)))
        dealers = len(list(combinations(range(49 - len(cards)), 3)))
        assert Fraction(int(left), dealers * deals.steps) == value_of_hand(TCP, PLAY, hand, cards)


def test_two_seats_exact_and_sampled() -> None:
    exact = known_hands.one_hand_shared(TCP)
    sampled = known_hands.hands_shared(TCP, 2, 8000, 3)
    assert abs(sampled.ev - float(exact)) < 4 * sampled.error
    assert sampled.error < 2e-4
    alone = known_hands.with_rank_gone(TCP).price
    assert alone < exact < Fraction(-33, 1000)
    assert known_hands.hands_shared(TCP, 7, 4000, 3).ev > float(exact)


def test_baccarat_with_the_first_card_known() -> None:
    found = next_card(BACCARAT, ["player", "banker", "tie", "player-pair"])
    for wager, each in found.items():
        assert sum(each.prices.values(), Fraction(0)) / 13 == method_of(BACCARAT).exact_price(wager).ev
    assert round(100 * float(found["player"].prices["9"]), 2) == 21.53  # what edge sorters look for
    assert found["player"].marked == "9"
    assert found["tie"].marked is None
    assert found["tie"].win == 0


def test_la_paire_with_the_first_card_known() -> None:
    variant = analyst("la-paire")
    found = next_card(variant, ["card-A", "any-paire", "red"])
    assert found["card-A"].prices["A"] == 12
    assert found["any-paire"].prices["A"] == Fraction(3, 53) * 17 - 1
    assert found["any-paire"].prices["joker"] == Fraction(1, 53) * 51 - 1
    assert found["red"].prices["5"] == 0


def test_a_side_bet_with_the_first_card_known() -> None:
    """PAIR at two decks: the first card is known, and the price is that of the rows it leaves open."""
    variant = analyst("pair-v3", {"paytable": "shoe-d"})
    found = next_card(variant, ["pair"])["pair"]
    assert set(found.prices.values()) == {method_of(variant).exact_price("pair").ev}  # all cards are alike to it
    assert found.win == 0
    royal = next_card(analyst("pair-v3", {"paytable": "shoe-c"}), ["pair"])["pair"]
    assert royal.prices["Q"] == royal.prices["A"] > royal.prices["7"]


def test_standing_is_the_mean_over_hole_cards() -> None:
    """What is not known is an average of what is: against a six, and against a ten that was peeked under."""
    rules, shoe = analyst("blackjack").rules, fresh_shoe(6)
    for up, hand in ((6, (10, 2)), (10, (9, 9)), (1, (10, 6))):
        unknown = UpCard(rules, shoe, up).actions(*hand)[STAND]
        left = shoe.copy()
        for card in (up, *hand):
            left[card] -= 1
        left[ruled_out(rules, up)] = 0
        known = 0.0
        for hole in range(1, 11):
            without = shoe.copy()
            without[hole] -= 1
            known += left[hole] / left.sum() * UpCard(rules, without, up, hole=hole).actions(*hand)[STAND]
        assert known == pytest.approx(unknown, abs=1e-12)


def test_blackjack_with_the_hole_card_known() -> None:
    found = hole_card_known(analyst("blackjack", {"decks": "6"}))
    assert 0.10 < found.ev < 0.115
    assert found.gain == pytest.approx(found.ev + 0.0040286, abs=1e-4)
    assert found.stands_from["10-10"] == 20  # even 19 is hit against a pat 20
    assert found.stands_from["6-10"] == 12
    assert "A-10" not in found.stands_from  # a blackjack leaves nothing to choose
    assert found.stands_from["7-10"] == 17
    with pytest.raises(Refused, match="takes no hole card"):
        hole_card_known(analyst("blackjack", {"hole_card": "none"}))
