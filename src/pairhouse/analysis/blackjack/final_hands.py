"""A seat's first hand and the dealer's hand when a round is over, every composition with its chance, under any play.

The seat plays alone. Its first hand takes its cards one after the other, before any other hand does, so its chances
are counted hand by hand, exactly. The dealer's hand is found from what nobody has seen: cards that are still unseen are
alike, whoever takes them. If the dealer always drew, that hand would have the chances of a fresh shoe, whatever the
seat took. The rounds in which no hand of the seat is live, so that the dealer stops, are counted apart: what a dealer
who drew on would have come to is taken away for them, and the hand that lies there is put in its place. A split has too
many such sets of cards for fractions: they are added up in decimals, without the rarest.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from math import perm
from typing import Any

import msgspec
import numpy as np

from pairhouse.analysis.blackjack.hands import VALUES, Numbers, Reals, all_hands, dealer_tree
from pairhouse.analysis.blackjack.solve import fresh_shoe, ruled_out
from pairhouse.analysis.methods.records import Calls, Value
from pairhouse.core.game import Variant
from pairhouse.core.verbs import spot
from pairhouse.games.blackjack import BLACKJACK, BUST, CHARLIE, LIVE, SURRENDERED, could_be_blackjack, seat_over
from pairhouse.games.blackjack_choices import (
    DOUBLE,
    SPLIT,
    STAND,
    SURRENDER,
    Rules,
    is_charlie,
    legal_actions,
    situation,
)
from pairhouse.games.blackjack_hand import WORDS, is_blackjack, is_bust
from pairhouse.machines.simulate.simulation import Strategy
from pairhouse.machines.stored import stored_as

COUNT_BITS = 6
ONE = (0, *(1 << COUNT_BITS * number for number in range(10)))  # one card of each value in a set of cards
MOST = 1 << COUNT_BITS
PAIRS_AT_ONCE = 1 << 22
ROWS_AT_ONCE = 1 << 14
FEW = 5_000  # so many sets of cards are all followed further
SPARED = 1e-8  # where there are more, how much chance the rarest may have together that are left out

Play = Callable[[int, int], int]  # (legal actions, situation) -> action


@dataclass(frozen=True)
class Sets:
    """Sets of cards, each in how many orders it is drawn, and what chance was left out with the rarest ones."""

    cards: Numbers
    orders: Reals
    left_out: float = 0.0


@dataclass
class HandEnds:
    """How one hand can end: (hand, its cards, fate) with the orders they come in; and the orders that are split."""

    ends: dict[tuple[int, int, int], int] = field(default_factory=dict)
    splits: int = 0


def merged(cards: Numbers, orders: Reals) -> tuple[Numbers, Reals]:
    """Equal sets of cards as one."""
    different, number = np.unique(cards, return_inverse=True)
    return different, np.bincount(number, orders, len(different)).astype(np.float64)


@dataclass(eq=False)
class AgainstUp:
    """One seat against one up card: its plays, and the sets of cards they take from the shoe."""

    rules: Rules
    shoe: Numbers  # how many cards of each value, the up card gone; index 0 is unused
    up: int
    play: Play
    first_hands: dict[tuple[int, int], int] = field(default_factory=dict)  # (hand, cards drawn): their ordered draws
    over: list[tuple[Sets, int]] = field(default_factory=list)  # nothing live; how many cards the dealer then shows

    @cached_property
    def size(self) -> int:
        return int(self.shoe.sum())

    @cached_property
    def _drawn(self) -> Reals:
        """Ordered draws of so many cards of each value."""
        steps = np.arange(MOST - 1)[None, :]
        left = np.maximum(self.shoe[:, None] - steps, 0).astype(np.float64)
        return np.concatenate([np.ones((11, 1)), np.cumprod(left, axis=1)], axis=1)

    def counts(self, cards: Numbers) -> Numbers:
        """How many of each value a set holds; index 0 is unused."""
        shifts = COUNT_BITS * np.arange(10)
        held = cards[:, None] >> shifts[None, :] & (MOST - 1)
        return np.concatenate([np.zeros((len(cards), 1), np.int64), held], axis=1)

    def chances(self, cards: Numbers) -> Reals:
        """The chance of drawing each set in one given order."""
        counts = self.counts(cards)
        ways = self._drawn[np.arange(11)[None, :], counts].prod(axis=1)
        left = np.maximum(self.size - np.arange(10 * MOST), 1).astype(np.float64)
        return np.asarray(ways * np.cumprod(np.concatenate([[1.0], 1 / left]))[counts.sum(axis=1)])

    def no_blackjack(self, cards: Numbers) -> Reals:
        """The chance that a peek finds nothing, once these cards are gone."""
        out = ruled_out(self.rules, self.up)
        if not out:
            return np.ones(len(cards))
        counts = self.counts(cards)
        return np.asarray(1 - (self.shoe[out] - counts[:, out]) / np.maximum(self.size - counts.sum(axis=1), 1))

    # One hand

    def one_hand(self, word: int, cards: int, times_split: int, hands: int, first: int) -> HandEnds:
        """Play one hand to its end; where it is split again it ends here."""
        played, layer = HandEnds(), {word: (cards, 1)}
        while layer:
            longer: dict[int, tuple[int, int]] = {}
            for hand, (held, orders) in layer.items():
                action = self._action(hand, times_split, hands, first)
                if action == SPLIT:
                    played.splits += orders
                elif action in (STAND, SURRENDER):
                    self._end(played, hand, held, SURRENDERED if action == SURRENDER else LIVE, orders)
                else:
                    for value in VALUES:
                        grown, more = hand + WORDS[value], held + ONE[value]
                        if action == DOUBLE or is_bust(grown):
                            self._end(played, grown, more, LIVE, orders)
                        else:
                            longer[grown] = more, longer.get(grown, (0, 0))[1] + orders
            layer = longer
        return played

    def _action(self, hand: int, times_split: int, hands: int, first: int) -> int:
        legal = legal_actions(self.rules, hand, times_split, hands, first == 1)
        return self.play(legal, situation(hand, self.up - 1, times_split, first - 1)) if legal else STAND

    def _end(self, played: HandEnds, hand: int, cards: int, fate: int, orders: int) -> None:
        if fate == LIVE and (is_bust(hand) or is_charlie(self.rules, hand)):
            fate = BUST if is_bust(hand) else CHARLIE
        key = hand, cards, fate
        played.ends[key] = played.ends.get(key, 0) + orders

    def after_split(self, pair: int, times_split: int, hands: int) -> HandEnds:
        """A hand of a split pair from its second card on; the pair card itself is not among its cards."""
        found = HandEnds()
        for value in VALUES:
            part = self.one_hand(WORDS[pair] + WORDS[value], ONE[value], times_split, hands, pair)
            found.splits += part.splits
            for key, orders in part.ends.items():
                found.ends[key] = found.ends.get(key, 0) + orders
        return found

    # The seat

    def deal(self) -> None:
        """Every two cards and all that follows from them."""
        for first in VALUES:
            for second in range(first, 11):
                two, orders = ONE[first] + ONE[second], 1 if first == second else 2
                if self.chances(np.array([two]))[0] > 0:
                    self._two_cards(first, second, two, orders)

    def _two_cards(self, first: int, second: int, two: int, orders: int) -> None:
        word = WORDS[first] + WORDS[second]
        self._add_first(word, two, orders, beaten=True)
        if is_blackjack(word):
            self._ended({(word, two, BLACKJACK): 1}, 0, orders)
            return
        played = self.one_hand(word, two, 0, 1, first)
        self._ended(played.ends, 0, orders)
        if played.splits:
            self._first_of_split(first)
            dead = self.none_live(first, 1, 2, (1,))
            self.over.append((Sets(dead.cards + two, dead.orders, dead.left_out), 2 if self.rules.hole_card else 1))

    def _ended(self, ends: dict[tuple[int, int, int], int], gone: int, orders: int, live: bool = True) -> None:
        """The ends of a first hand, with so many cards gone beside it; where it is the only one, whether it is live."""
        for (word, held, _), more in ends.items():
            self._add_first(word, held + gone, more * orders)
        if live:
            cards, fates = (np.array([key[at] for key in ends], np.int64) for at in (1, 2))
            weights = np.array([*ends.values()], np.float64) * orders
            waits = not self.rules.hole_card and could_be_blackjack(self.up - 1)
            for fate in sorted({*fates.tolist()} - {LIVE}):
                those = fates == fate
                shows = 2 if self.rules.hole_card or (waits and fate in (BLACKJACK, SURRENDERED)) else 1
                self.over.append((Sets(cards[those], weights[those]), shows))

    def _add_first(self, word: int, cards: int, orders: int, beaten: bool = False) -> None:
        """Count the ordered draws of these cards and of a hole card with which this hand is the seat's first.

        `beaten` asks for those in which the peek finds a blackjack, which ends the round at once.
        """
        out = ruled_out(self.rules, self.up)
        held = [cards >> COUNT_BITS * at & (MOST - 1) for at in range(10)]
        drawn, ways = sum(held), orders
        for value, number in enumerate(held, start=1):
            ways *= perm(int(self.shoe[value]), number)
        blackjacks = int(self.shoe[out]) - held[out - 1] if out else 0
        ways *= blackjacks if beaten else self.size - drawn - blackjacks
        if ways > 0:
            self.first_hands[word, drawn] = self.first_hands.get((word, drawn), 0) + ways

    def _first_of_split(self, pair: int) -> None:
        """The first hand of a split: it may be split again before its other cards come."""
        times_split, hands, gone, more = 1, 2, 2 * ONE[pair], True
        while more:
            played = self.after_split(pair, times_split, hands)
            self._ended(played.ends, gone, 1, live=False)
            more = played.splits > 0
            times_split, hands, gone = times_split + 1, hands + 1, gone + ONE[pair]

    def none_live(self, pair: int, times_split: int, hands: int, waiting: tuple[int, ...]) -> Sets:
        """All cards that the hands of a split take when none of them stays live, from this hand's second card on.

        `waiting` says how often each hand further right has been split.
        """
        played = self.after_split(pair, times_split, hands)
        dead = {cards: 0.0 for _, cards, fate in played.ends if fate != LIVE}
        for (_, cards, fate), orders in played.ends.items():
            if fate != LIVE:
                dead[cards] += orders
        kept = Sets(np.array([*dead], np.int64), np.array([*dead.values()]))
        if waiting and dead:
            rest = self.none_live(pair, waiting[0], hands, waiting[1:])
            kept = self._both(kept, rest, hands * ONE[pair])
        if not played.splits:
            return kept
        again = self.none_live(pair, times_split + 1, hands + 1, (times_split + 1, *waiting))
        joined = np.concatenate([kept.cards, again.cards + ONE[pair]]), np.concatenate([kept.orders, again.orders])
        return Sets(*merged(*joined), kept.left_out + again.left_out)

    def _both(self, one: Sets, other: Sets, gone: int) -> Sets:
        """The cards of two hands together, where these are gone beside them."""
        known = self._commonest(other, gone)
        parts = [merged(*part) for part in _together(one, known)]
        if not parts:
            return Sets(np.zeros(0, np.int64), np.zeros(0), known.left_out)
        cards, orders = merged(np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]))
        return Sets(cards, orders, known.left_out)

    def _commonest(self, sets: Sets, gone: int) -> Sets:
        """Many sets without the rarest."""
        if len(sets.cards) <= FEW:
            return sets
        chances = sets.orders * self.chances(sets.cards + gone)
        rising = np.argsort(chances)
        rare, kept = np.split(rising, [np.searchsorted(np.cumsum(chances[rising]), SPARED)])
        return Sets(sets.cards[kept], sets.orders[kept], sets.left_out + float(chances[rare].sum()))

    # The dealer

    def dealer_hands(self) -> tuple[dict[int, float], float]:
        """The dealer's final hands with their chances, and how much of them may be missing."""
        found: dict[int, float] = {}
        out = ruled_out(self.rules, self.up)
        if out:
            found[WORDS[self.up] + WORDS[out]] = float(self.shoe[out]) / self.size
        nothing = Sets(np.zeros(1, np.int64), np.ones(1))
        self._draw_on(nothing, found, 1.0)
        missing = 0.0
        for sets, shows in self.over:
            self._draw_on(sets, found, -1.0)
            self._stop(sets, shows, found)
            missing += sets.left_out
        return found, missing

    def _stop(self, sets: Sets, shows: int, found: dict[int, float]) -> None:
        """The hand that lies there when the dealer draws no more."""
        counts, weights = self.counts(sets.cards), sets.orders * self.chances(sets.cards)
        if shows == 1:
            found[WORDS[self.up]] = found.get(WORDS[self.up], 0.0) + float(weights.sum())
            return
        left = np.maximum(self.size - counts.sum(axis=1), 1)
        for value in VALUES:
            if value != ruled_out(self.rules, self.up):
                chance = float((weights * (self.shoe[value] - counts[:, value]) / left).sum())
                word = WORDS[self.up] + WORDS[value]
                found[word] = found.get(word, 0.0) + chance

    def _draw_on(self, sets: Sets, found: dict[int, float], sign: float) -> None:
        """Add, or take away, what a dealer comes to who draws by the rules once these cards are gone."""
        tree = dealer_tree(self.rules, self.up)
        words = [WORDS[self.up]] * len(tree.value)
        for start in range(0, len(sets.cards), ROWS_AT_ONCE):
            cards = sets.cards[start : start + ROWS_AT_ONCE]
            left = (self.shoe[None, :] - self.counts(cards)).T.astype(np.float64)
            share = 1 / np.maximum(left.sum(axis=0)[None, :] - np.arange(MOST)[:, None], 1)
            way = [sets.orders[start : start + ROWS_AT_ONCE] * self.chances(cards)] * MOST
            for node in range(1, len(words)):
                value, drawn = int(tree.value[node]), int(tree.size[node])
                words[node] = words[tree.parent[node]] + WORDS[value]
                way[drawn] = way[drawn - 1] * (left[value] - tree.taken[node]) * share[drawn - 1]
                if tree.outcome[node] >= 0:
                    chance = sign * float(tree.ways[node] * way[drawn].sum())
                    found[words[node]] = found.get(words[node], 0.0) + chance


def _together(one: Sets, other: Sets) -> Iterator[tuple[Numbers, Reals]]:
    """Every set of the one with every set of the other, so many pairs at once."""
    rows = max(1, PAIRS_AT_ONCE // max(1, len(other.cards)))
    for start in range(0, len(one.cards), rows):
        cards = one.cards[start : start + rows, None] + other.cards[None, :]
        orders = one.orders[start : start + rows, None] * other.orders[None, :]
        if cards.size:
            yield cards.ravel(), orders.ravel()


class FinalHands(msgspec.Struct, frozen=True):
    """Hands as the rule book writes them. The seat's with the ordered draws of `draws` in which they come, exactly and
    as text; the dealer's with their chances, and `missing` bounds what these are off together."""

    seat: dict[int, str]
    draws: str
    dealer: dict[int, float]
    missing: float

    def seat_chances(self) -> dict[int, Fraction]:
        """The exact chance of every hand of the seat."""
        return {hand: Fraction(int(ways), int(self.draws)) for hand, ways in self.seat.items()}


def calls_at(variant: Variant, moment: Callable[..., Any], strategy: Strategy) -> Calls:
    """With which hands a late moment of the rule book is called when one seat plays by a strategy."""

    def play(legal: int, asked: int) -> int:
        with np.errstate(over="ignore"):
            return int(strategy.answer(strategy.tables, legal, asked))

    tables = hashlib.sha256(b"".join(table.tobytes() for table in strategy.tables)).hexdigest()
    hands = stored_as(
        FinalHands,
        f"final hands {variant.rules_hash} {tables}",
        lambda: final_hands(variant.rules, fresh_shoe(variant.pack[0]), play),
    )
    how = f"one seat, played by the strategy {strategy.name}"
    if moment is seat_over:
        place = spot(1, 0)
        found: dict[tuple[int, ...], Value] = {(place, hand): chance for hand, chance in hands.seat_chances().items()}
        return Calls(found, 0.0, "every way in which a seat's first hand can end, by its cards", how)
    by_dealer: dict[tuple[int, ...], Value] = {(hand,): chance for hand, chance in hands.dealer.items()}
    return Calls(by_dealer, 2 * hands.missing, "the dealer's hand by its cards, where no hand is live stopped", how)


@lru_cache(maxsize=1)
def every_final_hand() -> tuple[int, ...]:
    """Every hand that a seat or a dealer can end with, or have from the start, and some that they cannot."""
    whole = all_hands(0)
    longer = {int(word) + WORDS[value] for word in whole.words for value in VALUES}
    return tuple(sorted(longer))


def final_hands(rules: Rules, shoe: Reals, play: Play) -> FinalHands:
    """The hands at the end of a round from this shoe, against every up card."""
    seat: dict[tuple[int, int], int] = {}
    dealer: dict[int, float] = {}
    missing = 0.0
    for up in VALUES:
        if shoe[up] <= 0:
            continue
        chance, left = float(shoe[up] / shoe.sum()), shoe.astype(np.int64)
        left[up] -= 1
        against = AgainstUp(rules, left, up, play)
        against.deal()
        for key, ways in against.first_hands.items():
            seat[key] = seat.get(key, 0) + int(shoe[up]) * ways
        found, lacks = against.dealer_hands()
        for word, share in found.items():
            dealer[word] = dealer.get(word, 0.0) + chance * share
        missing += chance * lacks
    return _final_hands(seat, int(shoe.sum()), dealer, missing)


def _final_hands(seat: dict[tuple[int, int], int], cards: int, dealer: dict[int, float], missing: float) -> FinalHands:
    """All of the seat's hands as ordered draws of the same number of cards: its own, the up card and the hole card."""
    most = max(drawn for _, drawn in seat) + 2
    ways: dict[int, int] = {}
    for (word, drawn), number in seat.items():
        ways[word] = ways.get(word, 0) + number * perm(cards - drawn - 2, most - drawn - 2)
    return FinalHands({word: str(number) for word, number in ways.items()}, str(perm(cards, most)), dealer, missing)
