"""The arithmetic of the solver, compiled: how the dealer ends against every hand, and what every action is worth.

Counts of cards are held as floating point numbers; every product of a probability stays below 2^53 in size or is a
ratio, so the relative error of an outcome is a few units in the last place per card.
"""

import numpy as np

from pairhouse.analysis.blackjack.hands import OUTCOMES, Numbers, Reals
from pairhouse.machines.cache import cached_jit

LANES = 64  # so many that checking whether arrays overlap costs little, so few that they stay in the nearest cache
DRAWS_MAX = 24
PASSES, STANDS = 1, 2

jit = cached_jit("blackjack-kernels", __name__, nogil=True, error_model="numpy", fastmath={"contract"})


@jit
def fill_lanes(left: Reals, start: int, rows: int, cards: Reals, inverse: Reals) -> None:
    """Lay rows side by side: their cards, and one over the ordered draws of so many cards from them."""
    for lane in range(LANES):
        row = start + min(lane, rows - 1)
        total = 0.0
        for v in range(1, 11):
            cards[v, lane] = left[row, v]
            total += left[row, v]
        inverse[0, lane] = 1.0
        for drawn in range(1, DRAWS_MAX):
            inverse[drawn, lane] = inverse[drawn - 1, lane] / max(total - drawn + 1, 1.0)


@jit
def dealer_outcomes(
    value: Numbers, taken: Numbers, size: Numbers, ways: Reals, outcome: Numbers, left: Reals, ends: Reals
) -> None:
    """For each row of `left` (cards of each value still unseen) the chances of every dealer outcome, into `ends`.

    Rows are done many at a time, so that the processor multiplies them side by side. Nodes come depth first, so that
    only the weights on the way to a node need be kept.
    """
    weights = np.empty((DRAWS_MAX, LANES))
    inverse = np.empty((DRAWS_MAX, LANES))
    cards = np.empty((11, LANES))
    sums = np.empty((OUTCOMES, LANES))
    for start in range(0, left.shape[0], LANES):
        rows = min(LANES, left.shape[0] - start)
        fill_lanes(left, start, rows, cards, inverse)
        sums[:] = 0.0
        weights[0] = 1.0
        for node in range(1, value.size):
            v, out, k, end = value[node], float(taken[node]), size[node], outcome[node]
            for lane in range(LANES):
                weights[k, lane] = weights[k - 1, lane] * (cards[v, lane] - out)
            if end >= 0:
                for lane in range(LANES):
                    sums[end, lane] += ways[node] * weights[k, lane] * inverse[k, lane]
        for lane in range(rows):
            for end in range(OUTCOMES):
                ends[start + lane, end] = sums[end, lane]


@jit
def draw_chances(left: Reals, ruled_out: int, chances: Reals) -> None:
    """The chance of each value as the next card, for each row of cards unseen (the hole card among them).

    `ruled_out` is the value that the hole card is known not to have, 0 if nothing is known: cards of that value are
    then likelier to come, and all others a little less.
    """
    for row in range(left.shape[0]):
        total = 0.0
        for v in range(1, 11):
            total += left[row, v]
        if ruled_out == 0:
            for v in range(1, 11):
                chances[row, v] = left[row, v] / total
            continue
        holes = total - left[row, ruled_out]
        for v in range(1, 11):
            share = 1.0 if v == ruled_out else (holes - 1.0) / holes
            chances[row, v] = share * left[row, v] / (total - 1.0)


@jit
def stand_values(totals: Numbers, fates: Numbers, ends: Reals, out: Reals) -> None:
    """What each hand is worth when it stands: against each dealer total, against a bust, against a blackjack."""
    for hand in range(totals.size):
        if fates[hand] != 0:
            out[hand] = 1.0
            continue
        value = ends[hand, 5] - ends[hand, 6]
        for dealer in range(5):
            if totals[hand] > dealer + 17:
                value += ends[hand, dealer]
            elif totals[hand] < dealer + 17:
                value -= ends[hand, dealer]
        out[hand] = value


@jit
def hit_and_double(
    children: Numbers, ends: Numbers, chances: Reals, stand: Reals, hit: Reals, double: Reals, best: Reals
) -> None:
    """From the highest hard total down: the value of a further card, of a last card at twice the stake, and the better
    of standing and drawing. Hands that end by themselves are worth what they stand for."""
    for hand in range(children.shape[0] - 1, -1, -1):
        if ends[hand]:
            best[hand] = stand[hand]
            continue
        draws, last = 0.0, 0.0
        for v in range(1, 11):
            child = children[hand, v]
            draws += chances[hand, v] * (best[child] if child >= 0 else -1.0)
            last += chances[hand, v] * (stand[child] if child >= 0 else -1.0)
        hit[hand] = draws
        double[hand] = 2.0 * last
        best[hand] = max(stand[hand], draws)


@jit
def plan_values(
    children: Numbers, stands: Numbers, doubles: Numbers, chances: Reals, stand: Reals, double: Reals, values: Reals
) -> None:
    """The value of every hand when it is fixed which hands stand, draw or double."""
    for hand in range(children.shape[0] - 1, -1, -1):
        if doubles[hand]:
            values[hand] = double[hand]
        elif stands[hand]:
            values[hand] = stand[hand]
        else:
            draws = 0.0
            for v in range(1, 11):
                child = children[hand, v]
                draws += chances[hand, v] * (values[child] if child >= 0 else -1.0)
            values[hand] = draws


@jit
def reach(children: Numbers, stands: Numbers, doubles: Numbers, start: int, seen: Numbers) -> None:
    """Mark the hands a plan passes through and those it comes to stand on."""
    seen[start] = PASSES
    for hand in range(start, children.shape[0]):
        if seen[hand] == 0:
            continue
        if stands[hand] and not doubles[hand]:
            seen[hand] = STANDS
            continue
        for v in range(1, 11):
            child = children[hand, v]
            if child >= 0:
                if doubles[hand]:
                    seen[child] = STANDS
                elif seen[child] == 0:
                    seen[child] = PASSES


@jit
def spread_hands(
    children: Numbers, totals: Numbers, fates: Numbers, marks: Numbers, chances: Reals, ends: Reals, joint: Reals
) -> None:
    """For every hand the joint chances of the dealer's end and the hand's net result of -2 to 2 units.

    `marks` says of each hand whether a plan has it draw (0), stand (1) or double (2).
    """
    for hand in range(children.shape[0] - 1, -1, -1):
        if marks[hand] == 1:
            add_stand(totals[hand], fates[hand], 1, 1.0, ends, hand, joint, hand)
            continue
        units = 2 if marks[hand] == 2 else 1
        for v in range(1, 11):
            child, chance = children[hand, v], chances[hand, v]
            if child >= 0 and units == 2:
                add_stand(totals[child], fates[child], units, chance, ends, child, joint, hand)
                continue
            for end in range(OUTCOMES):
                if child < 0:
                    joint[hand, end, 2 - units] += chance * ends[hand, end]
                else:
                    for net in range(5):
                        joint[hand, end, net] += chance * joint[child, end, net]


@jit
def add_stand(
    total: int, fate: int, units: int, chance: float, ends: Reals, final: int, joint: Reals, hand: int
) -> None:
    """Add to a hand that its cards come to stand as a final hand, with so many units on it."""
    for end in range(OUTCOMES):
        if fate != 0 or end == 5 or (end < 5 and total > end + 17):
            net = units
        elif end < 5 and total == end + 17:
            net = 0
        else:
            net = -units
        joint[hand, end, 2 + net] += chance * ends[final, end]
