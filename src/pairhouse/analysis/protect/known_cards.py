"""What one card that is known beforehand is worth: the next card of the shoe, a marked rank, the dealer's hole card,
the hands of other seats."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import perm

import msgspec

from pairhouse.analysis.exact.counts import Counted, Counting
from pairhouse.analysis.exact.prices import nets
from pairhouse.analysis.methods.method import COUNTED
from pairhouse.analysis.methods.records import KnownPlay, SeenCard, SharedHands
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.effects import JOKER_NAME, expectation
from pairhouse.analysis.protect.parts import Part, host_of, parts_of
from pairhouse.core.cards import JOKER, RANK_NAMES, Card, pack, rank
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story
from pairhouse.machines.count import count_by_first, merged
from pairhouse.machines.stories import unpack


class NextCard(msgspec.Struct, frozen=True):
    """A wager when the first card of the round is known: its price by that card, and what betting by it is worth.

    `win` is the mean of a round when the bet is made only where it is worth more than 0. `marked` is the one rank that
    is worth most when only that rank can be told from the back (an edge that is marked), `marked_win` what it brings.
    """

    prices: dict[str, Fraction]
    win: Fraction
    marked: str | None
    marked_win: Fraction


class KnownCards(msgspec.Struct, frozen=True):
    """Everything that follows from a known card; what a game does not have is left out."""

    next_card: dict[str, NextCard]
    hole_card: SeenCard | None
    marked: str
    marked_ev: Fraction | None
    shared_hands: list[SharedHands]


def known_cards(variant: Variant, wagers: Sequence[str], seed: int) -> KnownCards:
    """What known cards are worth at these wagers of a variant."""
    method = method_of(variant)
    counted = [wager for wager in wagers if method.source(wager) == COUNTED]
    following = next_card(variant, counted)
    opener = next((wager.id for wager in variant.wagers.values() if wager.opens), None)
    play = host_of(variant).known_play(seed) if opener in wagers and variant.actions else None
    play = play or KnownPlay()
    return KnownCards(following, play.seen, play.marked, play.marked_ev, play.shared)


def next_card(variant: Variant, wagers: Sequence[str]) -> dict[str, NextCard]:
    """The price of each wager given the first card of the round; wagers that are not counted are left out."""
    found: dict[str, NextCard] = {}
    for part in parts_of(variant, wagers):
        if part.counting is not None:
            found |= _next_card(part, part.counting)
    return {wager: found[wager] for wager in wagers if wager in found}


def _next_card(part: Part, counting: Counting) -> dict[str, NextCard]:
    """Counted apart for each class of first cards."""
    shoe = pack(*part.variant.pack)
    apart = replace(counting.classes, swaps=())
    below: dict[str, int] = {}
    found: dict[str, dict[str, Fraction]] = {wager: {} for wager in part.wagers}
    known: dict[Story, int] = {}
    net: dict[str, dict[Story, Fraction]] = {wager: {} for wager in part.wagers}  # worked out once for each story
    for faces, ledger in count_by_first(counting.play, part.variant.rules, counting.kinds, shoe, apart):
        stories = {unpack(packed, counting.kinds): ways for packed, ways in merged([ledger]).items()}
        new = {story: 1 for story in stories if story not in known}
        known |= new
        for wager in part.wagers if new else ():
            net[wager] |= nets(Counted(part.variant, new, len(new), ""), wager)
        won = {wager: expectation(net[wager], stories, 1) for wager in part.wagers}
        for name, cards in _by_name(faces).items():
            number = sum(shoe.count(card) for card in cards)
            below[name] = below.get(name, 0) + number
            share = Fraction(number, sum(shoe.count(card) for card in faces))
            for wager in part.wagers:
                found[wager][name] = found[wager].get(name, Fraction(0)) + share * won[wager]
    rest = perm(len(shoe) - 1, counting.classes.draws - 1)
    chances = {name: Fraction(number, len(shoe)) for name, number in below.items()}
    return {
        wager: by_next(chances, {name: whole / (below[name] * rest) for name, whole in by_name.items()})
        for wager, by_name in found.items()
    }


def _by_name(faces: Sequence[Card]) -> dict[str, list[Card]]:
    found: dict[str, list[Card]] = {}
    for face in faces:
        found.setdefault(JOKER_NAME if face >= JOKER else RANK_NAMES[rank(face)], []).append(face)
    return found


def by_next(chances: Mapping[str, Fraction], prices: Mapping[str, Fraction]) -> NextCard:
    """What betting by the next card is worth, from its price by that card."""
    win = sum((chances[name] * max(price, Fraction(0)) for name, price in prices.items()), Fraction(0))
    whole = sum((chances[name] * price for name, price in prices.items()), Fraction(0))
    marked = {
        name: max(chances[name] * price, Fraction(0)) + max(whole - chances[name] * price, Fraction(0))
        for name, price in prices.items()
    }
    best = max(marked, key=lambda name: marked[name])
    ordered = sorted(prices, key=[*RANK_NAMES, JOKER_NAME].index)
    return NextCard({name: prices[name] for name in ordered}, win, best if marked[best] else None, marked[best])
