"""Best play of the gallery's poker games, each by plain sums over every deal of a pack: a second derivation.

Nothing of ours is used: hands are looked at here, and cards are numbers from 0 to 51, four to a rank, the deuces first.
"""

from fractions import Fraction
from itertools import combinations, permutations
from math import comb, lcm
from typing import Any

import numpy as np
from numba import njit

CARDS, FIVE = 52, 5
HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL, FOUR, STRAIGHT_FLUSH, ROYAL = range(10)
SIX, TEN, JACK = 4, 8, 9  # ranks, the deuce being 0
ACE_KING = ((((12 * 13) + 11) * 13) * 13) * 13  # the least high card that a dealer plays with
LET_IT_RIDE = np.array([-1, -1, 2, 3, 5, 8, 11, 50, 200, 1000])
MISSISSIPPI = np.array([-1, -1, 2, 3, 4, 6, 10, 40, 100, 500])
CALL = np.array([1, 1, 2, 3, 4, 5, 7, 20, 50, 100])
MACHINE = np.array([0, 0, 2, 3, 4, 6, 9, 25, 50, 800])
BELOW = np.array([[comb(card, size) for size in range(7)] for card in range(CARDS)])  # to number sets of cards


@njit
def top_of_row(ranks: Any) -> Any:
    """The highest rank of five in a row, the ace under the deuce too; -1 where there is none."""
    for high in range(12, 3, -1):
        if ranks == 31 << (high - 4):
            return high
    return 3 if ranks == 1 << 12 | 15 else -1


@njit
def by_counts(counts: Any) -> Any:
    """Kind and strength by how often each rank comes, and the rank of the first pair."""
    strength, pair, most, kinds = 0, -1, 0, 0
    for times in range(4, 0, -1):
        for rank in range(12, -1, -1):
            if counts[rank] == times:
                kinds, most = kinds + 1, max(most, times)
                pair = rank if times == 2 and pair < 0 else pair
                for _ in range(times):
                    strength = strength * 13 + rank
    if most == 4:
        return FOUR, strength, pair
    if most == 3:
        return (FULL if kinds == 2 else THREE), strength, pair
    return (HIGH if kinds == 5 else PAIR if kinds == 4 else TWO_PAIR), strength, pair


@njit
def look(cards: Any) -> Any:
    """Kind, strength and the rank of the first pair of five cards."""
    counts, ranks, suited = np.zeros(13, np.int64), 0, True
    for card in cards:
        counts[card >> 2] += 1
        ranks |= 1 << (card >> 2)
        suited &= (card & 3) == (cards[0] & 3)
    kind, strength, pair = by_counts(counts)
    top = top_of_row(ranks)
    if top >= 0:
        kind, strength = (STRAIGHT if not suited else ROYAL if top == 12 else STRAIGHT_FLUSH), top
    elif suited:
        kind = FLUSH
    return kind, kind * 13**5 + strength, pair


@njit
def over_the_last_card(hand: Any, pays: Any, pays_one: Any, pushes: Any) -> Any:
    """What a unit on four cards wins, summed over the fifth."""
    won = 0
    for card in range(52):
        if card in hand[:4]:
            continue
        hand[4] = card
        kind, _, pair = look(hand)
        won += (1 if pair >= pays_one else 0 if pair >= pushes else -1) if kind == PAIR else pays[kind]
    return won


@njit
def let_it_ride_sum(pays: Any) -> Any:
    """Over every own hand: what three bets win, summed over the two cards of the table in every order."""
    total, hand = 0, np.zeros(5, np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                first = second = 0
                for d in range(52):
                    if d not in (a, b, c):
                        hand[:4] = (a, b, c, d)
                        won = over_the_last_card(hand, pays, TEN, TEN)
                        first += won
                        second += max(won, 0)
                total += first + second + max(first, 0)
    return total


@njit
def from_the_third_card(hand: Any, pays: Any) -> Any:
    """For each sum that was staked before the third card: what it wins at best, summed over the last three cards."""
    found = np.zeros(8, np.int64)
    for c in range(52):
        if c in hand[:2]:
            continue
        later = np.zeros(8, np.int64)
        for d in range(52):
            if d in hand[:2] or d == c:
                continue
            hand[2], hand[3] = c, d
            won = over_the_last_card(hand, pays, JACK, SIX)
            for staked in range(3, 8):
                later[staked] += max(-48 * staked, (staked + 1) * won, (staked + 3) * won)
        for staked in range(2, 5):
            found[staked] += max(-48 * 49 * staked, later[staked + 1], later[staked + 2], later[staked + 3])
    return found


@njit
def mississippi_sum(pays: Any) -> Any:
    """Over every own hand, the three cards of the table in every order."""
    total, hand = 0, np.zeros(5, np.int64)
    for a in range(52):
        for b in range(a):
            hand[0], hand[1] = a, b
            found = from_the_third_card(hand, pays)
            total += max(-48 * 49 * 50, found[2], found[3], found[4])
    return total


@njit
def number_of(cards: Any, size: Any, below: Any) -> Any:
    """The number of a set of cards, given from the lowest."""
    found = 0
    for at in range(size):
        found += below[cards[at], at + 1]
    return found


@njit
def parts_of(hand: Any, starts: Any, below: Any) -> Any:
    """The numbers of the 32 sets of a hand."""
    found, part = np.zeros(32, np.int64), np.zeros(6, np.int64)
    for chosen in range(32):
        size = 0
        for at in range(5):
            if chosen >> at & 1:
                part[size] = hand[at]
                size += 1
        found[chosen] = starts[size] + number_of(part, size, below)
    return found


@njit
def add(hand: Any, value: Any, sums: Any, starts: Any, below: Any) -> Any:
    """A value to each of the 32 sets of a hand."""
    for part in parts_of(hand, starts, below):
        sums[part] += value


@njit
def machine_sum(hands: Any, pays: Any, sums: Any, starts: Any, below: Any, scale: Any) -> Any:
    """Jacks or Better: a hold wins the sum over all hands with what is held, less those with what is thrown away."""
    for hand in hands:
        kind, _, pair = look(hand)
        add(hand, int(pair >= JACK) if kind == PAIR else pays[kind], sums, starts, below)
    total = 0
    for hand in hands:
        parts, best = sums[parts_of(hand, starts, below)], 0
        for held in range(32):
            won, kept = 0, 0
            for other in range(32):
                if other & held == held:
                    won += parts[other] * sign(other ^ held)
            for at in range(5):
                kept += held >> at & 1
            best = max(best, won * scale[kept])
        total += best
    return total


@njit
def sign(chosen: Any) -> Any:
    """Minus one for an odd number of cards."""
    odd = chosen ^ chosen >> 1 ^ chosen >> 2 ^ chosen >> 3 ^ chosen >> 4
    return -1 if odd & 1 else 1


@njit
def dealers(hand: Any, up: Any, sums: Any, starts: Any, below: Any) -> Any:
    """How many of the dealer's hands that were added hold the up card and none of this hand's."""
    found, part = 0, np.zeros(6, np.int64)
    for chosen in range(31):  # not all five: the up card is one of the dealer's five
        size, put = 0, False
        for at in range(5):
            if chosen >> at & 1:
                if not put and up < hand[at]:
                    part[size] = up
                    size, put = size + 1, True
                part[size] = hand[at]
                size += 1
        if not put:
            part[size] = up
            size += 1
        found += sums[starts[size] + number_of(part, size, below)] * sign(chosen)
    return found


@njit
def suit_patterns(hand: Any, changes: Any) -> Any:
    """How many hands this one becomes when suits change places; 0 where another of them stands for all."""
    same, other = 0, np.zeros(5, np.int64)
    for change in changes:
        for at in range(5):
            other[at] = (hand[at] & ~3) | change[hand[at] & 3]
        other.sort()
        for at in range(5):
            if other[at] != hand[at]:
                if other[at] < hand[at]:
                    return 0
                break
        else:
            same += 1
    return len(changes) // same


@njit
def of_equal_hands(
    hands: Any, strength: Any, out: Any, lower: Any, ways: Any, upto: Any, pays: Any, gone: Any, every: Any
) -> Any:
    """What the ante and call win at best with each of some equal hands and each up card, added up."""
    total = 0
    for number in range(len(hands)):
        for up in range(52):
            if up == gone or up in hands[number]:
                continue
            away = out[number, up]
            won = max(lower[number, up] - away, 0)
            lost = every - max(upto[number, up], away)
            total += ways[number] * max(-every, away + won * (1 + 2 * pays[strength // 13**5]) - 3 * lost)
    return total


@njit
def all_dealers(hands: Any, sums: Any, starts: Any, below: Any) -> Any:
    """The dealer's hands that were added, for each of some hands and each up card."""
    found = np.zeros((len(hands), 52), np.int64)
    for number in range(len(hands)):
        for up in range(52):
            if up not in hands[number]:
                found[number, up] = dealers(hands[number], up, sums, starts, below)
    return found


@njit
def caribbean_sum(
    hands: Any, strengths: Any, changes: Any, pays: Any, size: Any, starts: Any, below: Any, gone: Any, every: Any
) -> Any:
    """Hands from the weakest: those added before are the dealer's that a hand beats."""
    weak, sums, total, at = np.zeros(size, np.int64), np.zeros(size, np.int64), 0, 0
    for number in range(np.searchsorted(strengths, ACE_KING)):
        add(hands[number], 1, weak, starts, below)
    while at < len(hands):
        end = np.searchsorted(strengths, strengths[at], side="right")
        equal = hands[at:end]
        ways = np.array([suit_patterns(hand, changes) for hand in equal])
        some, ways = equal[ways > 0], ways[ways > 0]
        lower = all_dealers(some, sums, starts, below)
        for hand in equal:
            add(hand, 1, sums, starts, below)
        upto = all_dealers(some, sums, starts, below)
        out = all_dealers(some, weak, starts, below)
        total += of_equal_hands(some, strengths[at], out, lower, ways, upto, pays, gone, every)
        at = end
    return total


@njit
def strengths_of(hands: Any) -> Any:
    """The strength of every hand."""
    found = np.zeros(len(hands), np.int64)
    for at in range(len(hands)):
        found[at] = look(hands[at])[1]
    return found


def all_hands() -> tuple[Any, Any]:
    """Every hand of five, and where the sets of each size begin when they are numbered one after another."""
    hands = np.fromiter((card for hand in combinations(range(CARDS), FIVE) for card in hand), np.int64)
    starts = np.cumsum([0, *(comb(CARDS, size) for size in range(FIVE + 1))])
    return hands.reshape(-1, FIVE), starts


def let_it_ride() -> Fraction:
    """What all three bets win, per one of them."""
    return Fraction(int(let_it_ride_sum(LET_IT_RIDE)), comb(CARDS, 3) * 49 * 48)


def mississippi_stud() -> Fraction:
    """What the ante wins, with all that is raised."""
    return Fraction(int(mississippi_sum(MISSISSIPPI)), comb(CARDS, 2) * 50 * 49 * 48)


def jacks_or_better() -> Fraction:
    """What the bet wins; the machine's pays hold the stake."""
    hands, starts = all_hands()
    draws = [comb(CARDS - FIVE, FIVE - held) for held in range(FIVE + 1)]
    whole = lcm(*draws)
    scale = np.array([whole // each for each in draws])
    total = machine_sum(hands, MACHINE, np.zeros(starts[-1], np.int64), starts, BELOW, scale)
    return Fraction(int(total), len(hands) * whole) - 1


def caribbean_stud(gone: int = -1) -> Fraction:
    """What the ante wins, with the call; `gone` is a card that is not in the pack (rank from the two up, then suit)."""
    hands, starts = all_hands()
    hands = hands[~(hands == gone).any(axis=1)]
    left = CARDS - (gone >= 0)
    strengths = strengths_of(hands)
    order = np.argsort(strengths, kind="stable")
    alike = [change for change in permutations(range(4)) if gone < 0 or change[gone & 3] == gone & 3]
    every = comb(left - 6, 4)
    total = caribbean_sum(
        hands[order], strengths[order], np.array(alike), CALL, int(starts[-1]), starts, BELOW, gone, every
    )
    return Fraction(int(total), len(hands) * (left - FIVE) * every)
