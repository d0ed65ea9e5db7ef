"""The method of any game that brings none: counted or solved by running its own rules."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from pairhouse.analysis.exact.counts import Counted, dealt_key, tally_key
from pairhouse.analysis.exact.prices import ending_of, stands_alone
from pairhouse.analysis.generic.budget import budget_s, progress
from pairhouse.analysis.generic.declarations import check_shortcuts
from pairhouse.analysis.generic.seen_table import ChoiceReached, SeenTable
from pairhouse.analysis.generic.trial_rounds import TrialResult, found_of
from pairhouse.analysis.methods.counted import story_chances
from pairhouse.analysis.methods.method import BURNT, COUNTED, Method
from pairhouse.analysis.methods.records import Advice, SolvedGame
from pairhouse.core.cards import Card, check_from, pack
from pairhouse.core.errors import Refused
from pairhouse.core.tally import Story
from pairhouse.machines.cache import PACKAGE
from pairhouse.machines.stored import stored_as

if TYPE_CHECKING:
    from pairhouse.analysis.exact.oracle_check import OracleCheck
    from pairhouse.analysis.generic.compared_hands import ComparedHands
    from pairhouse.analysis.generic.deals import Deals
    from pairhouse.analysis.generic.given_play import GivenPlay
    from pairhouse.analysis.generic.kept_cards import KeptCards
    from pairhouse.analysis.generic.working_back import Solved
    from pairhouse.analysis.second_derivation import Second
    from pairhouse.analysis.simulation.scoring import Score
    from pairhouse.analysis.simulation.strategies import ExactFigures, Way
    from pairhouse.machines.simulate.shoes import Dealing

COUNT = "count of every deal, found by running the rules"
SOLVE = "every deal under best play, found by working back over the rules' own choices"
PLAIN_MAX = 30_000
LONG_TRIALS = 10_000
LISTED_MAX = 5_000
FEW_DEALS = 2 * 10**7  # solved in a second
EXACT_SHARE = 0.6  # of the budget; what is left is for sampling


class StoredStory(msgspec.Struct, frozen=True, array_like=True):
    """A story as numbers (kind, fields, kind, fields, ...) and its deals as text: they may be too many for 64 bits."""

    words: list[int]
    deals: str


class GenericMethod(Method):
    """Outcomes, draws and choices are found by running; what the game declares of itself is checked first."""

    @cached_property
    def found(self) -> TrialResult:
        """What trial rounds show of the game."""
        return found_of(self.dealt_as)

    @cached_property
    def opener(self) -> str:
        """The wager that best play is best for: the first that opens a seat."""
        return next(wager.id for wager in self.variant.wagers.values() if wager.opens)

    def net(self, story: Story) -> Fraction:
        """What a unit on the opening wager wins in a story, with all that follows from it."""
        wagers = self.variant.wagers
        group = [
            wager
            for wager in wagers.values()
            if wager.id == self.opener or (wager.base == self.opener and not stands_alone(self.variant, wager))
        ]
        return ending_of(group, story)[1]

    # Prices

    def tally(self, shoe: Sequence[Card] | None = None) -> Counted:
        if shoe is not None:
            check_from(shoe, max(map([*shoe].count, set(shoe)), default=0), self.variant.pack[1])
            cards: tuple[Card, ...] = tuple(sorted(shoe))
        else:
            cards = pack(*self.variant.pack)
        known = self.__dict__.setdefault("tallies", {})
        if cards not in known:
            known[cards] = self._tally(cards)
        found: Counted = known[cards]
        return found

    def _tally(self, cards: tuple[Card, ...]) -> Counted:
        if self.decides and self.variant is not self.dealt_as:
            stories = dict(self.solved(cards).tally)
        else:
            key = f"generic {self._key(cards)}"
            kept = stored_as(list[StoredStory], key, lambda: self._to_store(self._stories(cards)))
            stories = {self._story(each.words): int(each.deals) for each in kept}
        return Counted(self.variant, stories, sum(stories.values()), SOLVE if self.decides else COUNT)

    def _key(self, cards: tuple[Card, ...]) -> str:
        """What the stored tally depends on: where nothing is decided, what is paid is no part of it."""
        game = self.dealt_as.game
        if self.decides or game.is_from_session or game.module.startswith(PACKAGE):
            return tally_key(self.dealt_as, cards)
        return dealt_key(self.dealt_as, cards, self.found.kinds)

    def _to_store(self, stories: Mapping[Story, int]) -> list[StoredStory]:
        kinds = self.found.kinds
        return [
            StoredStory([n for _, told in story for n in (kinds.index(type(told)), *map(int, told))], str(deals))
            for story, deals in stories.items()
        ]

    def _story(self, words: list[int]) -> Story:
        story, at = [], 0
        while at < len(words):
            kind = self.found.kinds[words[at]]
            types = kind.__annotations__.values()
            fields = [bool(n) if of is bool else n for of, n in zip(types, words[at + 1 :], strict=False)]
            story.append((1, kind(*fields)))
            at += 1 + len(fields)
        return tuple(story)

    def _stories(self, cards: tuple[Card, ...]) -> dict[Story, int]:
        if self.decides and cards == pack(*self.variant.pack):
            return dict(self.solved(cards).tally)
        check_shortcuts(self.dealt_as)
        if self.decides:  # one of many packs: its play is not kept
            return dict(self._solve(cards).tally)
        from pairhouse.analysis.generic.plain_count import plain_count, ways_estimate

        few = ways_estimate(self.dealt_as, self.found.draws) <= PLAIN_MAX  # the compiler takes longer
        if few or self.dealt_as.game.shortcuts.same_after is not None:
            return plain_count(self.dealt_as, cards)[0]
        from pairhouse.analysis.generic.working_back import solve

        try:
            return dict(solve(self.deals(cards), lambda _story: Fraction(0)).tally)
        except Refused as refused:  # a round of many cards that are few to the rules can still go in few ways
            if refused.code not in ("too-many-deals", "too-many-cards") or self.dealt_as.game.shortcuts.same is None:
                raise
            return plain_count(self.dealt_as, cards)[0]

    def deals(self, cards: tuple[Card, ...]) -> "Deals":
        """What is dealt, for the machines."""
        from pairhouse.analysis.generic.deals import Deals

        game = self.dealt_as.game
        return Deals.of(game.play, self.dealt_as.rules, self.found, cards, game.shortcuts)

    def solved(self, cards: tuple[Card, ...] | None = None) -> "Solved":
        """Best play, worked back."""
        shoe = pack(*self.variant.pack) if cards is None else cards
        known = self.__dict__.setdefault("solutions", {})
        if shoe not in known:
            check_shortcuts(self.dealt_as)
            known[shoe] = self._solve(shoe)
        solution: Solved = known[shoe]
        return solution

    def _solve(self, shoe: tuple[Card, ...]) -> "Solved":
        deals, told = self.deals(shoe), progress.get()
        return self._by_final_hands.solve(deals, told) if self._ends_in_hands(shoe) else self._walk(deals, told=told)

    def _ends_in_hands(self, shoe: tuple[Card, ...]) -> bool:
        """Whether the last hands decide everything, in a pack without a card twice."""
        shortcuts = self.dealt_as.game.shortcuts
        is_of_one_deck = len(set(shoe)) == len(shoe) and not set(shoe) - set(pack(1))
        return (shortcuts.keeps is not None or shortcuts.compared is not None) and is_of_one_deck

    @cached_property
    def _by_final_hands(self) -> "KeptCards | ComparedHands":
        """What the last hands of a deck settle, where the game says that nothing else does."""
        from pairhouse.analysis.generic.compared_hands import ComparedHands
        from pairhouse.analysis.generic.kept_cards import KeptCards

        deck = self.deals(pack(1))
        if self.dealt_as.game.shortcuts.keeps is not None:
            return KeptCards(deck, self.net)
        return ComparedHands(self.dealt_as, deck, self.net)

    def _walk(self, deals: "Deals", **how: Any) -> "Solved":
        """Work back over the deals, within the budget of whoever asks."""
        from pairhouse.analysis.generic.walker import OverBudget
        from pairhouse.analysis.generic.working_back import solve

        budget = budget_s.get()
        try:
            return solve(deals, self.net, deadline=None if budget is None else time.monotonic() + budget, **how)
        except OverBudget:
            sentence = f"{deals.total:,} deals of {deals.draws} cards were not worked out in {budget:g} s"
            raise Refused(
                "over-budget", f"{sentence}; give a larger --budget, or declare shortcuts in the file"
            ) from None

    def solved_left(self, wager: str, cards: Sequence[Card]) -> float | None:
        if not self.decides:
            return None
        return float(self._solve(tuple(sorted(cards))).ev if wager == self.opener else self.price(wager, cards).ev)

    @property
    def solved_rounds(self) -> int:
        same = self.dealt_as.game.shortcuts.same or int
        classes = len({same(card) for card in pack(1, self.variant.pack[1])})
        return super().solved_rounds if classes**self.found.draws <= FEW_DEALS else 60

    def how_played(self, wager: str) -> str:
        return "with best play" if self.decides and wager == self.opener else ""

    # Play

    def play(self, name: str = "best", *, wagers: Sequence[str] = (), hurried: bool = False) -> "Way":
        from pairhouse.analysis.simulation.strategies import Way, exact_in, read_strategy

        if not self.decides:
            if name != "best":
                given = f"{self.variant.game.name} has no decision"
                raise Refused("no-decision", f"{given}, so there is no strategy to choose")
            return Way("best", None, lambda: exact_in(self.tally()), self.tally)
        if name == "best":
            return Way("best", self._lookup(), lambda: exact_in(self.tally()), self.tally)
        from pairhouse.analysis.generic.given_play import one_action_play, read_play

        chosen = one_action_play(self.variant, name)
        return self._given(chosen or read_play(self.variant, name, read_strategy(self.strategies(), name)))

    def strategies(self) -> list[str]:
        return ["best", *(f"always-{action.name}" for action in self.variant.actions)] if self.decides else ["best"]

    def _given(self, given: "GivenPlay") -> "Way":
        """A play that somebody gives, priced by the same walk; without a price where all hands are told apart."""
        from pairhouse.analysis.simulation.strategies import Way, exact_in

        shoe = pack(*self.variant.pack)
        in_hands = self._ends_in_hands(shoe)

        def tally() -> dict[Story, int]:
            deals = self.deals(shoe)
            if in_hands:
                check_shortcuts(self.dealt_as)
                return dict(self._by_final_hands.solve(deals, progress.get(), given.otherwise).tally)
            if given.play:  # a file may tell suits apart that the rules do not
                deals = replace(deals, shortcuts=replace(deals.shortcuts, suits_alike=False))
            return dict(self._walk(deals, policy=given.choose).tally)

        def priced() -> Counted | None:
            if in_hands and given.play:
                return None
            found = tally()
            return Counted(self.variant, found, sum(found.values()), COUNT)

        def exact() -> "dict[str, ExactFigures]":
            found = priced()
            return {} if found is None else exact_in(found)

        return Way(given.name, given.strategy(), exact, priced)

    def _lookup(self) -> Any:
        """Best play as tables for the machine."""
        from pairhouse.analysis.generic.play_lookup import best_by_hash, by_hash
        from pairhouse.machines.simulate.simulation import Strategy

        shoe = pack(*self.variant.pack)
        if self._ends_in_hands(shoe):
            check_shortcuts(self.dealt_as)
            return self._by_final_hands.strategy(self.deals(shoe), tally_key(self.dealt_as, shoe))
        solved = self.solved()
        if not solved.answers or not all(each.is_complete for each in solved.answers):
            given = f"best play of {self.variant.game.name} has too many situations to be looked up in a simulation"
            raise Refused("too-many-situations", f"{given}; its price is exact, and other strategies can be simulated")
        if len(solved.forgetful):
            given = "best play depends on more than the situation that is asked about, so it cannot be looked up by it"
            raise Refused("forgetful", f"{given}; its price is exact, and `pairhouse check` says what to do")
        return Strategy("best", by_hash, best_by_hash(*solved.met))

    def best(self) -> SolvedGame:
        budget = budget_s.get()
        if budget is None or not self.decides:
            return self._exact_best()
        exactly = budget_s.set(EXACT_SHARE * budget)
        try:
            return self._exact_best()
        except Refused as refused:
            if refused.code != "over-budget":
                raise
            return self._sampled_best((1 - EXACT_SHARE) * budget, str(refused).partition(";")[0])
        finally:
            budget_s.reset(exactly)

    def _sampled_best(self, seconds: float, why: str) -> SolvedGame:
        """A play found by sampling, with its error, where every deal would take too long."""
        from pairhouse.analysis.generic.sampled_play import sampled_play

        found = sampled_play(self.dealt_as, self.net, seconds)
        name = self.variant.wagers[self.opener].name
        worth = f"{found.ev:+.4f} per unit on {name}, with a standard error of {found.error:.4f}"
        says = [
            f"Sampled, not exact: {why}.",
            f"The play that was found wins {worth}, over {found.rounds:,} rounds; best play wins no less.",
        ]
        record = self._names() | {"sampled": True, "ev": found.ev, "error": found.error, "rounds": found.rounds}
        record |= {"wagers": {self.opener: {"sampled": found.ev, "error": found.error}}, "says": says}
        kind = "a play found by sampling"
        return SolvedGame(
            ev=found.ev, strategy_class=kind, says=says, charts=[], record=record, sampling_error=found.error
        )

    def _names(self) -> dict[str, Any]:
        """What a record is about."""
        variant = self.variant
        return {"game": variant.game.id, "options": dict(variant.options), "rules_hash": variant.rules_hash}

    def _exact_best(self) -> SolvedGame:
        evs = {wager: self.exact_price(wager).ev for wager in self.wagers_from(COUNTED)}
        name, game = self.variant.wagers[self.opener].name, self.variant.game
        record: dict[str, Any] = self._names() | {"wagers": {wager: {"ev": ev} for wager, ev in evs.items()}}
        if not self.decides:
            says = [f"{game.name} has no decision to solve: nothing is chosen after the cards are dealt."]
            return SolvedGame(
                ev=None, strategy_class="", says=says, charts=[], record={**record, "ev": None, "says": says}
            )
        ev = evs[self.opener]
        says = [f"Exactly {ev} per unit on {name}, with every choice made best; {SOLVE}."]
        says += self._often()
        if any(each.remembers for each in self.solved().answers):
            says.append("A choice depends on what came before in the round, which its situation leaves out.")
        strategy_class = "best play given everything the seat has seen"
        record |= {"ev": ev, "says": says, **self._as_file()}
        return SolvedGame(ev=ev, strategy_class=strategy_class, says=says, charts=[], record=record)

    def _as_file(self) -> dict[str, Any]:
        """Best play as a strategy file gives it, where its situations are few and each has one answer."""
        solved, names = self.solved(), [action.name for action in self.variant.game.actions]
        if not all(each.is_complete for each in solved.answers) or len(solved.forgetful):
            return {}
        pairs, actions = solved.play
        if len(pairs) > LISTED_MAX:
            return {}
        play = {
            str(pair[1]): names[bit.bit_length() - 1]
            for pair, bit in zip(pairs.tolist(), actions.tolist(), strict=True)
        }
        return {"play": play}

    def _often(self) -> list[str]:
        """How often each action is best, over the situations of every choice."""
        solved, lines = self.solved(), []
        names = {1 << bit: action.name for bit, action in enumerate(self.variant.game.actions)}
        for number, answers in enumerate(solved.answers, 1):
            reached = answers.reached.astype(object)
            total = int(reached.sum())
            parts = {
                names[action]: int(reached[answers.best == action].sum()) for action in np.unique(answers.best).tolist()
            }
            shares = ", ".join(f"{name} {share / total:.2%}" for name, share in parts.items())
            lines.append(f"Choice {number}: {len(reached):,} situations; best: {shares}.")
        return lines

    def advise(self, hand: Sequence[Card], up: Card | None = None, seen: Sequence[Card] = ()) -> Advice:
        if not self.decides:
            given = f"{self.variant.game.name} has no decision to solve"
            raise Refused("no-decision", f"{given}, so no hand of it can be advised")
        check_from([*hand, *([] if up is None else [up]), *seen], *self.variant.pack)
        shown = [*([] if up is None else [up]), *seen]
        alike = self.dealt_as.game.shortcuts.suits_alike and self.dealt_as.game.shortcuts.keeps is None
        for change in permutations(range(4)) if alike else [tuple(range(4))]:
            own, house = ([_renamed(card, change) for card in cards] for cards in (hand, shown))
            values = self._values(sorted(own) if alike else own, house)
            if values:
                return self._advice(values)
        raise Refused("bad-hand", f"{self.variant.game.name} asks nothing with these cards")

    def _values(self, own: Sequence[Card], house: Sequence[Card]) -> dict[int, Fraction]:
        """What each action is worth after these cards; empty where nothing is asked, or under other suits."""
        try:
            self.variant.game.play(SeenTable(own, house, self.solved().values), self.variant.rules)
        except ChoiceReached as asked:
            return self.solved().values(asked.legal, asked.situation)
        return {}

    def _advice(self, values: Mapping[int, Fraction]) -> Advice:
        names = {1 << bit: action.name for bit, action in enumerate(self.variant.game.actions)}
        ordered = dict(sorted(((names[bit], value) for bit, value in values.items()), key=lambda item: -item[1]))
        return Advice(dict(ordered), next(iter(ordered)), "best play given everything the seat has seen")

    # Simulation

    def score(self, wagers: Sequence[str] | None = None) -> "Score":
        from pairhouse.analysis.generic.scoring import ClassScore
        from pairhouse.analysis.simulation.scoring import chosen_wagers

        every = Counted(self.variant, dict.fromkeys(self._all_stories(), 1), 1, "")
        return ClassScore.of(every, chosen_wagers(self.variant, wagers), found_of(self.dealt_as, LONG_TRIALS).dealt)

    def _all_stories(self) -> list[Story]:
        """Every story that some play can tell."""
        return [*(self.solved().every if self.decides else self.tally().stories)]

    def shoe_dealing(self, behind_cut: int | None) -> "Dealing":
        from pairhouse.machines.simulate.shoes import Dealing

        if not self.variant.game.shoe:
            given = f"{self.variant.game.name} is shuffled for every round"
            raise Refused("bad-shoe", f"{given}; it is not dealt from a shoe")
        cut = self.variant.options["cut_card"] if behind_cut is None else behind_cut
        return Dealing(BURNT, cut, 1, self.found.draws)

    def net_chances(self, stakes: Mapping[str, int]) -> dict[Fraction, float]:
        return story_chances(self.tally(), stakes)

    # Checks and reports

    def second(self) -> "Second":
        from pairhouse.analysis.generic.second_look import second_of

        return second_of(self)

    def small(self) -> "OracleCheck":
        from pairhouse.analysis.generic.second_look import small_check

        return small_check(self)


def _renamed(card: Card, change: Sequence[int]) -> Card:
    """A card with its suit changed."""
    return change[card // 13] * 13 + card % 13 if card < 52 else card
