"""Solve blackjack for one shoe and one set of rules: the value of every action with every hand against every up card.

The class of strategies is composition-dependent (CD): each hand is played best given its own cards, the up card and,
after a split, the one other pair card that the first split shows; cards of other split hands are ignored, and a pair
that is split is split again whenever it may be. Within the class the values are exact up to floating point.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.blackjack.hands import (
    OUTCOMES,
    VALUES,
    HandTree,
    Numbers,
    Reals,
    all_hands,
    dealer_outcome,
    dealer_tree,
)
from pairhouse.analysis.blackjack.kernels import (
    STANDS,
    dealer_outcomes,
    draw_chances,
    hit_and_double,
    plan_values,
    reach,
    stand_values,
)
from pairhouse.analysis.blackjack.splits import SplitShoe, split_expectation
from pairhouse.games.blackjack_choices import (
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    Rules,
    dealer_draws,
    legal_actions,
    may_double,
)
from pairhouse.games.blackjack_hand import WORDS, hard, is_blackjack

STRATEGY_CLASS = (
    "composition-dependent: each hand played best given its own cards, the up card and the pair cards of the first "
    "split; cards of other split hands ignored; pairs split again whenever allowed"
)


def fresh_shoe(decks: int) -> Reals:
    """How many cards of each value so many decks hold; index 0 is unused."""
    return np.array([0, *[4 * decks] * 9, 16 * decks], np.float64)


def ruled_out(rules: Rules, up: int, hole: int = 0) -> int:
    """The value that a peek has ruled out for the hole card, 0 if none; a hole card that is known leaves nothing."""
    return {1: 10, 10: 1}.get(up, 0) if rules.hole_card and not hole else 0


@dataclass(frozen=True, eq=False)
class HandValues:
    """Values of every hand of a list against one up card, given what is gone from the shoe."""

    stand: Reals
    hit: Reals
    double: Reals
    best: Reals
    chances: Reals
    ends: Reals


def evaluate(
    rules: Rules,
    shoe: Reals,
    up: int,
    hands: HandTree,
    *,
    pair: int = 0,
    pairs_out: int = 0,
    stands: npt.NDArray[np.bool_] | None = None,
    seen: Reals | None = None,
    hole: int = 0,
) -> HandValues:
    """Stand, hit and double for every hand; `pairs_out` further cards of value `pair` are known to be gone.

    `hole` is the value of the hole card where it is known; it is then no card of the shoe.

    With a peek every value is given that the dealer has no blackjack. The dealer's outcomes are the costly part:
    `stands` restricts them to hands that matter, and `seen` holds those already found, with NaN in all other rows.
    """
    left = shoe[None, :] - hands.counts
    left[:, up] -= 1
    left[:, pair] -= pairs_out
    np.maximum(left, 0, out=left)
    left[:, 0] = 0
    count = len(hands.words)
    chances = np.zeros((count, 11))
    ends = np.full((count, OUTCOMES), np.nan) if seen is None else seen
    wanted = np.isnan(ends[:, 0])
    if stands is not None:
        ends[wanted & ~stands] = 0.0
        wanted &= stands
    if wanted.any():
        ends[wanted] = dealer_ends(rules, up, left[wanted], hole)
    draw_chances(left, ruled_out(rules, up, hole), chances)
    stand, hit, double, best = (np.full(count, -np.inf) for _ in range(4))
    stand_values(hands.totals, hands.fates, ends, stand)
    hit_and_double(hands.children, hands.ends.view(np.int8), chances, stand, hit, double, best)
    return HandValues(stand, hit, double, best, chances, ends)


def dealer_ends(rules: Rules, up: int, left: Reals, hole: int = 0) -> Reals:
    """The chances of the dealer's outcomes against each row of cards unseen; with a peek, given no blackjack."""
    ends = np.zeros((len(left), OUTCOMES))
    if hole and not dealer_draws(rules, WORDS[up] + WORDS[hole]):
        ends[:, dealer_outcome(WORDS[up] + WORDS[hole])] = 1.0
        return ends
    tree = dealer_tree(rules, up, hole)
    dealer_outcomes(tree.value, tree.taken, tree.size, tree.ways, tree.outcome, left, ends)
    excluded = ruled_out(rules, up, hole)
    if excluded:
        total = left.sum(axis=1)
        ends *= (total / np.maximum(total - left[:, excluded], 1))[:, None]
    return ends


@lru_cache(maxsize=256)
def with_pairs(charlie: int, pair: int, pairs_out: int, hit_21: bool) -> Numbers:
    """For each hand that holds a card of this value, the number of the hand with so many more of them, or -1."""
    hands = all_hands(charlie, hit_21)
    found = np.flatnonzero(hands.counts[:, pair] > 0)
    for _ in range(pairs_out):
        found = np.where(found < 0, -1, hands.children[found, pair])
    return found


@lru_cache(maxsize=64)
def hands_with(charlie: int, pair: int, hit_21: bool = False) -> HandTree:
    """The hands that hold a card of this value, as a list of their own."""
    hands = all_hands(charlie, hit_21)
    return hands_among(hands, np.flatnonzero(hands.counts[:, pair] > 0))


def hands_among(hands: HandTree, kept: Numbers) -> HandTree:
    """Some hands of a list as a list of their own; what can come of them must be among them, or does not matter."""
    place = np.full(len(hands.words) + 1, -1, np.int64)
    place[kept] = np.arange(kept.size)
    index = {int(word): number for number, word in enumerate(hands.words[kept])}
    return HandTree(
        counts=hands.counts[kept],
        words=hands.words[kept],
        children=place[hands.children[kept]],
        totals=hands.totals[kept],
        soft=hands.soft[kept],
        fates=hands.fates[kept],
        ends=hands.ends[kept],
        index=index,
    )


@dataclass(frozen=True, eq=False)
class UpCard:
    """Everything about one up card."""

    rules: Rules
    shoe: Reals
    up: int
    hit_21: bool = False  # another reading: 21 may be hit
    split_21_pays: float | None = None  # another reading: 21 on a split hand is a blackjack
    hole: int = 0  # the value of the hole card where it is known; `shoe` is then without it

    @cached_property
    def hands(self) -> HandTree:
        return all_hands(self.rules.charlie, self.hit_21)

    @cached_property
    def table(self) -> HandValues:
        """Hands that were not split."""
        return evaluate(self.rules, self.shoe, self.up, self.hands, hole=self.hole)

    def dealer_blackjack(self, *values: int) -> float:
        """The chance of a dealer blackjack, given the up card and these cards of the player."""
        needed = {1: 10, 10: 1}.get(self.up)
        if needed is None or self.hole:
            return float(self.hole == needed) if self.hole else 0.0
        gone = [self.up, *values]
        return float((self.shoe[needed] - gone.count(needed)) / (self.shoe.sum() - len(gone)))

    @cached_property
    def splits(self) -> dict[int, float]:
        """The value of splitting each pair, in units of the first stake; only pairs the shoe holds."""
        return {pair: self.split_under(pair, plan) for pair, plan in self.plans.items()}

    @cached_property
    def plans(self) -> dict[int, "SplitPlan"]:
        """How the hands of each pair are played once it is split."""
        pairs = [pair for pair in VALUES if self._holds(pair, pair)]
        return {
            pair: SplitPlan.best(self.rules, self.split_hands(pair), self.first_split(pair), pair) for pair in pairs
        }

    def split_hands(self, pair: int) -> HandTree:
        """The hands that can come of a split pair."""
        return hands_with(self.rules.charlie, pair, self.hit_21)

    @cached_property
    def _first_splits(self) -> dict[int, HandValues]:
        return {}

    def first_split(self, pair: int) -> HandValues:
        """Hands of a split pair, with the other pair card out; worked out once, and forgotten with this up card."""
        found = self._first_splits.get(pair)
        if found is None:
            hands, seen = self.split_hands(pair), self.ends_with(pair, 1)
            found = evaluate(self.rules, self.shoe, self.up, hands, pair=pair, pairs_out=1, seen=seen, hole=self.hole)
            self._first_splits[pair] = found
        return found

    def ends_with(self, pair: int, pairs_out: int) -> Reals:
        """The dealer's outcomes against hands of a split pair, as far as hands that were not split have shown them.

        A hand with more pair cards gone leaves the same shoe as a longer hand that holds them, if that is not bust.
        """
        longer = with_pairs(self.rules.charlie, pair, pairs_out, self.hit_21)
        ends: Reals = np.where((longer >= 0)[:, None], self.table.ends[longer], np.nan)
        return ends

    def _holds(self, *values: int) -> bool:
        gone = [self.up, *values]
        return all(self.shoe[value] >= gone.count(value) for value in gone)

    def split_shoe(self, pair: int) -> SplitShoe:
        """The shoe as a split of this pair knows it."""
        return SplitShoe(self.shoe, self.up, pair, ruled_out(self.rules, self.up, self.hole))

    def split_under(self, pair: int, plan: "SplitPlan") -> float:
        """The value of splitting a pair when its hands are played by a plan."""
        rules = self.rules
        hands = self.split_hands(pair)
        shoe = self.split_shoe(pair)
        single = hands.of(pair)
        children = hands.children[single]

        def start(known: int) -> tuple[float, float, float]:
            """With so many pair cards out: what second cards that do not pair are worth, one that does, its chance."""
            if shoe.left_of_pair(known) < 0:
                return 0.0, 0.0, 0.0
            table = self.first_split(pair)
            if known > 2:
                out, stands = known - 1, plan.reached(hands, single)
                seen = self.ends_with(pair, out)
                table = evaluate(
                    rules, self.shoe, self.up, hands, pair=pair, pairs_out=out, stands=stands, seen=seen, hole=self.hole
                )
            values = plan.values(hands, table)
            if self.split_21_pays is not None:
                values[(hands.totals == 21) & (hands.counts.sum(axis=1) == 2)] = self.split_21_pays
            chances = table.chances[single]
            other = sum(chances[v] * values[children[v]] for v in VALUES if v != pair)
            return float(other), float(chances[pair] * values[children[pair]]), float(chances[pair])

        return split_expectation(rules, shoe, start, again=pair != 1 or rules.resplit_aces)

    def actions(self, *values: int) -> dict[int, float]:
        """The value of every legal action with a hand that was not split, given that a peek found no blackjack."""
        return self.actions_of(sum(WORDS[value] for value in values))

    def actions_of(self, word: int, *, splits: bool = True) -> dict[int, float]:
        """The same for a hand as the rule book writes it."""
        hand = self.hands.index[word]
        legal = legal_actions(self.rules, word, 0, 1, False)
        found = {STAND: float(self.table.stand[hand])}
        if legal & HIT:
            found[HIT] = float(self.table.hit[hand])
        if legal & DOUBLE:
            found[DOUBLE] = float(self.table.double[hand])
        if legal & SPLIT and splits:
            found[SPLIT] = self.splits[hard(word) // 2]
        if legal & SURRENDER:
            cards = [value for value in VALUES for _ in range(int(self.hands.counts[hand, value]))]
            lost = 0.0 if self.rules.hole_card else self.dealer_blackjack(*cards)
            found[SURRENDER] = -0.5 - 0.5 * lost
        return found

    def value(self, first: int, second: int, blackjack_pays: float) -> float:
        """The value of two cards before the peek, played best."""
        lost = self.dealer_blackjack(first, second)
        if is_blackjack(WORDS[first] + WORDS[second]):
            return (1 - lost) * blackjack_pays
        best = max(self.actions(first, second).values())
        return (1 - lost) * best - lost if self.rules.hole_card else best


@dataclass(frozen=True, eq=False)
class SplitPlan:
    """How hands of a split pair are played: which stand, which double on two cards. Fixed for all split hands."""

    stands: npt.NDArray[np.bool_]
    doubles: npt.NDArray[np.bool_]

    @classmethod
    def best(cls, rules: Rules, hands: HandTree, table: HandValues, pair: int) -> "SplitPlan":
        """The best plan given one further pair card out; aces that get one card only just stand."""
        locked = pair == 1 and not rules.hit_split_aces
        two = hands.counts.sum(axis=1) == 2
        may = two & ~hands.ends
        may[may] = [may_double(rules, int(word), 1) for word in hands.words[may]]
        if locked:
            return cls(stands=two | hands.ends, doubles=np.zeros_like(may))
        doubles = may & (table.double > table.best)
        return cls(stands=hands.ends | (table.stand >= table.hit), doubles=doubles)

    def reached(self, hands: HandTree, start: int) -> npt.NDArray[np.bool_]:
        """The hands that end up standing when play starts from one hand."""
        seen = np.zeros(len(hands.words), np.int8)
        reach(hands.children, self.stands.view(np.int8), self.doubles.view(np.int8), start, seen)
        return np.equal(seen, STANDS)

    def values(self, hands: HandTree, table: HandValues) -> Reals:
        """The value of every hand under this plan."""
        values = np.empty(len(hands.words))
        marks = self.stands.view(np.int8), self.doubles.view(np.int8)
        plan_values(hands.children, *marks, table.chances, table.stand, table.double, values)
        return values
