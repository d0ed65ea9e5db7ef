"""Other readings of the La Pair'e document that change a price."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.prices import price
from pairhouse.analysis.reports.readings import (
    Reading,
    expectation,
    hands_of,
    is_straight_ace_high,
    repriced,
    with_rules,
)
from pairhouse.core.cards import JOKER, Card, is_joker, pack, rank
from pairhouse.core.game import Variant
from pairhouse.core.hands import PAIR, height, is_straight
from pairhouse.core.paytable import Paytable, row
from pairhouse.core.rule import rule
from pairhouse.games import la_paire
from pairhouse.games.la_paire import with_joker
from pairhouse.machines.link import Function


def colour_of_jokers_too(card: Card) -> int:
    """One Joker is red and one black. [LP-4]"""
    if is_joker(card):
        return la_paire.RED if card == JOKER else la_paire.BLACK
    return la_paire.colour(card)


def wild_pair(a: Card, b: Card) -> la_paire.Paire:
    """A Joker pairs with any card, as a pair of that card; two Jokers are a pair of their own. [LP-3]"""
    natural = [card for card in (a, b) if not is_joker(card)]
    shown = natural[0] if natural else a
    return la_paire.Paire(la_paire.value(shown), len(natural) < 2 or la_paire.is_paire(a, b))


@rule
def with_barred_joker(a: Card, b: Card) -> int:
    """The Joker stands for no value that is in the hand already, so a pair stays a pair. [LP-28]"""
    return PAIR if rank(a) == rank(b) else with_joker(a, b)


@rule
def can_join_ace_high(a: Card, b: Card) -> bool:
    """Whether some third rank makes a straight with these two, the ace high only. [LP-29]"""
    return 1 <= abs(height(rank(a)) - height(rank(b))) <= 2


def poker_ev(changes: Mapping[Function, Function], name: str) -> Fraction:
    """3rd Card Poker with some rules changed."""
    hand = with_rules(la_paire.poker_hand, changes, name)
    made = ((la_paire.Poker(hand(*cards)), ways) for cards, ways in hands_of(pack(1, 2), 3))
    return expectation(la_paire.POKER_PAYS, made)


def la_paire_readings(variant: Variant, tally: Counted) -> Iterator[Reading]:
    """[LP-3] [LP-4] [LP-25] [LP-28] [LP-29] [LP-33]"""
    deck = pack(*variant.pack)
    poker = price(tally, "poker").ev
    pairs = [(wild_pair(*hand), ways) for hand, ways in hands_of(deck, 2)]
    for wager in ("paire-A", "any-paire"):
        if wager in variant.wagers:
            how = "A Joker is wild for pairs: with any card it makes a pair of that card."
            other = expectation(variant.wagers[wager].paytable, pairs)
            yield Reading("LP-3", 33, wager, price(tally, wager).ev, other, how)
    first = [(la_paire.FirstCard(la_paire.value(card), colour_of_jokers_too(card)), 1) for card in deck]
    for wager in ("red", "black"):
        how = "One Joker is red and the other black."
        yield Reading(
            "LP-4", 33, wager, price(tally, wager).ev, expectation(variant.wagers[wager].paytable, first), how
        )
    for wager in ("paire-A", "paire-joker"):
        if wager in variant.wagers:
            pays = variant.wagers[wager].paytable.rows[0].pays
            any_pair = Paytable("La Pair'e", "[LP-25]", (row("any pair", pays, lambda turned: turned.paired),))
            how = f"La Pair'e Card pays {pays} to 1 on any pair, whichever value was named."
            yield Reading("LP-25", 34, wager, price(tally, wager).ev, repriced(tally, wager, any_pair), how)
    barred = poker_ev({with_joker: with_barred_joker}, "poker_hand_barred_joker")
    how = "The Joker may not stand for a value already in the hand, so a pair with a Joker wins nothing."
    yield Reading("LP-28", 36, "poker", poker, barred, how)
    ace_high: dict[Function, Function] = {is_straight: is_straight_ace_high, la_paire.can_join: can_join_ace_high}
    how = "In a straight the ace is high only: 3-2-A is none."
    yield Reading("LP-29", 36, "poker", poker, poker_ev(ace_high, "poker_hand_ace_high"), how)
    for wager in ("split-7-joker", "split-K-joker"):
        better = replace(variant.wagers[wager].paytable.rows[0], pays=Fraction(7))
        how = "A split with the Joker pays 7 to 1, which costs as much as the other splits do at 5 to 1."
        other = repriced(tally, wager, Paytable("First Card", "[LP-33]", (better,)))
        yield Reading("LP-33", 32, wager, price(tally, wager).ev, other, how)
