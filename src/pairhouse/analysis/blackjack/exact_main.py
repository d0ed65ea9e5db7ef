"""The main wager as an exact fraction: the same class of strategies as the solver's, every decision made exactly.

Every value here is that of a hand *and* that the dealer has no blackjack where a peek rules it out: then the next card
is simply one of those unseen, and all values are whole numbers over the number of ordered draws of one length. What a
split pair is worth with `j` other second cards known not to pair follows from F(k, j + 1) = F(k, j) - c(k) F(k + 1, j),
with k pair cards out and c(k) the chance that one more unseen card is a pair card.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.blackjack.basic import two_cards
from pairhouse.analysis.blackjack.exact_ends import ExactEnds
from pairhouse.analysis.blackjack.hands import VALUES, HandTree, Numbers, all_hands
from pairhouse.analysis.blackjack.kernels import reach
from pairhouse.analysis.blackjack.solution_records import blackjack_pays
from pairhouse.analysis.blackjack.solve import fresh_shoe, hands_among, hands_with, ruled_out
from pairhouse.analysis.generic.budget import progress
from pairhouse.analysis.methods.records import Removal
from pairhouse.core.cards import RANK_NAMES
from pairhouse.core.game import Variant
from pairhouse.games.blackjack_choices import DOUBLE, HIT, SPLIT, STAND, SURRENDER, Rules, legal_actions, may_double
from pairhouse.games.blackjack_hand import WORDS, is_blackjack, value
from pairhouse.machines.stored import stored_as

MOST_GONE = 21 + 6  # cards of a hand, and pair cards of other hands
Marks = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class UpPlay:
    """How hands are played against one up card: longer hands that draw, the first choice, and split hands by pair."""

    draws: Marks
    first: dict[tuple[int, int], int] = field(default_factory=dict)
    splits: dict[int, tuple[Marks, Marks]] = field(default_factory=dict)  # which stand, which double


@dataclass(frozen=True, eq=False)
class StandTable:
    """Hands with the same pair cards of other hands gone: what standing is worth, and what drawing is made of."""

    hands: HandTree
    left: list[list[int]]
    stand: list[int]
    bust: list[int]

    def drawn(self, hand: int, values: list[int]) -> int:
        """One more card to a hand, worth these values afterwards."""
        found = self.bust[hand]
        for drawn, child in children_of(self.hands)[hand]:
            found += self.left[hand][drawn] * values[child]
        return found

    def best(self) -> tuple[list[int], list[int]]:
        """What hitting and what the better of standing and hitting is worth, from the highest hard total down."""
        hit, best, ends = self.stand.copy(), self.stand.copy(), self.hands.ends.tolist()
        for hand in range(len(best) - 1, -1, -1):
            if not ends[hand]:
                hit[hand] = self.drawn(hand, best)
                best[hand] = max(self.stand[hand], hit[hand])
        return hit, best

    def under(self, draws: Marks, doubles: Marks | None = None) -> list[int]:
        """What hands are worth when it is fixed which draw and which double."""
        values = self.stand.copy()
        for hand in np.flatnonzero(draws)[::-1].tolist():
            values[hand] = self.drawn(hand, values)
        for hand in [] if doubles is None else np.flatnonzero(doubles).tolist():
            values[hand] = 2 * self.drawn(hand, self.stand)
        return values

    def stands(self, hit: list[int]) -> Marks:
        """The hands that are no worse when they stand."""
        found: Marks = self.hands.ends | np.array([s >= h for s, h in zip(self.stand, hit, strict=True)])
        return found


@lru_cache(maxsize=64)
def children_of(hands: HandTree) -> list[list[tuple[int, int]]]:
    """For each hand, every card that does not bust it and the hand with it."""
    rows = hands.children.tolist()
    return [[(drawn, child) for drawn, child in enumerate(row) if child >= 0] for row in rows]


class ExactUp:
    """One up card of a shoe; `ends` may be those of a larger shoe that `removed` cards are gone from."""

    def __init__(self, rules: Rules, ends: ExactEnds, removed: Sequence[int], pays: Fraction) -> None:
        self.rules, self.up, self.ends, self.pays = rules, ends.up, ends, pays
        self.removed = np.array(removed, np.int64)
        self.shoe = np.array(ends.shoe, np.int64) - self.removed  # without the up card
        self.cards = int(self.shoe.sum())
        self.excluded = ruled_out(rules, self.up)
        factors = [max(self.cards - gone, 1) for gone in range(MOST_GONE + ends.longest)]
        self.orders = list(accumulate(reversed(factors), lambda product, factor: product * factor, initial=1))[::-1]

    def table(self, hands: HandTree, pair: int = 0, out: int = 0) -> StandTable:
        """Hands with so many further cards of a pair gone."""
        gone = hands.counts.copy()
        gone[:, pair] += out
        gone[:, 0] = 0
        left = np.maximum(self.shoe - gone, 0)
        left[:, 0] = 0
        number = gone.sum(axis=1)
        orders = np.array(self.orders, object)
        cards = self.cards - number
        stand: Any = self.ends.stands(gone + self.removed, hands.totals) * orders[number + self.ends.longest]
        without = (cards - left[:, self.excluded]).astype(object) * orders[number + 1]  # no blackjack of the dealer's
        stand[hands.fates != 0] = without[hands.fates != 0]
        busts = np.where(hands.children[:, 1:] < 0, left[:, 1:], 0)
        survives = cards - 1 - left[:, self.excluded]
        lost = (busts.sum(axis=1) * survives + (busts[:, self.excluded - 1] if self.excluded else 0)).astype(object)
        return StandTable(hands, left.tolist(), stand.tolist(), (-lost * orders[number + 2]).tolist())

    def fraction(self, value: int, gone: int) -> Fraction:
        """A value as a fraction, with so many cards gone."""
        return Fraction(value, self.orders[gone])

    @cached_property
    def whole(self) -> StandTable:
        """Hands that were not split."""
        return self.table(all_hands(self.rules.charlie))

    def blackjack_chance(self, *values: int) -> Fraction:
        """The chance of a dealer's blackjack with these cards of the player gone."""
        needed = {1: 10, 10: 1}.get(self.up, 0)
        left = int(self.shoe[needed]) - values.count(needed) if needed else 0
        return Fraction(left, self.cards - len(values))

    def holds(self, *values: int) -> bool:
        """Whether the shoe has these cards."""
        return all(int(self.shoe[value]) >= values.count(value) for value in values)

    def best(self) -> tuple[Fraction, UpPlay]:
        """The expectation given the up card under the best play, and that play."""
        hands = self.whole.hands
        hit, best = self.whole.best()
        stands = self.whole.stands(hit)
        kept = reached(hands, [hands.of(*cards) for cards in two_cards()], stands)
        made = UpPlay(np.isin(np.arange(len(stands)), kept) & ~stands)
        return self._over_deals(best, made, chosen=False), made

    def under(self, play: UpPlay) -> Fraction:
        """The expectation given the up card under a play."""
        return self._over_deals(self.whole.under(play.draws), play, chosen=True)

    def _over_deals(self, values: list[int], play: UpPlay, *, chosen: bool) -> Fraction:
        """Every two cards, longer hands being worth these values; first choices as chosen, or best and noted."""
        table, net = self.whole, Fraction(0)
        for first, second in two_cards():
            if not self.holds(first, second):
                continue
            hand = table.hands.of(first, second)
            same, lost = first == second, self.blackjack_chance(first, second)
            if is_blackjack(WORDS[first] + WORDS[second]):
                worth = (1 - lost) * self.pays
            else:
                once, last = table.drawn(hand, values), table.drawn(hand, table.stand)
                counted = {STAND: table.stand[hand], HIT: once, DOUBLE: 2 * last}
                values_of = {action: self.fraction(value, 2) for action, value in counted.items()}
                values_of[SURRENDER] = -(1 - lost) / 2 if self.rules.hole_card else -(1 + lost) / 2
                if (play.first[first, second] if chosen else self.legal(first, second)) & SPLIT:
                    values_of[SPLIT] = self.split(first, play)
                if not chosen:
                    play.first[first, second] = self.first_choice(first, second, values_of)
                worth = values_of[play.first[first, second]]
                worth -= lost if self.rules.hole_card else 0
            net += int(self.shoe[first]) * (int(self.shoe[second]) - same) * (1 if same else 2) * worth
        return net / (self.cards * (self.cards - 1))

    def legal(self, first: int, second: int) -> int:
        """What may be done with two cards; 21 is asked for nothing and stands."""
        return legal_actions(self.rules, WORDS[first] + WORDS[second], 0, 1, False) or STAND

    def first_choice(self, first: int, second: int, values: dict[int, Fraction]) -> int:
        """The best action with two cards."""
        legal = self.legal(first, second)
        return max((action for action in values if legal & action), key=lambda action: values[action])

    def split(self, pair: int, play: UpPlay) -> Fraction:
        """A pair that is split, its hands played as the play says or best, which is then noted in it."""
        hands = hands_with(self.rules.charlie, pair)
        if pair not in play.splits:
            play.splits[pair] = self.split_play(self.table(hands, pair, 1), pair)
        stands, doubles = play.splits[pair]
        kept = reached(hands, [hands.of(pair)], stands, doubles)
        few = hands_among(hands, kept)
        draws, doubles = ~stands[kept] & ~doubles[kept], doubles[kept]
        single = few.of(pair)

        @cache
        def start(known: int) -> tuple[Fraction, Fraction]:
            """With so many pair cards out: second cards that do not pair, and one that does."""
            used = self.table(few, pair, known - 1)
            values = used.under(draws, doubles)
            worth = [used.left[single][v] * values[few.children[single, v]] for v in VALUES]
            paired = worth.pop(pair - 1)
            return self.fraction(sum(worth), known), self.fraction(paired, known)

        again = pair != 1 or self.rules.resplit_aces
        return split_value(self.rules, start, lambda known: self.pair_chance(pair, known), again=again)

    def pair_chance(self, pair: int, known: int) -> Fraction:
        """The chance of one more card of a pair when so many are out."""
        return Fraction(max(int(self.shoe[pair]) - known, 0), max(self.cards - known, 1))

    def split_play(self, table: StandTable, pair: int) -> tuple[Marks, Marks]:
        """Which split hands stand and which double: best with one further pair card out."""
        hands = table.hands
        two = hands.counts.sum(axis=1) == 2
        if pair == 1 and not self.rules.hit_split_aces:
            return two | hands.ends, np.zeros_like(two)
        hit, best = table.best()
        stands = table.stands(hit)
        doubles = np.zeros_like(two)
        may = np.flatnonzero(two & ~hands.ends)
        for hand in may.tolist():
            if may_double(self.rules, int(hands.words[hand]), 1):
                doubles[hand] = 2 * table.drawn(hand, table.stand) > best[hand]
        return stands & ~doubles, doubles


def reached(hands: HandTree, starts: Sequence[int], stands: Marks, doubles: Marks | None = None) -> Numbers:
    """The hands that come of some when it is fixed which stand and which double."""
    seen = np.zeros(len(hands.words), np.int8)
    doubled = np.zeros_like(stands) if doubles is None else doubles
    for start in starts:
        reach(hands.children, stands.view(np.int8), doubled.view(np.int8), start, seen)
    return np.flatnonzero(seen)


Start = Callable[[int], tuple[Fraction, Fraction]]
Chance = Callable[[int], Fraction]


def split_value(rules: Rules, start: Start, pair_chance: Chance, *, again: bool) -> Fraction:
    """All hands of a split pair together."""
    most = rules.hands_max
    if not again or most == 2:
        return 2 * sum(start(2), Fraction(0))
    if rules.splits_max < most:  # each of the two hands once more
        return 2 * (start(2)[0] + pair_chance(2) * 2 * sum(start(3), Fraction(0)))

    @cache
    def known(which: int, pairs: int, others: int) -> Fraction:
        """A hand whose second card does not pair (0) or is any (1), with so many others known not to pair."""
        if others == 0:
            return start(pairs)[0] if which == 0 else sum(start(pairs), Fraction(0))
        chance = pair_chance(pairs)
        found = known(which, pairs, others - 1)
        return found - chance * known(which, pairs + 1, others - 1) if chance else found

    def walk(hands: int, waiting: int, done: int, chance: Fraction) -> Fraction:
        """Second cards come in turn; `chance` is that of the pair cards among them."""
        if not chance:
            return Fraction(0)
        if waiting == 0 or hands == most:
            found = done * known(0, hands, done - 1) if done else Fraction(0)
            return chance * (found + waiting * known(1, hands, done))
        kept = walk(hands, waiting - 1, done + 1, chance)
        return kept + walk(hands + 1, waiting + 1, done, chance * pair_chance(hands))

    return walk(2, 2, 0, Fraction(1))


class ExactPrice(NamedTuple):
    """The main wager played best, played as it is best with the whole shoe, and best play by up card."""

    best: Fraction
    as_before: Fraction
    play: Mapping[int, UpPlay]


class ExactMain:
    """The main wager from a shoe, and from the shoe with one card gone."""

    def __init__(self, rules: Rules, shoe: Sequence[int], pays: Fraction) -> None:
        self.rules, self.shoe, self.pays = rules, tuple(int(count) for count in shoe), pays

    @cached_property
    def ends(self) -> dict[int, ExactEnds]:
        """For each up card, the ends that all shoes share."""
        return {up: ExactEnds(self.rules, up, minus(self.shoe, up)) for up in VALUES if self.shoe[up]}

    @cached_property
    def whole(self) -> "ExactPrice":
        """The expectation of the whole shoe, with the play that is unchanged when a card is gone."""
        return self._price(0, None)

    def without(self, gone: int) -> "ExactPrice":
        """The expectation with a card of one value gone, played best for it and as before."""
        return self._price(gone, self.whole.play)

    def _price(self, gone: int, before: Mapping[int, UpPlay] | None) -> "ExactPrice":
        shoe = minus(self.shoe, gone)
        removed = [int(value == gone and gone > 0) for value in range(11)]
        best, as_before, play = Fraction(0), Fraction(0), dict[int, UpPlay]()
        for up, ends in self.ends.items():
            if not shoe[up]:
                continue
            found, chance = ExactUp(self.rules, ends, removed, self.pays), Fraction(shoe[up], sum(shoe))
            worth, play[up] = found.best()
            best += chance * worth
            as_before += chance * (worth if before is None else found.under(before[up]))
        return ExactPrice(best, as_before, play)


def minus(shoe: Sequence[int], value: int) -> tuple[int, ...]:
    """A shoe with a card of one value less; 0 takes none."""
    return tuple(count - (at == value and value > 0) for at, count in enumerate(shoe))


def main_removal(variant: Variant) -> Removal:
    """The main wager with one card gone, as fractions: best play for the cards that are left, and play as before."""
    whole, *found = without_each(variant.rules, variant.pack[0], blackjack_pays(variant))
    by_rank = [found[value(card) - 1] for card in range(len(RANK_NAMES))]
    return Removal(whole[0], [best for best, _ in by_rank], as_before=[as_before for _, as_before in by_rank])


@lru_cache(maxsize=8)
def without_each(rules: Rules, decks: int, pays: Fraction) -> list[list[Fraction]]:
    """The price of the whole shoe, then without a card of each value: played best for it, and played as before."""

    def work() -> list[list[str]]:
        told, found = progress.get(), list[list[str]]()
        main = ExactMain(rules, [int(count) for count in fresh_shoe(decks)], pays)
        for gone in (0, *VALUES):
            told(f"the main wager as a fraction, {gone} of {len(VALUES)} cards gone one by one")
            price = main.without(gone) if gone else main.whole
            found.append([str(price.best), str(price.as_before)])
        return found

    key = f"main wager without each card {decks} {pays} {tuple(rules)}"
    return [[Fraction(number) for number in line] for line in stored_as(list[list[str]], key, work)]
