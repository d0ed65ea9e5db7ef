"""Statistical tests of dealt cards, for any shuffle: final outcomes, compared with exact expectations.

Run as a script it prints the table of docs/fairness.md: `python tests/dealing_battery.py 1000000 52 416`.
"""

import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from math import comb, erfc, exp, lgamma, log, perm, sqrt
from typing import Any

import numpy as np

from pairhouse.rounds.fairness import Order, WordStream

Cards = np.ndarray[Any, np.dtype[np.uint16]]
Counts = np.ndarray[Any, np.dtype[np.int64]]
Dealer = Callable[[WordStream, int], list[int]]

PACKS = {
    52: (1, 0),
    54: (1, 2),
    104: (2, 0),
    156: (3, 0),
    208: (4, 0),
    260: (5, 0),
    312: (6, 0),
    364: (7, 0),
    416: (8, 0),
}
FAMILY_ERROR = 0.01  # "99 percent together"
PLACES = 6  # of the first so many cards every two are tested against each other
CHUNK = 5_000


def honest(stream: WordStream, size: int) -> list[int]:
    """The order the house deals, every card with a number of its own: as one deck with so many Jokers more."""
    return Order(stream, 1, size - 52)[:]


def shuffles(size: int, count: int, dealer: Dealer = honest) -> Iterator[Cards]:
    """Real shuffles, a seed for each chunk and a nonce for each shuffle; the same ones on every run."""
    for start in range(0, count, CHUNK):
        server_seed = sha256(f"dealing {size} {start}".encode()).digest()
        streams = (WordStream(server_seed, "dealing", "0" * 64, ["test"], n) for n in range(min(CHUNK, count - start)))
        yield np.array([dealer(stream, size) for stream in streams], dtype=np.uint16)


class Battery:
    """Counts over shuffles of one pack, and what they say. Every shuffle is independent of every other if all is well."""

    def __init__(self, size: int) -> None:
        decks, jokers = PACKS[size]
        self.size, self.copies, self.kinds = size, decks, 52 + jokers
        self.shuffles = 0
        self.from_place: Counts = np.zeros((size, size), dtype=np.int64)
        self.at_place: Counts = np.zeros((size, self.kinds), dtype=np.int64)
        self.pairs: Counts = np.zeros((PLACES, PLACES, self.kinds, self.kinds), dtype=np.int64)
        self.rounds: Counts = np.zeros((2, self.kinds, self.kinds), dtype=np.int64)
        self.coupons: Counts = np.zeros(size + 1, dtype=np.int64)
        self.runs = 0
        self.neighbours = [0.0, 0.0]  # sum and sum of squares over shuffles
        self.matches = [0.0, 0.0, 0.0]  # with how many pairs of shuffles
        self.prefixes: list[Counts] = []
        self.whole: set[bytes] = set()

    def add(self, numbered: Cards) -> None:
        """Count some shuffles of numbered cards; all but one of the tests look at their faces only."""
        cards = (numbered % self.kinds).astype(np.uint8)
        self.shuffles += len(cards)
        wide = cards.astype(np.int64)
        places = np.arange(self.size)
        self.from_place += np.bincount((places * self.size + numbered).ravel(), minlength=self.size**2).reshape(
            self.size, -1
        )
        self.at_place += np.bincount((places * self.kinds + wide).ravel(), minlength=self.at_place.size).reshape(
            self.size, -1
        )
        for a in range(PLACES):
            for b in range(a + 1, PLACES):
                self.pairs[a, b] += self._table(wide[:, a], wide[:, b])
        odd, even = wide[0 : len(wide) // 2 * 2 : 2], wide[1::2]  # pairs of successive rounds that do not overlap
        for at, place in enumerate((0, -1)):
            self.rounds[at] += self._table(odd[:, place], even[:, place])
        _add_sample(self.matches, (odd == even).sum(axis=1))
        self.matches[2] += len(odd)
        self._add_within(cards, wide)

    def _add_within(self, cards: Any, wide: Counts) -> None:
        low = cards < self.kinds // 2
        self.runs += int((low[:, 1:] != low[:, :-1]).sum()) + len(cards)
        centred = wide - (self.kinds - 1) / 2
        _add_sample(self.neighbours, (centred[:, 1:] * centred[:, :-1]).sum(axis=1))
        ranks = np.where(cards < 52, cards % 13, 13)
        met = np.max([(ranks == rank).argmax(axis=1) for rank in range(13)], axis=0) + 1
        self.coupons += np.bincount(met, minlength=self.size + 1)
        self.prefixes.append(((wide[:, 0] * 64 + wide[:, 1]) * 64 + wide[:, 2]) * 64 + wide[:, 3])
        self.whole.update(sha256(row.tobytes()).digest()[:12] for row in cards)

    def _table(self, first: Counts, second: Counts) -> Counts:
        return np.bincount(first * self.kinds + second, minlength=self.kinds**2).reshape(self.kinds, self.kinds)

    def p_values(self) -> dict[str, float]:
        """One p-value a test; each is uniform on 0 to 1 for a fair shuffle."""
        found = {
            "chi-square, place by place before": self._places(self.from_place),
            "chi-square, place by card": self._places(self.at_place),
            "runs, lower and upper half": self._runs(),
            "serial correlation, neighbours": _two_sided(*self._neighbours()),
            "serial correlation, first card of successive rounds": self._between(0),
            "serial correlation, last card of successive rounds": self._between(1),
            "coupon collector, thirteen ranks": self._coupons(),
            "overlaps, same card at the same place of successive rounds": _two_sided(*self._overlaps()),
            "duplicates, first four cards": self._prefixes(),
            "duplicates, whole orders": float(len(self.whole) == self.shuffles),
        }
        for a in range(PLACES):
            for b in range(a + 1, PLACES):
                found[f"interplay, cards {a + 1} and {b + 1}"] = self._interplay(a, b)
        return found

    def _places(self, counts: Counts) -> float:
        """Counts of a permutation are tied both ways, which leaves (places-1)(kinds-1) degrees, widened by N/(N-1)."""
        kinds = counts.shape[1]
        expected = self.shuffles / kinds
        statistic = ((counts - expected) ** 2 / expected).sum() * (self.size - 1) / self.size
        return chi_square_p(float(statistic), (self.size - 1) * (kinds - 1))

    def _runs(self) -> float:
        """Wald and Wolfowitz: mean and variance of the number of runs are exact."""
        low, high, size = self.kinds // 2 * self.copies, (self.kinds + 1) // 2 * self.copies, self.size
        both = 2 * low * high
        variance = both * (both - size) / (size**2 * (size - 1))
        return _two_sided(self.runs - self.shuffles * (1 + both / size), sqrt(self.shuffles * variance))

    def _neighbours(self) -> tuple[float, float]:
        spread = (self.kinds**2 - 1) / 12
        expected = -spread * (self.size - 1) / (self.size - 1)  # each of N-1 pairs has -spread/(N-1)
        return _from_sample(self.neighbours, self.shuffles, expected)

    def _overlaps(self) -> tuple[float, float]:
        return _from_sample(self.matches, self.matches[2], self.size / self.kinds)

    def _between(self, at: int) -> float:
        expected = self.matches[2] / self.kinds**2
        statistic = ((self.rounds[at] - expected) ** 2 / expected).sum()
        return chi_square_p(float(statistic), self.kinds**2 - 1)

    def _interplay(self, a: int, b: int) -> float:
        chance = np.full((self.kinds, self.kinds), self.copies**2 / (self.size * (self.size - 1)))
        np.fill_diagonal(chance, self.copies * (self.copies - 1) / (self.size * (self.size - 1)))
        possible = chance > 0
        expected = self.shuffles * chance[possible]
        found = self.pairs[a, b][possible]
        return chi_square_p(float(((found - expected) ** 2 / expected).sum()), int(possible.sum()) - 1)

    def _coupons(self) -> float:
        """Cards until every rank has been seen: inclusion and exclusion over the ranks missing."""
        of_rank = 4 * self.copies
        within = [
            sum((-1) ** j * comb(13, j) * comb(self.size - j * of_rank, t) for j in range(14)) / comb(self.size, t)
            for t in range(self.size + 1)
        ]
        chances = np.diff(np.array(within), prepend=0.0)
        return binned_p(self.coupons, chances * self.shuffles)

    def _prefixes(self) -> float:
        """Pairs of shuffles that begin with the same four cards, against the exact chance of it."""
        _, counts = np.unique(np.concatenate(self.prefixes), return_counts=True)
        found = int((counts * (counts - 1) // 2).sum())
        same, thrice = self._same_prefix(2), self._same_prefix(3)
        m = self.shuffles
        variance = comb(m, 2) * same * (1 - same) + m * (m - 1) * (m - 2) * (thrice - same**2)
        return _two_sided(found - comb(m, 2) * same, sqrt(variance))

    def _same_prefix(self, times: int) -> float:
        """The chance that so many shuffles begin with the same four cards, by which of the four are alike."""
        total = 0.0
        for ways, groups in ((1, (1, 1, 1, 1)), (6, (2, 1, 1)), (3, (2, 2)), (4, (3, 1)), (1, (4,))):
            chance = 1 / perm(self.size, 4)
            for group in groups:
                chance *= perm(self.copies, group)
            total += ways * perm(self.kinds, len(groups)) * chance**times
        return total


def _add_sample(sums: list[float], values: Any) -> None:
    sums[0] += float(values.sum())
    sums[1] += float((values.astype(float) ** 2).sum())


def _from_sample(sums: list[float], count: float, expected: float) -> tuple[float, float]:
    """How far a sum is from its exact expectation, and its deviation as the sample shows it."""
    variance = sums[1] / count - (sums[0] / count) ** 2
    return sums[0] - count * expected, sqrt(count * variance)


def _two_sided(difference: float, deviation: float) -> float:
    return erfc(abs(difference) / (deviation * sqrt(2))) if deviation else float(difference == 0)


def binned_p(found: Counts, expected: Any, least: float = 10.0) -> float:
    """Chi-square of counts against expectations, neighbours joined until each expects enough."""
    statistic, bins, count, mean = 0.0, 0, 0.0, 0.0
    rest = float(sum(expected))
    for here, should in zip(found, expected, strict=True):
        count, mean, rest = count + float(here), mean + float(should), rest - float(should)
        if mean >= least and rest >= least:
            statistic, bins, count, mean = statistic + (count - mean) ** 2 / mean, bins + 1, 0.0, 0.0
    return chi_square_p(statistic + (count - mean) ** 2 / mean, bins)


def chi_square_p(statistic: float, freedom: int) -> float:
    """The chance of a chi-square as large or larger: the incomplete gamma function by its series or its fraction."""
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        step = a
        while term > total * 1e-15:
            step += 1
            term *= x / step
            total += term
        return 1 - front * total
    b, c, d = x + 1 - a, 1e300, 1 / (x + 1 - a)
    result, i = d, 0
    while True:
        i += 1
        factor = -i * (i - a)
        b += 2
        d = 1 / (factor * d + b or 1e-300)
        c = b + factor / c or 1e-300
        result *= d * c
        if abs(d * c - 1) < 1e-15 or i > 10**6:
            return front * result


def rejected(p_values: dict[str, float], error: float = FAMILY_ERROR) -> list[str]:
    """The tests that fail when all together may fail a fair shuffle with chance `error`: Holm's method."""
    failed = []
    for tried, (name, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        if p > error / (len(p_values) - tried):
            break
        failed.append(name)
    return failed


def p_values_of(size: int, count: int, dealer: Dealer = honest) -> dict[str, float]:
    """The p-values of so many shuffles of one pack."""
    battery = Battery(size)
    for cards in shuffles(size, count, dealer):
        battery.add(cards)
    return battery.p_values()


def report(count: int, size: int) -> str:
    """One row of the table."""
    found = p_values_of(size, count)
    interplay = [p for name, p in found.items() if name.startswith("interplay")]
    others = " | ".join(f"{p:.3f}" for name, p in found.items() if not name.startswith("interplay"))
    verdict = ", ".join(rejected(found)) or "none"
    return f"| {size} | {count:,} | {others} | {min(interplay):.3f} | {verdict} |"


if __name__ == "__main__":
    for word in sys.argv[2:]:
        sys.stdout.write(report(int(sys.argv[1]), int(word)) + "\n")
        sys.stdout.flush()
