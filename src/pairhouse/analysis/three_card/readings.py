"""Other readings of the Three Card Poker document that change a price."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.reports.readings import Reading, repriced, with_paytables, with_price, with_row
from pairhouse.analysis.three_card.counts import three_card
from pairhouse.core.cards import Card, pack
from pairhouse.core.game import Variant
from pairhouse.core.hands import category, in_order, is_straight, strength
from pairhouse.core.paytable import LOSES, PUSH, Paytable, row
from pairhouse.core.rule import rule
from pairhouse.games import three_card_poker as tcp
from pairhouse.machines.link import Function


@rule
def strength_three_two_ace_second(a: Card, b: Card, c: Card) -> int:
    """3-2-A ranks below A-K-Q and above K-Q-J, because it holds an ace. [TCP-3]"""
    top, middle, low = in_order(a, b, c)
    if is_straight(a, b, c) and top == 14 and low == 2:
        return ((category(a, b, c) * 16 + top) * 16 + middle) * 16 + low
    return strength(a, b, c)


def ante_in_order(variant: Variant, order: Function) -> Fraction:
    """The Ante when hands rank in another order that moves some hands within their category.

    Only deals in which such a hand meets another of its category are paid otherwise. The hands must be played, and
    must qualify, in either order.
    """
    deck = pack(*variant.pack)
    hands = list(combinations(deck, 3))
    moved = {hand for hand in hands if order(*hand) != strength(*hand)}
    kinds = {category(*hand) for hand in moved}
    rivals = [(hand, set(hand), strength(*hand), order(*hand)) for hand in hands if category(*hand) in kinds]
    if any(
        three_card(variant).best(ours) != tcp.PLAY or not tcp.qualifies(variant.rules, ours) for *_, ours, _ in rivals
    ):
        raise ValueError("a hand that is not always played, or does not always qualify, cannot be moved this way")
    gain = 0
    for hand, cards, ours, other in rivals:
        for dealer, dealer_cards, dealer_ours, dealer_other in rivals:
            if (hand in moved or dealer in moved) and cards.isdisjoint(dealer_cards):
                gain += tcp.compare(other, dealer_other) - tcp.compare(ours, dealer_ours)
    # One step of `compare` is worth an Ante and a Play.
    return ante_under(variant, {}) + Fraction(2 * gain, comb(len(deck), 3) * comb(len(deck) - 3, 3))


def ante_under(variant: Variant, paytables: Mapping[str, Paytable]) -> Fraction:
    """The Ante under other paytables, each hand played as is then best."""
    played = replace(three_card(variant), variant=with_paytables(variant, paytables))
    return price(played.under(played.best), "ante").ev


BONUS_TABLES = ((5, 3, 1), (4, 3, 1), (3, 2, 1))
PAIR_PRICES = (0, 2)


def bonus_table(straight_flush: int, three: int, straight: int) -> Paytable:
    """The Ante Bonus at other prices. [TCP-27]"""
    table = with_price(tcp.BONUS_PAYS, "straight flush", straight_flush)
    return with_price(with_price(table, "three of a kind", three), "straight", straight)


def three_card_poker_readings(variant: Variant) -> Iterator[Reading]:
    """[TCP-3] [TCP-21] [TCP-24] [TCP-25] [TCP-27] [TCP-28]"""
    ours = ante_under(variant, {})
    how = "3-2-A ranks next to A-K-Q; both sides gain by it alike, so no price moves."
    yield Reading("TCP-3", 12, "ante", ours, ante_in_order(variant, strength_three_two_ace_second), how)
    tie_pushes = with_row(tcp.ANTE_PAYS, 1, row("tie", PUSH, lambda seat: seat.versus == tcp.TIED))
    how = "A tie with a dealer who does not qualify returns the Ante; best play folds every hand that could tie so."
    yield Reading("TCP-21", 9, "ante", ours, ante_under(variant, {"ante": tie_pushes}), how)
    play_loses = with_price(tcp.PLAY_PAYS, "tie", LOSES)
    how = "On a tie with a dealer who qualifies one of the two equal stakes is returned and the other loses."
    yield Reading("TCP-24", 9, "ante", ours, ante_under(variant, {"play": play_loses}), how)
    unqualified = row("dealer does not qualify", LOSES, lambda seat: not seat.dealer_qualifies)
    how = "The Ante Bonus is paid only when the dealer qualifies."
    bonus = with_row(tcp.BONUS_PAYS, 1, unqualified)
    yield Reading("TCP-25", 10, "ante", ours, ante_under(variant, {"ante-bonus": bonus}), how)
    for prices in BONUS_TABLES:
        how = "The Ante Bonus pays {}, {} and {} to 1, straight flush first.".format(*prices)
        yield Reading("TCP-27", 8, "ante", ours, ante_under(variant, {"ante-bonus": bonus_table(*prices)}), how)
    tally = three_card(variant).under(three_card(variant).best)
    pairplus = variant.wagers["pairplus"].paytable
    for pays in PAIR_PRICES:
        how = f"Pairplus pays {pays} to 1 for a pair." if pays else "Pairplus returns the stake for a pair."
        other = repriced(tally, "pairplus", with_price(pairplus, "pair", pays))
        yield Reading("TCP-28", 7, "pairplus", price(tally, "pairplus").ev, other, how)
