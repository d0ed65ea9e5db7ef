"""The same values as exact fractions, for one hand at a time: a figure to certify and not only to compute.

Splits are left to the floating point solver; stand, hit, double and surrender are exact, decisions included.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from pairhouse.analysis.blackjack.hands import DEALER_BLACKJACK, DEALER_BUST, OUTCOMES, VALUES, dealer_tree
from pairhouse.games.blackjack_choices import DOUBLE, HIT, STAND, SURRENDER, Rules, is_charlie, legal_actions
from pairhouse.games.blackjack_hand import WORDS, is_bust, total

Shoe = tuple[int, ...]  # how many cards of each value; index 0 is unused


def unseen(shoe: Sequence[int], *values: int) -> Shoe:
    """The shoe without these cards."""
    return tuple(int(count) - values.count(value) if value else 0 for value, count in enumerate(shoe))


@lru_cache(maxsize=20_000)
def dealer_ends(rules: Rules, up: int, left: Shoe) -> tuple[Fraction, ...]:
    """The exact chance of every dealer outcome from the cards unseen; with a peek, given that there is no blackjack."""
    tree = dealer_tree(rules, up)
    weights = [1] * tree.parent.size
    found = [[0] * OUTCOMES for _ in range(int(tree.size.max()) + 1)]
    nodes = zip(tree.parent.tolist(), tree.value.tolist(), tree.taken.tolist(), strict=True)
    ends = zip(tree.size.tolist(), tree.outcome.tolist(), tree.ways.tolist(), strict=True)
    for node, ((parent, value, taken), (size, outcome, ways)) in enumerate(zip(nodes, ends, strict=True)):
        if node:
            weights[node] = weights[parent] * (left[value] - taken)
        if outcome >= 0:
            found[size][outcome] += int(ways) * weights[node]
    cards = sum(left)
    orders = list(accumulate(range(len(found) - 1), lambda product, drawn: product * (cards - drawn), initial=1))
    chances = [
        sum((Fraction(row[end], orders[n]) for n, row in enumerate(found) if row[end]), Fraction(0))
        for end in range(OUTCOMES)
    ]
    known = sum(chances, Fraction(0))
    return tuple(chance / known for chance in chances)


def draw_chances(rules: Rules, up: int, left: Shoe) -> dict[int, Fraction]:
    """The exact chance of each value as the next card; what a peek has ruled out for the hole card weighs on them."""
    cards = sum(left)
    excluded = {1: 10, 10: 1}.get(up, 0) if rules.hole_card else 0
    if not excluded:
        return {value: Fraction(left[value], cards) for value in VALUES if left[value]}
    holes = cards - left[excluded]
    return {
        value: Fraction(left[value], cards - 1) * (1 if value == excluded else Fraction(holes - 1, holes))
        for value in VALUES
        if left[value]
    }


class ExactHand:
    """The exact value of a hand's actions against an up card."""

    def __init__(self, rules: Rules, shoe: Sequence[int], up: int) -> None:
        self.rules, self.up = rules, up
        self.shoe = unseen(shoe, up)
        self.best = lru_cache(maxsize=None)(self._best)

    def stand(self, values: tuple[int, ...]) -> Fraction:
        """Standing on these cards."""
        word = sum(WORDS[value] for value in values)
        if is_charlie(self.rules, word):
            return Fraction(1)
        ends = dealer_ends(self.rules, self.up, unseen(self.shoe, *values))
        value = ends[DEALER_BUST] - ends[DEALER_BLACKJACK]
        for dealer, chance in enumerate(ends[:5], start=17):
            value += chance * ((total(word) > dealer) - (total(word) < dealer))
        return value

    def draw(self, values: tuple[int, ...], last: bool) -> Fraction:
        """One more card, and then the best, or nothing more."""
        value = Fraction(0)
        for card, chance in draw_chances(self.rules, self.up, unseen(self.shoe, *values)).items():
            longer = tuple(sorted((*values, card)))
            if is_bust(sum(WORDS[v] for v in longer)):
                value -= chance
            else:
                value += chance * (self.stand(longer) if last else self.best(longer))
        return value

    def _best(self, values: tuple[int, ...]) -> Fraction:
        word = sum(WORDS[value] for value in values)
        if is_charlie(self.rules, word) or total(word) >= 21:
            return self.stand(values)
        return max(self.stand(values), self.draw(values, last=False))

    def actions(self, *values: int) -> dict[int, Fraction]:
        """Every legal action but a split, given that a peek found no blackjack."""
        cards = tuple(sorted(values))
        legal = legal_actions(self.rules, sum(WORDS[value] for value in cards), 0, 1, False)
        found = {STAND: self.stand(cards)}
        if legal & HIT:
            found[HIT] = self.draw(cards, last=False)
        if legal & DOUBLE:
            found[DOUBLE] = 2 * self.draw(cards, last=True)
        if legal & SURRENDER:
            ends = dealer_ends(self.rules, self.up, unseen(self.shoe, *cards))
            lost = Fraction(0) if self.rules.hole_card else ends[DEALER_BLACKJACK]
            found[SURRENDER] = Fraction(-1, 2) - lost / 2
        return found
