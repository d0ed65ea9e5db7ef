"""Final hands of a seat and of the dealer, held to every path of the rule book on small shoes."""

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from pairhouse.analysis.blackjack import final_hands as module
from pairhouse.analysis.blackjack.final_hands import final_hands
from pairhouse.core.rule import rule, with_rules
from pairhouse.core.verbs import Place, Table, settle
from pairhouse.games import blackjack, standard_blackjack
from pairhouse.games.blackjack_choices import DOUBLE, HIT, NO_INSURANCE, SPLIT, STAND, SURRENDER
from pairhouse.games.blackjack_hand import HAND_BITS, total
from pairhouse.machines.enumerate import enumerate_rounds


class SeatHand(NamedTuple):
    hand: int


class DealerHand(NamedTuple):
    hand: int
    of_dealer: bool = True


@rule
def note_seat(table: Table, place: Place, hand: int) -> None:
    """Write the seat's first hand down."""
    settle(table, place, SeatHand(hand))


@rule
def note_dealer(table: Table, dealer: int) -> None:
    """Write the dealer's hand down."""
    settle(table, 0, DealerHand(dealer, True))


PLAY = with_rules(blackjack.play, {blackjack.seat_over: note_seat, blackjack.dealer_over: note_dealer}, __name__)


def play_hard(legal: int, situation: int) -> int:
    """Split and double whenever it may be, surrender 16, draw to 15: a play that busts and splits often."""
    hand = situation & (1 << HAND_BITS) - 1
    if legal & NO_INSURANCE:
        return NO_INSURANCE
    if legal & SPLIT:
        return SPLIT
    if legal & SURRENDER and total(hand) == 16:
        return SURRENDER
    if legal & DOUBLE and total(hand) in (9, 10, 11):
        return DOUBLE
    return HIT if legal & HIT and total(hand) < 16 else STAND


SHOES = ({8: 5, 10: 7}, {1: 4, 10: 11}, {6: 7, 10: 8}, {7: 5, 9: 2, 10: 7})


@pytest.mark.parametrize("shoe", SHOES, ids=str)
@pytest.mark.parametrize(
    "options",
    [{}, {"surrender": True}, {"hole_card": False, "surrender": True}, {"soft_17": "hit", "resplit_aces": True}],
    ids=str,
)
def test_every_hand_has_the_chance_that_the_rule_book_gives_it(
    shoe: dict[int, int], options: dict[str, object]
) -> None:
    rules = standard_blackjack.GAME.variant({}).rules
    known = {"soft_17": {"hits_soft_17": True}, "resplit_aces": {"resplit_aces": True}}
    for name, value in options.items():
        rules = rules._replace(**known.get(name, {name: value}))
    counts = np.zeros(11)
    counts[list(shoe)] = list(shoe.values())
    cards = [value - 1 for value, number in shoe.items() for _ in range(number)]
    walked: dict[type, dict[int, Fraction]] = {SeatHand: defaultdict(Fraction), DealerHand: defaultdict(Fraction)}
    for story, weight in enumerate_rounds(PLAY, rules, cards, strategy=play_hard).weights.items():
        for _, happened in story:
            if type(happened) in walked:
                walked[type(happened)][happened.hand] += weight
    found = final_hands(rules, counts, play_hard)
    assert found.seat_chances() == walked[SeatHand]
    exact = walked[DealerHand]
    for hand in found.dealer.keys() | exact.keys():
        assert abs(Fraction(found.dealer.get(hand, 0.0)) - exact.get(hand, Fraction(0))) < Fraction(1, 10**12), hand
    assert found.missing == 0


@pytest.mark.slow
def test_what_is_left_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving sets of cards out moves no chance by more than is told."""
    rules, counts = standard_blackjack.GAME.variant({}).rules, np.array([0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 12], float)
    counts[[2, 3, 4, 5]] = 0
    monkeypatch.setattr(module, "SPARED", 0.0)
    whole = final_hands(rules, counts, play_hard)
    monkeypatch.setattr(module, "FEW", 20)
    monkeypatch.setattr(module, "SPARED", 1e-5)
    partly = final_hands(rules, counts, play_hard)
    off = sum(abs(partly.dealer.get(hand, 0.0) - whole.dealer[hand]) for hand in whole.dealer)
    assert whole.missing == 0
    assert 0 < off <= 2 * partly.missing
