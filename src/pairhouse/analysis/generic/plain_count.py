"""Counting in plain Python, for games that draw until something comes: few different ways, each of many cards."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import lcm, prod

from pairhouse.analysis.generic.trial_rounds import TrialTable, told_apart
from pairhouse.core.cards import Card, pack
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story
from pairhouse.core.verbs import Place

NODES_MAX = 2_000_000


class CardNeeded(Exception):
    """The round asks for another card."""


class PathTable(TrialTable):
    """A table that stops the round where its cards end."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._rest = iter(self.cards)

    def draw(self, place: Place) -> Card:
        for card in self._rest:
            return card
        raise CardNeeded

    draw_private = draw


def ways_estimate(variant: Variant, draws: int) -> int:
    """About how many ways a round of so many cards can go, with what the game declares."""
    shortcuts, cards = variant.game.shortcuts, pack(*variant.pack)
    if shortcuts.same is None and shortcuts.suits_alike:
        return prod(13 * min(number, 4) for number in range(1, draws + 1))
    same = shortcuts.same or int
    return len({same(card) for card in cards}) ** draws


class _Classes:
    """The cards that can come after some others, merged by what the game declares, each with its number."""

    def __init__(self, variant: Variant, shoe: Sequence[Card]) -> None:
        shortcuts = variant.game.shortcuts
        self.shoe, self.same, self.same_after = Counter(shoe), shortcuts.same or int, shortcuts.same_after
        renamed = {suit * 13 + face % 13: n for face, n in self.shoe.items() if face < 52 for suit in range(4)}
        even = all(self.shoe[face] == n for face, n in renamed.items())
        self.suits_alike = shortcuts.suits_alike and shortcuts.same is None and self.same_after is None and even

    def after(self, path: Sequence[Card]) -> list[tuple[Card, int]]:
        left = self.shoe - Counter(path)
        if not left:
            raise Refused("too-few-cards", "a round can take all cards and ask for another")
        if self.suits_alike:
            return self._by_suits(left, {card // 13 for card in path if card < 52})
        classes: dict[int, list[Card]] = {}
        for card in left:
            number = self.same_after(card, path[0]) if self.same_after is not None and path else self.same(card)
            classes.setdefault(number, []).append(card)
        return [(cards[0], sum(left[card] for card in cards)) for cards in classes.values()]

    @staticmethod
    def _by_suits(left: "Counter[Card]", used: set[int]) -> list[tuple[Card, int]]:
        """Of the suits that have not appeared, one stands for all."""
        unused = [suit for suit in range(4) if suit not in used]
        found = [(card, n) for card, n in left.items() if card >= 52 or card // 13 in used]
        return found + [(card, n * len(unused)) for card, n in left.items() if unused and card // 13 == unused[0]]


def plain_count(variant: Variant, shoe: Sequence[Card]) -> tuple[dict[Story, int], int]:
    """Every story with its number of deals, of so many in all; cards are merged by what the game declares."""
    classes, nodes = _Classes(variant, shoe), 0
    weights: dict[tuple[tuple[type, ...], Story], Fraction] = {}
    kinds = {wager.decided_by for wager in variant.wagers.values()}
    waiting: list[tuple[tuple[Card, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        path, weight = waiting.pop()
        nodes += 1
        if nodes > NODES_MAX:
            wanted = "declare Shortcuts(same=...) or same_after=... for cards that are one to the rules"
            raise Refused("too-many-deals", f"more than {NODES_MAX:,} ways to be dealt; {wanted}")
        table = PathTable(path, lambda _at, legal, _situation: legal & -legal)
        try:
            variant.game.play(table, variant.rules)
        except CardNeeded:
            following = classes.after(path)
            total = sum(ways for _, ways in following)
            waiting += [((*path, card), weight * Fraction(ways, total)) for card, ways in following]
        else:
            story = tuple((1, happened) for _, happened in table.story if type(happened) in kinds)
            key = tuple(type(happened) for _, happened in story), story
            weights[key] = weights.get(key, Fraction(0)) + weight
    total = lcm(*(weight.denominator for weight in weights.values()))
    return told_apart((story, int(weight * total)) for (_, story), weight in weights.items()), total
