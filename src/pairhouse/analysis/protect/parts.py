"""Which method prices a wager, and what of its rule book can be counted from any cards: side bets beside their host.

Games of the package say what is counted of them. For other games without a choice it is found by running, and side
bets on another game are counted with the part of the host that is dealt before any choice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import lcm
from random import Random

from pairhouse.analysis.exact.counts import Counting
from pairhouse.analysis.generic.hosted import HostedMethod
from pairhouse.analysis.generic.method import GenericMethod
from pairhouse.analysis.generic.trial_rounds import random_trial
from pairhouse.analysis.methods.method import Method
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.protect.shoe_prices import ShoePrices
from pairhouse.core.cards import JOKER, Card, pack, rank
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.machines.classes import Classes
from pairhouse.machines.stories import fits

PATHS_MAX = 2 * 10**7
TRIALS = 50


@dataclass(frozen=True, eq=False)
class Part:
    """Wagers that one method prices, the variant they are priced in, and what is counted of it (None: nothing)."""

    method: Method
    variant: Variant
    wagers: tuple[str, ...]
    counting: Counting | None

    def class_of(self, card: Card) -> int:
        """Cards that change every price alike when they are gone have one number."""
        if self.counting is not None and not isinstance(self.method, GenericMethod):
            return self.counting.classes.of(card)
        shortcuts = self.variant.game.shortcuts
        if shortcuts.same is not None:
            return shortcuts.same(card)
        return (13 if card >= JOKER else rank(card)) if shortcuts.suits_alike else int(card)

    @property
    def shoe_prices(self) -> list[tuple[ShoePrices, list[str]]]:
        """Exact prices from any cards, for these wagers.

        Wagers that pay fractions are priced apart where all of them together would need numbers that are too large.
        """
        try:
            return [(_shoe_prices(self.variant, self.counting, self.wagers), list(self.wagers))]
        except Refused as refused:
            if refused.code != "too-large":
                raise
        by_step: dict[int, list[str]] = {}
        for wager in self.wagers:
            step = lcm(*(line.pays.denominator for line in self.variant.wagers[wager].paytable.rows))
            by_step.setdefault(step, []).append(wager)
        return [(_shoe_prices(self.variant, self.counting, tuple(some)), some) for some in by_step.values()]


@lru_cache(maxsize=16)
def _shoe_prices(variant: Variant, counting: Counting | None, only: tuple[str, ...]) -> ShoePrices:
    wagers = tuple(variant.wagers[wager] for wager in only)
    return ShoePrices(Variant(replace(variant.game, wagers=lambda _options: wagers), variant.options), counting)


def host_of(variant: Variant) -> Method:
    """The method of the game itself, where side bets stand beside it; else the method of the variant."""
    method = method_of(variant)
    return method.host if isinstance(method, HostedMethod) else method


def parts_of(variant: Variant, wagers: Iterable[str]) -> list[Part]:
    """The wagers by the method that prices them."""
    method, chosen = method_of(variant), list(wagers)
    if not isinstance(method, HostedMethod):
        return [Part(method, method.variant, tuple(chosen), _counting(method))]
    host, own = method.host, set(method.own)
    parts = [
        Part(host, host.variant, tuple(wager for wager in chosen if wager not in own), _counting(host)),
        Part(method.side, method.opening, tuple(wager for wager in chosen if wager in own), _beside(method)),
    ]
    return [part for part in parts if part.wagers]


def part_of(variant: Variant, wager: str) -> Part:
    """The part that prices one wager."""
    return parts_of(variant, [wager])[0]


@lru_cache(maxsize=32)
def dealt_by(variant: Variant) -> tuple[Variant, Counting] | None:
    """What deals a round without a choice, and its rules; None where a choice decides how many cards it takes."""
    host = host_of(variant)
    counting = _counting(host)
    return None if variant.actions or counting is None else (host.variant, counting)


def _counting(method: Method) -> Counting | None:
    """What is counted of a rule book: what its method says, or for a game without a choice what running shows."""
    if method.counting is not None or not isinstance(method, GenericMethod):
        return method.counting
    shortcuts, found = method.variant.game.shortcuts, method.found
    if method.decides or shortcuts.same_after is not None:
        return None
    counting = Counting(method.variant.game.play, found.kinds, _classes(method, found.draws))
    return _of_few(method, method.variant, counting)


def _beside(method: HostedMethod) -> Counting | None:
    """Side bets and the host's opening together: both settle something, and only the side bets are priced here."""
    host = method.host.counting
    if host is None:
        return None
    kinds = (*host.kinds, *(kind for kind in method.side.found.kinds if kind not in host.kinds))
    opening = method.opening
    counting = Counting(opening.game.play, kinds, _classes(method.side, host.classes.draws))
    return _of_few(method.side, opening, counting)


def _classes(method: GenericMethod, draws: int) -> Classes:
    same = method.variant.game.shortcuts.same
    return Classes(draws=draws) if same is None else Classes(draws=draws, of=same, late=same)


def _of_few(method: GenericMethod, variant: Variant, counting: Counting) -> Counting | None:
    """The counting, where it has few enough deals to be walked, and all that it settles can be packed."""
    classes = {counting.classes.of(card) for card in pack(1, variant.pack[1])}
    few = len(classes) ** counting.classes.draws <= PATHS_MAX
    return counting if few and _is_packed(method, variant, counting.kinds) else None


def _is_packed(method: GenericMethod, variant: Variant, kinds: Sequence[type]) -> bool:
    """Whether every story fits into a number, with what the host settles beside it.

    Every number that a file settles is in the tally; how much is settled in a round is seen in some rounds.
    """
    random = Random(1)
    rounds = [random_trial(variant, random).story for _ in range(TRIALS)]
    together = [tuple(told for told in each if type(told[1]) in kinds) for each in rounds]
    return all(map(fits, [*method.tally().stories, *together]))
