"""Other readings of the blackjack documents that change the price of insurance or of a side bet."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.reports.readings import Reading, expectation, hands_of, is_straight_ace_high, with_rules
from pairhouse.core.cards import ACE, KING, TEN, Card, is_red, pack, rank, suit
from pairhouse.core.game import Variant
from pairhouse.core.hands import COLOURED_PAIR, MIXED_PAIR, NO_PAIR, SUITED_PAIR, is_straight
from pairhouse.games import blackjack, blackjack_hand, standard_blackjack


def pair_kind_by_value(a: Card, b: Card) -> int:
    """How two cards of equal value pair: in one suit, in one colour, or not even that. [BPP-43]"""
    if blackjack_hand.value(a) != blackjack_hand.value(b):
        return NO_PAIR
    if suit(a) == suit(b):
        return SUITED_PAIR
    return COLOURED_PAIR if is_red(a) == is_red(b) else MIXED_PAIR


def holds_blackjack(cards: Sequence[Card]) -> bool:
    """Whether two cards are a blackjack."""
    return blackjack_hand.is_blackjack(blackjack_hand.add(blackjack_hand.add(0, cards[0]), cards[1]))


def insurance_ev(shoe: Iterable[Card], taken: Callable[[Sequence[Card]], bool]) -> Fraction:
    """A unit of insurance against an ace, taken by the hands that `taken` names, averaged over those hands.

    [BPP-23] [BPP-24] [BJ-9]
    """
    left = Counter(rank(card) for card in shoe)
    left[ACE] -= 1
    lost = won = 0
    for (first, second), ways in hands_of(left.elements(), 2):
        if taken((first, second)):
            tens = sum(left[ten] for ten in range(TEN, KING + 1)) - sum(card >= TEN for card in (first, second))
            won += ways * tens
            lost += ways * (left.total() - 2 - tens)
    insured = ((blackjack.Insured(True), won), (blackjack.Insured(False), lost))
    return expectation(standard_blackjack.INSURANCE_PAYS, insured)


def insurance_readings(variant: Variant, cites: str) -> Iterator[Reading]:
    """[BPP-23] [BJ-9]"""
    if "insurance" in variant.wagers:
        shoe = pack(*variant.pack)
        ours = insurance_ev(shoe, lambda _hand: True)
        other = insurance_ev(shoe, lambda hand: not holds_blackjack(hand))
        how = (
            "A blackjack is not offered insurance; the price is the average over the hands that are, per unit insured."
        )
        yield Reading(cites, 25, "insurance", ours, other, how)


def poker_and_pairs_readings(variant: Variant, tally: Counted) -> Iterator[Reading]:
    """[BPP-23] [BPP-43] [BPP-44]"""
    yield from insurance_readings(variant, "BPP-23")
    shoe = pack(*variant.pack)
    pairs = (
        (blackjack.InitialDeal(pair_kind_by_value(*hand), NO_PAIR, False, False, False, False), ways)
        for hand, ways in hands_of(shoe, 2)
    )
    other = expectation(variant.wagers["pairs"].paytable, pairs)
    how = "Cards of equal value are a pair, so that a ten and a jack are one."
    yield Reading("BPP-43", 26, "pairs", price(tally, "pairs").ev, other, how)
    deal = with_rules(blackjack.initial_deal, {is_straight: is_straight_ace_high}, "initial_deal_ace_high")
    other = expectation(variant.wagers["poker"].paytable, ((deal(*hand), ways) for hand, ways in hands_of(shoe, 3)))
    how = "In a straight the ace is high only: 3-2-A is none."
    yield Reading("BPP-44", 26, "poker", price(tally, "poker").ev, other, how)


def side_bet_readings(variant: Variant, tally: Callable[[], Counted]) -> list[Reading]:
    """Every reading of a blackjack game's own book that needs no solver."""
    if variant.game.cites == "BPP":
        return list(poker_and_pairs_readings(variant, tally()))
    return list(insurance_readings(variant, "BJ-9")) if variant.game.cites == "BJ" else []
