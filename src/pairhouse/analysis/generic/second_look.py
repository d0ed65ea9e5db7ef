"""A second look at the price of any game: the plain oracle on reduced packs, as fractions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import perm
from random import Random
from typing import TYPE_CHECKING

from pairhouse.analysis.exact.counts import Counted
from pairhouse.analysis.exact.oracle_check import OracleCheck, oracle_check
from pairhouse.analysis.exact.prices import price, stands_alone
from pairhouse.analysis.generic.trial_rounds import trial
from pairhouse.analysis.second_derivation import Second
from pairhouse.core.cards import FACES, Card, pack
from pairhouse.core.errors import Refused
from pairhouse.core.tally import Story, Tally
from pairhouse.machines.enumerate import enumerate_rounds

if TYPE_CHECKING:
    from pairhouse.analysis.generic.method import GenericMethod

PATHS_MAX = 30_000
FULL_MAX = 200_000
Policy = Callable[[int, int], int]


def second_of(method: "GenericMethod") -> Second:
    """The whole pack walked by the plain oracle where that is short; else nothing, and it is said what there is."""
    variant = method.dealt_as
    cards = pack(*variant.pack)
    faces = len(set(cards))
    if not method.decides and method.found.draws < 8 and faces**method.found.draws <= FULL_MAX:
        walked = enumerate_rounds(variant.game.play, variant.rules, cards)
        total = 1
        for weight in walked.weights.values():
            total = total * weight.denominator // _gcd(total, weight.denominator)
        stories: dict[Story, int] = {}
        for story, weight in walked.weights.items():
            seated = tuple((1, happened) for _, happened in story)
            stories[seated] = stories.get(seated, 0) + int(weight * total)
        counted = Counted(method.variant, stories, total, "")
        alone = [wager.id for wager in method.variant.wagers.values() if stands_alone(method.variant, wager)]
        return Second(
            "the plain oracle on the whole pack, card by card, without any shortcut",
            {wager: _chances(counted, wager) for wager in alone},
        )
    return Second(
        "none on the whole pack: the plain oracle on a reduced pack",
        {},
        covers_all=False,
    )


def _gcd(one: int, other: int) -> int:
    while other:
        one, other = other, one % other
    return one


def _chances(counted: Counted, wager: str) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for line in price(counted, wager).rows:
        found[line.pays] = found.get(line.pays, Fraction(0)) + line.probability
    return found


def lowest(legal: int, _situation: int) -> int:
    """The lowest legal action."""
    return legal & -legal


def highest(legal: int, _situation: int) -> int:
    """The highest legal action."""
    return 1 << legal.bit_length() - 1


def reduced_packs(method: "GenericMethod", policy: Policy) -> Iterator[list[Card]]:
    """Small decks on which a round never runs out of cards, with ranks that come twice and more; always the same."""
    random = Random(7)
    variant = method.dealt_as
    for size in range(12, 3, -1):
        for _ in range(6):
            ranks = random.sample(range(13), max(2, size // 3))
            faces = [suit * 13 + rank for rank in ranks for suit in range(4)]
            cards = sorted(random.sample(faces, min(size, len(faces))))
            try:
                draws = _most_draws(method, cards, policy)
            except Refused:
                continue
            if perm(len(cards), min(draws, len(cards))) <= PATHS_MAX:
                yield cards
    raise Refused("no-small-pack", f"no small pack was found on which {variant.game.name} can be walked through")


def _most_draws(method: "GenericMethod", cards: Sequence[Card], policy: Policy) -> int:
    random, most = Random(3), 0
    for _ in range(200):
        order = random.sample(list(cards), len(cards))
        table = trial(method.dealt_as, order, lambda _at, legal, situation: policy(legal, situation))
        most = max(most, len(table.drawn))
    return most


def small_check(method: "GenericMethod") -> OracleCheck:
    """The machine held to the plain oracle on a reduced pack: every choice answered in one way, then in another."""
    checks, decks = [], []
    for policy in (lowest, highest) if method.decides else (lowest,):
        try:
            cards = next(reduced_packs(method, policy))
        except Refused:
            continue
        checks.append(compare_on(method, cards, policy))
        decks.append(" ".join(FACES[card] for card in cards))
    if not checks:
        raise Refused(
            "no-small-pack", f"no small pack was found on which {method.variant.game.name} can be walked through"
        )
    return oracle_check("; ".join(dict.fromkeys(decks)), *checks)


def _of_kinds(walked: Tally, kinds: Sequence[type]) -> Tally:
    """A tally without what is not counted: beside side bets, the host settles what is none of theirs."""
    found = Tally()
    for story, weight in walked.weights.items():
        found.add(tuple((seat, told) for seat, told in story if type(told) in kinds), weight)
    return found


def compare_on(method: "GenericMethod", cards: Sequence[Card], policy: Policy):  # type: ignore[no-untyped-def]
    """The oracle's tally of a deck under a policy, and the machine's."""
    from pairhouse.analysis.generic.plain_count import plain_count
    from pairhouse.analysis.generic.working_back import solve

    variant = method.dealt_as
    walked = _of_kinds(enumerate_rounds(variant.game.play, variant.rules, cards, strategy=policy), method.found.kinds)
    if variant.game.shortcuts.same_after is not None:
        return walked, plain_count(variant, cards)[0]
    draws = _most_draws(method, cards, policy)
    deals = replace(method.deals(tuple(cards)), draws=draws, stories=())
    return walked, dict(solve(deals, method.net, policy=policy).tally)
