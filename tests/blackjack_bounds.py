"""An upper bound on what blackjack can be worth to a player who counts only pair cards among the hands of a split.

The player knows the cards of the hand in play, the up card, how many pair cards are out, and how many other hands have
a second card that is not one. The bound grants each hand what is known when all second cards are dealt, plays every
hand best on that knowledge, and lets each pair be split again or kept. No strategy that ignores the other cards of
other hands can do better, whatever its plan for each number of hands.
"""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from pairhouse.analysis.blackjack.hands import VALUES, HandTree, Reals
from pairhouse.analysis.blackjack.solve import UpCard, evaluate
from pairhouse.analysis.blackjack.totals import Solution
from pairhouse.games.blackjack_choices import SPLIT, may_double
from pairhouse.games.blackjack_hand import WORDS, is_blackjack


@dataclass(frozen=True, eq=False)
class SplitBound:
    """What the hands of one pair are worth at most, from weights of every hand: its chance, and that times its worth."""

    solved: UpCard
    pair: int
    weights: dict[tuple[int, int], tuple[Reals, Reals]] = field(default_factory=dict)

    @property
    def hands(self) -> HandTree:
        return self.solved.split_hands(self.pair)

    def given(self, pairs: int, others: int) -> tuple[Reals, Reals]:
        """Chance and chance times standing value of every hand, with so many pair cards and other cards out."""
        if (pairs, others) not in self.weights:
            if others == 0:
                self.weights[pairs, others] = self._plain(pairs)
            else:
                chance = self.solved.split_shoe(self.pair).pairs_next(pairs, others - 1)
                less = self.given(pairs, others - 1)
                more = self.given(pairs + 1, others - 1) if chance > 0 else (np.zeros(1), np.zeros(1))
                found = [(some - chance * fewer) / (1 - chance) for some, fewer in zip(less, more, strict=True)]
                self.weights[pairs, others] = found[0], found[1]
        return self.weights[pairs, others]

    def _plain(self, pairs: int) -> tuple[Reals, Reals]:
        hands, solved = self.hands, self.solved
        table = evaluate(solved.rules, solved.shoe, solved.up, hands, pair=self.pair, pairs_out=pairs - 1)
        chance = np.zeros(len(hands.words) + 1)  # the last place is for busts
        chance[hands.of(self.pair)] = 1.0
        for hand in range(len(hands.words)):
            if chance[hand] > 0:
                for v in VALUES:
                    child = hands.children[hand, v]
                    if child >= 0:
                        chance[child] = chance[hand] * table.chances[hand, v]
        return chance, chance * np.append(np.nan_to_num(table.stand, neginf=0.0), -1.0)

    @cache  # noqa: B019
    def best(self, pairs: int, others: int) -> tuple[float, float, float]:
        """Chances times best values: of a second card that does not pair, of one that does, and the chance of it."""
        hands, rules = self.hands, self.solved.rules
        chance, stand = self.given(pairs, others)
        locked = self.pair == 1 and not rules.hit_split_aces
        sizes = hands.counts.sum(axis=1)
        best = np.zeros(len(hands.words))
        for hand in range(len(hands.words) - 1, -1, -1):
            best[hand] = stand[hand]
            if hands.ends[hand] or chance[hand] <= 0 or (locked and sizes[hand] == 2):
                continue
            children = [child for child in hands.children[hand, 1:] if child >= 0]
            bust = chance[hand] - sum(chance[child] for child in children)
            best[hand] = max(best[hand], sum(best[child] for child in children) - bust)
            if sizes[hand] == 2 and may_double(rules, int(hands.words[hand]), 1):
                best[hand] = max(best[hand], 2 * (sum(stand[child] for child in children) - bust))
        seconds = hands.children[hands.of(self.pair)]
        other = sum(best[seconds[v]] for v in VALUES if v != self.pair)
        return float(other), float(best[seconds[self.pair]]), float(chance[seconds[self.pair]])

    def value(self) -> float:
        """The value of splitting is at most this."""
        again = self.pair != 1 or self.solved.rules.resplit_aces
        most = self.solved.rules.hands_max if again else 2
        return self._walk(2, 2, 0, 0, most)

    def _walk(self, split: int, waiting: int, others: int, kept: int, most: int) -> float:
        """All hands at most, with so many split, second cards to come, second cards that do not pair, pairs kept."""
        pairs = split + kept
        if waiting == 0 or split == most:
            total = 0.0
            if waiting:
                total += waiting * sum(self.best(pairs, others)[:2])
            if others:
                other, _, chance = self.best(pairs, others - 1)
                total += others * other / (1 - chance)
            if kept:
                _, paired, chance = self.best(pairs - 1, others)
                total += kept * paired / chance
            return total
        chance = self.solved.split_shoe(self.pair).pairs_next(pairs, others)
        value = (1 - chance) * self._walk(split, waiting - 1, others + 1, kept, most)
        if chance > 0:
            further = self._walk(split + 1, waiting + 1, others, kept, most)
            value += chance * max(further, self._walk(split, waiting - 1, others, kept + 1, most))
        return value


def at_most(solution: Solution) -> float:
    """The expectation of the whole game is at most this."""
    total = 0.0
    for up, solved in solution.ups.items():
        for first in VALUES:
            for second in range(first, 11):
                chance = solution.deal_chance(up, first, second)
                word = WORDS[first] + WORDS[second]
                value = solved.value(first, second, solution.blackjack_pays)
                if first == second and not is_blackjack(word):
                    lost = solved.dealer_blackjack(first, second)
                    unsplit = max(v for a, v in solved.actions(first, second).items() if a != SPLIT)
                    value = (1 - lost) * max(unsplit, SplitBound(solved, first).value()) - lost
                total += chance * value
    return total
