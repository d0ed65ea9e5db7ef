"""Insurance, exactly: the dealer shows an ace, and the bet is that a ten-value card lies beneath it."""

from fractions import Fraction

import msgspec

from pairhouse.analysis.exact.prices import Price, PricedRow
from pairhouse.analysis.methods.records import BetOnNextCard, Removal, Value
from pairhouse.core.cards import ACE, TEN
from pairhouse.core.game import Variant
from pairhouse.games.blackjack import Insured

TENS_PER_DECK = 16
METHOD = "closed form: the tens among the cards that can lie beneath the ace"


class GivenTens(msgspec.Struct, frozen=True):
    """What a unit on insurance is worth to a seat that sees its own two cards: so many tens among them."""

    tens_held: int
    ten_below: Fraction
    ev: Fraction


def ten_below(decks: int, tens_seen: int = 0, cards_seen: int = 1) -> Fraction:
    """The chance of a ten beneath the ace, when so many cards (the ace among them) and tens have been seen."""
    return Fraction(TENS_PER_DECK * decks - tens_seen, 52 * decks - cards_seen)


def insurance_price(variant: Variant) -> Price:
    """Per unit of the insurance stake itself, with nothing known but the ace."""
    wager = variant.wagers["insurance"]
    decks, _ = variant.pack
    cards, tens = 52 * decks - 1, TENS_PER_DECK * decks
    endings = ((wager.paytable.paid(Insured(True)), tens), (wager.paytable.paid(Insured(False)), cards - tens))
    rows = tuple(PricedRow(line.name, ways, Fraction(ways, cards), line.pays) for line, ways in endings)
    return Price("insurance", rows, cards, Fraction(1), METHOD)


def insurance_removal(variant: Variant) -> Removal:
    """With one card gone from those that can lie beneath the ace that is up."""
    wager = variant.wagers["insurance"]
    wins, loses = wager.paytable.paid(Insured(True)).pays, wager.paytable.paid(Insured(False)).pays
    decks = variant.pack[0]
    chances = [ten_below(decks, int(place >= TEN), 2) for place in range(13)]
    without: list[Value] = [chance * wins + (1 - chance) * loses for chance in chances]
    return Removal(insurance_price(variant).ev, without, up={ACE: 1})


def insured_card(variant: Variant) -> BetOnNextCard:
    """Offered when an ace is up, won when a ten-value card lies beneath it."""
    paytable = variant.wagers["insurance"].paytable
    wins, loses = (paytable.paid(Insured(below)).pays for below in (True, False))
    return BetOnNextCard(frozenset([ACE]), frozenset(range(TEN, 13)), wins, loses)


def given_tens(variant: Variant) -> list[GivenTens]:
    """The same, for a seat that has looked at its own hand."""
    paytable = variant.wagers["insurance"].paytable
    wins, loses = paytable.paid(Insured(True)).pays, paytable.paid(Insured(False)).pays
    found = []
    for held in range(3):
        chance = ten_below(variant.pack[0], held, 3)
        found.append(GivenTens(held, chance, chance * wins + (1 - chance) * loses))
    return found
