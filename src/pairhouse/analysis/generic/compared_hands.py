"""Games of one choice in which two hands are compared: every hand and up card against every hand, exactly.

Hands are numbered by strength. What is settled depends on the two numbers and the choice alone, so each pair of numbers
is played once. Then the dealer's hands are added in rising strength, each counted into all its subsets; between two
strengths at which the result changes, the dealer's hands that hold the up card and avoid the seat's cards follow by
inclusion and exclusion.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import Any

import numpy as np

from pairhouse.analysis.generic.card_sets import (
    BINOMIAL,
    DECK,
    SETS,
    STARTS,
    all_hands,
    hands_from,
    linked_now,
    number_of,
    suit_patterns,
)
from pairhouse.analysis.generic.deal_table import STORY_MAX, Numbers
from pairhouse.analysis.generic.deals import Deals
from pairhouse.analysis.generic.hand_play import compared_strategy, planes_of
from pairhouse.analysis.generic.row_index import new_row_index
from pairhouse.analysis.generic.trial_rounds import Answer, actions_of, trial
from pairhouse.analysis.generic.walker import STORIES_MAX, Net, Walker
from pairhouse.analysis.generic.working_back import Answers, Solved
from pairhouse.core.cards import pack
from pairhouse.core.errors import Refused
from pairhouse.core.fingerprint import session_digest
from pairhouse.core.game import Variant
from pairhouse.core.verbs import HANDS_PER_SEAT
from pairhouse.machines.cache import cached_jit
from pairhouse.machines.count import JIT, jit, outer_jit
from pairhouse.machines.link import Function, link
from pairhouse.machines.simulate.simulation import Strategy
from pairhouse.machines.stored import stored_as

AT_ONCE = 1 << 16  # hands of the seat's, so that memory stays small
LARGE = 1 << 20  # so many counts are worth asking for a GPU


def strength_of(hand: Any) -> int:
    """Replaced, when the loop is linked, by the rule that numbers a hand."""
    raise NotImplementedError


def number_all(hands: Numbers, out: Numbers) -> None:
    """The strength of every hand."""
    for row in range(hands.shape[0]):
        out[row] = strength_of(hands[row])


@lru_cache(maxsize=8)
def linked_strength(compared: Function, size: int, session_rules: str) -> Function:
    """The loop over hands of so many cards with a game's own rule."""
    rule_itself = link(compared, {}, jit)
    by_size = {
        3: jit(lambda h: rule_itself(h[0], h[1], h[2])),
        4: jit(lambda h: rule_itself(h[0], h[1], h[2], h[3])),
        5: jit(lambda h: rule_itself(h[0], h[1], h[2], h[3], h[4])),
    }
    outer = outer_jit(f"strengths-{compared.__name__}-{size}", compared, __name__, session_rules)
    return link(number_all, {strength_of: by_size[size]}, jit, outer)


@jit
def count_avoiding(hand: Numbers, held: Any, up_cards: Numbers, found: Any) -> None:
    """How many of the hands that were added avoid this one and hold the up card, for every up card (-1: for none).

    By inclusion and exclusion over the cards of the hand. Hand and up cards rise, so the number of a set with each up
    card follows from the one before: `below` is of its cards under the up card, `above` of those over it.
    """
    for mask in range(1 << hand.size):
        sign, members, above = 1, 0, 0
        for at in range(hand.size):
            if mask >> at & 1:
                sign, members = -sign, members + 1
                above += BINOMIAL[hand[at], members + 1]
        if up_cards[0] < 0:
            found[0] += sign * held[number_of(hand, mask, -1)]
        elif members < hand.size:  # a hand that holds the up card too has no room for all of these
            below, under, card = 0, 0, 0
            for number in range(up_cards.size):
                up = up_cards[number]
                while card < hand.size and hand[card] <= up:
                    if mask >> card & 1:
                        under += 1
                        below += BINOMIAL[hand[card], under]
                        above -= BINOMIAL[hand[card], under + 1]
                    card += 1
                if card == 0 or hand[card - 1] != up:
                    found[number] += sign * held[STARTS[members + 1] + below + BINOMIAL[up, under + 1] + above]


@cached_jit("sweep", __name__, nogil=True, **JIT)
def sweep(
    hands: Numbers, by_class: Numbers, class_ends: Numbers, held: Any, own: Numbers, owners: Numbers, queue: Numbers,
    queue_ends: Numbers, up_cards: Numbers, found: Any,
) -> None:  # fmt: skip
    """Add the dealer's hands class by class; before class t, count for each seat's hand that asks for t.

    `queue` lists, by class, rows of `found` (a seat's hand and one of its changes). A row gets how many of the dealer's
    hands are weaker, for each up card, or in its one column where there is none.
    """
    at, asked = 0, 0
    for t in range(class_ends.size + 1):
        while asked < queue_ends[t]:
            count_avoiding(own[owners[queue[asked]]], held, up_cards, found[queue[asked]])
            asked += 1
        while t < class_ends.size and at < class_ends[t]:
            hand = hands[by_class[at]]
            for mask in range(1 << hand.size):
                held[number_of(hand, mask, -1)] += 1
            at += 1


def _preferring(action: int) -> Answer:
    """An action wherever it is legal, else the lowest one."""
    return lambda _at, legal, _situation: action if legal & action else legal & -legal


class Layout:
    """How a round is dealt: the seat's cards, the up cards, and the cards that are turned up after the choice."""

    def __init__(self, variant: Variant) -> None:
        actions = {}
        for bit in range(63):
            table = trial(variant, pack(*variant.pack), _preferring(1 << bit))
            if len(table.asked) != 1:
                raise Refused("bad-shortcut", "compared hands go with one choice in every round")
            if table.asked[0].legal >> bit & 1:
                actions[1 << bit] = table
        self.legal = sum(actions)
        longest = max(actions.values(), key=lambda table: len(table.drawn))
        before = longest.asked[0].cards
        places = [place for place, _ in longest.drawn]
        self.own = [at for at in range(before) if places[at] >= HANDS_PER_SEAT]
        self.up = [at for at in range(before) if places[at] < HANDS_PER_SEAT]
        self.rest = [*range(before, len(places))]
        if len(self.own) != len(self.up) + len(self.rest) or len(self.up) > 1:
            raise Refused(
                "bad-shortcut", "compared hands have as many cards on both sides, one of the dealer's up at most"
            )

    def deals(self, own: Numbers, other: Numbers) -> tuple[Numbers, Numbers]:
        """The seat's cards in the order of dealing, and the dealer's; the seat's come first in these games."""
        if self.own != [*range(len(self.own))]:
            raise Refused("bad-shortcut", "compared hands are dealt to the seat first")
        return np.ascontiguousarray(own), np.ascontiguousarray(other)


class ComparedHands:
    """What every two hands of a deck settle, by their strengths; then the best play from any cards of it.

    `starts` are the places, for each strength of the seat's in turn, from which a stronger dealer's hand settles
    something else; `told` has the story from there on, by action.
    """

    def __init__(self, variant: Variant, deals: Deals, net: Net) -> None:
        """`deals` are those of a whole deck."""
        self.deals, self.layout = deals, Layout(variant)
        self.size = len(self.layout.own)
        self.hands = all_hands(self.size)
        self.walker = Walker(replace(deals, draws=1), net)
        self.cores = os.cpu_count() or 1
        compared = deals.shortcuts.compared
        assert compared is not None
        strengths = np.zeros(len(self.hands), np.int64)
        linked_strength(compared, self.size, session_digest(compared))(self.hands, strengths)
        _, first, self.of_class = np.unique(strengths, return_index=True, return_inverse=True)
        self.reps = self.hands[first]
        self.actions = actions_of(self.layout.legal)
        tables = [self.stories(action) for action in self.actions]
        changes = np.ones((len(first), len(first)), bool)
        changes[:, 1:] = np.any([table[:, 1:] != table[:, :-1] for table in tables], axis=0)
        rows, self.starts = np.nonzero(changes)
        self.told = [table[rows, self.starts].astype(np.int64) for table in tables]
        self.first_start = np.concatenate([[0], np.cumsum(changes.sum(axis=1))])
        nets = [*self.walker.nets.values()]
        self.planes: Numbers | None = None  # best play from a whole deck, once it is found
        self.scale = lcm(*(value.denominator for value in nets))
        self.values = np.array([int(value * self.scale) for value in nets], np.int64)

    def stories(self, action: int) -> Any:
        """The story of every two strengths under an action, by the numbers of the walker's stories."""
        _, settle_pairs = linked_now(self.deals.play, self.deals.kinds)
        own, other = self.layout.deals(self.reps, self.reps)
        out = np.zeros((len(own), len(other)), np.int16)
        bounds = np.linspace(0, len(own), 8 * self.cores + 1).astype(int).tolist()
        tape = np.array([action], np.int64)

        def part(at: int) -> tuple[slice, list[tuple[int, ...]]]:
            index = new_row_index(STORY_MAX, STORIES_MAX)
            if settle_pairs(
                self.deals.table(), self.deals.rules, own, other, bounds[at], bounds[at + 1], tape, index, out
            ):
                raise Refused("bad-shortcut", "a round takes other cards than two hands")
            return slice(bounds[at], bounds[at + 1]), [
                tuple(row[1 : 1 + row[0]].tolist()) for row in index.rows[: index.filled[0]]
            ]

        with ThreadPoolExecutor(self.cores) as pool:
            parts = list(pool.map(part, range(8 * self.cores)))
        for piece, words in parts:
            out[piece] = np.array([self.number(each) for each in words], np.int16)[out[piece]]
        return out

    def number(self, words: tuple[int, ...]) -> int:
        """The number of a story over all actions."""
        self.walker.learn(words)
        return [*self.walker.nets].index(words)

    def solve(self, deals: Deals, told: Callable[[str], object] = lambda _text: None, only: int = 0) -> Solved:
        """Best play from these cards: one choice with the seat's hand and the up card; or `only` one action."""
        places = hands_from(self.hands, deals.faces.tolist())
        told(f"{len(places):,} hands of {len(self.reps):,} strengths against each other")
        first, ways = suit_patterns(self.hands[places], deals.alike)
        from_these = _FromCards(self, deals, places)
        tally = np.zeros(len(self.values), object)
        total, answers, is_whole = 0, list[Answers](), deals.size == DECK
        at_once = len(first) if is_whole else AT_ONCE
        for begin in range(0, len(first), at_once):
            these = slice(begin, begin + at_once)
            part = _Part(from_these, places[first[these]], only)
            total += part.won(ways[these])
            tally += part.tally(ways[these])
            answers += [part.answers()] if is_whole else []
            if is_whole and not only:
                self.planes = planes_of(part.best, from_these.up, len(self.actions))
        words = [*self.walker.nets]
        every = len(places) * from_these.ups * from_these.after
        stories = {self.walker.stories[words[at]]: int(n) for at, n in enumerate(tally) if n}
        ev, seen = Fraction(total, self.scale * every), tuple(self.walker.stories.values())
        return Solved(self.scale, ev, stories, answers, every, len(first) * from_these.ups, seen)

    def strategy(self, deals: Deals, key: str) -> Strategy:
        """Best play from the whole deck for the machine."""

        def work() -> bytes:
            if self.planes is None:
                self.solve(deals)
            assert self.planes is not None
            return self.planes.tobytes()

        words = np.frombuffer(stored_as(bytes, f"compared {key}", work), np.int64)
        planes = words.reshape(max(1, (len(self.actions) - 1).bit_length()), -1)
        return compared_strategy(self.size, bool(self.layout.up), planes, self.actions)


class _FromCards:
    """Best play from some cards of the deck: the dealer's hands are those of these cards."""

    def __init__(self, compared: ComparedHands, deals: Deals, places: Numbers) -> None:
        self.game = compared
        has_up = len(compared.layout.up)
        self.hands = compared.hands[places]
        strengths = compared.of_class[places]
        self.by_class = np.argsort(strengths, kind="stable")
        self.class_ends = np.cumsum(np.bincount(strengths, minlength=len(compared.reps)))
        self.up = deals.faces if has_up else np.array([-1])
        self.ups = deals.size - compared.size if has_up else 1  # for one hand of the seat's
        self.after = comb(deals.size - compared.size - has_up, compared.size - has_up)

    def weaker(self, own: Numbers, owners: Numbers, at: Numbers) -> Any:
        """For each hand and each strength at which its result changes: how many dealer's hands are weaker."""
        found, asked = np.zeros((len(owners), len(self.up)), np.int32), np.flatnonzero(at)

        def queued(rows: Numbers) -> tuple[Numbers, Numbers]:
            queue = rows[np.argsort(at[rows], kind="stable")]
            return queue, np.searchsorted(at[queue], np.arange(len(self.class_ends) + 1), side="right")

        if found.size >= LARGE and len(self.up) in (1, DECK):
            from pairhouse.analysis.generic.gpu_sweep import gpu_is_here, sweep_on_gpu

            if gpu_is_here():
                sweep_on_gpu(self.hands, self.by_class, self.class_ends, own, owners, *queued(asked), found)
                return found

        def part(which: int) -> None:
            queue, queue_ends = queued(asked[which :: self.game.cores])
            held = np.zeros(SETS, np.int32)
            sweep(
                self.hands, self.by_class, self.class_ends, held, own, owners, queue, queue_ends, self.up, found,
            )  # fmt: skip

        with ThreadPoolExecutor(self.game.cores) as pool:
            list(pool.map(part, range(self.game.cores)))
        return found


class _Part:
    """Some hands of the seat's: what each action is worth with each up card, and the better of them.

    There is a row for each hand and each strength from which a stronger dealer's hand settles something else.
    """

    def __init__(self, cards: _FromCards, places: Numbers, only: int) -> None:
        game, self.cards, self.own = cards.game, cards, cards.game.hands[places]
        strengths = game.of_class[places]
        number = game.first_start[strengths + 1] - game.first_start[strengths]
        ends = np.cumsum(number)
        self.row = np.repeat(game.first_start[strengths] - ends + number, number) + np.arange(ends[-1])
        self.owners = np.repeat(np.arange(len(self.own)), number)
        below = cards.weaker(self.own, self.owners, game.starts[self.row])
        above = np.roll(below, -1, axis=0)
        above[ends - 1] = cards.after
        self.between = above - below  # how many dealer's hands there are from here to the next such strength
        self.free = (self.own[:, :, None] != cards.up[None, None, :]).all(axis=1)
        self.worth = np.stack([
            np.add.reduceat(game.values[told[self.row]][:, None] * self.between, ends - number, axis=0)
            for told in game.told
        ])  # fmt: skip
        self.best = self.worth.argmax(axis=0)
        if only:
            self.best[:] = game.actions.index(only)

    def won(self, ways: Numbers) -> int:
        """What this play wins over all deals."""
        worth = np.take_along_axis(self.worth, self.best[None], axis=0)[0]
        return int((worth * self.free).sum(axis=1).astype(object) @ ways.astype(object))

    def tally(self, ways: Numbers) -> Any:
        """The deals of every story under this play."""
        game = self.cards.game
        found = np.zeros(len(game.values), object)
        for action, told in enumerate(game.told):
            chosen = (self.free & (self.best == action))[self.owners]
            reached = (self.between * chosen).sum(axis=1) * ways[self.owners]
            np.add.at(found, told[self.row], reached.astype(object))
        return found

    def answers(self) -> Answers:
        """What each action is worth in every situation, by the situation of one hand of each pattern."""
        game, deals = self.cards.game, self.cards.game.deals
        actions = np.array(game.actions, np.int64)
        rows, up = np.nonzero(self.free)
        deal = np.column_stack([self.own[rows], self.cards.up[up]]) if game.layout.up else self.own[rows]
        situations, out = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        settle_all, _ = linked_now(deals.play, deals.kinds)
        empty = np.zeros(0, np.int64)
        index = new_row_index(STORY_MAX, STORIES_MAX)
        settle_all(deals.table(), deals.rules, deal, empty, index, out, situations)
        if len(np.unique(situations)) != len(rows):
            raise Refused("bad-shortcut", "compared hands need situations that tell the seat's hand and the up card")
        return Answers(
            situations[:, None],
            np.arange(len(rows)),
            np.full(len(rows), game.layout.legal, np.int64),
            actions[self.best[rows, up]],
            actions,
            np.column_stack([worth[rows, up] for worth in self.worth]),
            np.full(len(rows), self.cards.after, np.int64),
            is_complete=not deals.suits_alike,
        )
