"""The exact oracle: every path of a rule book with its probability, in plain Python and Fractions.

Short and obviously right rather than fast. A face-down card is not drawn until it is turned up, so what is chosen
before cannot depend on it; a peek only narrows what it can still be.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, MutableSequence
from fractions import Fraction
from typing import Any

from pairhouse.core.cards import Card, Rank, rank
from pairhouse.core.errors import Refused
from pairhouse.core.tally import Happening, Story, Tally
from pairhouse.core.verbs import FELT_ROWS, HANDS_PER_SEAT, PLACES, Place

Play = Callable[[Any, Any], None]
Strategy = Callable[[int, int], int]  # (legal actions, situation) -> action
Branch = tuple[Any, Fraction]
Known = Callable[[Card], bool]


class _Fork(Exception):
    """The path ends where something must be drawn, peeked or chosen: these are the ways it can go on."""

    def __init__(self, branches: list[Branch]) -> None:
        self.branches = branches


class _PathTable:
    """A table that follows one path of outcomes and forks where the path ends."""

    def __init__(self, shoe: Counter[Card], seat_count: int, strategy: Strategy, path: tuple[Any, ...]) -> None:
        self.shoe = Counter(shoe)
        self.hidden: dict[int, Known | None] = {}  # what a peek has shown of each face-down card
        self.seat_count = seat_count
        self.strategy = strategy
        self.path = iter(path)
        self.story: list[Happening] = []
        self._felt = [[0] * PLACES for _ in range(FELT_ROWS)]

    def _next(self, branches: Callable[[], list[Branch]]) -> Any:
        for outcome in self.path:
            return outcome
        raise _Fork([branch for branch in branches() if branch[1]])

    def _ways(self, known: Known | None) -> list[tuple[Card, int]]:
        """The cards that can still come, with their number, within what is known."""
        return [(card, n) for card, n in self.shoe.items() if n and (known is None or known(card))]

    def _shares(self, known: Known | None) -> list[Branch]:
        ways = self._ways(known)
        total = sum(n for _, n in ways)
        return [(card, Fraction(n, total)) for card, n in ways]

    def _chances(self) -> list[Branch]:
        """The next card's chances. What a peek has shown of the hole card changes them too.

        A card comes next in proportion to its number times the ways left for the hole card once it is gone.
        """
        if sum(self.shoe.values()) <= len(self.hidden):
            raise Refused("too-few-cards", "the shoe is too small for this game: a round can run out of cards")
        peeked = [known for known in self.hidden.values() if known is not None]
        if not peeked:
            return self._shares(None)
        (known,) = peeked
        holes = sum(n for _, n in self._ways(known))
        weights = [(card, n * (holes - known(card))) for card, n in self._ways(None)]
        total = sum(weight for _, weight in weights)
        return [(card, Fraction(weight, total)) for card, weight in weights]

    def _take(self, branches: Callable[[], list[Branch]]) -> Card:
        card: Card = self._next(branches)
        self.shoe[card] -= 1
        return card

    def seats(self) -> int:
        return self.seat_count

    def felt(self, row: int) -> MutableSequence[int]:
        return self._felt[row]

    def draw(self, place: Place) -> Card:
        return self._take(self._chances)

    def draw_private(self, place: Place) -> Card:
        return self._take(self._chances)

    def draw_down(self, place: Place) -> Card:
        handle = max(self.hidden, default=-1) + 1
        self.hidden[handle] = None
        return handle

    def turn_up(self, place: Place, hidden: Card) -> Card:
        known = self.hidden.pop(hidden)
        return self._take(lambda: self._shares(known))

    def peek(self, place: Place, hidden: Card, lowest: Rank, highest: Rank) -> bool:
        def wanted(card: Card) -> bool:
            return lowest <= rank(card) <= highest

        def branches() -> list[Branch]:
            yes = sum((share for card, share in self._shares(None) if wanted(card)), Fraction(0))
            return [(True, yes), (False, 1 - yes)]

        found: bool = self._next(branches)
        self.hidden[hidden] = lambda card: wanted(card) == found
        return found

    def choose(self, place: Place, legal: int, situation: int) -> int:
        return self.strategy(legal, situation)

    def settle(self, place: Place, happened: Any) -> None:
        self.story.append((place // HANDS_PER_SEAT, happened))

    def show(self, place: Place) -> None: ...
    def split(self, place: Place) -> None: ...
    def say(self, place: Place, phrase: int, first: int, second: int) -> None: ...


def paths(
    play: Play, rules: Any, shoe: Counter[Card], seat_count: int, strategy: Strategy, path: tuple[Any, ...] = ()
) -> Iterator[tuple[Story, Fraction]]:
    """Every story a round can tell, with its probability."""
    table = _PathTable(shoe, seat_count, strategy, path)
    try:
        play(table, rules)
    except _Fork as fork:
        for outcome, chance in fork.branches:
            for story, weight in paths(play, rules, shoe, seat_count, strategy, (*path, outcome)):
                yield story, weight * chance
    else:
        yield tuple(table.story), Fraction(1)


def first_legal(legal: int, situation: int) -> int:
    """The plainest strategy: the lowest legal action."""
    return legal & -legal


def enumerate_rounds(
    play: Play, rules: Any, cards: Iterable[Card], *, seats: int = 1, strategy: Strategy = first_legal
) -> Tally:
    """The exact tally of a game on a shoe of these cards, under a strategy."""
    tally = Tally()
    for story, weight in paths(play, rules, Counter(cards), seats, strategy):
        tally.add(story, weight)
    return tally
