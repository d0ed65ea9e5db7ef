"""How often the dealer ends how, counted in whole numbers for many shoes at once.

A count is the number of ordered draws of a fixed length that the dealer stops within: some hundred bits. It is worked
out modulo several numbers without a common factor, whose product is larger than every count can be, and put together
again (the Chinese remainder theorem). Each remainder is small enough that floating point products of it are exact.
"""

from dataclasses import dataclass
from functools import cached_property
from math import gcd, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from pairhouse.analysis.blackjack.hands import DEALER_BLACKJACK, DEALER_BUST, OUTCOMES, Numbers, Reals, dealer_tree
from pairhouse.games.blackjack_choices import Rules
from pairhouse.machines.cache import cached_jit

LANES = 64
EXACT_BITS = 52  # products below this are whole numbers that a float holds
DIGIT_BITS = 5  # of each value at most 31 cards are gone

Whole = npt.NDArray[np.object_]  # Python integers of any size

jit = cached_jit("blackjack-exact-ends", __name__, nogil=True, error_model="numpy")


@jit
def remainder(product: float, modulus: float, inverse: float) -> float:
    """What is left of a whole number below 2^53; the quotient is off by one at most."""
    left: float = product - np.floor(product * inverse) * modulus
    left = left + modulus if left < 0.0 else left
    return left - modulus if left >= modulus else left


@jit
def all_as_long(drawn: Reals, cards: float, modulus: float) -> float:
    """Draws of every length, continued to the longest in every way, modulo a number."""
    inverse = 1.0 / modulus
    found = 0.0
    for length in range(drawn.size - 1):
        found = remainder(found + drawn[length], modulus, inverse)
        found = remainder(found * max(cards - length, 1.0), modulus, inverse)
    continued: float = remainder(found + drawn[drawn.size - 1], modulus, inverse)
    return continued


@jit
def draw_side_by_side(
    value: Numbers,
    taken: Numbers,
    size: Numbers,
    ways: Reals,
    outcome: Numbers,
    cards: Reals,
    modulus: float,
    sums: Reals,
) -> None:
    """Walk through the dealer's hands for many shoes at a time; `sums` are the draws by length, outcome and shoe."""
    inverse = 1.0 / modulus
    weights = np.empty((sums.shape[0], LANES))
    weights[0] = 1.0
    sums[:] = 0.0
    for node in range(1, value.size):
        v, out, k, end = value[node], float(taken[node]), size[node], outcome[node]
        for lane in range(LANES):
            weights[k, lane] = remainder(weights[k - 1, lane] * max(cards[v, lane] - out, 0.0), modulus, inverse)
        if end >= 0:
            for lane in range(LANES):
                sums[k, end, lane] += remainder(ways[node] * weights[k, lane], modulus, inverse)


@jit
def count_ends(
    tree: tuple[Numbers, Numbers, Numbers, Reals, Numbers], left: Reals, modulus: float, found: Reals
) -> None:
    """For each row of `left` (cards of each value still unseen) the ordered draws to every outcome, all of the length
    of the longest, modulo a number."""
    value, taken, size, ways, outcome = tree
    cards = np.empty((11, LANES))
    sums = np.empty((size.max() + 1, found.shape[1], LANES))
    for start in range(0, left.shape[0], LANES):
        rows = min(LANES, left.shape[0] - start)
        for lane in range(LANES):
            cards[:, lane] = left[start + min(lane, rows - 1)]
        draw_side_by_side(value, taken, size, ways, outcome, cards, modulus, sums)
        for lane in range(rows):
            for end in range(found.shape[1]):
                found[start + lane, end] = all_as_long(sums[:, end, lane], cards[:, lane].sum(), modulus)


def moduli(bound: int, largest_factor: int) -> list[int]:
    """Numbers without a common factor whose product is above a bound; times a factor each stays exact."""
    found: list[int] = []
    candidate = 1 << (EXACT_BITS - largest_factor.bit_length())
    while prod(found) <= bound:
        candidate -= 1
        if all(gcd(candidate, other) == 1 for other in found):
            found.append(candidate)
    return found


def codes_of(gone: Numbers) -> Numbers:
    """One number for each row of cards gone."""
    shifts = DIGIT_BITS * np.arange(gone.shape[1], dtype=np.int64)
    coded: Numbers = (gone << shifts).sum(axis=1)
    return coded


@dataclass(eq=False)
class ExactEnds:
    """The dealer's ends from a shoe less what is gone of it, by up card; what was counted once is kept."""

    rules: Rules
    up: int
    shoe: tuple[int, ...]  # without the up card

    def __post_init__(self) -> None:
        self.codes: Numbers = np.empty(0, np.int64)  # rising, and the row of each
        self.rows: Numbers = np.empty(0, np.int64)
        self.found: Reals = np.empty((len(self.moduli), 1 << 12, OUTCOMES))

    @cached_property
    def longest(self) -> int:
        """The most cards that the dealer draws."""
        return int(dealer_tree(self.rules, self.up).size.max())

    @cached_property
    def moduli(self) -> list[int]:
        tree = dealer_tree(self.rules, self.up)
        cards = sum(self.shoe)
        return moduli(2 * cards**self.longest, max(int(tree.ways.max()), cards))

    def rows_of(self, gone: Numbers) -> Numbers:
        """Where the ends with these cards gone are; counted as far as they are not known."""
        asked = codes_of(gone)
        at = np.searchsorted(self.codes, asked)
        known = self.codes[np.minimum(at, len(self.codes) - 1)] == asked if len(self.codes) else np.zeros(len(at), bool)
        if not known.all():
            new, first = np.unique(asked[~known], return_index=True)
            self._add(new, gone[~known][first])
            at = np.searchsorted(self.codes, asked)
        return self.rows[at]

    def _add(self, codes: Numbers, gone: Numbers) -> None:
        left = np.maximum(np.array(self.shoe) - gone, 0).astype(np.float64)
        begun, number = len(self.codes), len(codes)
        while begun + number > self.found.shape[1]:
            self.found = np.concatenate([self.found, np.empty_like(self.found)], axis=1)
        tree = dealer_tree(self.rules, self.up)
        described = tree.value, tree.taken, tree.size, tree.ways, tree.outcome
        for at, modulus in enumerate(self.moduli):
            count_ends(described, left, float(modulus), self.found[at, begun : begun + number])
        places = np.searchsorted(self.codes, codes)
        self.codes = np.insert(self.codes, places, codes)
        self.rows = np.insert(self.rows, places, np.arange(begun, begun + number))

    def stands(self, gone: Numbers, totals: Numbers) -> Whole:
        """Draws that a hand of each total wins less those that it loses; a dealer's blackjack is lost."""
        rows = self.rows_of(gone)  # may make room in `found`
        ends = self.found[:, rows]
        beats = np.sign(totals[:, None] - np.arange(17, 22))
        signs = np.zeros((len(totals), OUTCOMES))
        signs[:, :5], signs[:, DEALER_BUST], signs[:, DEALER_BLACKJACK] = beats, 1, -1
        return self._together((ends * signs).sum(axis=2).astype(np.int64))

    def _together(self, remainders: Numbers) -> Whole:
        """The one number with these remainders that is small enough, for each row."""
        whole: Any = np.zeros(remainders.shape[1], object)
        product = 1
        for modulus, given in zip(self.moduli, remainders, strict=True):
            step = (given.astype(object) - whole) * pow(product, -1, modulus) % modulus
            whole, product = whole + product * step, product * modulus
        signed: Whole = np.where(whole > product // 2, whole - product, whole)
        return signed
