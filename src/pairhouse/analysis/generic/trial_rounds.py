"""Rounds dealt at random in plain Python, to learn what a game does: what it draws, asks and settles."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from pairhouse.core.cards import Card, pack, rank
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story
from pairhouse.core.verbs import FELT_ROWS, HANDS_PER_SEAT, PLACES, Place

TRIALS = 400
Answer = Callable[[int, int, int], int]  # (which choice, legal actions, situation) -> action


@dataclass
class OfferedChoice:
    """A choice as it was asked: what was offered, in which situation, after how many cards."""

    place: Place
    legal: int
    situation: int
    cards: int
    action: int = 0


@dataclass
class TrialTable:
    """A table for one seat that deals a given order of cards and writes everything down.

    A face-down card is taken when it is turned up or peeked at, as in the exact machines.
    """

    cards: Sequence[Card]
    answer: Answer
    drawn: list[tuple[Place, Card]] = field(default_factory=list)
    asked: list[OfferedChoice] = field(default_factory=list)
    story: list[tuple[int, Any]] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    looked_at: dict[int, Card] = field(default_factory=dict)  # by the number of the face-down card
    laid: int = 0  # cards laid face down so far
    face_down: int = 0  # those of them not taken from the pack

    def __post_init__(self) -> None:
        self._felt = [[0] * PLACES for _ in range(FELT_ROWS)]

    def seats(self) -> int:
        return 1

    def felt(self, row: int) -> list[int]:
        return self._felt[row]

    def draw(self, place: Place) -> Card:
        if len(self.drawn) == len(self.cards):
            raise Refused("too-few-cards", f"a round took all {len(self.cards)} cards and asked for another")
        card = self.cards[len(self.drawn)]
        self.drawn.append((place, card))
        return card

    draw_private = draw

    def draw_down(self, place: Place) -> Card:
        self.face_down += 1
        self.laid += 1
        return -self.laid

    def turn_up(self, place: Place, hidden: Card) -> Card:
        return self._beneath(place, hidden)

    def peek(self, place: Place, hidden: Card, lowest: int, highest: int) -> bool:
        return lowest <= rank(self._beneath(place, hidden)) <= highest

    def _beneath(self, place: Place, hidden: Card) -> Card:
        if hidden not in self.looked_at:
            self.face_down -= 1
            self.looked_at[hidden] = self.draw(place)
        return self.looked_at[hidden]

    def choose(self, place: Place, legal: int, situation: int) -> int:
        if legal <= 0:
            raise Refused("bad-choice", "a choice is asked for in which nothing is legal")
        asked = OfferedChoice(place, legal, int(situation), len(self.drawn))
        asked.action = self.answer(len(self.asked), legal, int(situation))
        self.asked.append(asked)
        return asked.action

    def settle(self, place: Place, happened: Any) -> None:
        self.story.append((place // HANDS_PER_SEAT, happened))

    def show(self, place: Place) -> None: ...
    def split(self, place: Place) -> None: ...
    def say(self, place: Place, phrase: int, first: int, second: int) -> None:
        self.shown.append(str(phrase))


@dataclass(frozen=True)
class TrialResult:
    """The kinds of happening that decide wagers, and what trial rounds showed: stories, and the most of everything.

    A longer round than any of these, or another story, is noticed when it comes and counted too.
    """

    kinds: tuple[type, ...]
    draws: int
    choices: int
    places: tuple[Place, ...]
    stories: tuple[Story, ...]
    dealt: int  # the most cards a dealer takes from the pack, those that stay face down too


def told_apart(counted: Iterable[tuple[Story, int]]) -> dict[Story, int]:
    """Stories with their deals. Two kinds of happening with the same numbers are equal as tuples, and refused."""
    found: dict[Story, int] = {}
    kinds: dict[Story, list[type]] = {}
    for story, deals in counted:
        told = [type(happened) for _, happened in story]
        if kinds.setdefault(story, told) != told:
            names = " and ".join(kind.__name__ for kind in {*told, *kinds[story]})
            raise Refused("same-happenings", f"{names} can hold the same numbers; give one of them a field more")
        found[story] = found.get(story, 0) + deals
    return found


def actions_of(legal: int) -> list[int]:
    """The single bits of a set of actions."""
    return [1 << bit for bit in range(legal.bit_length()) if legal >> bit & 1]


def trial(variant: Variant, cards: Sequence[Card], answer: Answer) -> TrialTable:
    """One round with these cards, answered in this way."""
    table = TrialTable(cards, answer)
    variant.game.play(table, variant.rules)
    return table


class ShuffledPack(Sequence[Card]):
    """A pack in random order, of which only as many cards are put in order as are looked at."""

    def __init__(self, cards: Sequence[Card], random: Random) -> None:
        self._cards, self._random, self._known = list(cards), random, 0

    def __len__(self) -> int:
        return len(self._cards)

    def __getitem__(self, at: Any) -> Any:
        last = len(self) if isinstance(at, slice) or at < 0 else min(at + 1, len(self))
        for place in range(self._known, last):
            other = self._random.randrange(place, len(self))
            self._cards[place], self._cards[other] = self._cards[other], self._cards[place]
        self._known = max(self._known, last)
        return self._cards[at]


def random_trial(variant: Variant, random: Random, cards: Sequence[Card] | None = None) -> TrialTable:
    """A round from a shuffled pack, with any legal choices."""
    dealt = ShuffledPack(pack(*variant.pack), random) if cards is None else cards
    return trial(variant, dealt, lambda _at, legal, _s: random.choice(actions_of(legal)))


@lru_cache(maxsize=64)
def found_of(variant: Variant, trials: int = TRIALS) -> TrialResult:
    """What so many trial rounds show; always the same ones."""
    random = Random(1)
    kinds: dict[type, None] = dict.fromkeys(wager.decided_by for wager in variant.wagers.values())
    stories: dict[Story, None] = {}
    places: dict[Place, None] = {}
    draws = choices = dealt = 0
    for _ in range(trials):
        table = random_trial(variant, random)
        told = [(1, happened) for _, happened in table.story if type(happened) in kinds]
        stories.setdefault(tuple(told))
        places |= dict.fromkeys(place for place, _ in table.drawn)
        draws, choices = max(draws, len(table.drawn)), max(choices, len(table.asked))
        dealt = max(dealt, len(table.drawn) + table.face_down)
    for kind in kinds:
        if not hasattr(kind, "_fields"):
            given = f"a wager is decided by {kind.__name__}"
            raise Refused("bad-happening", f"{given}; what decides wagers is a NamedTuple of small integers")
    return TrialResult(tuple(kinds), draws, choices, tuple(places), tuple(stories), dealt)
