"""Exact tallies: every story that a rule tells, with its number of deals."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pairhouse.core.cards import Card, check_from, pack
from pairhouse.core.errors import Refused
from pairhouse.core.fingerprint import rules_digest
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story
from pairhouse.machines.classes import Classes
from pairhouse.machines.link import Function
from pairhouse.machines.stored import Ways, stored
from pairhouse.machines.stories import unpack


@dataclass(frozen=True)
class Counting:
    """What is counted of a game: a rule, the kinds of happening it settles, and the classes of cards it can tell."""

    play: Function
    kinds: tuple[type, ...]
    classes: Classes


@dataclass(frozen=True)
class Counted:
    """Every story with its number of deals, out of `total` equally likely ones."""

    variant: Variant
    stories: Mapping[Story, int]
    total: int
    method: str

    @cached_property
    def kinds(self) -> frozenset[type]:
        """The kinds of happening that the stories tell of."""
        return frozenset(type(happened) for story in self.stories for _, happened in story)


def counted(variant: Variant, counting: Counting, shoe: Sequence[Card] | None = None) -> Counted:
    """The exact tally of a variant, from its fresh pack or from any given cards."""
    if shoe is None:
        return _counted(variant, counting, pack(*variant.pack))
    check_from(shoe, max(Counter(shoe).values(), default=0), variant.pack[1])
    return _counted(variant, counting, tuple(sorted(shoe)))


@lru_cache(maxsize=64)
def _counted(variant: Variant, counting: Counting, shoe: tuple[Card, ...]) -> Counted:
    if len(shoe) < counting.classes.draws:
        given = f"{len(shoe)} cards are not enough"
        raise Refused("too-few-cards", f"{given}; a round can take {counting.classes.draws}")
    ways = stored(tally_key(variant, shoe), lambda: _count(variant, counting, shoe))
    stories = {unpack(story, counting.kinds): number for story, number in ways.items()}
    method = f"compiled count of every ordered deal of {counting.classes.draws} cards"
    return Counted(variant, stories, sum(stories.values()), method)


def _count(variant: Variant, counting: Counting, shoe: Sequence[Card]) -> Ways:
    from pairhouse.machines.count import count

    return count(counting.play, variant.rules, counting.kinds, shoe, counting.classes)


def dealt_key(variant: Variant, shoe: Sequence[Card], kinds: Sequence[type]) -> str:
    """What a stored tally of a game without choices depends on: what is dealt and settled, not what it pays."""
    game = variant.game
    return f"{rules_digest(game.play, list(kinds), game.shortcuts)} {variant.rules} {[*shoe]}"


def tally_key(variant: Variant, shoe: Sequence[Card], answer: int = 0) -> str:
    """What a stored tally depends on besides our source."""
    play = variant.game.play
    return f"{variant.rules_hash} {play.__module__}.{play.__qualname__} {variant.rules} {answer} {[*shoe]}"
