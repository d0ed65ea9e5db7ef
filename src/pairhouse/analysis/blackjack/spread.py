"""The distribution of a round's net result under best play.

Rounds without a split are exact. In a split round the hands share one dealer; given how the dealer ends they are taken
as independent, which ignores that they draw from one shoe. The chance of a split round is therefore a rigorous bound on
how far the distribution can be from the true one, in total variation; the mean is compared with the exact one.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pairhouse.analysis.blackjack.basic import two_cards
from pairhouse.analysis.blackjack.hands import OUTCOMES, HandTree, Reals
from pairhouse.analysis.blackjack.kernels import spread_hands
from pairhouse.analysis.blackjack.solve import HandValues, SplitPlan, UpCard, hands_with
from pairhouse.analysis.blackjack.splits import hand_counts
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.games.blackjack_choices import DOUBLE, SPLIT, SURRENDER
from pairhouse.games.blackjack_hand import WORDS, is_blackjack

NETS = (-2, -1, 0, 1, 2)


@dataclass(frozen=True, eq=False)
class Spread:
    """Net result in units of the first stake -> chance."""

    solution: Solution

    @cached_property
    def chances(self) -> dict[float, float]:
        """Every net result of a round with its chance."""
        return dict(sorted(self._all[0].items()))

    @cached_property
    def split_chance(self) -> float:
        """How often a round is split: the bound on the error of the distribution."""
        return self._all[1]

    @cached_property
    def mean(self) -> float:
        return sum(net * chance for net, chance in self.chances.items())

    @cached_property
    def variance(self) -> float:
        return sum((net - self.mean) ** 2 * chance for net, chance in self.chances.items())

    @cached_property
    def by_deal(self) -> dict[tuple[int, int, int], dict[float, float]]:
        """The same told apart by the values of the up card and of the seat's two cards, the lower first."""
        found: dict[tuple[int, int, int], dict[float, float]] = {}
        for up, solved in self.solution.ups.items():
            joint = _joint(solved.hands, solved.table, best_plan(solved))
            for first, second in two_cards():
                chance = self.solution.deal_chance(up, first, second)
                if chance > 0:
                    nets = found[up, first, second] = defaultdict(float)
                    self._add(nets, solved, joint, (first, second), chance)
        return found

    @cached_property
    def _all(self) -> tuple[dict[float, float], float]:
        found: dict[float, float] = defaultdict(float)
        split = 0.0
        for up, solved in self.solution.ups.items():
            joint = _joint(solved.hands, solved.table, best_plan(solved))
            for first, second in two_cards():
                chance = self.solution.deal_chance(up, first, second)
                if chance > 0:
                    split += self._add(found, solved, joint, (first, second), chance)
        return found, split

    def _add(
        self, found: dict[float, float], solved: UpCard, joint: Reals, cards: tuple[int, int], chance: float
    ) -> float:
        """Add one deal; the chance that it was split comes back."""
        word = WORDS[cards[0]] + WORDS[cards[1]]
        lost = solved.dealer_blackjack(*cards)
        if is_blackjack(word):
            found[0.0] += chance * lost
            found[self.solution.blackjack_pays] += chance * (1 - lost)
            return 0.0
        if self.solution.rules.hole_card:
            found[-1.0] += chance * lost
            chance *= 1 - lost
        actions = solved.actions_of(word)
        best = max(actions, key=lambda action: actions[action])
        if best == SURRENDER:
            gone = 0.0 if self.solution.rules.hole_card else lost
            found[-1.0] += chance * gone
            found[-0.5] += chance * (1 - gone)
        elif best == SPLIT:
            for net, share in split_spread(solved, cards[0]).items():
                found[float(net)] += chance * share
            return chance
        else:
            for at, net in enumerate(NETS):
                found[float(net)] += chance * float(joint[solved.hands.index[word], :, at].sum())
        return 0.0


def best_plan(solved: UpCard) -> SplitPlan:
    """Best play of hands that are not split, as a plan."""
    table = solved.table
    doubles = np.zeros(len(solved.hands.words), bool)
    for first, second in two_cards():
        hand = solved.hands.of(first, second)
        doubles[hand] = not solved.hands.ends[hand] and _best_unsplit(solved, hand) == DOUBLE
    return SplitPlan(solved.hands.ends | (table.stand >= table.hit), doubles)


def _best_unsplit(solved: UpCard, hand: int) -> int:
    legal = {a: v for a, v in solved.actions_of(int(solved.hands.words[hand]), splits=False).items() if a != SURRENDER}
    return max(legal, key=lambda action: legal[action])


def _joint(hands: HandTree, table: HandValues, plan: SplitPlan) -> Reals:
    """Chances of (dealer's end, net) for every hand under a plan."""
    marks = np.where(plan.doubles, 2, np.where(plan.stands, 1, 0)).astype(np.int8)
    joint = np.zeros((len(hands.words), OUTCOMES, len(NETS)))
    spread_hands(hands.children, hands.totals, hands.fates, marks, table.chances, table.ends, joint)
    return joint


def split_spread(solved: UpCard, pair: int) -> dict[int, float]:
    """The net result of a split pair, its hands independent given the dealer's end."""
    hands = hands_with(solved.rules.charlie, pair)
    table, single = solved.first_split(pair), hands.of(pair)
    joint = _joint(hands, table, solved.plans[pair])
    plain = joint[single] - table.chances[single, pair] * joint[hands.children[single, pair]]
    ends = np.maximum(plain.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    plain /= ends
    counts = hand_counts(solved.rules, solved.split_shoe(pair), again=pair != 1 or solved.rules.resplit_aces)
    found: dict[int, float] = defaultdict(float)
    for end in range(OUTCOMES):
        weight = float(joint[single, end].sum())
        if weight <= 0:
            continue
        for (kept, free), chance in counts.items():
            total = np.array([1.0])
            for one in [plain[end]] * kept + [joint[single, end] / weight] * free:
                total = np.convolve(total, one)
            for at, share in enumerate(total):
                found[at - 2 * (kept + free)] += weight * chance * float(share)
    return found
