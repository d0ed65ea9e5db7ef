"""Three Card Poker when more is known than one's own hand: every hand, every known card, exactly.

For each hand of the seat, what playing it wins is added up over the dealer's hands, over those that hold a card, and
over those that hold two. What is left when some cards are known to be gone follows from these sums (a dealer's hand
that holds none of them is counted by adding and taking away), so a shared hand costs eight additions and not 15,180
comparisons. Whole numbers throughout.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, lcm
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.methods.records import KnownPlay, Removal, SeenCard, SharedHands
from pairhouse.analysis.three_card.counts import antes_won
from pairhouse.analysis.three_card.strategy import hand_name
from pairhouse.core.cards import RANK_NAMES, pack, rank
from pairhouse.core.game import Variant
from pairhouse.core.hands import category, is_mini_royal, strength
from pairhouse.games.three_card_poker import BEAT, LOST, MINI_ROYAL, TIED, Rules, Showdown, qualifies
from pairhouse.machines.cache import cached_jit
from pairhouse.machines.count import JIT
from pairhouse.machines.count_hands import changes_that_keep, patterns

Numbers = npt.NDArray[np.int64]
DECK = 52
HAND = 3


class ShowdownSums(NamedTuple):
    """For one hand of the seat: what playing wins over all dealer's hands, those with a card, those with two."""

    of_all: Numbers
    with_card: Numbers
    with_two: Numbers


class ShowdownTables(NamedTuple):
    """What the kernels need: strengths of hands of three, which of them qualify, nets by kind of hand, folding."""

    strengths: Numbers  # [x, y, z] for x < y < z
    qualifies: Numbers
    nets: Numbers  # by kind of the seat's hand: not qualified, lost, tied, beaten
    fold: int


@dataclass(frozen=True, eq=False)
class SeatHands:
    """The seat's hands, one for each pattern of suits, with their number and kind, and the prices in whole steps."""

    hands: Numbers  # three cards, how many such hands, kind
    game: ShowdownTables
    steps: int


def net_of(game: ShowdownTables, kind: int, own: int, x: int, y: int, z: int) -> Any:
    """What playing a hand wins against this hand of the dealer."""
    if game.qualifies[x, y, z] == 0:
        return game.nets[kind, 0]
    other = game.strengths[x, y, z]
    if own > other:
        return game.nets[kind, 3]
    return game.nets[kind, 2] if own == other else game.nets[kind, 1]


_jit = cached_jit("three-card-net", __name__, nogil=True, **JIT)
_net_of = _jit(net_of)


@cached_jit("three-card-sums", __name__, nogil=True, **JIT)
def add_up(game: ShowdownTables, a: int, b: int, c: int, kind: int, sums: ShowdownSums) -> None:
    """The sums of one hand, over every hand of the dealer that the rest of the deck can give."""
    own = game.strengths[a, b, c]
    sums.of_all[0] = 0
    sums.with_card[:] = 0
    sums.with_two[:] = 0
    for x in range(50):
        if x == a or x == b or x == c:
            continue
        for y in range(x + 1, 51):
            if y == a or y == b or y == c:
                continue
            for z in range(y + 1, 52):
                if z == a or z == b or z == c:
                    continue
                won = _net_of(game, kind, own, x, y, z)
                sums.of_all[0] += won
                sums.with_card[x] += won
                sums.with_card[y] += won
                sums.with_card[z] += won
                sums.with_two[x, y] += won
                sums.with_two[x, z] += won
                sums.with_two[y, z] += won


@cached_jit("three-card-shared", __name__, nogil=True, **JIT)
def best_of_shared(game: ShowdownTables, a: int, b: int, c: int, kind: int, sums: ShowdownSums, dealers: int) -> int:
    """The better of playing and folding, added up over every hand that one other seat can show."""
    own, found = game.strengths[a, b, c], 0
    for x in range(50):
        if x == a or x == b or x == c:
            continue
        for y in range(x + 1, 51):
            if y == a or y == b or y == c:
                continue
            for z in range(y + 1, 52):
                if z == a or z == b or z == c:
                    continue
                left = sums.of_all[0] - sums.with_card[x] - sums.with_card[y] - sums.with_card[z]
                left += sums.with_two[x, y] + sums.with_two[x, z] + sums.with_two[y, z]
                left -= _net_of(game, kind, own, x, y, z)
                found += max(left, game.fold * dealers)
    return found


@cached_jit("three-card-known", __name__, nogil=True, **JIT)
def value_with_gone(game: ShowdownTables, a: int, b: int, c: int, kind: int, sums: ShowdownSums, gone: Numbers) -> int:
    """What playing a hand wins in all when these cards, in rising order, cannot be the dealer's."""
    own = game.strengths[a, b, c]
    found: int = sums.of_all[0]
    for i in range(gone.size):
        found -= sums.with_card[gone[i]]
        for j in range(i + 1, gone.size):
            found += sums.with_two[gone[i], gone[j]]
            for k in range(j + 1, gone.size):
                found -= _net_of(game, kind, own, gone[i], gone[j], gone[k])
    return found


def new_sums() -> ShowdownSums:
    return ShowdownSums(np.zeros(1, np.int64), np.zeros(DECK, np.int64), np.zeros((DECK, DECK), np.int64))


def kind_of(cards: tuple[int, ...]) -> int:
    """What a hand is to the rule book: its category, a mini royal told apart."""
    a, b, c = cards
    return MINI_ROYAL if is_mini_royal(a, b, c) else category(a, b, c)


@lru_cache(maxsize=8)
def deals_of(variant: Variant) -> SeatHands:
    """A variant of Three Card Poker as tables; its prices are those of its own wagers."""
    rules: Rules = variant.rules
    strengths = np.zeros((DECK, DECK, DECK), np.int64)
    qualified = np.zeros((DECK, DECK, DECK), np.int64)
    for x, y, z in combinations(range(DECK), HAND):
        strengths[x, y, z] = strength(x, y, z)
        qualified[x, y, z] = qualifies(rules, int(strengths[x, y, z]))
    stories = {
        (kind, case): ((1, Showdown(kind, True, case > 0, versus)),)
        for kind in range(MINI_ROYAL + 1)
        for case, versus in enumerate((BEAT, LOST, TIED, BEAT))
    }
    folded = ((1, Showdown(0, False, False, LOST)),)
    won = antes_won(variant, [*stories.values(), folded])
    steps = lcm(*(value.denominator for value in won.values()))
    nets = np.zeros((MINI_ROYAL + 1, 4), np.int64)
    for (kind, case), story in stories.items():
        nets[kind, case] = int(won[story] * steps)
    deck = tuple(sorted(pack(*variant.pack)))
    found = patterns(deck, changes_that_keep(deck))
    kinds = [kind_of(tuple(sorted(row[:HAND]))) for row in found.tolist()]
    hands = np.column_stack([np.sort(found[:, :HAND], axis=1), found[:, HAND], kinds]).astype(np.int64)
    return SeatHands(hands, ShowdownTables(strengths, qualified, nets, int(won[folded] * steps)), steps)


class KnownCard(NamedTuple):
    """What Ante and Play are worth when one of the dealer's cards is known; the weakest hand to play by its rank."""

    ev: Fraction
    square: Fraction
    win: Fraction
    weakest: dict[str, str]


class WithOneGone(NamedTuple):
    """The price of the Ante from a whole deck, and with a card of each rank gone: played best, or as before."""

    price: Fraction
    played_best: list[Fraction]
    played_as_before: list[Fraction]


def with_rank_gone(variant: Variant) -> WithOneGone:
    """The price of the Ante, each hand played best given its own cards: from a whole deck, and with one card gone."""
    deals, sums = deals_of(variant), new_sums()
    whole, best, before = 0, [0] * 13, [0] * 13
    dealers, fewer = comb(DECK - HAND, HAND), comb(DECK - HAND - 1, HAND)
    fold = deals.game.fold
    for a, b, c, ways, kind in deals.hands.tolist():
        add_up(deals.game, a, b, c, kind, sums)
        plays = int(sums.of_all[0]) > fold * dealers
        whole += ways * max(int(sums.of_all[0]), fold * dealers)
        played = sums.of_all[0] - sums.with_card
        folded = np.full(DECK, fold * fewer)
        for values, found in ((np.maximum(played, folded), best), (played if plays else folded, before)):
            left = values.copy()
            left[[a, b, c]] = 0
            for place, won in enumerate(left.reshape(4, 13).sum(axis=0).tolist()):
                found[place] += ways * won
    per_card = 4 * comb(DECK - 1, HAND) * fewer * deals.steps
    price = Fraction(whole, comb(DECK, HAND) * dealers * deals.steps)
    return WithOneGone(price, *([Fraction(won, per_card) for won in found] for found in (best, before)))


def hole_card_known(variant: Variant) -> KnownCard:
    """Ante and Play when one card of the dealer's is seen before the choice, every hand played best."""
    deals, sums = deals_of(variant), new_sums()
    dealers = comb(DECK - HAND - 1, 2)
    total, square, wins = 0, 0, 0
    weakest: dict[int, list[tuple[int, bool]]] = {place: [] for place in range(13)}
    squares, won_more = new_sums(), new_sums()
    squared = deals.game._replace(nets=deals.game.nets**2)
    winning = deals.game._replace(nets=(deals.game.nets > 0).astype(np.int64))
    for a, b, c, ways, kind in deals.hands.tolist():
        add_up(deals.game, a, b, c, kind, sums)
        add_up(squared, a, b, c, kind, squares)
        add_up(winning, a, b, c, kind, won_more)
        own = int(deals.game.strengths[a, b, c])
        for card in set(range(DECK)) - {a, b, c}:
            play, fold = int(sums.with_card[card]), deals.game.fold * dealers
            plays = play > fold
            total += ways * max(play, fold)
            square += ways * (int(squares.with_card[card]) if plays else deals.game.fold**2 * dealers)
            wins += ways * (int(won_more.with_card[card]) if plays else 0)
            weakest[rank(card)].append((own, plays))
    every = comb(DECK, HAND) * (DECK - HAND) * dealers
    names = {RANK_NAMES[place]: _weakest(found) for place, found in weakest.items()}
    return KnownCard(
        Fraction(total, every * deals.steps),
        Fraction(square, every * deals.steps**2),
        Fraction(wins, every),
        names,
    )


def _weakest(found: list[tuple[int, bool]]) -> str:
    """The weakest hand that is played whatever its suits, in words."""
    folded = max((own for own, plays in found if not plays), default=None)
    if folded is None:
        return "every hand"
    above = [own for own, plays in found if own > folded]
    return f"{hand_name(min(above))} or better" if above else "no hand"


def marked_dealer_cards(variant: Variant, marked: frozenset[int]) -> Fraction:
    """The Ante when it can be seen of one of the dealer's cards whether it is of the marked ranks, played best."""
    deals, sums = deals_of(variant), new_sums()
    dealers, total = comb(DECK - HAND - 1, 2), 0
    is_marked = np.array([rank(card) in marked for card in range(DECK)])
    for a, b, c, ways, kind in deals.hands.tolist():
        add_up(deals.game, a, b, c, kind, sums)
        others = np.ones(DECK, bool)
        others[[a, b, c]] = False
        for group in (others & is_marked, others & ~is_marked):
            total += ways * max(int(sums.with_card[group].sum()), deals.game.fold * dealers * int(group.sum()))
    return Fraction(total, comb(DECK, HAND) * (DECK - HAND) * dealers * deals.steps)


def one_hand_shared(variant: Variant) -> Fraction:
    """The Ante of a seat that also sees the hand of one other seat, exactly, every pair of hands played best."""
    deals, sums = deals_of(variant), new_sums()
    dealers, total = comb(DECK - 2 * HAND, HAND), 0
    for a, b, c, ways, kind in deals.hands.tolist():
        add_up(deals.game, a, b, c, kind, sums)
        total += ways * int(best_of_shared(deals.game, a, b, c, kind, sums, dealers))
    every = comb(DECK, HAND) * comb(DECK - HAND, HAND) * dealers
    return Fraction(total, every * deals.steps)


class Sampled(NamedTuple):
    """A mean of exact values over sampled hands, and one standard error of it."""

    ev: float
    error: float


def hands_shared(variant: Variant, seats: int, sample: int, seed: int) -> Sampled:
    """The Ante of a seat that sees the hands of all other seats: every own hand, theirs sampled, the rest exact.

    What playing a hand is worth on average over the others' hands is known, so for hands that are usually played only
    what the choice adds to it is sampled.
    """
    deals, sums = deals_of(variant), new_sums()
    random = np.random.default_rng([seed, seats])
    gone_cards = HAND * (seats - 1)
    dealers = comb(DECK - HAND - gone_cards, HAND)
    each = max(2, sample // len(deals.hands))
    means, errors, weights = [], [], []
    for a, b, c, ways, kind in deals.hands.tolist():
        add_up(deals.game, a, b, c, kind, sums)
        others = np.array([card for card in range(DECK) if card not in (a, b, c)], np.int64)
        found = np.zeros(each)
        usual = int(sums.of_all[0]) / comb(DECK - HAND, HAND)
        plays = usual > deals.game.fold
        for at in range(each):
            gone = np.sort(random.choice(others, gone_cards, replace=False))
            left = int(value_with_gone(deals.game, a, b, c, kind, sums, gone)) / dealers
            best = max(left, deals.game.fold)
            found[at] = (best - left + usual if plays else best) / deals.steps
        means.append(found.mean())
        errors.append(found.var(ddof=1) / each)
        weights.append(ways / comb(DECK, HAND))
    share = np.array(weights)
    return Sampled(float(share @ np.array(means)), float(np.sqrt((share**2) @ np.array(errors))))


SHARED_SAMPLE = 20_000  # hands, for three seats and more
HIGH = frozenset({0, 11, 12})  # with an ace, a queen or a king the dealer qualifies


def known_play(variant: Variant, seed: int) -> KnownPlay:
    """Everything that known cards change, as a record."""
    seen, fresh = hole_card_known(variant), with_rank_gone(variant).price
    deviation = float(seen.square - seen.ev**2) ** 0.5
    how = {"play, by the card that is seen": seen.weakest}
    card = SeenCard("ante", float(seen.ev), float(seen.ev - fresh), deviation, float(seen.win), 0.0, seen.ev, how)
    two = one_hand_shared(variant)
    shared = [SharedHands(2, float(two), 0.0, two)]
    for seats in range(3, variant.game.seats_max + 1):
        sampled = hands_shared(variant, seats, SHARED_SAMPLE, seed)
        shared.append(SharedHands(seats, sampled.ev, sampled.error, None))
    return KnownPlay(card, "a queen, king or ace", marked_dealer_cards(variant, HIGH), shared)


def ante_removal(variant: Variant) -> Removal:
    """The Ante with one card gone: every hand played best for that, or as from a whole deck."""
    found = with_rank_gone(variant)
    return Removal(found.price, [*found.played_best], as_before=[*found.played_as_before])
