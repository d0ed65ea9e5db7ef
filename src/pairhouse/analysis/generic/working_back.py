"""Best play of any game for one player with perfect recall, exactly, by working back over its own `choose`.

Forward: the states in which the first choice is asked, then those of the second choice after each action, and so on,
each once for all deals the rules cannot tell apart. Back: the deals of every state are summed into its situation, the
best action of each situation is chosen, and what a state is then worth goes one choice up. Whole numbers throughout.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.generic.deal_table import PATH_MAX, TAPE_MAX
from pairhouse.analysis.generic.deals import Deals
from pairhouse.analysis.generic.memory import forgets_its_past, is_merged, past_of
from pairhouse.analysis.generic.trial_rounds import actions_of, told_apart
from pairhouse.analysis.generic.walker import LARGEST, LongerRound, Net, NewScale, States, Steps, Walker, rows_of
from pairhouse.core.errors import Refused
from pairhouse.core.tally import Story

Numbers = npt.NDArray[np.int64]


@dataclass
class Choice:
    """One choice: its states, a row for each state and action, and what was found of them."""

    states: States
    of_state: Numbers
    action: Numbers
    steps: Steps
    worth: npt.NDArray[Any] = field(default_factory=lambda: np.zeros(0))
    best: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))


def unique_pairs(one: Numbers, other: Numbers) -> tuple[Numbers, Numbers]:
    """The different pairs of two columns, one after the other, and for each place the number of its pair."""
    order = np.lexsort((other, one))
    first, second = one[order], other[order]
    is_new = np.ones(len(order), bool)
    is_new[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    number = np.zeros(len(order), np.int64)
    number[order] = np.cumsum(is_new) - 1
    return np.column_stack([first[is_new], second[is_new]]), number


def lowest_and_highest(actions: Numbers, number: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """For each of so many numbers the lowest and the highest action that goes with it."""
    low, high = np.full(count, LARGEST), np.zeros(count, np.int64)
    np.minimum.at(low, number, actions)
    np.maximum.at(high, number, actions)
    return low, high


@dataclass(frozen=True)
class Answers:
    """The situations of one choice: `names` has a row for every state, with every number its situation can have.

    `row` says which figures are those of a state: `summed` is what each of `actions` comes to over all deals that reach
    the situation, `reached` how many those are, `legal` what is offered, `best` the best of it.
    """

    names: Numbers
    row: Numbers
    legal: Numbers
    best: Numbers
    actions: Numbers
    summed: npt.NDArray[Any]
    reached: npt.NDArray[Any]
    forgets: bool = False  # whether some state would be better played otherwise than its situation is
    remembers: bool = False  # whether one situation has several rows, told apart by what came before
    is_complete: bool = True  # whether every number of every situation is among the names


@dataclass(frozen=True)
class Solved:
    """Best play: its value, the stories under it with their deals, and for every choice the value of every action.

    `every` holds the stories that any play can tell.
    """

    scale: int
    ev: Fraction
    tally: Mapping[Story, int]
    answers: list[Answers]
    runs: int
    states: int
    every: tuple[Story, ...]
    reached: list[Numbers] = field(default_factory=list)  # for each choice, the states that best play comes to

    def values(self, legal: int, situation: int) -> dict[int, Fraction]:
        """What each action is worth per unit in a situation; empty where it cannot come up."""
        for answers in self.answers:
            states = np.flatnonzero((answers.names == situation).any(axis=1))
            rows = np.unique(answers.row[states])
            rows = rows[answers.legal[rows] == legal]
            if answers.remembers and len(rows) > 1:
                raise Refused("forgetful", "the best action here depends on what came before in the round")
            for row in rows.tolist():
                below = int(answers.reached[row]) * self.scale
                return {
                    int(action): Fraction(int(answers.summed[row, column]), below)
                    for column, action in enumerate(answers.actions.tolist())
                    if legal & action
                }
        return {}

    @cached_property
    def play(self) -> tuple[Numbers, Numbers]:
        """Every pair of legal actions and a situation, and its best action; twice where it is best answered so."""
        return self._play([np.arange(len(each.row)) for each in self.answers])

    @cached_property
    def met(self) -> tuple[Numbers, Numbers]:
        """The same for those that come up under best play alone."""
        return self._play(self.reached)

    def _play(self, states: list[Numbers]) -> tuple[Numbers, Numbers]:
        pairs, actions = [np.zeros((0, 2), np.int64)], [np.zeros(0, np.int64)]
        for each, which in zip(self.answers, states, strict=True):
            names, row = each.names[which], each.row[which]
            found, number = unique_pairs(np.repeat(each.legal[row], names.shape[1]), names.ravel())
            best = np.repeat(each.best[row], names.shape[1])
            low, high = lowest_and_highest(best, number, len(found))
            pairs += [found, found[low != high]]
            actions += [low, high[low != high]]
        return np.concatenate(pairs), np.concatenate(actions)

    @property
    def forgetful(self) -> list[int]:
        """Situations that are best answered in two ways: one number for two things."""
        pairs, actions = self.play
        together, number = unique_pairs(pairs[:, 0], pairs[:, 1])
        low, high = lowest_and_highest(actions, number, len(together))
        return [int(situation) for situation in together[low != high, 1]]


def root() -> tuple[Numbers, Numbers]:
    """The one row of a round that has not begun."""
    start = np.zeros((1, 2 + PATH_MAX), np.int64)
    start[0, 1] = 1
    return start, np.zeros((1, TAPE_MAX + 1), np.int64)


def with_action(tapes: Numbers, actions: Numbers) -> Numbers:
    """Tapes with one action more."""
    longer = tapes.copy()
    longer[np.arange(len(tapes)), 1 + tapes[:, 0]] = actions
    longer[:, 0] += 1
    return longer


def rows_of_choice(states: States) -> tuple[Numbers, Numbers]:
    """Every legal action of every state: the state and the action."""
    state, action = [], []
    for legal in np.unique(states.about[:, 2]).tolist():
        those = np.flatnonzero(states.about[:, 2] == legal)
        for bit in actions_of(legal):
            state.append(those)
            action.append(np.full(len(those), bit, np.int64))
    return np.concatenate(state), np.concatenate(action)


def solve(
    deals: Deals,
    net: Net,
    *,
    policy: "Callable[[int, int], int] | None" = None,
    deadline: float | None = None,
    told: Callable[[str], object] = lambda _text: None,
) -> Solved:
    """Best play against the value of stories, or the value of a policy of (legal actions, situation)."""
    while True:
        walker = Walker(deals, net, deadline)
        try:
            return _solve(walker, policy, told)
        except NewScale:
            deals = replace(deals, stories=tuple(walker.stories.values()))
        except ManyWays:
            apart = replace(deals.shortcuts, suits_alike=False, any_order=False, one_hand=False)
            deals = replace(deals, shortcuts=apart)
        except LongerRound:
            if deals.draws >= deals.size:
                raise Refused("too-few-cards", f"a round can take all {deals.size} cards and ask for another") from None
            if deals.draws + 1 >= PATH_MAX:
                raise Refused("too-many-cards", f"a round can take more than {PATH_MAX - 1} cards") from None
            deals = replace(deals, draws=deals.draws + 1)


def _solve(walker: Walker, policy: "Callable[[int, int], int] | None", told: Callable[[str], object]) -> Solved:
    told(f"{walker.deals.total:,} deals of {walker.deals.draws} cards")
    first, states = walker.go_on(*root())
    choices: list[Choice] = []
    while len(states.ways):
        walker.name_states(states)
        of_state, action = rows_of_choice(states)
        told(f"choice {len(choices) + 1}: {len(states.ways):,} states")
        tapes = with_action(states.tapes[of_state], action)
        steps, after = walker.go_on(rows_of(states, of_state), tapes)
        choices.append(Choice(states, of_state, action, steps))
        states = after
    answers: list[Answers] = []
    below: Numbers = np.zeros(0, np.int64)
    for at in reversed(range(len(choices))):
        below = _work_back(walker, choices, at, below, policy, answers)
    total = int(first.sums[0]) + sum(int(w) * int(v) for w, v in zip(first.ways, below[first.child], strict=True))
    tally, reached = _under_play(walker, choices, first)
    ev = Fraction(total, walker.scale * walker.deals.total)
    words = dict.fromkeys(word for steps in (first, *(choice.steps for choice in choices)) for word in steps.tally)
    for word in words:
        walker.learn(word)
    every = tuple(walker.stories[word] for word in words)
    states_found = sum(len(choice.states.ways) for choice in choices)
    return Solved(walker.scale, ev, tally, answers, walker.runs, states_found, every, reached)


class ManyWays(Exception):
    """What came before matters to best play, and deals were counted as one in which it differs."""


def _work_back(
    walker: Walker,
    choices: list[Choice],
    at: int,
    below: Numbers,
    policy: "Callable[[int, int], int] | None",
    answers: list[Answers],
) -> Numbers:
    """What every action of every state is worth, the best action of every situation, and what a state is then worth."""
    choice = choices[at]
    worth, states = choice.steps.sums.copy(), choice.states
    if len(choice.steps.row):
        np.add.at(worth, choice.steps.row, choice.steps.ways * below[choice.steps.child])
    actions, column = np.unique(choice.action, return_inverse=True)
    each = np.full((len(states.ways), len(actions)), -LARGEST, np.int64)
    each[choice.of_state, column] = worth
    asked, group = unique_pairs(states.about[:, 2], states.situation)
    found = _answers(walker, choice, worth, asked, group)
    if policy is not None:
        for row, (legal, situation) in enumerate(asked.tolist()):
            found.best[row] = policy(legal, situation)
    forgets = bool((each.max(axis=1) > each[np.arange(len(each)), np.searchsorted(actions, found.best[group])]).any())
    found = replace(found, forgets=forgets)
    if forgets and at and policy is None:
        found = _remembering(walker, choices, at, worth, found)
    answers.insert(0, found)
    choice.best = found.best[found.row]
    chosen = choice.action == choice.best[choice.of_state]
    result = np.zeros(len(states.ways), np.int64)
    result[choice.of_state[chosen]] = worth[chosen]
    return result


def _answers(walker: Walker, choice: Choice, worth: Numbers, asked: Numbers, group: Numbers) -> Answers:
    """The deals of every group of states, summed, and the best action of each; `asked` has what is legal in it."""
    states = choice.states
    actions, column = np.unique(choice.action, return_inverse=True)
    summed = np.zeros((len(asked), len(actions)), object)
    np.add.at(
        summed,
        (group[choice.of_state], column),
        worth.astype(object) * states.ways[choice.of_state].astype(object),
    )
    reached = np.zeros(len(asked), object)
    np.add.at(reached, group, states.ways.astype(object) * walker.falling[states.about[:, 0]].astype(object))
    is_open = (asked[:, :1] & actions[None, :]) != 0
    lowest = summed.min() - 1 if summed.size else 0
    best = actions[np.where(is_open, summed, lowest).argmax(axis=1)]
    return Answers(states.names, group, asked[:, 0], best, actions, summed, reached)


def _remembering(walker: Walker, choices: list[Choice], at: int, worth: Numbers, found: Answers) -> Answers:
    """The same, with what the player met and did before told apart, where some of it asks for another action."""
    if is_merged(walker.deals):
        if forgets_its_past(walker.deals):
            raise ManyWays
        return found
    apart, which = unique_pairs(found.row, past_of(choices, at))
    if len(apart) == len(found.legal):
        return found
    told = _answers(walker, choices[at], worth, found.legal[apart[:, :1]], which)
    rows = np.arange(len(apart))
    alike = told.summed[rows, np.searchsorted(found.actions, found.best[apart[:, 0]])]
    better = told.summed[rows, np.searchsorted(found.actions, told.best)] > alike
    return replace(told, forgets=True, remembers=True) if better.any() else found


def _under_play(walker: Walker, choices: list[Choice], first: Steps) -> tuple[dict[Story, int], list[Numbers]]:
    """The stories under the play that was found, and the states of every choice that it comes to: every choice again,
    with the chosen actions alone."""
    told, reached = dict(first.tally), list[Numbers]()
    reach: dict[int, int] = {}
    for child, ways in zip(first.child.tolist(), first.ways.tolist(), strict=True):
        reach[child] = reach.get(child, 0) + ways
    for number, choice in enumerate(choices):
        which = np.array(sorted(reach), np.int64)
        reached.append(which)
        if not len(which):
            continue
        ways = np.array([reach[state] for state in which.tolist()], np.int64)
        tapes = with_action(choice.states.tapes[which], choice.best[which])
        steps, after = walker.go_on(rows_of(choice.states, which, ways), tapes)
        for words, deals in steps.tally.items():
            told[words] = told.get(words, 0) + deals
        reach = {}
        if len(after.ways):
            at = {key.tobytes(): state for state, key in enumerate(choices[number + 1].states.keys)}
            reach = {at[key.tobytes()]: int(n) for key, n in zip(after.keys, after.ways, strict=True)}
    for words in told:
        walker.learn(words)
    return told_apart((walker.stories[words], deals) for words, deals in told.items() if deals), reached
