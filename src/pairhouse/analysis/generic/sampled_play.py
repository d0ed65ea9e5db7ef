"""Best play of any game by sampling, for when an exact answer does not come in time.

Rounds are dealt at random. Where a choice comes up, every action is tried on the same few continuations, the cards not
yet drawn shuffled anew each time, and the action that did best is taken; it is remembered for the situation. The cards
that then fall are independent of those tried, so the mean of the rounds is the value of the play that was found, with
a standard error. Best play is worth no less.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from random import Random

from pairhouse.analysis.generic.trial_rounds import TrialTable, actions_of, found_of
from pairhouse.analysis.generic.walker import Net
from pairhouse.core.cards import Card, pack
from pairhouse.core.game import Variant
from pairhouse.core.tally import Story

LEVELS = tuple(1 << n for n in range(1, 14))  # on how many continuations an action is tried; as many as time allows
FEWER = 8  # a choice inside a continuation is tried on so many times fewer
LEAST = 2
LEARNING_ROUNDS = 10  # for each level
ROUNDS_WANTED = 400  # a level is kept when so many rounds can be measured at it
ROUNDS_MIN = 30
SPARE = 8  # cards more than trial rounds drew, in case one is longer


@dataclass(frozen=True)
class SampledPlay:
    """The value of a play that sampling found: the mean of the rounds, its standard error, and how much was dealt."""

    ev: float
    error: float
    rounds: int
    situations: int


class Sampler:
    """A game dealt at random, with what was learnt of its situations so far."""

    def __init__(self, variant: Variant, net: Net, random: Random) -> None:
        found = found_of(variant)
        self.variant, self.net, self.random = variant, net, random
        self.kinds = set(found.kinds)
        self.cards = list(pack(*variant.pack))
        self.dealt = 2 * found.draws + SPARE
        self.known: dict[tuple[int, int], tuple[int, int]] = {}  # legal, situation -> continuations tried, best action
        self.nets: dict[Story, float] = {}

    def round(self, tries: int) -> float:
        """What a unit on the opening wager wins in a fresh round."""
        return self.run([], self.cards, [], tries)

    def run(self, seen: Sequence[Card], left: list[Card], tape: Sequence[int], tries: int) -> float:
        """A round that goes on from these cards and actions with others drawn at random."""
        drawn = self.random.sample(left, min(len(left), self.dealt))

        def answer(at: int, legal: int, situation: int) -> int:
            return tape[at] if at < len(tape) else self.choose(table, legal, situation, tries)

        table = TrialTable([*seen, *drawn], answer)
        self.variant.game.play(table, self.variant.rules)
        story = tuple((1, happened) for _, happened in table.story if type(happened) in self.kinds)
        if story not in self.nets:
            self.nets[story] = float(self.net(story))
        return self.nets[story]

    def choose(self, table: TrialTable, legal: int, situation: int, tries: int) -> int:
        """The action that does best on some continuations, or did before on as many."""
        actions = actions_of(legal)
        tried, best = self.known.get((legal, situation), (0, actions[0]))
        if tried >= tries or len(actions) == 1:
            return best
        seen = [card for _, card in table.drawn]
        left = self.cards.copy()
        for card in seen:
            left.remove(card)
        tape, inner = [asked.action for asked in table.asked], max(LEAST, tries // FEWER)
        sums = [0.0] * len(actions)
        for _ in range(tries):
            state = self.random.getstate()
            for number, action in enumerate(actions):
                self.random.setstate(state)  # each action meets the same cards
                sums[number] += self.run(seen, left, [*tape, action], inner)
        best = actions[sums.index(max(sums))]
        self.known[legal, situation] = tries, best
        return best


def sampled_play(variant: Variant, net: Net, seconds: float) -> SampledPlay:
    """A play found and measured within so many seconds, or a few rounds where even those take longer."""
    sampler, began = Sampler(variant, net, Random(1)), time.monotonic()
    tries = LEVELS[0]
    for level in LEVELS:
        start = time.monotonic()
        for _ in range(LEARNING_ROUNDS):
            sampler.round(level)
        tries = level
        left = began + seconds - time.monotonic()
        # The next level takes at least twice as long for a round.
        if 2 * (time.monotonic() - start) / LEARNING_ROUNDS * ROUNDS_WANTED > left:
            break
    rounds, total, squares = 0, 0.0, 0.0
    while rounds < ROUNDS_MIN or time.monotonic() < began + seconds:
        value = sampler.round(tries)
        rounds, total, squares = rounds + 1, total + value, squares + value * value
    mean = total / rounds
    spread = max(squares / rounds - mean * mean, 0.0) * rounds / (rounds - 1)
    error = sqrt(spread / rounds) if spread else inf
    return SampledPlay(mean, error, rounds, len(sampler.known))
