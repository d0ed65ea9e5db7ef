"""Every reading of the documents that changes a price and can be counted, priced both ways.

A reading is priced without touching the games: a changed price is a changed paytable over the same tally, and a changed
rule is a copy of the rule book in which one rule has another in its place.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Any

from pairhouse.analysis.exact.counts import Counted, counted, three_card
from pairhouse.analysis.exact.prices import price
from pairhouse.core.cards import ACE, JOKER, KING, TEN, Card, is_joker, is_red, pack, rank, suit
from pairhouse.core.game import Variant
from pairhouse.core.hands import (
    COLOURED_PAIR,
    MIXED_PAIR,
    NO_PAIR,
    PAIR,
    SUITED_PAIR,
    category,
    height,
    in_order,
    is_straight,
    strength,
)
from pairhouse.core.paytable import LOSES, PUSH, Paytable, Row, row
from pairhouse.core.rule import rule
from pairhouse.games import blackjack, blackjack_hand, la_paire, standard_blackjack
from pairhouse.games import nepal_super_baccarat as baccarat
from pairhouse.games import three_card_poker as tcp
from pairhouse.games.catalogue import GAMES
from pairhouse.games.la_paire import with_joker
from pairhouse.machines.link import Function, link

# Priced by the solver, in `analysis/blackjack/readings.py`.
NEEDS_SOLVER = (
    "BPP-22", "BPP-25", "BPP-26", "BPP-29", "BPP-30", "BPP-31", "BPP-32", "BPP-33", "BPP-34", "BPP-35", "BPP-36",
    "BJ-11", "BJ-16", "BJ-19", "BJ-20", "BJ-23",
)  # fmt: skip

NO_SECOND_PRICE = {
    "TCP-29": "the schedule of the progressive is ours alone: there is no second one to price",
    "NSB-7": "the price of any remaining cards is counted on request",
    "PV3-1": "each setting of the standard game is an option with a price of its own",
    "PV3-2": "any table is priced with any number of decks on request",
    "BJ-30": "each setting is an option with a price of its own",
}


@dataclass(frozen=True)
class Reading:
    """A rule that can be read two ways, and the expectation of a wager under each."""

    rule: str
    ruling: int
    wager: str
    ours: Fraction
    other: Fraction
    how: str

    @property
    def game(self) -> str:
        """The game whose book holds the rule."""
        return next(game.id for game in GAMES.values() if game.cites == self.rule.partition("-")[0])


def with_paytables(variant: Variant, paytables: Mapping[str, Paytable]) -> Variant:
    """The variant with other paytables for some of its wagers."""
    wagers = tuple(replace(w, paytable=paytables.get(w.id, w.paytable)) for w in variant.wagers.values())
    return Variant(replace(variant.game, wagers=lambda _options: wagers), variant.options)


def repriced(counted: Counted, wager: str, paytable: Paytable) -> Fraction:
    """The expectation of a wager under another paytable, from the same tally."""
    return price(replace(counted, variant=with_paytables(counted.variant, {wager: paytable})), wager).ev


def with_row(paytable: Paytable, at: int, line: Row) -> Paytable:
    """The paytable with one more row."""
    return replace(paytable, rows=(*paytable.rows[:at], line, *paytable.rows[at:]))


def with_price(paytable: Paytable, name: str, pays: int | Fraction) -> Paytable:
    """The paytable with another price for a row."""
    rows = tuple(replace(line, pays=Fraction(pays)) if line.name == name else line for line in paytable.rows)
    return replace(paytable, rows=rows)


def with_rules(function: Function, changes: Mapping[Function, Function], name: str) -> Function:
    """A copy of a rule in which other rules stand in the place of some; nothing else changes.

    What is compiled is kept on disk under its name and the source it comes from, so a copy gets its own of both.
    """
    copy = link(function, changes, rule)
    copy.__name__, copy.__module__ = name, __name__
    return copy


def hands_of(shoe: Iterable[Card], size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every hand as a set of so many cards, with the number of ways to take it from the shoe."""
    held = Counter(shoe)
    for hand in combinations_with_replacement(sorted(held), size):
        ways = prod(comb(held[card], number) for card, number in Counter(hand).items())
        if ways:
            yield hand, ways


def expectation(paytable: Paytable, happenings: Iterable[tuple[Any, int]]) -> Fraction:
    """The expectation of a unit on a paytable over what can happen, each with its number of ways."""
    total, net = 0, Fraction(0)
    for happened, ways in happenings:
        total += ways
        net += ways * paytable.paid(happened).pays
    return net / total


# Three Card Poker


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
    tally = counted(variant)
    pairplus = variant.wagers["pairplus"].paytable
    for pays in PAIR_PRICES:
        how = f"Pairplus pays {pays} to 1 for a pair." if pays else "Pairplus returns the stake for a pair."
        other = repriced(tally, "pairplus", with_price(pairplus, "pair", pays))
        yield Reading("TCP-28", 7, "pairplus", price(tally, "pairplus").ev, other, how)


# Nepal Super Baccarat


def is_pair_by_points(a: Card, b: Card) -> bool:
    """Two cards of equal points. [NSB-28]"""
    return baccarat.points(a) == baccarat.points(b)


def any_total(variant: Variant, side: str) -> Paytable:
    """The rows of all bets on the totals of a side, as one bet. [NSB-10]"""
    rows = (line for w in variant.wagers.values() if w.id.startswith(f"{side}-on-") for line in w.paytable.rows)
    return Paytable(f"{side.capitalize()} Wins On", "[NSB-10]", tuple(rows))


def baccarat_readings(variant: Variant) -> Iterator[Reading]:
    """[NSB-10] [NSB-28] [NSB-36]"""
    tally = counted(variant)
    for side in ("player", "banker", "tie"):
        bets = [price(tally, wager) for wager in variant.wagers if wager.startswith(f"{side}-on-")]
        best = max(bets, key=lambda bet: bet.ev)
        how = f"One {side.capitalize()} bet pays on any winning total, each by its row; ours is the best single total."
        other = repriced(tally, best.wager, any_total(variant, side))
        yield Reading("NSB-10", 16, best.wager, best.ev, other, how)
    shoe = pack(*variant.pack)
    pairs = [is_pair_by_points(*hand) for hand, _ in hands_of(shoe, 2)]
    coups = [baccarat.Coup(baccarat.TIE, 0, 2, paired, paired) for paired in pairs]
    for side, pays in (("player", baccarat.PLAYER_PAIR_PAYS), ("banker", baccarat.BANKER_PAIR_PAYS)):
        wager = f"{side}-pair"
        other = expectation(pays, zip(coups, (ways for _, ways in hands_of(shoe, 2)), strict=True))
        how = "Two cards of equal points are a pair, so that a king and a queen are one."
        yield Reading("NSB-28", 18, wager, price(tally, wager).ev, other, how)
    for line in baccarat.SIX_ROWS:
        how = f"Banker Wins On 6 is two bets, and this one wins with the {line.name} alone."
        other = repriced(tally, "banker-on-6", Paytable("Banker Wins On 6", "[NSB-36]", (line,)))
        yield Reading("NSB-36", 17, "banker-on-6", price(tally, "banker-on-6").ev, other, how)


# La Pair'e


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
def is_straight_ace_high(a: Card, b: Card, c: Card) -> bool:
    """Three ranks in a row; the ace stands above the king only. [LP-29] [BPP-44]"""
    top, middle, low = in_order(a, b, c)
    return top == middle + 1 and middle == low + 1


@rule
def can_join_ace_high(a: Card, b: Card) -> bool:
    """Whether some third rank makes a straight with these two, the ace high only. [LP-29]"""
    return 1 <= abs(height(rank(a)) - height(rank(b))) <= 2


def poker_ev(changes: Mapping[Function, Function], name: str) -> Fraction:
    """3rd Card Poker with some rules changed."""
    hand = with_rules(la_paire.poker_hand, changes, name)
    made = ((la_paire.Poker(hand(*cards)), ways) for cards, ways in hands_of(pack(1, 2), 3))
    return expectation(la_paire.POKER_PAYS, made)


def la_paire_readings(variant: Variant) -> Iterator[Reading]:
    """[LP-3] [LP-4] [LP-25] [LP-28] [LP-29] [LP-33]"""
    tally = counted(variant)
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


# Blackjack: side bets and insurance


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


def poker_and_pairs_readings(variant: Variant) -> Iterator[Reading]:
    """[BPP-23] [BPP-43] [BPP-44]"""
    yield from insurance_readings(variant, "BPP-23")
    tally, shoe = counted(variant), pack(*variant.pack)
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


READERS: dict[str, Callable[[Variant], Iterator[Reading]]] = {
    "three-card-poker": three_card_poker_readings,
    "nepal-super-baccarat": baccarat_readings,
    "la-paire": la_paire_readings,
    "blackjack-poker-pairs": poker_and_pairs_readings,
    "blackjack": lambda variant: insurance_readings(variant, "BJ-9"),
}


def readings_of(variant: Variant) -> list[Reading]:
    """The readings of one game, priced under its options."""
    reader = READERS.get(variant.game.id)
    return list(reader(variant)) if reader else []


def readings() -> list[Reading]:
    """The readings of every game under its default options."""
    return [reading for game in READERS for reading in readings_of(GAMES[game].variant())]
