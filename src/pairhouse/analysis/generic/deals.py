"""What is dealt of a game, for the compiled walk: its rules, its classes of cards, what they cannot tell apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import perm
from typing import Any

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.generic.deal_table import NO_SUIT, PATH_MAX, STATE_WORDS, STORY_MAX, TAPE_MAX, DealTable
from pairhouse.analysis.generic.trial_rounds import TrialResult
from pairhouse.core.cards import Card
from pairhouse.core.errors import Refused
from pairhouse.core.shortcuts import Shortcuts
from pairhouse.core.tally import Story
from pairhouse.core.verbs import FELT_ROWS, PLACES
from pairhouse.machines.link import Function

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Deals:
    """What is dealt: the rules, the classes of cards with their numbers, and what the rules cannot tell apart."""

    play: Function
    rules: Any
    kinds: tuple[type, ...]
    draws: int
    faces: Numbers
    left: Numbers
    shortcuts: Shortcuts
    places: tuple[int, ...]
    stories: tuple[Story, ...] = ()

    @classmethod
    def of(cls, play: Function, rules: Any, found: TrialResult, shoe: Sequence[Card], shortcuts: Shortcuts) -> "Deals":
        """The cards of a shoe, merged as the shortcuts say."""
        same = shortcuts.same or int
        classes: dict[int, list[Card]] = {}
        for card in sorted(shoe):
            classes.setdefault(same(card), []).append(card)
        faces = np.array([cards[0] for cards in classes.values()], np.int64)
        left = np.array([len(cards) for cards in classes.values()], np.int64)
        if found.draws >= PATH_MAX:
            raise Refused("too-many-cards", f"a round can take {found.draws} cards; {PATH_MAX - 1} can be followed")
        return cls(play, rules, found.kinds, found.draws, faces, left, shortcuts, found.places, found.stories)

    @property
    def size(self) -> int:
        return int(self.left.sum())

    @cached_property
    def alike(self) -> tuple[int, ...]:
        """Suits that may be renamed: it is declared, and this shoe holds the same cards of each; the most there are."""
        if not self.shortcuts.suits_alike or self.shortcuts.same is not None:
            return ()
        held = dict(zip(self.faces.tolist(), self.left.tolist(), strict=True))
        by_cards: dict[tuple[int, ...], list[int]] = {}
        for suit in range(4):
            by_cards.setdefault(tuple(held.get(13 * suit + rank, 0) for rank in range(13)), []).append(suit)
        most = max(by_cards.values(), key=len)
        return tuple(most) if len(most) > 1 else ()

    @property
    def suits_alike(self) -> bool:
        """Whether some suits may be renamed."""
        return bool(self.alike)

    @property
    def total(self) -> int:
        """How many ordered deals of as many cards as the longest round takes."""
        return perm(self.size, self.draws)

    def table(self) -> DealTable:
        """An empty table for one thread."""

        def zeros(*shape: int) -> Numbers:
            return np.zeros(shape, np.int64)

        suits = np.where(self.faces < 52, self.faces // 13, NO_SUIT).astype(np.int64)
        order = np.arange(len(self.faces))
        if self.suits_alike:
            order = np.where(self.faces < 52, self.faces % 13, self.faces).astype(np.int64)
        most = max(min(int(self.left.max()), self.draws), 1).bit_length()
        numbers = zeros(PLACES)
        for number, place in enumerate(self.places):
            numbers[place] = 0 if self.shortcuts.one_hand else number
        apart = sum(1 << suit for suit in range(4) if suit not in self.alike)
        any_order = self.shortcuts.any_order and (int(numbers.max()) + 1) * 13 * most <= 62
        return DealTable(
            faces=self.faces,
            left=self.left.copy(),
            order=order,
            suit=suits,
            path=zeros(PATH_MAX),
            places=zeros(PATH_MAX),
            weights=np.ones(PATH_MAX + 1, np.int64),
            used=zeros(PATH_MAX + 1),
            grouped=zeros(PATH_MAX),
            equal=zeros(PATH_MAX),
            state=zeros(STATE_WORDS),
            tape=zeros(TAPE_MAX),
            story=zeros(STORY_MAX),
            felt=zeros(FELT_ROWS, PLACES),
            flags=np.array([self.suits_alike, any_order, most, apart, self.size], np.int64),
            place_number=numbers,
            renamed=np.full(4, -1, np.int64),
        )
